import type { SourceType } from '../backends/backend.ts';
import type { Lines } from '../split.ts';

/** What the lines of a text are to each other: it decides what is bought together with a line. */
export interface Structure {
  /** 1 for a line that stays or goes with the line before it. */
  readonly joined: Uint8Array;
  /** One past the last line that makes no sense without this one: it is cut only with all of them. Scopes nest. */
  readonly scopeEnd: Uint32Array;
  /** The line above that says where a line is, or -1: it is needed as much as the line itself, but not at any price. */
  readonly encloser?: Int32Array;
  /** The lines that set the values which a line uses: the limit it compares with, the delay it waits. */
  readonly valuesUsed?: (line: number) => readonly number[];
}

/** A kind of text that needs units and scopes of its own. */
export interface Kind {
  readonly name: string;
  /** Whose weights judge its lines. */
  readonly source: SourceType;
  /** Whether a text is of this kind, told from some of its lines. Left out for kinds that are told by counting. */
  readonly recognises?: (sample: readonly string[], lines: Lines) => boolean;
  readonly structure: (lines: Lines) => Structure;
}

/** Every line for itself. */
export function loose(count: number): { joined: Uint8Array; scopeEnd: Uint32Array } {
  return { joined: new Uint8Array(count), scopeEnd: Uint32Array.from({ length: count }, (_, line) => line + 1) };
}

/** Turns "each line's encloser" into "how far each line's scope reaches". */
export function scopesOf(parent: Int32Array): Uint32Array {
  const { scopeEnd } = loose(parent.length);
  for (let line = parent.length - 1; line >= 0; line -= 1) {
    const above = parent[line] ?? -1;
    if (above !== -1) scopeEnd[above] = Math.max(scopeEnd[above] ?? 0, scopeEnd[line] ?? 0);
  }
  return scopeEnd;
}
