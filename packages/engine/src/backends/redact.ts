import type { TextList } from '../split.ts';
import { CODE, SECRET_NAMES } from './redact/names.ts';
import { withoutAnnounced, withoutPairs } from './redact/pairs.ts';
import { withoutRandom } from './redact/random.ts';
import { TOKENS } from './redact/tokens.ts';

const REDACTED = '[redacted]';
// A key of 16,384 bits has about 200 lines.
const MAX_KEY_LINES = 256;
const SHORTEST_KNOWN_SECRET = 8;

// Every unbounded repetition below either ends its pattern or is followed by a character it cannot match itself, and
// all others are bounded: matching is linear in the text, also on text made to be slow.
// A JWT is looked for in a whole dotted chain: a search from every `eyJ` on would read a long chain many times.
const DOTTED_CHAIN = /(?<![\w-])[\w-]+(?:\.[\w-]+)+/g;
const WEBHOOKS = /(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)[^\s"'<>]+/gi;
const USERINFO = /(:\/\/)[^\s/?#"'<>]+@/g;
// A password that was not encoded may hold what ends a host; a port before a path is none.
const RAW_USERINFO =
  /(:\/\/)[^\s/?#"'<>:@]{1,64}:(?!\d{1,5}(?:[/?#]|$))[^\s"'<>]{1,256}@(?=[\w.-]{1,253}(?::\d{1,5})?(?:[/?#\s"'<>,;)]|$))/g;
const BEARER = /((?:bearer|basic)\s{1,4})([A-Za-z0-9._~+/=-]{6,})/gi;
const AUTHORIZATION = /(authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)[^\r\n"'\\]+/gi;
const COOKIE = /((?:set-)?cookie\\?["']?:\s{0,4}\\?["']?)[^\r\n"'\\]+/gi;
const SESSION =
  /((?<![\w.-])(?:[\w.-]{0,32}sess(?:ion)?[_-]?id|connect\.sid|[\w-]{1,32}_session|session|sid|(?:csrf|xsrf)[_-]?token)=)[^;\s"'&]{8,}/gi;
const SIGNATURE = /([?&](?:sig|signature|x-amz-signature)=)[^&\s"'<>]+/gi;

const VALUE =
  '"(?:[^"\\\\]|\\\\.)+"?|\'(?:[^\'\\\\]|\\\\.)+\'?|`[^`]+`?|\\\\+["\'][^"\'\\\\]+|' +
  `(?!${CODE})[^\\s"'\`\\\\][^\\s"'\`]{3,}`;
const ASSIGNMENT = new RegExp(
  `((?:${SECRET_NAMES})[a-z0-9_-]{0,32}(?:\\\\?["'\`\\]]){0,2}\\s{0,8}(?::=|=>|==?=?|:)\\s{0,8}(?:[|>][+-]?\\s{1,40})?)(?:${VALUE})`,
  'gi',
);
// Names of variables that end like this are a secret's, in capitals; in small letters `_key` names columns and orders.
const CAPITALS =
  /((?<![A-Za-z0-9])[A-Z][A-Z0-9_]{0,64}_(KEY|PAT|PW|PWD|PASS|AUTH|DSN|CREDS?)["'`\]]{0,2}\s{0,4}(?::=|=>|=|:)\s{0,4})(["'`]?)([^\s"'`$\\]{4,})\3/g;
const SMALL =
  /((?<![A-Za-z0-9])[a-z][a-z0-9_]{0,64}_(?:pat|pw)["'`\]]{0,2}\s{0,4}(?::=|=>|=|:)\s{0,4})["'`]?[^\s"'`$\\(]{4,}["'`]?/g;
const FLAG = new RegExp(
  `((?<![a-z0-9-])--?[a-z0-9-]{0,32}(?:${SECRET_NAMES})[a-z0-9-]{0,16}\\s{1,4})(["']?[^\\s"'-][^\\s"']{3,})`,
  'gi',
);
const USER_FLAG = /((?:^|\s)(?:-u|--user)[\s=]{1,4}["']?[^\s:"']{1,64}:)[^\s"']+/g;
// So short a value is a secret after a password's own name only, and even there it may be a flag or a type.
const FLAG_VALUE = '(?:yes|no|on|off|nil|str|int|any|\\d+)\\b';
const SHORT_PASSWORD = new RegExp(
  `((?:passw(?:or)?d|passphrase|passcode)=)(?!${FLAG_VALUE})[^\\s"'\`$\\\\&;,()]{2,3}(?=[\\s&;]|$)`,
  'gim',
);
const ELEMENT = new RegExp(
  `(<[a-z0-9_.:-]{0,32}(?:${SECRET_NAMES})>\\s{0,8})(?!\\$?\\{)[^<\\s][^<]*(?=</[a-z0-9_.:-]{0,32}(?:${SECRET_NAMES})>)`,
  'gi',
);
const NETRC = /((?:login|machine)\s{1,4}\S{1,128}\s{1,8}password\s{1,4})\S+/gi;
const NETRC_LINE = /^(\s{0,32}password\s{1,8})(\S{4,})[^\S\n]{0,32}$/gim;
// The only commands whose `-p` is a password and not a port or a path.
const SSHPASS = /(\bsshpass\s{1,4}(?:-[a-z]\s{1,4}){0,2}-p\s{0,4})(?:"[^"]+"?|'[^']+'?|[^\s"']+)/gi;
const MYSQL = /\b(?:mysql|mariadb)[\w-]{0,16}\s[^\n]*/gi;
const MYSQL_PASSWORD = /(\s-p)(?!\d{1,5}:\d)(?:"[^"]+"?|'[^']+'?|[^\s"'-][^\s"']*)/g;
const USER_AND_PASSWORD = /((?<![a-z0-9])_?auth\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)([a-z0-9+/]{6,}={0,2})/gi;
// Without a sign between them, only what no word looks like is a name's value.
const SPACED = new RegExp(`((?:${SECRET_NAMES})\\s{1,4})([a-z0-9_-]{16,}[a-z0-9+/=_-]*)`, 'gi');

/** The text with obvious secrets replaced, and each of the given ones wherever it stands. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = redactKeys(text);
  for (const secret of secrets) if (secret.length >= SHORTEST_KNOWN_SECRET) clean = clean.replaceAll(secret, REDACTED);
  const known = clean
    .replace(TOKENS, REDACTED)
    .replace(DOTTED_CHAIN, (chain) => (hasJwt(chain) ? REDACTED : chain))
    .replace(WEBHOOKS, `$1${REDACTED}`)
    .replace(RAW_USERINFO, `$1${REDACTED}@`)
    .replace(USERINFO, `$1${REDACTED}@`)
    .replace(AUTHORIZATION, `$1${REDACTED}`)
    .replace(COOKIE, `$1${REDACTED}`)
    .replace(BEARER, (whole: string, name: string, value: string) => (isWord(value) ? whole : name + REDACTED))
    .replace(SESSION, `$1${REDACTED}`)
    .replace(SIGNATURE, `$1${REDACTED}`)
    .replace(CAPITALS, (whole: string, ...[name = '', kind, quote = '', value = '']: string[]) =>
      kind === 'KEY' && isWord(value) ? whole : `${name}${quote}${REDACTED}${quote}`,
    )
    .replace(SMALL, `$1${REDACTED}`)
    .replace(ASSIGNMENT, `$1${REDACTED}`)
    .replace(FLAG, `$1${REDACTED}`)
    .replace(USER_FLAG, `$1${REDACTED}`)
    .replace(SHORT_PASSWORD, `$1${REDACTED}`)
    .replace(ELEMENT, `$1${REDACTED}`)
    .replace(NETRC, `$1${REDACTED}`)
    .replace(NETRC_LINE, (whole: string, name: string, value: string) => (isWord(value) ? whole : name + REDACTED))
    .replace(SSHPASS, `$1${REDACTED}`)
    .replace(MYSQL, (command) => command.replace(MYSQL_PASSWORD, `$1${REDACTED}`))
    .replace(USER_AND_PASSWORD, (whole: string, name: string, value: string) =>
      isUserAndPassword(value) ? name + REDACTED : whole,
    )
    .replace(SPACED, (whole: string, name: string, value: string) => (isRandom(value) ? name + REDACTED : whole));
  return withoutRandom(withoutPairs(known, REDACTED), REDACTED);
}

/** `redact` for any text of a list; knows which are lines inside a private key, and whose value stands on the next line. */
export function redactEach(texts: TextList, secrets: readonly string[] = []): (index: number) => string {
  const inKey = keyLines(texts);
  return (index) => {
    if (inKey.has(index)) return REDACTED;
    const before = index === 0 ? '' : texts.at(index - 1);
    return redact(withoutAnnounced(before, texts.at(index), REDACTED), secrets);
  };
}

/** The lines after each line that opens a private key and leaves it open. */
function keyLines(texts: TextList): Set<number> {
  const found = new Set<number>();
  let end = 0;
  for (let index = 0; index < texts.length; index += 1) {
    const begin = keyBegin(texts.at(index), 0);
    if (begin === -1 || texts.at(index).includes('-----END ', begin)) continue;
    // Only ever moves on: a text full of openings is still read once.
    for (end = Math.max(end, index + 1); end < texts.length && !texts.at(end).includes('-----END '); ) end += 1;
    const closed = end < texts.length && end - index < MAX_KEY_LINES;
    const last = closed ? end : lastOfMaterial(texts, index);
    for (let line = index + 1; line <= last; line += 1) found.add(line);
    index = last;
  }
  return found;
}

/** The end was cut off, or the opening is only mentioned: what looks like key material decides. */
function lastOfMaterial(texts: TextList, begin: number): number {
  let last = begin;
  while (last + 1 < texts.length && /[A-Za-z0-9+/=]{40}/.test(texts.at(last + 1))) last += 1;
  return last;
}

function redactKeys(text: string): string {
  let clean = '';
  let at = 0;
  for (let begin = keyBegin(text, 0); begin !== -1; begin = keyBegin(text, at)) {
    const end = text.indexOf('-----END ', begin);
    clean += text.slice(at, begin) + REDACTED;
    if (end === -1) return clean;
    const close = text.indexOf('-----', end + '-----END '.length);
    if (close === -1) return clean;
    at = close + '-----'.length;
  }
  return clean + text.slice(at);
}

function keyBegin(text: string, from: number): number {
  const opening = '-----BEGIN ';
  for (let at = text.indexOf(opening, from); at !== -1; at = text.indexOf(opening, at + opening.length)) {
    if (/^[A-Z0-9 ]{0,40}PRIVATE KEY/.test(text.slice(at + opening.length, at + opening.length + 60))) return at;
  }
  return -1;
}

function hasJwt(chain: string): boolean {
  return chain.split('.').some((part) => part.length >= 9 && part.includes('eyJ'));
}

/** Base64 of `user:password`, as npm and Docker keep it. */
function isUserAndPassword(value: string): boolean {
  try {
    return atob(value).includes(':');
  } catch {
    return false;
  }
}

function isRandom(value: string): boolean {
  return /[a-z]/i.test(value) && value.replace(/\D+/g, '').length >= 4;
}

/** "bearer authentication" is prose. */
function isWord(value: string): boolean {
  return value.length < 20 && /^[A-Z]?[a-z]+[.]?$/.test(value);
}
