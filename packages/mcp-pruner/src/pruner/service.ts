import { Buffer } from 'node:buffer';
import type * as Engine from '@jeeves/engine';
import type { Lines, ServiceAnswer, TextList, TextToKeep } from '@jeeves/engine';
import { formatClosing } from '@jeeves/engine/marker';
import type { Answer } from '../pruner.ts';
import type { PrunerCall } from './call.ts';
import { endsOf, keptEnds } from './ends.ts';
import { PrunerFailure } from './failure.ts';
import { withMarkers } from './markers.ts';
import { decoded } from './raw.ts';
import type { Target } from './target.ts';

type ServiceTarget = Extract<Target, { readonly kind: 'http' }>;

// What a service puts in place of the lines it took away.
const FILLER = /^\(filtered \d{1,9} lines?(?:: \d{1,9}-\d{1,9})?\)$/;

/** Has a service prune. What it took away is kept before anybody is told that it is gone. */
export async function askPruningService(call: PrunerCall, { url, found }: ServiceTarget): Promise<Answer> {
  const { output, goal, timeoutMs, options } = call;
  const engine = await import('@jeeves/engine');
  const { raw, signal, strip = false, firstLine = 1 } = output;
  const text = strip ? engine.stripControls(decoded(raw)) : decoded(raw);
  const answer = await engine.askService({ url, timeoutMs, fetch: options.fetch, text, goal, signal });
  const lines = engine.split(text);
  const kept = output.onlySentLines === true ? keptByTable(lines, engine.split(answer.text)) : answer.kept;
  if (kept === undefined) assertHonest(answer.text, text, found === true);
  const stripped = text === decoded(raw) ? {} : { stripped: true as const };
  if (answer.text === text && text.length <= output.budget.shownBytes && stripped.stripped === undefined) {
    return { text, structuredText: text };
  }
  const pruneId = engine.newPruneId(options.randomBytes);
  await keepRaw(call, { pruneId, text: raw, firstLine, createdAt: options.now(), goal });
  return bounded({ answer, lines, kept, firstLine, pruneId, stripped, engine }, output.budget.shownBytes);
}

/** Words of its own are believed of a service that the user named, and only as long as they are fewer. */
function assertHonest(answer: string, sent: string, wasFound: boolean): void {
  const own = answer.split('\n').filter((line) => !FILLER.test(line.trim()));
  if (Buffer.byteLength(own.join('\n')) > Buffer.byteLength(sent)) {
    throw new PrunerFailure('invalid_response', 'The pruning service returned more than it was sent.');
  }
  if (wasFound)
    throw new PrunerFailure('invalid_response', 'The pruning service that was found spoke words of its own.');
}

interface Pruned {
  readonly answer: ServiceAnswer;
  readonly lines: Lines;
  /** Undefined when the answer cannot be matched to the lines. */
  readonly kept: Uint8Array | undefined;
  readonly firstLine: number;
  readonly pruneId: string;
  readonly stripped: { readonly stripped?: true };
  readonly engine: typeof Engine;
}

/** A service knows nothing of what a client can show: of an answer that is larger, the ends are shown. */
function bounded(pruned: Pruned, bytes: number): Answer {
  const { answer, lines, kept, firstLine, pruneId, stripped, engine } = pruned;
  const structuredText = endsOf(answer.text, bytes, engine);
  const about = { pruneId, ...stripped, fit: (fewer: number) => bounded(pruned, Math.min(bytes, fewer)) };
  const closing = formatClosing(pruneId);
  if (kept === undefined) {
    const truncated = structuredText !== answer.text;
    return { text: structuredText, structuredText, truncated, closing, ...about, aligned: false };
  }
  const whole = withMarkers(lines, kept, firstLine);
  const truncated = Buffer.byteLength(whole) > bytes;
  const left = truncated ? keptEnds(lines, kept, bytes) : kept;
  const text = truncated ? withMarkers(lines, left, firstLine) : whole;
  return { text, structuredText, truncated, ...about, ...(left.includes(0) && { closing, kept: left }) };
}

async function keepRaw({ options }: PrunerCall, entry: TextToKeep): Promise<void> {
  try {
    await options.store.put(entry);
  } catch (cause) {
    throw new PrunerFailure('invalid_response', 'The output could not be stored for recovery, so it is whole.', cause);
  }
}

/** Which lines were sent back, in whatever order. Where two read the same, both count: nobody can tell which is meant. */
function keptByTable(sent: Lines, returned: TextList): Uint8Array {
  const table = new Map<string, number[]>();
  for (let index = 0; index < sent.length; index += 1) {
    const line = sent.at(index);
    const known = table.get(line);
    if (known === undefined) table.set(line, [index]);
    else known.push(index);
  }
  const kept = new Uint8Array(sent.length);
  for (let index = 0; index < returned.length; index += 1) {
    const line = returned.at(index);
    const found = table.get(line);
    if (found !== undefined) for (const at of found) kept[at] = 1;
    else if (line.trim() !== '' && !FILLER.test(line)) {
      throw new PrunerFailure('invalid_response', 'The pruning service returned a line that was not sent.');
    }
  }
  if (!kept.includes(1)) throw new PrunerFailure('invalid_response', 'The pruning service kept none of the lines.');
  return kept;
}
