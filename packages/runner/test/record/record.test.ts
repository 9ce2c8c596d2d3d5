import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRecord } from '../../src/record/record.ts';
import { readJson, readJsonLines, world } from '../world.ts';

const { path } = world();
const timestamp = '2026-01-01T00:00:00.000Z';
const CALL = { type: 'tool_use', name: 'Bash', input: { command: 'ls' }, id: 'c1', timestamp } as const;
const ANSWER = { type: 'tool_result', toolUseId: 'c1', content: 'a\nb', timestamp } as const;

describe('a record', () => {
  test('is rewritten now and then while the run goes on, and a last time at its end', () => {
    let now = 0;
    const directory = join(path, 'rewritten');
    const record = openRecord(directory, () => now);
    const messages = (): unknown =>
      (readJson(join(directory, 'sdk-output.json')) as { messages: unknown[] }).messages.length;
    now = 1000;
    record.agent({ type: 'assistant', content: 'one', timestamp });
    expect(messages()).toBe(1);
    now = 1700;
    record.agent({ type: 'assistant', content: 'two', timestamp });
    expect(messages()).toBe(1);
    now = 1800;
    record.agent({ type: 'assistant', content: 'three', timestamp });
    expect(messages()).toBe(3);
    record.agent({ type: 'assistant', content: 'four', timestamp });
    expect(record.finish({ success: true }).messages).toHaveLength(4);
    expect(messages()).toBe(4);
    expect(existsSync(join(directory, 'sdk-output.json.tmp'))).toBe(false);
  });

  test('keeps what a tool said of its output, but not the output twice', () => {
    const directory = join(path, 'structured');
    const record = openRecord(directory, () => 0);
    record.agent(CALL);
    record.agent({ ...ANSWER, structured: { tool: 'read', content: 'a\nb', pruning: { applied: true } } });
    const last = readJsonLines(join(directory, 'events.jsonl')).at(-1);
    expect(last).toMatchObject({
      source: 'agent',
      event: 'agent.tool_result',
      data: { content: 'a\nb', response_text: 'a\nb', structured: { tool: 'read', pruning: { applied: true } } },
    });
    expect(last?.data?.['structured']).not.toHaveProperty('content');
  });

  test('takes over nothing from an earlier run in the same place', () => {
    const directory = join(path, 'again');
    mkdirSync(join(directory, 'tool-raw'), { recursive: true });
    for (const name of ['server-events.jsonl', 'events.jsonl', 'tool-raw/old.part-001.txt']) {
      writeFileSync(join(directory, name), 'old\n');
    }
    const { eventFile } = openRecord(directory, () => 0);
    expect(existsSync(eventFile)).toBe(false);
    expect(existsSync(join(directory, 'tool-raw'))).toBe(false);
    expect(readFileSync(join(directory, 'events.jsonl'), 'utf8')).toBe('');
  });

  test('that cannot be written any more says so and goes on', () => {
    const directory = join(path, 'lost');
    const record = openRecord(directory, () => 0);
    record.agent(CALL);
    expect(record.problem()).toBeUndefined();
    rmSync(directory, { recursive: true });
    writeFileSync(directory, 'in the way');
    record.agent(ANSWER);
    record.note('RUNNER', 'still here');
    const output = record.finish({ success: true });
    expect(output.tool_calls[0]).toMatchObject({ is_error: false, response_text: 'a\nb' });
    expect(record.problem()).toContain('ENOTDIR');
  });

  test('indents what follows a first line, so that every entry starts with its time', () => {
    const directory = join(path, 'indented');
    openRecord(directory, () => 0).note('ERROR', 'one\ntwo');
    expect(readFileSync(join(directory, 'last-run.log'), 'utf8')).toBe(
      '1970-01-01T00:00:00.000Z [ERROR] one\n    two\n',
    );
  });
});
