import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { type Output, ownToolsOf } from '../../../src/ledger/own/own.ts';
import type { CountTokens } from '../../../src/ledger/tokens.ts';

/** A token for every four characters. */
const BY_FOUR: CountTokens = (text) => ({ tokens: Math.ceil(text.length / 4), method: 'o200k' });
/** So few that only the size counts. */
const ONE: CountTokens = () => ({ tokens: 1, method: 'o200k' });
const claude = ownToolsOf('claude-agent-sdk', undefined);
const codex = ownToolsOf('codex', 'gpt-5.5');
const unknown = ownToolsOf('codex', 'fake-model');

function output(raw: string, more: Partial<Output> = {}): Output {
  return { kind: 'command', raw, partial: false, failed: false, ...more };
}

/** Lines of 10 characters each. */
function lines(characters: number): string {
  return 'abcdefghi\n'.repeat(Math.ceil(characters / 10)).slice(0, characters);
}

function matches(count: number): string {
  return Array.from({ length: count }, (_, at) => `a.ts:${at}:7:x`).join('\n');
}

describe('what Claude Code shows by itself', () => {
  test('of a command is all of it up to 30,000 characters, then the first 2,000 of them', () => {
    expect(claude.show(output(lines(30_000)), BY_FOUR)).toEqual({ text: lines(30_000) });
    const { text, limit } = claude.show(output(lines(30_001)), BY_FOUR);
    expect(limit).toBe('claude_bash_persisted');
    expect(text).toContain('Output too large (29.3KB)');
    expect(text).toContain(`Preview (first 2KB):\n${lines(1999)}\n...\n</persisted-output>`);
    expect(text.length).toBeLessThan(2400);
  });

  test('of a command without line ends is cut in the middle of it', () => {
    const { text } = claude.show(output('q'.repeat(40_000)), BY_FOUR);
    expect(text).toContain(`\n${'q'.repeat(2000)}\n...`);
  });

  test('of a failing command is both ends of its first 30,000 characters', () => {
    expect(claude.show(output(lines(10_000), { failed: true }), BY_FOUR)).toEqual({ text: lines(10_000) });
    const raw = `first\n${lines(29_000)}${'m'.repeat(2000)}the error at the end\n`;
    const { text, limit } = claude.show(output(raw, { failed: true }), BY_FOUR);
    expect(limit).toBe('claude_bash_failed');
    expect(text).toMatch(/^first\n/);
    expect(text).toContain('\n\n... [20000 characters truncated] ...\n\n');
    expect(text).not.toContain('the error at the end');
    expect(text.length).toBeLessThan(10_100);
  });

  test('of a file is nothing above 256 KiB, unless a part of it is asked for', () => {
    const raw = lines(262_145);
    const file = output(raw, { kind: 'file' });
    const { text, limit } = claude.show(file, ONE);
    expect(limit).toBe('claude_read_size');
    expect(text).toContain('exceeds maximum allowed size (256KB)');
    expect(claude.show({ ...file, partial: true }, ONE)).toEqual({ text: raw });
    expect(claude.show(output(raw.slice(1), { kind: 'file' }), ONE).limit).toBeUndefined();
  });

  test('of a file is nothing above 25,000 tokens, whatever part of it is asked for', () => {
    const file = output(lines(100_001), { kind: 'file', partial: true });
    const { text, limit } = claude.show(file, BY_FOUR);
    expect(limit).toBe('claude_read_tokens');
    expect(text).toContain('(25001 tokens) exceeds maximum allowed tokens (25000)');
    expect(claude.show(output(lines(100_000), { kind: 'file' }), BY_FOUR).limit).toBeUndefined();
  });

  test('of a search is 250 lines without columns', () => {
    expect(claude.show(output('a:b.ts:12:7:x: 3:4:', { kind: 'search' }), BY_FOUR).text).toBe('a:b.ts:12:x: 3:4:');
    expect(claude.show(output(matches(250), { kind: 'search' }), BY_FOUR).limit).toBeUndefined();
    const { text, limit } = claude.show(output(matches(251), { kind: 'search' }), BY_FOUR);
    expect(limit).toBe('claude_grep_lines');
    expect(text).toContain('a.ts:249:x\n\n[Showing');
    expect(text).not.toContain('a.ts:250:');
  });

  test('of a search above 20,000 characters is a preview', () => {
    const wide = Array.from({ length: 100 }, (_, at) => `a.ts:${at}:${'y'.repeat(300)}`).join('\n');
    const { text, limit } = claude.show(output(wide, { kind: 'search' }), BY_FOUR);
    expect(limit).toBe('claude_grep_persisted');
    expect(text.length).toBeLessThan(2400);
  });

  test('of our replies is what its events hold', () => {
    expect(claude.passOn(lines(60_000))).toBe(lines(60_000));
  });
});

describe('what Codex shows by itself', () => {
  test.each([
    ['of 40,000 bytes', codex, 40_000],
    ['of 40,000 bytes where nobody named a model', ownToolsOf('codex', undefined), 40_000],
    ['of 10,000 bytes for a model it does not know', unknown, 10_000],
  ])('is both ends %s', (_, tools, most) => {
    for (const kind of ['file', 'command', 'search'] as const) {
      expect(tools.show(output(lines(most), { kind }), BY_FOUR)).toEqual({ text: lines(most) });
      const raw = `head\n${lines(3 * most)}tail`;
      const { text, limit } = tools.show(output(raw, { kind, failed: true }), BY_FOUR);
      expect(limit).toBe('codex_output');
      expect(text).toContain('Warning: truncated output (original token count:');
      expect([text.includes('head\n'), text.endsWith('tail')]).toEqual([true, true]);
      expect(Buffer.byteLength(text)).toBeGreaterThan(most);
      expect(Buffer.byteLength(text)).toBeLessThan(most + 200);
    }
  });

  test('is counted in bytes', () => {
    expect(unknown.show(output('é'.repeat(5000)), BY_FOUR).limit).toBeUndefined();
    expect(unknown.show(output('é'.repeat(5001)), BY_FOUR).limit).toBe('codex_output');
  });

  test('of our replies is cut, too, a fifth later', () => {
    expect(unknown.passOn(lines(12_000))).toBe(lines(12_000));
    expect(unknown.passOn(lines(40_000)).length).toBeLessThan(12_100);
  });
});

test('any other agent’s own tools show everything', () => {
  const tools = ownToolsOf('fake', undefined);
  expect(tools.reader).toBe('limitless');
  expect(tools.show(output(lines(500_000)), BY_FOUR)).toEqual({ text: lines(500_000) });
});
