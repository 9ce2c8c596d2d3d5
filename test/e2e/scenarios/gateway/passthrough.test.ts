import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { EVERYTHING, faulty, freshHome, type GatewayProcess, script, startGateway, textOf, until } from './gateway.ts';

const NEEDLE = '12:00:30 ERROR src/parser.c:88: expected ";" before "return"';
const QUESTION = 'which error stopped the build?';

async function passthrough(servers: Readonly<Record<string, object>>, tools: number): Promise<GatewayProcess> {
  const gateway = await startGateway({ args: ['--passthrough'], servers });
  await until(async () => (await gateway.list()).length === tools, 'all tools are listed');
  return gateway;
}

describe('passthrough', () => {
  verifies(
    ['gateway.passthrough.list', 'gateway.names'],
    'lists every tool under its prefix, with the question as one more argument',
    async () => {
      const gateway = await passthrough({ everything: script(EVERYTHING), a: faulty() }, 27);
      const tools = await gateway.list();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['recover_text', 'everything__echo', 'a__echo', 'a__mixed']),
      );
      const echo = tools.find(({ name }) => name === 'everything__echo');
      expect(Object.keys(echo?.inputSchema.properties ?? {})).toEqual(['message', 'context_focus_question']);
      expect(echo?.inputSchema).toMatchObject({ required: ['message'] });
      expect(await gateway.call('everything__echo', { message: 'hi' })).toEqual({
        content: [{ type: 'text', text: 'Echo: hi' }],
      });
      expect(await gateway.call('a__mixed')).toMatchObject({
        content: [{ type: 'text' }, { type: 'image' }, { type: 'resource' }, { type: 'of_the_future' }],
        structuredContent: { nested: { list: [1, 'two', null] } },
        _meta: { 'example.com/trace': 'abc' },
        unknownField: true,
      });
      await expect(gateway.call('a__no_such')).rejects.toThrow('-32602');
    },
  );

  verifies(
    ['gateway.passthrough.prunes', 'gateway.prune.recoverable'],
    'prunes a long result against the question, and gives the rest back',
    async () => {
      const gateway = await passthrough({ a: faulty() }, 14);
      const raw = textOf(await gateway.call('a__text', { lines: 400, needle: NEEDLE }));
      const pruned = textOf(
        await gateway.call('a__text', { lines: 400, needle: NEEDLE, context_focus_question: QUESTION }),
      );
      expect(pruned.length).toBeLessThan(raw.length / 2);
      expect(pruned).toContain(NEEDLE);
      expect(pruned).toMatch(/⟦pruned \d+-\d+ \(\d+ lines\)⟧/);
      const id = /⟦prune_id=(prn_\w+) · recover_text restores any range⟧$/.exec(pruned)?.[1];
      const back = await gateway.call('recover_text', { prune_id: id, ranges: [{ start_line: 1, end_line: 400 }] });
      expect(back['structuredContent']).toMatchObject({ raw_text: raw });
      const short = { text: 'short', context_focus_question: QUESTION };
      expect(textOf(await gateway.call('a__echo', short))).toBe('short');
    },
  );

  verifies('gateway.lifecycle.limits', 'says so when a result is too large for any reply', async () => {
    const gateway = await passthrough({ a: faulty() }, 14);
    const result = await gateway.call('a__huge', { bytes: 9_000_000 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('error: the result is larger than 8388608 bytes; ask for less of it');
    expect(textOf(await gateway.call('a__echo', { text: 'still here' }))).toBe('still here');
  });

  verifies('gateway.passthrough.list-changed', 'tells a client that has a list when it changes', async () => {
    const gateway = await passthrough({ a: faulty() }, 14);
    await gateway.call('a__grow');
    await until(() => gateway.notes.includes('notifications/tools/list_changed'), 'a notification');
    expect(await gateway.list()).toHaveLength(15);
  });
});

describe('automatic_eval', () => {
  verifies(['gateway.prune.recoverable', 'gateway.eval.prunes'], 'prunes in the same way', async () => {
    const gateway = await startGateway({ home: freshHome(), servers: { a: faulty() } });
    await gateway.call('automatic_mcp');
    const args = { lines: 400, needle: NEEDLE };
    const raw = textOf(await gateway.evaluate('a__text', args));
    const pruned = textOf(await gateway.evaluate('a__text', args, { context_focus_question: QUESTION }));
    expect(pruned.length).toBeLessThan(raw.length / 2);
    expect(pruned).toContain(NEEDLE);
    const id = /⟦prune_id=(prn_\w+) /.exec(pruned)?.[1];
    const back = await gateway.call('recover_text', { prune_id: id, ranges: [{ start_line: 1, end_line: 400 }] });
    expect(back['structuredContent']).toMatchObject({ raw_text: raw });
  });
});
