// A client that starts a server and a long command in it, and leaves the server's pipes open in another process, so
// that the server cannot tell by its input that the client is gone.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [entry, root, seconds] = process.argv.slice(2);
const fifo = join(root, 'stdin');
execFileSync('mkfifo', [fifo]);
// Opened for both directions it neither waits nor ever ends; the holder keeps it open.
const input = openSync(fifo, 'r+');
const output = openSync(join(root, 'stdout'), 'w');
const env = {
  PATH: process.env.PATH,
  HOME: root,
  MCP_PRUNER_CWD: root,
  MCP_PRUNER_SHELL_LOGIN: '0',
  JEEVES_STORE: 'memory:',
};
const server = spawn(process.execPath, [entry], { env, stdio: [input, output, 'ignore'] });
writeFileSync(join(root, 'server.pid'), String(server.pid));
const call = { name: 'bash', arguments: { command: `sleep ${seconds}`, timeout_ms: 300_000 } };
writeFileSync(input, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`);
const holder = spawn('sleep', ['20'], { stdio: [input, 'ignore', 'ignore'], detached: true });
holder.unref();
closeSync(output);
setInterval(() => undefined, 1000);
