import { replyShape } from '../host/reply.ts';
import type { Client, ToolCall } from '../host/tool.ts';
import type { PrunableArgs } from './call.ts';

/** What is shown of an output that is not pruned, when the caller names no limit. */
export const MAX_OUTPUT_BYTES = 1_048_576;

/** The same for the agent clients that show text only: they cut larger results themselves, and worse. */
export const AGENT_MAX_OUTPUT_BYTES = 40_000;

/** The largest cap that a caller may name. */
export const LARGEST_MAX_OUTPUT_BYTES = 10_485_760;

/** What a pruned reply may cost when the caller does not say. */
const MAX_TOKENS = 4000;

/** Clients that cut earlier than that by themselves: Codex at about 10,000 bytes. */
const CLIENT_MAX_TOKENS: Readonly<Record<string, number>> = { 'codex-mcp-client': 2400 };

/** What a call may show. */
export interface OutputLimits {
  /** Where the caller wants the raw output cut; nothing is cut when it does not say. */
  readonly cut: number | undefined;
  /** The most bytes of an output that is not pruned. */
  readonly shownBytes: number;
  /** The most tokens of a pruned reply. */
  readonly maxTokens: number;
}

/** A limit that the caller names is for the raw output, which is then shown whole. Other limits spare the reader. */
export function outputLimits({ args, client }: ToolCall<PrunableArgs>): OutputLimits {
  const { max_output_bytes: cut, max_tokens } = args;
  const spared = isAgent(client) ? AGENT_MAX_OUTPUT_BYTES : MAX_OUTPUT_BYTES;
  return {
    cut,
    shownBytes: cut === undefined ? spared : Number.POSITIVE_INFINITY,
    maxTokens: max_tokens ?? CLIENT_MAX_TOKENS[client.name] ?? MAX_TOKENS,
  };
}

/** Which clients are meant does not depend on a setting: it is about what they do with a large result. */
export function isAgent(client: Client): boolean {
  return replyShape('auto', client) === 'text';
}
