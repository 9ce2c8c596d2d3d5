import type { JsonObject } from '../upstream/upstream.ts';

const MAX_PARTS = 8;

/** Where two definitions differ, as paths: `description`, `inputSchema.properties.path.type`. */
export function changedParts(before: JsonObject, after: JsonObject): readonly string[] {
  const parts: string[] = [];
  collect(before, after, '', parts);
  return parts.length > MAX_PARTS ? [...parts.slice(0, MAX_PARTS), `${parts.length - MAX_PARTS} more`] : parts;
}

function collect(before: unknown, after: unknown, path: string, parts: string[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isObject(before) || !isObject(after)) {
    parts.push(path);
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    collect(before[key], after[key], path === '' ? key : `${path}.${key}`, parts);
  }
}

/**
 * Whether the words that a definition gained read like orders to the agent rather than a description of the tool. Without
 * the definition that was there before, all of its words count as new.
 */
export function gainsInstructions(before: JsonObject | undefined, after: JsonObject): boolean {
  const known = new Set(before === undefined ? [] : sentencesOf(before));
  return sentencesOf(after).some(
    (sentence) => !known.has(sentence) && INSTRUCTIONS.some((order) => order.test(sentence)),
  );
}

/**
 * What poisoned descriptions have in common: they speak of other tools, of earlier instructions, of secrets, of what the
 * user must not be told. Each pattern looks a fixed way ahead, so none can be made slow.
 */
const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|earlier|other|above|all|system|instructions?|rules?|tools?)\b/i,
  /\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|show|ask|asking)\b.{0,30}\b(?:user|anyone|human|them|him|this)\b/i,
  /\b(?:before|after|instead of|prior to|whenever)\b.{0,30}\b(?:using|calling|you (?:use|call|run)|any other|other tools?|every other)\b/i,
  /\b(?:you|agent|assistant|model|ai)\b.{0,20}\b(?:must|should|shall|have to|need to|are required to)\b/i,
  /\balways\b.{0,20}\b(?:call|use|send|pass|include|read|add|forward|copy|bcc)\b/i,
  /<\/?(?:important|system|instructions?|secret|critical)\b/i,
  /\b(?:system prompt|private key|api[ _-]?keys?|passwords?|credentials?|access tokens?|id_rsa|conversation history)\b/i,
  /(?:~|\/root|\/home\/\w{1,40})\/\.(?:ssh|aws|config|env|netrc|cursor|claude)\b|\/etc\/passwd|(?:^|\s)\.env\b/i,
  /\b(?:send|post|forward|upload|exfiltrate|e-?mail|transmit)\b.{0,60}\b(?:https?:\/\/|to this (?:address|url|server)|[\w.]{1,40}@[\w.]{1,40})/i,
];

function sentencesOf(definition: JsonObject): string[] {
  return textsOf(definition).flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.trim()));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
