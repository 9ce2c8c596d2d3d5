import { parseBoolean, parseHttpUrl, parseInteger, parsePrunerUrl } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

describe('parseBoolean', () => {
  it.each(['1', 'true', 'yes', 'on', 'TRUE', 'Yes', ' on '])('takes %j for true', (text) => {
    expect(parseBoolean(text)).toBe(true);
  });

  it.each(['', '0', 'false', 'no', 'off', '2', 'enabled', 'y', 't', 'true!'])('takes %j for false', (text) => {
    expect(parseBoolean(text)).toBe(false);
  });
});

describe('parseInteger', () => {
  const bounds = { min: 100, max: 300_000 };

  it.each([
    ['100', 100],
    ['300000', 300_000],
    [' 2000 ', 2000],
    ['0100', 100],
  ])('reads %j', (text, value) => {
    expect(parseInteger(text, bounds)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    ' ',
    '99',
    '300001',
    '-100',
    '1e3',
    '0x64',
    '100.5',
    '100ms',
    '1_000',
    'NaN',
    'Infinity',
    '9'.repeat(400),
  ])('refuses %j', (text) => {
    const parsed = parseInteger(text, bounds);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).toContain('expected an integer from 100 to 300000, got ');
    expect(JSON.stringify(parsed).length).toBeLessThan(150);
  });

  it('reads zero and negative numbers where they are allowed', () => {
    expect(parseInteger('0', { min: 0, max: 65_535 })).toEqual({ ok: true, value: 0 });
    expect(parseInteger('-5', { min: -10, max: 0 })).toEqual({ ok: true, value: -5 });
  });
});

describe('parsePrunerUrl', () => {
  const targets: [string, object][] = [
    ['', { kind: 'off' }],
    ['  ', { kind: 'off' }],
    ['embedded:', { kind: 'embedded' }],
    ['http://localhost:8000/prune', { kind: 'http', url: 'http://localhost:8000/prune' }],
    ['https://pruner.example/prune?x=1', { kind: 'http', url: 'https://pruner.example/prune?x=1' }],
    ['HTTP://Example.org', { kind: 'http', url: 'HTTP://Example.org' }],
    ['http://[::1]:8000/prune', { kind: 'http', url: 'http://[::1]:8000/prune' }],
  ];
  it.each(targets)('reads %j', (text, value) => {
    expect(parsePrunerUrl(text)).toEqual({ ok: true, value });
  });

  it.each([
    'localhost:8000/prune',
    '/prune',
    'ftp://x/',
    'file:///etc/passwd',
    'embedded',
    'embedded:x',
    'http:',
    'http://',
    'http:foo',
    'http://a b/',
  ])('refuses %j', (text) => {
    expect(parsePrunerUrl(text)).toEqual({
      ok: false,
      message: 'expected an absolute http or https URL, "embedded:" or nothing',
    });
  });
});

describe('parseHttpUrl', () => {
  it('never repeats what it refuses', () => {
    expect(parseHttpUrl('ftp://user:hunter2@x/')).toEqual({
      ok: false,
      message: 'expected an absolute http or https URL',
    });
  });

  it('knows no embedded pruner and no empty URL', () => {
    expect(parseHttpUrl('embedded:').ok).toBe(false);
    expect(parseHttpUrl('').ok).toBe(false);
  });
});
