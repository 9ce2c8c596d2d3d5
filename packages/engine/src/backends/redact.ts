import type { TextList } from '../split.ts';

const REDACTED = '[redacted]';
// A key of 16,384 bits has about 200 lines.
const MAX_KEY_LINES = 256;
const SHORTEST_KNOWN_SECRET = 8;

// Every unbounded repetition below either ends its pattern or is followed by a character it cannot match itself, and
// all others are bounded: matching is linear in the text, also on text made to be slow.
const VENDOR_TOKENS: readonly string[] = [
  'sk-[A-Za-z0-9_-]{20,}', // OpenAI, Anthropic, OpenRouter
  '[sr]k_[A-Za-z0-9_]{16,}', // Stripe, DeepInfra
  'whsec_[A-Za-z0-9+/=]{16,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}', // AWS
  'gh[a-z]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'gl[a-z]{2,4}-[A-Za-z0-9_-]{20,}', // GitLab
  'xox[a-z]-[A-Za-z0-9-]{10,}', // Slack
  'xapp-[A-Za-z0-9-]{10,}',
  'AIza[A-Za-z0-9_-]{30,}', // Google
  'ya29\\.[A-Za-z0-9_-]{20,}',
  'GOCSPX-[A-Za-z0-9_-]{20,}',
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', // SendGrid
  'SK[0-9a-f]{32}', // Twilio
  'key-[0-9a-f]{32}', // Mailgun
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[A-Za-z0-9_-]{40,}',
  '(?:hf|gsk|r8|lin_api|ntn|sbp|nfp|glsa|dop_v1|doo_v1|dor_v1|sntrys|pscale_tkn)_[A-Za-z0-9_-]{16,}',
  'secret_[A-Za-z0-9]{30,}', // Notion
  'dapi[0-9a-f]{32}', // Databricks
  'shp[a-z]{2}_[0-9a-fA-F]{32}', // Shopify
  'sq0[a-z]{3}-[A-Za-z0-9_-]{20,}', // Square
  '(?:xai|pplx|PMAK|NRAK)-[A-Za-z0-9-]{20,}',
  'hv[sbr]\\.[A-Za-z0-9_-]{20,}', // Vault
  'ATATT3[A-Za-z0-9_=-]{20,}', // Atlassian
  'AGE-SECRET-KEY-1[0-9A-Z]{40,}',
  '\\d{8,10}:[A-Za-z0-9_-]{35}', // Telegram
];
const TOKENS = new RegExp(`(?<![A-Za-z0-9])(?:${VENDOR_TOKENS.join('|')})`, 'g');
// A JWT is looked for in a whole dotted chain: a search from every `eyJ` on would read a long chain many times.
const DOTTED_CHAIN = /(?<![\w-])[\w-]+(?:\.[\w-]+)+/g;
const WEBHOOKS = /(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)[^\s"'<>]+/gi;
const USERINFO = /(:\/\/)[^\s/?#"'<>]+@/g;
const BEARER = /((?:bearer|basic)\s{1,4})([A-Za-z0-9._~+/=-]{6,})/gi;
const AUTHORIZATION = /(authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)[^\r\n"'\\]+/gi;
const COOKIE = /((?:set-)?cookie\\?["']?:\s{0,4}\\?["']?)[^\r\n"'\\]+/gi;
const SIGNATURE = /([?&](?:sig|signature|x-amz-signature)=)[^&\s"'<>]+/gi;

const SECRET_NAMES =
  'passw(?:or)?d|passphrase|passcode|pwd|(?<![a-z])pass(?![a-z])|secret|token(?!s|i[sz])|credential|' +
  '(?:api|access|account|private|signing|encryption|auth|master|license)[_-]?key';
// A type, a call, a variable or a member says where a secret comes from, not what it is.
const CODE =
  '(?:string|number|boolean|bool|bytes|null|none|undefined|true|false|unknown|await)(?=[\\s,;)\\]}>|]|$)|' +
  '[a-z_$][a-z_$.]*\\(|[a-z_$]+(?:\\.[a-z_$]+)+[,;)\\]}]*(?=\\s|$)|\\$\\{?[a-z_]';
const VALUE =
  '"(?:[^"\\\\]|\\\\.)+"?|\'(?:[^\'\\\\]|\\\\.)+\'?|`[^`]+`?|\\\\+["\'][^"\'\\\\]+|' +
  `(?!${CODE})[^\\s"'\`\\\\][^\\s"'\`]{3,}`;
const ASSIGNMENT = new RegExp(
  `((?:${SECRET_NAMES})[a-z0-9_-]{0,32}(?:\\\\?["'\`\\]]){0,2}\\s{0,8}(?::=|=>|==?=?|:)\\s{0,8})(?:${VALUE})`,
  'gi',
);
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
  return clean
    .replace(TOKENS, REDACTED)
    .replace(DOTTED_CHAIN, (chain) => (hasJwt(chain) ? REDACTED : chain))
    .replace(WEBHOOKS, `$1${REDACTED}`)
    .replace(USERINFO, `$1${REDACTED}@`)
    .replace(AUTHORIZATION, `$1${REDACTED}`)
    .replace(COOKIE, `$1${REDACTED}`)
    .replace(BEARER, (whole: string, name: string, value: string) => (isWord(value) ? whole : name + REDACTED))
    .replace(SIGNATURE, `$1${REDACTED}`)
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
}

/** `redact` for any text of a list; knows which of them are lines inside a private key. */
export function redactEach(texts: TextList, secrets: readonly string[] = []): (index: number) => string {
  const inKey = keyLines(texts);
  return (index) => (inKey.has(index) ? REDACTED : redact(texts.at(index), secrets));
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
