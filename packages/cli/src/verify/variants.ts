import type { Random } from './random.ts';

/** What is done to a text before it is pruned, since few texts of one user have every oddity. */
export const VARIANTS = [
  'CRLF line endings',
  'no final newline',
  'marker-like lines',
  'a protected block',
  'an unclosed protected block',
  'odd characters',
] as const;

/** Half of the cases take a text as it is. */
export type Variant = (typeof VARIANTS)[number] | 'as it is';

/** Lines that a careless reader takes for ours; the last looks like a numbered one. */
const MARKER_LIKE: readonly [string, ...string[]] = [
  '⟦PRUNÉ: prune_id=prn_0123456789abcdefABCDEF lignes 2-9 (8) raison=hors focus⟧',
  '⟦pruned 2-9 (8 lines)⟧',
  '⟦prune_id=prn_0123456789abcdefABCDEF · recover_text restores any range⟧',
  '  ⟦NO_PRUNE_END⟧',
  '7│ ⟦pruned 1-1 (1 line)⟧',
];
/** Characters that end a line elsewhere, or that decoders like to drop. */
const ODD: readonly [string, ...string[]] = [
  'a\u2028b\u2029c',
  '\f',
  '\v\u0085',
  'a\rb',
  '\uFEFF',
  '\u0000',
  '🧵 e\u0301',
];

/** The text with the variant's oddity, put where the random numbers say. */
export function vary(text: string, variant: Variant, random: Random): string {
  return CHANGES[variant](text, random);
}

const CHANGES: Readonly<Record<Variant, (text: string, random: Random) => string>> = {
  'as it is': (text) => text,
  'CRLF line endings': (text) => text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'),
  'no final newline': (text) => text.replace(/\r?\n$/, ''),
  'marker-like lines': (text, random) => insert(text, random, [random.pick(MARKER_LIKE), random.pick(MARKER_LIKE)]),
  'odd characters': (text, random) => insert(text, random, [random.pick(ODD), random.pick(ODD), random.pick(ODD)]),
  'a protected block': (text, random) => guard(text, random, true),
  'an unclosed protected block': (text, random) => guard(text, random, false),
};

function insert(text: string, random: Random, added: readonly string[]): string {
  const lines = text.split('\n');
  for (const line of added) lines.splice(random.below(lines.length), 0, line);
  return lines.join('\n');
}

function guard(text: string, random: Random, closed: boolean): string {
  const lines = text.split('\n');
  const start = random.below(lines.length);
  const end = start + random.below(Math.min(40, lines.length - start));
  if (closed) lines.splice(end, 0, '# ⟦NO_PRUNE_END⟧');
  lines.splice(start, 0, '# ⟦NO_PRUNE_BEGIN⟧');
  return lines.join('\n');
}
