import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { EVERYTHING, FILESYSTEM, faulty, freshHome, script, startGateway, textOf } from './gateway.ts';

describe('automatic_eval before the reference servers', () => {
  verifies(
    ['gateway.eval.validates', 'gateway.eval.schema-error', 'gateway.eval.same-schema'],
    'answers wrong arguments with the definition that automatic_mcp gave, and the next attempt succeeds',
    async () => {
      const home = freshHome();
      writeFileSync(join(home, 'notes.txt'), 'remember the milk\n');
      const gateway = await startGateway({ home, servers: { files: script(FILESYSTEM, [home]) } });
      const found = JSON.parse(textOf(await gateway.call('automatic_mcp', { query: 'read a text file' }))) as {
        tools: Record<string, unknown>[];
      };
      const definition = found.tools.find(({ name }) => name === 'files__read_text_file');
      expect(definition).toBeDefined();
      const refused = await gateway.evaluate('files__read_text_file', { file: 'notes.txt' });
      expect(refused.isError).toBe(true);
      expect(refused.content).toHaveLength(1);
      const { error, toolSchema } = JSON.parse(textOf(refused)) as Record<string, unknown>;
      expect(error).toMatch(/^invalid tool arguments: .*"path" is required/);
      expect(toolSchema).toEqual(definition);
      const read = await gateway.evaluate('files__read_text_file', { path: join(home, 'notes.txt') });
      expect(textOf(read)).toBe('remember the milk\n');
    },
  );

  verifies('gateway.eval.result', 'returns images and structured content as the server gave them', async () => {
    const gateway = await startGateway({ servers: { every: script(EVERYTHING), odd: faulty() } });
    const image = await gateway.evaluate('every__get-tiny-image');
    expect(image.content.map(({ type }) => type)).toContain('image');
    const weather = await gateway.evaluate('every__get-structured-content', { location: 'Chicago' });
    expect(weather['structuredContent']).toMatchObject({ temperature: expect.any(Number) });
    const mixed = await gateway.evaluate('odd__mixed');
    expect(mixed).toEqual({
      content: [
        { type: 'text', text: 'seen', annotations: { priority: 1 } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///x', text: 'inside' } },
        { type: 'of_the_future', anything: [1, 2.5, null] },
      ],
      structuredContent: { nested: { list: [1, 'two', null] } },
      _meta: { 'example.com/trace': 'abc' },
      unknownField: true,
    });
  });

  verifies('gateway.eval.other-failures', 'answers other failures in words, without a schema', async () => {
    const gateway = await startGateway({ servers: { odd: faulty() } });
    const unknown = await gateway.evaluate('odd__ecko');
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining('the closest are odd__echo')]);
    for (const name of ['odd__fail', 'odd__crash']) {
      const failed = await gateway.evaluate(name);
      expect(failed.isError).toBe(true);
      expect(textOf(failed)).not.toContain('toolSchema');
    }
    expect(textOf(await gateway.evaluate('odd.echo', { text: 'still here' }))).toBe('still here');
    expect(textOf(await gateway.call('mcpv.automatic_eval', { toolName: 'echo', arguments: { text: 'me too' } }))).toBe(
      'me too',
    );
  });
});
