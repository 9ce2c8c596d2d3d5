import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { cleanUp, startServer } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, startService, temporaryHome } from '../text/service.ts';
import { callOf, postMcp, tokenOf } from './posting.ts';

cleanUpServices();
afterAll(cleanUp);

const LOG = Array.from({ length: 600 }, (_, at) => `12:00:${at} INFO request ${at} was served from the cache\n`)
  .toSpliced(300, 1, '12:00:300 ERROR the port 8006 is taken\n')
  .join('');
const QUESTION = { context_focus_question: 'Which port is taken?' };

/** Loaded into the program: writes down every address that is connected to, and every name that is looked up. */
function tracer(file: string): string {
  return `
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const net = require('node:net');
const dns = require('node:dns');
const dgram = require('node:dgram');
const write = (line) => appendFileSync(${JSON.stringify(file)}, line + '\\n');
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [given] = Array.isArray(args[0]) ? args[0] : args;
  const target = typeof given === 'object' ? given : { port: given, host: args[1] };
  write('connect ' + (target.path ?? target.host ?? 'localhost'));
  return connect.apply(this, args);
};
for (const holder of [dns, dns.promises]) {
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
    const own = holder[name];
    holder[name] = (host, ...rest) => { write('name ' + host); return own.call(holder, host, ...rest); };
  }
}
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...args) { write('datagram'); return send.apply(this, args); };
write('traced');
`;
}

interface Trace {
  readonly env: { readonly NODE_OPTIONS: string };
  readonly targets: () => readonly string[];
}

function trace(): Trace {
  const folder = temporaryHome();
  const [script, file] = [join(folder, 'trace.mjs'), join(folder, 'targets')];
  writeFileSync(script, tracer(file));
  return {
    env: { NODE_OPTIONS: `--import=${script}` },
    targets: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
  };
}

function leavesLoopback(target: string): boolean {
  const [kind, host = ''] = target.split(' ');
  if (kind === 'traced') return false;
  if (kind === 'datagram') return true;
  const local = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  return !local && !host.startsWith('/');
}

describe('no connection leaves this machine', () => {
  verifies(
    ['security.t22.silence', 'pruning.target.unset'],
    'from the HTTP service as it is configured by default',
    async () => {
      const { env, targets } = trace();
      // As a user starts it: nothing is said about who prunes, or where texts are kept.
      const service = await startService({ env: { ...env, PRUNER_URL: undefined, JEEVES_STORE: undefined } });
      writeFileSync(join(service.home, 'server.log'), LOG);
      const shown = tokenOf(service);
      for (const [name, args] of [
        ['read', { file_path: 'server.log', ...QUESTION }],
        ['grep', { pattern: 'ERROR', path: 'server.log', ...QUESTION }],
        ['bash', { command: 'cat server.log', ...QUESTION }],
      ] as const) {
        const { json } = await postMcp(service, callOf(name, args), shown);
        expect(json.result.structuredContent.pruning.attempted).toBe(true);
      }
      const pruned = await service.prune({ text: LOG, goal_hint: 'Which port is taken?', source_type: 'logs' });
      await service.call('recover_text', {
        prune_id: pruned.prune_id,
        ranges: [{ start_line: 1, end_line: 5 }],
        include_line_numbers: false,
      });
      await service.post('/prune', { query: 'Which port is taken?', code: LOG });
      for (const path of ['/health', '/healthz', '/metrics']) expect((await service.get(path)).status).toBe(200);
      await service.stop();
      const seen = targets();
      expect(seen).toContain('traced');
      // Not even to this machine: whoever holds a usual port is asked nothing unless the user says so.
      expect(seen.filter((target) => target.startsWith('connect '))).toEqual([]);
      expect(seen.filter(leavesLoopback)).toEqual([]);
    },
  );

  verifies(
    ['security.t22.silence', 'pruning.target.unset'],
    'from the server of an agent as it is configured by default',
    async () => {
      const { env, targets } = trace();
      const server = await startServer({ env: { ...env, PRUNER_URL: undefined, JEEVES_STORE: undefined } });
      writeFileSync(join(server.root, 'server.log'), LOG);
      await server.call('read', { file_path: 'server.log', ...QUESTION });
      await server.call('grep', { pattern: 'ERROR', path: 'server.log', ...QUESTION });
      const ran = await server.call('bash', { command: 'cat server.log', ...QUESTION });
      const { pruning } = ran.structuredContent as { pruning: { prune_id: string } };
      await server.call('recover_text', { prune_id: pruning.prune_id, query: 'Which port is taken?' });
      await server.close();
      const seen = targets();
      expect(seen).toContain('traced');
      expect(seen.filter((target) => target.startsWith('connect '))).toEqual([]);
      expect(seen.filter(leavesLoopback)).toEqual([]);
    },
  );

  verifies('security.t22.silence', 'is something this way of looking can find', () => {
    expect(['traced', 'connect 127.0.0.1', 'name localhost', 'connect /run/x.sock'].filter(leavesLoopback)).toEqual([]);
    const outside = ['connect 10.0.0.1', 'connect api.example', 'name api.example', 'datagram', 'connect 1270.0.0.1'];
    expect(outside.filter(leavesLoopback)).toEqual(outside);
  });
});
