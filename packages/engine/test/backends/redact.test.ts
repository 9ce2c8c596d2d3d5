import { describe, expect, it } from 'vitest';
import { redact, redactEach } from '../../src/backends/redact.ts';
import { split } from '../../src/split.ts';
import { SECRET_TEXT, SECRETS } from './secrets.ts';

function allOf(lines: readonly string[]): string[] {
  const clean = redactEach(split(lines.join('\n')));
  return lines.map((_, index) => clean(index));
}

describe('redact', () => {
  it('has more than a hundred secrets to find', () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(102);
    for (const { secret, line } of SECRETS) expect(line).toContain(secret);
  });

  it.each(SECRETS)('takes out $kind', ({ secret, line }) => {
    expect(redact(line)).not.toContain(secret);
  });

  it.each(SECRETS)('takes out $kind in the middle of other text', ({ secret, line }) => {
    expect(redact(`2026-01-02 12:00:00 INFO ctx=7 ${line} # see docs`)).not.toContain(secret);
  });

  it('keeps the name of what it took out', () => {
    expect(redact('export DB_PASSWORD=hunter22 # prod')).toBe('export DB_PASSWORD=[redacted] # prod');
    expect(redact('"api_key": "abcdef", "user": "joe"')).toBe('"api_key": [redacted], "user": "joe"');
    expect(redact('GET https://joe:hunter22@example.org/x')).toBe('GET https://[redacted]@example.org/x');
    expect(redact('password=abc')).toBe('password=[redacted]');
    expect(redact('<password>two words</password>')).toBe('<password>[redacted]</password>');
    expect(redact('mysql -u root -pMyS3cret app')).toBe('mysql -u root -p[redacted] app');
    expect(redact('  login joe\n  password p4ssnetrc\n')).toBe('  login joe\n  password [redacted]\n');
  });

  it('finds a secret behind a value that is code', () => {
    expect(redact('f(token=string,password=hunter22)')).not.toContain('hunter22');
  });

  it('takes out the secrets it is told, wherever they stand', () => {
    expect(redact('x=plainvalue1!', ['plainvalue1'])).toBe('x=[redacted]!');
  });

  it.each([
    'def tokenize(text: str, max_tokens: int = 4096) -> list[str]:',
    'const password = readPassword();',
    'password: config.password,',
    'token: string;',
    'PASSWORD=${DB_PASSWORD}',
    'the bearer authentication scheme and basic authentication',
    'a task-management-of-things-and-more system at disk-0',
    'see https://example.org/@scope/name?x=1#y',
    'import { secretbox } from "./nacl.ts"',
    'ERROR 12:30:01 com.example.service.Handler failed after 120 ms',
    'tokens: 1234 used',
    '-----BEGIN CERTIFICATE-----',
    'the password field is required',
    'Password hashing',
    'password: string',
    'type Login = { password: string; token: string };',
    'the secret of a long-winded-explanation-of-2-things',
    'show_password=no reset_password=1 password_length=12',
    'mysql -P 3306 -p app',
    'docker run --name mysql -p3306:3306 mysql',
    'ssh -p 2222 joe@example.org',
    '"auth": "required", auth: basic',
    'usage: login <password> <user>',
    '<p>Send the <token> in a header.</p>',
    'the secret is in token vault/apps/2026-01-02/billing',
    '<Password>{value}</Password>',
    'PRIMARY_KEY=id SORT_KEY=name',
    'const sort_key = row.name, primary_key: true',
    'foreign_key: user_id',
    'commit 9f4e68774a5cd74814ab5169651c5c6a0da030f4',
    'id 0b5c2c1e-7d5a-4f0e-9d0e-2f6f3f2c1a77',
    'function createHttpListenerOptionsFromEnvironment2(value: HttpListenerOptions)',
    'packages/engine/src/backends/lexical/featuresOfLines2.ts',
    'see https://example.org:8080/@scope/name and https://example.org/a@b',
    'name: build, value: release',
    "SELECT password FROM users WHERE name = 'joe'",
    'session=open sid=7',
    "['user', 'password', 'remember']",
  ])('leaves alone: %s', (line) => {
    expect(redact(line)).toBe(line);
  });

  it.each([
    ['eyJ', 'eyJ-'],
    ['dotted chains', 'eyJabcdefg.'],
    ['sk-', 'sk-'],
    ['open quotes', 'password="'],
    ['names only', 'password'],
    ['assignments', 'token='],
    ['code values', 'token=string,'],
    ['backslashes', 'token=\\'],
    ['schemes', '://a'],
    ['at signs', '://@'],
    ['dashes', '-'],
    ['flags', ' --a'],
    ['key openings', '-----BEGIN PRIVATE KEY-----'],
    ['other openings', '-----BEGIN '],
    ['blanks', ' '],
    ['bearers', 'bearer '],
    ['digits', '0'],
    ['SG', 'SG.aaaaaaaaaaaaaaaaaaaa-'],
    ['elements', '<password>'],
    ['open elements', '<password>a'],
    ['logins', 'login password '],
    ['clients', 'mysql '],
    ['long names', 'mysql-'],
    ['quoted passwords', 'sshpass -p "'],
    ['names and blanks', 'apikey 1'],
    ['short passwords', 'password=1'],
    ['logins in Base64', 'auth=abcdef'],
    ['users', '://a:b'],
    ['users and passwords', '://a:b@'],
    ['names of values', 'name: token '],
    ['listed names', "'token', "],
    ['keyed elements', '<a "token">'],
    ['open keyed elements', '<a "token"'],
    ['identities', "identified by '"],
    ['capitals', 'A_KEY='],
    ['sessions', 'a_session='],
    ['random runs', 'aB3'],
  ])('reads a megabyte of %s in linear time', (_, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const started = performance.now();
    redact(text);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('a value on the next line', () => {
  it.each([
    ['password:', '  hunter22', '  [redacted]'],
    ['"api_key":', '    "hunter22",', '    "[redacted]'],
    ['- name: DB_PASSWORD', '  value: hunter22', '  value: [redacted]'],
    ['  "name": "DB_PASSWORD",', '  "value": "hunter22"', '  "value": [redacted]'],
    ['token = \\', '  hunter22', '  [redacted]'],
  ])('is taken out after %j', (before, line, clean) => {
    expect(allOf([before, line])[1]).toBe(clean);
  });

  it.each([
    ['Enter your password:', 'Then press the button.'],
    ['token:', '  readToken(input)'],
    ['the password', 'hunter22'],
    ['name: build', 'value: release'],
  ])('is left alone after %j', (before, line) => {
    expect(allOf([before, line])[1]).toBe(line);
  });
});

describe('a private key over many lines', () => {
  const body = Array.from({ length: 20 }, (_, row) => `${row}`.padStart(4, 'M').repeat(16));
  const begin = '-----BEGIN RSA PRIVATE KEY-----';

  it('is taken out line by line, and nothing around it', () => {
    const clean = allOf(['before', begin, ...body, '-----END RSA PRIVATE KEY-----', 'after']);
    expect(clean).toEqual(['before', ...Array.from({ length: 22 }, () => '[redacted]'), 'after']);
  });

  it('is taken out with a prefix before every line', () => {
    const lines = [begin, ...body, '-----END RSA PRIVATE KEY-----'].map((line, row) => `${row}: ${line}`);
    for (const [row, clean] of allOf(lines).entries()) expect(clean).not.toContain(body[row - 1] ?? 'BEGIN');
  });

  it('is taken out as far as it goes when its end is missing', () => {
    const clean = allOf([begin, ...body, 'after']);
    expect(clean).toEqual([...Array.from({ length: 21 }, () => '[redacted]'), 'after']);
  });

  it('is taken out of one line with escaped newlines', () => {
    expect(redact(`key = "${begin}\\n${body.join('\\n')}\\n-----END RSA PRIVATE KEY-----\\n" # x`)).toBe(
      'key = "[redacted]\\n" # x',
    );
  });

  it('that is only mentioned hides nothing after it', () => {
    expect(allOf([`if (text.startsWith('${begin}')) {`, '  return read(text);', '}']).slice(1)).toEqual([
      '  return read(text);',
      '}',
    ]);
  });

  it('is looked for in linear time', () => {
    const started = performance.now();
    redactEach(split(`${begin}\n`.repeat(50_000)));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('a text with all secrets', () => {
  it('lets none of them out', () => {
    const lines = split(SECRET_TEXT);
    const clean = redactEach(lines);
    const out = Array.from({ length: lines.length }, (_, index) => clean(index)).join('\n');
    expect(SECRETS.filter(({ secret }) => out.includes(secret))).toEqual([]);
  });
});
