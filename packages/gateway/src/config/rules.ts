import type { JsonObject } from '../upstream/upstream.ts';
import type { Fields } from './fields.ts';

/** Which tools of a server are on offer, and which of them need a person's consent to be called. */
export interface ToolRules {
  /** Whether the tool is on offer at all. */
  readonly permits: (name: string, annotations: unknown) => boolean;
  /** Whether somebody must be asked before it is called. */
  readonly asks: (name: string, annotations: unknown) => boolean;
}

// Clients have several names for the same thing. Whatever of them is written is obeyed.
const ONLY = ['tools', 'allow', 'exposeTools', 'includeTools', 'allowedTools'] as const;
const NEVER = ['deny', 'excludeTools', 'disabledTools', 'blockedTools'] as const;
const UNASKED = ['alwaysAllow', 'autoApprove'] as const;

/** A tool that only looks, and one that may lose something, by what its server says of it. */
const READ_ONLY = '@readOnly';
const DESTRUCTIVE = '@destructive';

/** Reads the rules of a server. Of several lists of what is allowed all must allow a tool; one that denies it is enough. */
export function readRules(fields: Fields): ToolRules {
  const only = ONLY.map((name) => readList(fields, name)).filter((list) => list !== undefined);
  const never = NEVER.flatMap((name) => readList(fields, name) ?? []);
  const ask = readList(fields, 'ask') ?? [];
  const unasked = UNASKED.flatMap((name) => readList(fields, name) ?? []);
  const isTrusted = fields.boolean('trust');
  return {
    permits: (name, annotations) =>
      only.every((list) => matches(list, name, annotations)) && !matches(never, name, annotations),
    asks: (name, annotations) => !isTrusted && matches(ask, name, annotations) && !matches(unasked, name, annotations),
  };
}

function readList(fields: Fields, name: string): readonly string[] | undefined {
  const list = fields.strings(name);
  for (const word of list ?? []) {
    if (word.startsWith('@') && word !== READ_ONLY && word !== DESTRUCTIVE) {
      fields.report(`${word} means nothing here; there are ${READ_ONLY} and ${DESTRUCTIVE}`);
    }
  }
  return list;
}

function matches(list: readonly string[], name: string, annotations: unknown): boolean {
  return list.some((word) => {
    if (word === READ_ONLY) return isReadOnly(annotations);
    if (word === DESTRUCTIVE) return isDestructive(annotations);
    return word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : word === name;
  });
}

function isReadOnly(annotations: unknown): boolean {
  return (annotations as JsonObject | null | undefined)?.['readOnlyHint'] === true;
}

/** By the protocol's own defaults: a tool that says nothing may change and lose things. */
function isDestructive(annotations: unknown): boolean {
  return !isReadOnly(annotations) && (annotations as JsonObject | null | undefined)?.['destructiveHint'] !== false;
}
