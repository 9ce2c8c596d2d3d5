import { type Context, write } from '../context.ts';
import { styleFor } from './style.ts';

/** What a warning of the engine means at a prompt, and what can be done about it. */
const SENTENCES: Readonly<Record<string, string>> = {
  input_too_large: 'the text is too large to judge and came back whole',
  timeout: 'judging took longer than allowed; raise --timeout',
  constraints_unmet: 'the text has fewer lines than --min-keep-lines asks for and came back whole',
  no_match: 'no line serves the goal; the outline of the text is shown',
  needs_all_rows: 'it takes every row of the table to answer; what fits is shown',
  budget_unmet: 'the limits and protected lines leave more than --max-tokens asks for',
  internal_error: 'something failed inside and the text came back whole',
  store_failed: 'the text could not be kept for recovery, so nothing was cut: check JEEVES_STORE and the disk',
  recovery_unavailable: 'the text could not be kept for recovery, so nothing was cut: check JEEVES_STORE and the disk',
  marker_in_input: 'the input holds lines that look like gap markers; only gaps listed with --json are ours',
  no_prune_unclosed: 'a ⟦NO_PRUNE_BEGIN⟧ has no end; 200 lines after it were kept',
  http_error: 'the service could not be reached or refused; the embedded backend judged instead',
  invalid_response: "the service's answer was not understood; the embedded backend judged instead",
  config_error: 'the service is not set up properly; the embedded backend judged instead',
  backend_error: 'the backend failed; the embedded backend judged instead',
  deepinfra_docs_truncated: 'the text has more lines than DEEPINFRA_MAX_DOCS; an even sample was scored',
  deepinfra_error: 'DeepInfra could not be used; the embedded backend judged instead',
  deepinfra_http_error: 'DeepInfra was unreachable, too slow, or answered with an error',
  deepinfra_parse_error: "DeepInfra's answer was not understood",
  deepinfra_config_error: 'check DEEPINFRA_API_KEY and DEEPINFRA_ENDPOINT_URL (https, or http to this machine)',
};

/** Says each warning once, on stderr: stdout belongs to the text. */
export async function writeWarnings(codes: readonly string[], context: Context): Promise<void> {
  const { yellow } = styleFor(context.stderr, context.config);
  for (const code of new Set(codes)) {
    await write(context.stderr, `${yellow('warning:')} ${code}: ${SENTENCES[code] ?? 'see the documentation'}\n`);
  }
}
