import { estimateTokens } from '@jeeves/engine';
import type { JsonObject, UpstreamTool } from '../upstream/upstream.ts';
import type { Selection } from './select.ts';

/** What the definitions of one answer may cost, in estimated tokens. */
export const DEFAULT_REPLY_TOKENS = 2500;
/** The best definition is worth this much even where nothing else fits beside it. */
const BEST_TOKENS = 3000;
/** Whoever asks for everything gets more of it, but not what would fill a window. */
export const EVERYTHING_TOKENS = 20_000;

/** What only programs read. A tool that is asked for by name comes with it. */
const FOR_PROGRAMS = ['outputSchema', 'annotations', 'icons', '_meta'] as const;
const MAX_PURPOSE = 80;

/** What goes into one answer. */
export interface ReplyParts {
  readonly whole: readonly UpstreamTool[];
  /** Sent to this session before, and the same since. */
  readonly known: readonly UpstreamTool[];
  /** Worth a line: those that the budget had no room for come first. */
  readonly lines: readonly UpstreamTool[];
}

/** Divides a selection: whole definitions while the budget lasts, then lines. What the caller has costs nothing. */
export function divide(
  { best, others }: Pick<Selection, 'best' | 'others'>,
  budget: number,
  isKnown: (tool: UpstreamTool) => boolean,
): ReplyParts {
  const whole: UpstreamTool[] = [];
  const left: UpstreamTool[] = [];
  let room = budget;
  for (const tool of best.filter((one) => !isKnown(one))) {
    const cost = definitionCost(tool);
    const fits = cost <= room || (whole.length === 0 && left.length === 0 && cost <= BEST_TOKENS);
    if (fits) whole.push(tool);
    else left.push(tool);
    if (fits) room -= cost;
  }
  const named = [...left, ...others];
  const known = [...best, ...others].filter(isKnown);
  return { whole, known, lines: named.filter((tool) => !isKnown(tool)) };
}

/** The definition as an agent needs it to make a call. */
export function forAgents(definition: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(definition).filter(([key]) => !(FOR_PROGRAMS as readonly string[]).includes(key)),
  );
}

export function definitionCost({ definition }: UpstreamTool): number {
  return estimateTokens(JSON.stringify(forAgents(definition)));
}

/** Name and purpose: the beginning of what its description says first. */
export function lineOf({ displayName, definition }: UpstreamTool): string {
  const purpose = purposeOf(definition['description']);
  return purpose === '' ? displayName : `${displayName}: ${purpose}`;
}

function purposeOf(description: unknown): string {
  if (typeof description !== 'string') return '';
  const text = description.replaceAll(/\s+/g, ' ').trim();
  const end = text.search(/[.!?](?:\s|$)/);
  const sentence = end > 0 ? text.slice(0, end) : text;
  return sentence.length > MAX_PURPOSE ? `${sentence.slice(0, MAX_PURPOSE - 1).trimEnd()}…` : sentence;
}
