// What a handler cannot do without: read the body, parse it, split the text into lines and count its tokens.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

// The tokenizer as anybody would use it.
const engine = createRequire(new URL('../../packages/engine/package.json', import.meta.url));
const { countTokens } = engine('gpt-tokenizer/encoding/o200k_base');

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const { text } = params.arguments;
    const result = { lines: text.split('\n').length, tokens: countTokens(text) };
    const body = JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ data: server.address() })}\n`));
