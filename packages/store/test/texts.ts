import type { StoredText } from '@jeeves/engine';
import type { SegmentDraft } from '../src/segments.ts';

/** Texts that a careless store changes: each must come back equal, character for character. */
export const DELICATE_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  'one newline': '\n',
  'CRLF and lone CR': 'a\r\nb\rc\n\r',
  'no final newline': 'a\nb',
  'a leading byte order mark': '\ufeffbom\n\ufeff',
  'NUL characters': '\0a\0\0b\0',
  'every Latin-1 character': String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code)),
  'line separators and form feeds': 'a\u2028b\u2029c\fd\ve\u0085f',
  'a high surrogate alone': 'x\ud83dy',
  'a low surrogate alone': '\udc00',
  'surrogates in the wrong order': '\udc00\ud800',
  'emoji and combining marks': '👩‍👩‍👧‍👦 e\u0301 🇫🇷',
  'the replacement character itself': 'a\ufffdb',
  CJK: '文字列を正確に保存する',
};

/** Ids are data, never paths, never SQL, never cut. */
export const DELICATE_IDS: readonly string[] = [
  '',
  '../../x',
  '/etc/passwd',
  'a\0b',
  'a\0c',
  'a',
  '👾',
  '\ud83d',
  '\udc7e',
  "'; DROP TABLE recovery; --",
  'i'.repeat(10_240),
  '__proto__',
];

/** A text that can be told again from its id alone, so that a reader in another process knows what to expect. */
export function textOf(pruneId: string): string {
  const size = Array.from(pruneId).reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 20_011, 7);
  return `${pruneId}\r\n`.repeat(Math.ceil(size / (pruneId.length + 2)));
}

export function entryOf(pruneId: string, text: string = textOf(pruneId)): StoredText {
  return { pruneId, text, firstLine: 1, createdAt: 1_700_000_000_000 };
}

/** A segment whose text can be told again from its id. */
export function segmentOf(segmentId: string, fields: Partial<SegmentDraft> = {}): SegmentDraft {
  return {
    segmentId,
    type: 'log',
    createdAt: 1_700_000_000_000,
    touchedAt: 1_700_000_000_000,
    pinned: false,
    generation: 'young',
    survivals: 0,
    references: [],
    tags: [],
    tokens: 10,
    tier: 'working',
    text: textOf(segmentId),
    textHash: `hash of ${JSON.stringify(segmentId)}`,
    textComplete: true,
    ...fields,
  };
}
