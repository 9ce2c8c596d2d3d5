import type { Lines, ServiceAnswer, StoredText, TextList } from '@jeeves/engine';
import { formatClosing } from '@jeeves/engine/marker';
import type { Answer } from '../pruner.ts';
import type { PrunerCall } from './call.ts';
import { PrunerFailure } from './failure.ts';
import { withMarkers } from './markers.ts';

// What a service puts in place of the lines it took away.
const FILLER = /^\(filtered \d{1,9} lines?(?:: \d{1,9}-\d{1,9})?\)$/;

/** Has a service prune. What it took away is kept before anybody is told that it is gone. */
export async function askPruningService(call: PrunerCall, url: string): Promise<Answer> {
  const { output, goal, timeoutMs, options } = call;
  const { askService, newPruneId, split } = await import('@jeeves/engine');
  const { text, signal, firstLine = 1 } = output;
  const answer = await askService({ url, timeoutMs, fetch: options.fetch, text, goal, signal });
  const lines = split(text);
  const kept = output.onlySentLines === true ? keptByTable(lines, split(answer.text)) : answer.kept;
  if (answer.text === text) return { text, structuredText: text };
  const pruneId = newPruneId(options.randomBytes);
  await keepRaw(call, { pruneId, text, firstLine, createdAt: options.now() });
  const closing = formatClosing(pruneId);
  if (kept === undefined) return { ...asReturned(answer), closing, pruneId, aligned: false };
  const cutSomething = kept.includes(0);
  return {
    text: withMarkers(lines, kept, firstLine),
    structuredText: answer.text,
    pruneId,
    ...(cutSomething && { closing, kept }),
  };
}

function asReturned({ text }: ServiceAnswer): Pick<Answer, 'text' | 'structuredText'> {
  return { text, structuredText: text };
}

async function keepRaw({ options }: PrunerCall, entry: StoredText): Promise<void> {
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
