// The least a node program must do to answer a read: the file's text in the same reply line as the server's.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  const { file_path } = params.arguments;
  const content = await readFile(file_path, 'utf8');
  const bytes = Buffer.byteLength(content);
  const pruning = { attempted: false, applied: false, fallback: false, reason: 'no_focus_question', raw_bytes: bytes };
  const structuredContent = {
    tool: 'read',
    file_path,
    encoding: 'utf-8',
    content,
    truncated: false,
    bytes,
    duration_ms: 1,
    pruning,
  };
  const result = { content: [{ type: 'text', text: content }], structuredContent };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
