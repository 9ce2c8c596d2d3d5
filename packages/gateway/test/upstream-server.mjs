// A small MCP server with every fault that a gateway must survive. Its one argument says which, as JSON:
// { fault, definitions, many, pageSize, delayMs, startMs, instructions, pidFile, protocolVersion }. It is plain JavaScript, so that it starts as fast as a program can.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const options = JSON.parse(process.argv[2] ?? '{}');
const { fault, delayMs = 0, pidFile } = options;
if (pidFile !== undefined) appendFileSync(pidFile, `${process.pid}\n`);

if (fault === 'exits') {
  process.stderr.write('cannot find the secret sauce\n');
  process.exit(3);
}
if (fault === 'deaf') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  if (pidFile !== undefined) appendFileSync(pidFile, `${child.pid}\n`);
}

const object = { type: 'object' };
const many = Array.from({ length: options.many ?? 0 }, (_, at) => ({ name: `t${at}`, inputSchema: object }));
const definitions = options.definitions ??
  (many.length > 0 ? many : undefined) ?? [
    {
      name: 'echo',
      description: 'Says it again',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    },
    { name: 'environment', description: 'All variables', inputSchema: object },
    { name: 'pid', description: 'The process', inputSchema: object },
    { name: 'count', description: 'Counts up', inputSchema: object },
    { name: 'sleep', description: 'Takes its time', inputSchema: object },
    { name: 'text', description: 'A long text', inputSchema: object },
    { name: 'mixed', description: 'Everything a result can hold', inputSchema: object },
    { name: 'fail', description: 'A protocol error', inputSchema: object },
    { name: 'crash', description: 'Ends the process', inputSchema: object },
    { name: 'huge', description: 'A line that is too long', inputSchema: object },
    { name: 'deep', description: 'A result that is too deep', inputSchema: object },
    { name: 'grow', description: 'Adds a tool', inputSchema: object },
    { name: 'cancelled', description: 'What was cancelled', inputSchema: object },
  ];

let counter = 0;
let running = 0;
let most = 0;
const cancelled = [];

function send(message) {
  if (fault === 'garbage')
    process.stdout.write('starting up, please wait…\n{"half": \n\u001b[31mred\u001b[0m\n[]\nnull\n');
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const tools = {
  echo: ({ text: said }) => text(String(said)),
  environment: () => text(process.env),
  pid: () => text(String(process.pid)),
  count: () => text(String((counter += 1))),
  sleep: async ({ ms }) => {
    running += 1;
    most = Math.max(most, running);
    await wait(ms);
    running -= 1;
    return text(String(most));
  },
  text: ({ lines, needle }) =>
    text(
      Array.from({ length: lines }, (_, at) =>
        at === lines / 2 ? needle : `12:00:${at} INFO building part ${at}`,
      ).join('\n'),
    ),
  mixed: () => ({
    content: [
      { type: 'text', text: 'seen', annotations: { priority: 1 } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///x', text: 'inside' } },
      { type: 'of_the_future', anything: [1, 2.5, null] },
    ],
    structuredContent: { nested: { list: [1, 'two', null] } },
    _meta: { 'example.com/trace': 'abc' },
    unknownField: true,
  }),
  crash: () => process.exit(7),
  huge: ({ bytes }) => text('x'.repeat(bytes)),
  deep: ({ depth }) => JSON.parse(`{"content":[],"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  grow: () => {
    definitions.push({ name: `grown_${definitions.length}`, description: 'New', inputSchema: object });
    send({ method: 'notifications/tools/list_changed' });
    return text('grown');
  },
  cancelled: () => text(cancelled),
};

async function call(id, { name, arguments: args = {}, _meta }) {
  if (fault === 'crashes') process.exit(9);
  if (fault === 'hangs_in_calls') return;
  if (_meta?.progressToken !== undefined && name === 'sleep') {
    send({
      method: 'notifications/progress',
      params: { progressToken: _meta.progressToken, progress: 1, message: 'half way' },
    });
  }
  if (fault === 'floods') process.stdout.write(`${'y'.repeat(64 * 1024 * 1024)}\n`);
  await wait(delayMs);
  const run = tools[name];
  if (run === undefined) return send({ id, error: { code: -32602, message: `Unknown tool: ${name}` } });
  send({ id, result: await run(args) });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (fault === 'hangs') return;
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const protocolVersion = options.protocolVersion ?? params.protocolVersion;
    const result = {
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'test', version: '1' },
      ...(options.instructions !== undefined && { instructions: options.instructions }),
    };
    void wait(options.startMs ?? 0).then(() => send({ id, result }));
  } else if (method === 'tools/list') list(id, params);
  else if (method === 'notifications/cancelled') cancelled.push(params.reason);
  else if (method === 'tools/call' && params.name === 'fail')
    send({ id, error: { code: -32000, message: 'no such luck' } });
  else if (method === 'tools/call') void call(id, params);
});
// What the others do by themselves at the end of their input.
if (fault !== 'deaf') process.stdin.on('end', () => process.exit(0));

/** Page by page. */
function list(id, { cursor = '0' } = {}) {
  const from = Number(cursor);
  const page = definitions.slice(from, from + (options.pageSize ?? 1000));
  const more = from + page.length < definitions.length && page.length > 0;
  send({ id, result: { tools: page, ...(more && { nextCursor: String(from + page.length) }) } });
}
