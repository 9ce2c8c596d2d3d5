import * as z from 'zod';

/** A value read from a string, or why it cannot be used. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/** Who prunes: a service, the engine in this process, or nobody. */
export type PrunerTarget =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'embedded' }
  | { readonly kind: 'off' };

const TRUTHY = new Set(['1', 'true', 'yes', 'on']);

/** `1`, `true`, `yes` and `on` in any case are true, anything else is false. */
export function parseBoolean(value: string): boolean {
  return TRUTHY.has(value.trim().toLowerCase());
}

/** A decimal integer within the bounds. Read by pattern: `Number('')` would be 0, `Number('1e3')` 1000. */
export function parseInteger(value: string, bounds: { readonly min: number; readonly max: number }): Parsed<number> {
  const text = value.trim();
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= bounds.min && number <= bounds.max) return { ok: true, value: number };
  return { ok: false, message: `expected an integer from ${bounds.min} to ${bounds.max}, got ${shown(value)}` };
}

/** Where `PRUNER_URL=auto` looks for a service. Without being asked nobody does: any program may hold that port. */
export const AUTO_PRUNER_URL = 'http://localhost:8000/prune';

/** `PRUNER_URL` and `JEEVES_PRUNER_URL`: an absolute http(s) URL, `embedded:`, or empty. */
export function parsePrunerUrl(value: string): Parsed<PrunerTarget> {
  const text = value.trim();
  if (text === '') return { ok: true, value: { kind: 'off' } };
  if (text === 'embedded:') return { ok: true, value: { kind: 'embedded' } };
  const http = parseHttpUrl(text);
  return http.ok
    ? { ok: true, value: { kind: 'http', url: http.value } }
    : { ok: false, message: `${http.message}, "embedded:" or nothing` };
}

/** An absolute http(s) URL, returned as it was written. The message does not repeat it: it may hold a password. */
export function parseHttpUrl(value: string): Parsed<string> {
  const usable = /^https?:\/\//i.test(value) && z.url().safeParse(value).success;
  return usable ? { ok: true, value } : { ok: false, message: 'expected an absolute http or https URL' };
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, 40));
}
