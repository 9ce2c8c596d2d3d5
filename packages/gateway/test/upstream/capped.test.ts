import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { capped } from '../../src/upstream/capped.ts';

async function read(parts: readonly string[], maxBytes: number, type = 'text/event-stream'): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  return await capped(new Response(body, { headers: { 'content-type': type } }), maxBytes).text();
}

const LINE = `data: ${'x'.repeat(94)}`;

describe('the cap on messages', () => {
  verifies('gateway.safety.event-cap', 'counts an event, whatever number of lines it has', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      await expect(read([Array(20).fill(LINE).join(end), end, end], 1000)).rejects.toThrow('more than 1000 bytes');
      const small = `${LINE}${end}${LINE}${end}${end}`;
      expect(await read(Array<string>(50).fill(small), 1000)).toBe(small.repeat(50));
      const split = `${small}${small}`.split('');
      expect(await read(split, 250)).toBe(split.join(''));
    }
  });

  test('counts everything where there are no events', async () => {
    await expect(read(['x'.repeat(600), '\n\n', 'x'.repeat(600)], 1000, 'application/json')).rejects.toThrow('1000');
    expect(await read(['x'.repeat(1000)], 1000, 'application/json')).toHaveLength(1000);
  });
});
