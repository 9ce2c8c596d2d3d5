import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { LOG_LINE } from '@jeeves/protocol';
import { afterAll, expect, test } from 'vitest';
import { createEventSink } from '../../src/host/events.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-events-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const now = (): number => Date.UTC(2026, 0, 2, 3, 4, 5);

function linesOf(stream: PassThrough): string[] {
  return String(stream.read() ?? '')
    .split('\n')
    .slice(0, -1);
}

test('an event is one line of JSON, on the stream and in the file', () => {
  const stream = new PassThrough();
  const file = join(directory, 'events.jsonl');
  appendFileSync(file, 'earlier\n');
  const { emit } = createEventSink({ stream, file, now });
  emit({ event: 'mcp_pruner.ready', data: { root: '/r' } });
  emit({ event: 'tool.exec_start', request_id: 'req_1', data: { tool: 'read' } });
  const lines = linesOf(stream);
  expect(readFileSync(file, 'utf8')).toBe(['earlier', ...lines, ''].join('\n'));
  expect(lines.map((text) => LOG_LINE.parse(JSON.parse(text)))).toEqual([
    { ts: '2026-01-02T03:04:05.000Z', level: 'info', event: 'mcp_pruner.ready', data: { root: '/r' } },
    {
      ts: '2026-01-02T03:04:05.000Z',
      level: 'debug',
      event: 'tool.exec_start',
      request_id: 'req_1',
      data: { tool: 'read' },
    },
  ]);
});

test('the file of events is for its owner only', () => {
  const file = join(directory, 'private.jsonl');
  createEventSink({ stream: new PassThrough(), file, now }).emit({ event: 'mcp_pruner.ready', data: { root: '/' } });
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('no character of an event breaks its line or reaches a terminal', () => {
  const stream = new PassThrough();
  const message = 'a\nb\r\u001b[31m\u0085\u2028\u2029\u009b0m\u007f\ud800é';
  createEventSink({ stream, now }).emit({ event: 'tool.internal_error', data: { message } });
  const [text = '', ...rest] = linesOf(stream);
  expect(rest).toEqual([]);
  expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  expect(JSON.parse(text)).toMatchObject({ data: { message } });
});

test.each([
  ['a directory', '.'],
  ['a place that does not exist', 'no/such/file'],
  ['a FIFO that nobody reads', 'fifo'],
])('a file that is %s costs one warning', (_, name) => {
  if (name === 'fifo') execFileSync('/usr/bin/env', ['mkfifo', join(directory, name)]);
  const stream = new PassThrough();
  const { emit } = createEventSink({ stream, file: join(directory, name), now });
  for (let at = 0; at < 3; at += 1) emit({ event: 'tool.exec_start', data: { tool: 'read' } });
  const events = linesOf(stream).map((text) => JSON.parse(text) as { event: string; data: object });
  expect(events.map(({ event }) => event)).toEqual([
    'tool.exec_start',
    'mcp_pruner.config_invalid',
    'tool.exec_start',
    'tool.exec_start',
  ]);
  expect(events[1]?.data).toMatchObject({ variable: 'JEEVES_EVENT_FILE' });
});

test('a stream that nobody reads takes a bounded share of memory', () => {
  const asleep = new Writable({ write: () => undefined });
  const { emit } = createEventSink({ stream: asleep, now });
  for (let at = 0; at < 30_000; at += 1) {
    emit({ event: 'tool.internal_error', data: { message: 'x'.repeat(100) } });
  }
  expect(asleep.writableLength).toBeLessThan(1.1 * 1024 * 1024);
});

test('a stream that broke is left alone', async () => {
  const stream = new PassThrough();
  const { emit, flush } = createEventSink({ stream, now });
  stream.destroy(new Error('gone'));
  emit({ event: 'tool.exec_start', data: { tool: 'read' } });
  await flush();
  expect(stream.destroyed).toBe(true);
});

test('events that are gathered go out in one write, in order, when their time is over or somebody flushes', async () => {
  const writes: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString('utf8'));
      done();
    },
  });
  const { emit, flush } = createEventSink({ stream, gatherMs: 60_000, now });
  for (const tool of ['read', 'bash', 'grep']) emit({ event: 'tool.exec_start', data: { tool } });
  expect(writes).toEqual([]);
  await flush();
  const tools = writes[0]?.split('\n').map((line) => /"tool":"(\w+)"/.exec(line)?.[1] ?? '');
  expect(tools).toEqual(['read', 'bash', 'grep', '']);

  const soon = createEventSink({ stream, gatherMs: 1, now });
  soon.emit({ event: 'tool.exec_start', data: { tool: 'late' } });
  await expect.poll(() => writes.at(-1), { timeout: 10_000 }).toContain('late');

  const many = createEventSink({ stream, gatherMs: 60_000, now });
  for (let at = 0; at < 256; at += 1) many.emit({ event: 'tool.exec_start', data: { tool: 'full' } });
  expect(writes.at(-1)?.match(/full/g)).toHaveLength(256);
});
