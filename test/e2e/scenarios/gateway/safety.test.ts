import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { verifies } from '../../verifies.ts';
import { faulty, freshHome, runCommand, startGateway, type Tool, textOf, until } from './gateway.ts';

const ECHO = { name: 'echo', description: 'Says it again', inputSchema: { type: 'object' } };

describe('definitions', () => {
  verifies(
    ['gateway.safety.hidden', 'security.t19.poisoned-tools'],
    'lose hidden characters wherever they stand',
    async () => {
      const hidden = `Read\u200B a\u202E file${String.fromCodePoint(0xe0041, 0xe0042)}\u001B[8m`;
      const poisoned = {
        name: 'read',
        title: hidden,
        description: hidden,
        inputSchema: { type: 'object', properties: { path: { type: 'string', description: hidden } } },
        annotations: { title: hidden, readOnlyHint: true },
        _meta: { kept: hidden },
      };
      const gateway = await startGateway({
        args: ['--passthrough'],
        servers: { s: faulty({ definitions: [poisoned] }) },
      });
      const find = async (): Promise<Tool | undefined> => (await gateway.list()).find(({ name }) => name === 's__read');
      await until(async () => (await find()) !== undefined, 'the tool is listed');
      expect(await find()).toMatchObject({
        title: 'Read a file',
        description: 'Read a file',
        inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Read a file' } } },
        annotations: { title: 'Read a file', readOnlyHint: true },
        _meta: { kept: 'Read a file' },
      });
      const flagged = gateway.events.filter(({ event }) => event === 'gateway.tool_cleaned').map(({ data }) => data);
      expect(flagged).toEqual([{ server: 's', tool: 'read' }]);
    },
  );

  verifies(
    ['gateway.safety.pinned', 'security.t19.poisoned-tools'],
    'that changed since they were first seen are reported until they are accepted',
    async () => {
      const home = freshHome();
      const servers = { s: faulty({ definitions: [ECHO] }) };
      const config = join(home, 'servers.json');
      const first = await startGateway({ home, servers });
      await first.call('automatic_mcp');
      await first.close();
      const state = join(home, '.local', 'state', 'jeeves', 'gateway');
      const file = readdirSync(state).find((name) => name.startsWith('server-')) ?? '';
      const remembered = readFileSync(join(state, file), 'utf8');
      // The server's first version had another description than the one it has today.
      writeFileSync(join(state, file), remembered.replace(/"echo":"[0-9a-f]{64}"/, `"echo":"${'0'.repeat(64)}"`));
      const second = await startGateway({ home, servers });
      await second.evaluate('s__echo', { text: 'x' });
      expect(second.events).toContainEqual(
        expect.objectContaining({ event: 'gateway.tool_changed', data: { server: 's', tool: 'echo' } }),
      );
      await second.close();
      const changed = async (): Promise<unknown> =>
        JSON.parse((await runCommand(home, 'stats', '--json', '--config', config)).out).servers;
      expect(await changed()).toMatchObject([{ server: 's', tools: 1, changed: ['echo'] }]);
      expect((await runCommand(home, 'approve', '--config', config)).out).toBe('accepted s__echo\n');
      expect(await changed()).toMatchObject([{ server: 's', changed: [] }]);
      expect((await runCommand(home, 'approve', 'nobody', '--config', config)).code).toBe(2);
    },
  );

  verifies(
    'security.t7.no-commands-from-data',
    'and results never make the gateway open or start anything',
    async () => {
      let opened = 0;
      const trap = createServer((_, response) => {
        opened += 1;
        response.end('{}');
      });
      await new Promise<void>((resolve) => void trap.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void trap.close());
      const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/x`;
      const luring = {
        ...ECHO,
        icons: [{ src: url }],
        inputSchema: { type: 'object', $schema: url, $ref: url, properties: { text: { $ref: `${url}#/a` } } },
        _meta: { command: 'touch /tmp/x', url },
      };
      const gateway = await startGateway({
        args: ['--passthrough'],
        servers: { s: faulty({ definitions: [luring] }) },
      });
      await until(async () => (await gateway.list()).length === 2, 'the tool is listed');
      expect(textOf(await gateway.call('s__echo', { text: url }))).toBe(url);
      const other = await startGateway({ servers: { s: faulty({ definitions: [luring] }) } });
      await other.call('automatic_mcp');
      await other.evaluate('s__echo', { text: url });
      expect(opened).toBe(0);
    },
  );
});

describe('credentials', () => {
  verifies(
    ['gateway.safety.environment', 'gateway.safety.own-credentials'],
    'of the caller stay with the gateway, and a server’s own reach that server alone',
    async () => {
      const canaries = Object.fromEntries(
        [
          'OPENAI_API_KEY',
          'GITHUB_TOKEN',
          'AWS_SECRET_ACCESS_KEY',
          'MCP_PRUNER_TOKEN',
          'JEEVES_STORE',
          'NODE_OPTIONS',
          'LD_PRELOAD',
          'HTTPS_PROXY',
          'ANYTHING',
        ].map((name) => [
          name,
          name === 'NODE_OPTIONS' ? '--no-deprecation' : name === 'LD_PRELOAD' ? '' : `canary-${name}`,
        ]),
      );
      const gateway = await startGateway({
        env: { ...canaries, JEEVES_STORE: 'memory:' },
        servers: { a: faulty({}, { env: { OWN: 'of-a', GITHUB_TOKEN: '${GITHUB_TOKEN}' } }), b: faulty() },
      });
      await gateway.call('automatic_mcp');
      const environmentOf = async (server: string): Promise<Record<string, string>> =>
        JSON.parse(textOf(await gateway.evaluate(`${server}__environment`))) as Record<string, string>;
      const { OWN, GITHUB_TOKEN, ...rest } = await environmentOf('a');
      expect([OWN, GITHUB_TOKEN]).toEqual(['of-a', 'canary-GITHUB_TOKEN']);
      const b = await environmentOf('b');
      for (const environment of [rest, b]) {
        expect(JSON.stringify(environment)).not.toContain('canary');
        expect(Object.keys(environment).sort()).toEqual(['HOME', 'JEEVES_GATEWAY_TAG', 'PATH']);
      }
    },
  );
});
