import type { PrunerTarget } from '@jeeves/protocol';

/** What `PRUNER_URL` says; `auto` leaves the choice to what answers at the usual address. */
export type PrunerSetting = PrunerTarget | { readonly kind: 'auto'; readonly url: string };

/** Who is asked. `endpoint` is what events may show of it. */
export type Target =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly endpoint: string;
      /** Nobody named it, it was merely there: nothing is believed of it that cannot be checked. */
      readonly found?: true;
    }
  | { readonly kind: 'embedded'; readonly endpoint: 'embedded:' };

const EMBEDDED: Target = { kind: 'embedded', endpoint: 'embedded:' };
const PROBE_MS = 300;
const MAX_HEALTH_BYTES = 64 * 1024;

/** The decision, made at its first use and kept: a service that comes up later must not change a session's results. */
export function decideOnce(setting: PrunerSetting, fetch: typeof globalThis.fetch): () => Promise<Target> {
  let decided: Promise<Target> | undefined;
  return () => {
    decided ??= decide(setting, fetch);
    return decided;
  };
}

async function decide(setting: PrunerSetting, fetch: typeof globalThis.fetch): Promise<Target> {
  if (setting.kind === 'http') return service(setting.url);
  if (setting.kind === 'auto' && (await isHealthy(new URL('health', setting.url), fetch))) {
    return { ...service(setting.url), found: true };
  }
  return EMBEDDED;
}

function service(url: string): Target & { readonly kind: 'http' } {
  return { kind: 'http', url, endpoint: shownAddress(url) };
}

/** Without user name, password and parameters: each of them may be a secret. */
function shownAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

async function isHealthy(url: URL, fetch: typeof globalThis.fetch): Promise<boolean> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PROBE_MS);
  try {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', connection: 'close' };
    const response = await fetch(url, { headers, redirect: 'manual', signal: controller.signal });
    if (response.status !== 200) return false;
    const body: unknown = JSON.parse(await readSmall(response));
    return typeof body === 'object' && body !== null && 'status' in body && body.status === 'healthy';
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    // Frees the socket of an answer that was not read to its end.
    controller.abort();
  }
}

async function readSmall(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_HEALTH_BYTES) return '';
  }
  return text;
}
