// A server over HTTP that misbehaves as its first argument says.
import { createServer } from 'node:http';

const [fault] = process.argv.slice(2);
if (fault === 'exits') process.exit(4);
if (fault === 'stubborn') process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 1000);

let answers = 0;
const server = createServer((_request, response) => {
  answers += 1;
  const well = fault !== 'never-well' && !(fault === 'sickens' && answers > 1);
  response.writeHead(well ? 200 : 503).end('{}');
});
server.listen(0, '127.0.0.1', () => {
  // It says that it is ready whether it is or not.
  const data = { root: '/', port: server.address().port };
  process.stdout.write(`${JSON.stringify({ ts: '', level: 'info', event: 'mcp_pruner.ready', data })}\n`);
});
