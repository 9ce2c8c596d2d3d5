import { Buffer } from 'node:buffer';
import type { Backend, RecoveryStore } from '@jeeves/engine';
import { formatClosing } from '@jeeves/engine/marker';
import { type Client, type OutputMode, replyShape, replyTokens } from '@jeeves/mcp-pruner/host';
import { RESULT_META_KEY } from '@jeeves/protocol';
import type { Counters } from './stats/counters.ts';
import type { JsonObject, UpstreamResult } from './upstream/upstream.ts';

export interface ResultPrunerOptions {
  readonly store: RecoveryStore;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly counters: Counters;
  /** Decides who is shown an object in place of the text. */
  readonly output: OutputMode;
  /** Who judges; the embedded backend when absent. */
  readonly backend?: Backend;
}

export interface PruneAbout {
  readonly client: Client;
  /** The client checks results against the tool's own schema, so the object must stay where it is. */
  readonly keepStructured?: boolean;
}

/** Takes away what does not serve a goal, from the texts of a result. */
export interface ResultPruner {
  /** Never throws: whatever goes wrong, the result comes back as it was. The same object when nothing was taken. */
  readonly prune: (result: UpstreamResult, goal: string, about: PruneAbout) => Promise<UpstreamResult>;
}

/** A text that is shorter than this is read faster than it is pruned. */
export const MIN_PRUNED_CHARS = 2000;
const MAX_PRUNED_BYTES = 2_097_152;
const TIMEOUT_MS = 10_000;
/** What the closing line takes at most. */
const CLOSING_TOKENS = 48;

export function createResultPruner(options: ResultPrunerOptions): ResultPruner {
  async function prune(result: UpstreamResult, goal: string, about: PruneAbout): Promise<UpstreamResult> {
    const prunable = result.content.filter(isPrunable).length;
    // The texts of a result are one reading.
    const maxTokens = Math.floor(replyTokens(about.client) / Math.max(1, prunable));
    const content = await Promise.all(result.content.map((block) => pruneBlock(block, { goal, maxTokens }, options)));
    if (content.every((block, at) => block === result.content[at])) return result;
    options.counters.add('resultsPruned');
    const pruned = { ...result, content };
    const replaces = replyShape(options.output, about.client) === 'text' && about.keepStructured !== true;
    return replaces ? withoutStructured(pruned) : pruned;
  }
  return { prune };
}

/** Such a client would show its model the whole object instead of the pruned text; a program still finds it. */
function withoutStructured(result: UpstreamResult): UpstreamResult {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return result;
  const meta = typeof result['_meta'] === 'object' ? result['_meta'] : {};
  return { ...rest, _meta: { ...meta, [RESULT_META_KEY]: structuredContent } };
}

interface TextBlock extends JsonObject {
  readonly text: string;
}

function isPrunable(block: JsonObject): block is TextBlock {
  const { type, text } = block;
  if (type !== 'text' || typeof text !== 'string' || text.length < MIN_PRUNED_CHARS) return false;
  return Buffer.byteLength(text) <= MAX_PRUNED_BYTES;
}

interface Wish {
  readonly goal: string;
  readonly maxTokens: number;
}

async function pruneBlock(block: JsonObject, wish: Wish, options: ResultPrunerOptions): Promise<JsonObject> {
  if (!isPrunable(block)) return block;
  try {
    const pruned = await pruneText(block.text, wish, options);
    return pruned === undefined ? block : { ...block, text: pruned };
  } catch {
    return block;
  }
}

/** Nothing when the text is better left whole. */
async function pruneText(
  text: string,
  { goal, maxTokens }: Wish,
  options: ResultPrunerOptions,
): Promise<string | undefined> {
  const engine = await import('@jeeves/engine');
  const {
    pruneId,
    text: kept,
    gaps,
    stats,
    note,
  } = await engine.prune(
    { text, goal, timeoutMs: TIMEOUT_MS, limits: { capTokens: maxTokens }, aroundTokens: CLOSING_TOKENS },
    {
      backend: options.backend ?? engine.createEmbeddedBackend(),
      store: options.store,
      newId: () => engine.newPruneId(options.randomBytes),
      now: options.now,
      countTokens: () => ({ tokens: 0, method: 'estimate' }),
      exactTokens: async () => (await import('@jeeves/engine/tokens')).sharedTokenCounter(),
    },
  );
  if (stats.usedFallback || gaps.length === 0) return undefined;
  const closing = `${note === undefined ? '' : `${note}\n`}${formatClosing(pruneId)}`;
  const pruned = `${kept}${kept.endsWith('\n') ? '' : '\n'}${closing}`;
  const saved = engine.estimateTokens(text) - engine.estimateTokens(pruned);
  // A pruned result must never cost more than the raw one, closing line included.
  if (saved <= 0 || Buffer.byteLength(pruned) > Buffer.byteLength(text)) return undefined;
  options.counters.add('tokensPruned', saved);
  return pruned;
}
