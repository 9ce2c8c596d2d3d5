import { CODE, SECRET_NAMES } from './names.ts';

const NAME = `[\\w.-]{0,64}(?:${SECRET_NAMES})[\\w.-]{0,32}`;
const QUOTE = '(?:\\\\?["\'`])';
const QUOTED = `${QUOTE}(?:[^"'\`\\\\]|\\\\[^"'\`])+${QUOTE}?`;
const BARE = `(?!${CODE})[^\\s"'\`\\\\<>,;)}]{3,}`;

/** `"name": "DB_PASSWORD", "value": "…"`, in JSON, YAML, XML and what looks like them. */
const NAME_AND_VALUE = new RegExp(
  `(\\b(?:name|key|id|variable|property)${QUOTE}?\\s{0,4}[:=]\\s{0,4}${QUOTE}?${NAME}${QUOTE}?[\\s,;]{1,40}` +
    `${QUOTE}?\\b(?:value|val|content|data|default)${QUOTE}?\\s{0,4}[:=]\\s{0,4})(?:${QUOTED}|${BARE})`,
  'gi',
);
/** `define('DB_PASSWORD', '…')`, `VALUES ('api_key', '…')`, `setProperty("password", "…")`. */
const LISTED = new RegExp(`(\\(\\s{0,4}(["'\`])${NAME}\\2\\s{0,8},\\s{0,8})${QUOTED}`, 'gi');
/** `<entry key="password">…</entry>`. */
const KEYED_ELEMENT = new RegExp(
  `(<[\\w:.-]{1,32}\\s[^<>]{0,64}["']${NAME}["'][^<>]{0,64}>\\s{0,8})[^<\\s][^<]{0,512}(?=<)`,
  'gi',
);
/** SQL says it without a sign between: `PASSWORD '…'`, `IDENTIFIED BY '…'`. */
const SQL =
  /(\b(?:password|identified\s{1,4}(?:with\s{1,4}\w{1,32}\s{1,4})?by(?:\s{1,4}password)?)\s{1,4}(?:=\s{0,4})?)(["'])(?:(?!\2)[^\\\n]|\\.){1,256}\2?/gi;

/** Replaces the value of a pair whose name is a secret's. */
export function withoutPairs(text: string, replacement: string): string {
  return text
    .replace(NAME_AND_VALUE, `$1${replacement}`)
    .replace(LISTED, `$1${replacement}`)
    .replace(KEYED_ELEMENT, `$1${replacement}`)
    .replace(SQL, `$1${replacement}`);
}

/** A line that ends with a secret's name and a sign: its value stands on the next one. */
const OPEN_END = new RegExp(
  `(?:${SECRET_NAMES})[\\w-]{0,32}${QUOTE}?\\s{0,8}(?::=|=>|=|:)\\s{0,8}(?:[|>][+-]?|\\\\|\\()?\\s{0,8}$`,
  'i',
);
const NAMED = new RegExp(
  `\\b(?:name|key|id|variable|property)${QUOTE}?\\s{0,4}[:=]\\s{0,4}${QUOTE}?${NAME}${QUOTE}?[\\s,;]{0,8}$`,
  'i',
);
const VALUE_LINE = /^(\s{0,64}(?:-\s)?["']?(?:value|val|content|data|default)["']?\s{0,4}[:=]\s{0,4}).+$/i;
const CODE_LINE = new RegExp(`^\\s{0,64}(?:${CODE})`, 'i');
const ONE_WORD = /^(\s{0,64}["'`]?)[^\s"'`{}[\]()<>]{3,}["'`]?[,;)]{0,2}\s{0,8}$/;

/** A line without the value that the line before it announces. */
export function withoutAnnounced(before: string, line: string, replacement: string): string {
  if (NAMED.test(before.slice(-256))) return line.replace(VALUE_LINE, `$1${replacement}`);
  if (!OPEN_END.test(before.slice(-256)) || CODE_LINE.test(line)) return line;
  return line.replace(ONE_WORD, `$1${replacement}`);
}
