// An MCP server on stdio that misbehaves as its first argument says. Plain JavaScript, so that it starts in no time.
import { appendFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [fault] = process.argv.slice(2);
// A reply must be out before a death that follows it.
const send = (message) => writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

if (fault === 'exits') process.exit(3);
if (fault === 'garbage') writeSync(1, 'Debugger attached.\n{"jsonrpc": broken\n\u0000\u0001\u0002\n[]\n42\nnull\n');
if (fault === 'stderr-flood') process.stderr.write('x'.repeat(2_000_000));

const lines = createInterface({ input: process.stdin });
// It does not go by itself: whoever started it has to see to that.
if (fault === 'stays') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
} else lines.on('close', () => process.exit(0));

lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') initialize(id, params);
  else if (method === 'tools/list')
    send({ id, result: { tools: [{ name: 'read', inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') call(id);
});

function initialize(id, { protocolVersion }) {
  if (fault === 'hangs') return;
  const hello = () => {
    const file = process.env.JEEVES_EVENT_FILE;
    if (file !== undefined) {
      const event = { ts: new Date().toISOString(), level: 'info', event: 'mcp_pruner.ready' };
      appendFileSync(file, `${JSON.stringify({ ...event, data: { root: '/', pid: process.pid } })}\n`);
    }
    const version = fault === 'wrong-version' ? '1.0' : protocolVersion;
    send({ id, result: { protocolVersion: version, serverInfo: { name: 'faulty', version: '1' }, capabilities: {} } });
  };
  if (fault === 'slow') setTimeout(() => hello(), 700);
  else hello();
}

function call(id) {
  const answer = () => send({ id, result: { content: [{ type: 'text', text: 'answered' }] } });
  if (fault === 'dies-mid-call') process.exit(7);
  else if (fault === 'killed-mid-call') process.kill(process.pid, 'SIGKILL');
  else if (fault === 'bad-json') writeSync(1, `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"te\n`);
  else if (fault === 'huge-line') flood();
  else if (fault === 'slow') setTimeout(() => answer(), 700);
  else if (fault === 'stderr-flood') process.stderr.write('y'.repeat(2_000_000), answer);
  else answer();
}

function flood() {
  const piece = 'z'.repeat(1024 * 1024);
  const more = () => {
    while (process.stdout.write(piece));
    process.stdout.once('drain', more);
  };
  process.stdout.on('error', () => process.exit(1));
  more();
}
