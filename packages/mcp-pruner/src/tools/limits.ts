import { replyShape } from '../host/reply.ts';
import type { Client, ToolCall } from '../host/tool.ts';
import type { Pruner } from '../pruner.ts';
import type { PrunableArgs } from './call.ts';

/** The cap of an output when the caller names none. */
const MAX_OUTPUT_BYTES = 1_048_576;

/** The same for the agent clients that show text only: they cut larger results themselves, and worse. */
export const AGENT_MAX_OUTPUT_BYTES = 40_000;

/** The largest cap that a caller may name. */
export const LARGEST_MAX_OUTPUT_BYTES = 10_485_760;

/** How much of an output is looked at, and how much of it is shown. */
export interface OutputLimits {
  /** Raw output beyond this is cut before anything else happens to it. */
  readonly captured: number;
  /** What is left after pruning is cut to this. */
  readonly shown: number;
}

/**
 * A limit that the caller names is for the raw output, and what a pruner makes of it is shown whole. A limit that only
 * spares the client is for what it is shown: a goal may look at more, since pruning makes room.
 */
export function outputLimits({ args, client }: ToolCall<PrunableArgs>, pruner: Pruner): OutputLimits {
  const asked = args.max_output_bytes;
  if (asked !== undefined) return { captured: asked, shown: Number.POSITIVE_INFINITY };
  if (!isAgent(client)) return { captured: MAX_OUTPUT_BYTES, shown: Number.POSITIVE_INFINITY };
  const mayPrune = pruner.enabled && args.context_focus_question !== undefined;
  return { captured: mayPrune ? MAX_OUTPUT_BYTES : AGENT_MAX_OUTPUT_BYTES, shown: AGENT_MAX_OUTPUT_BYTES };
}

/** Which clients are meant does not depend on a setting: it is about what they do with a large result. */
export function isAgent(client: Client): boolean {
  return replyShape('auto', client) === 'text';
}
