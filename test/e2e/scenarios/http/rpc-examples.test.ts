import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';

cleanUpServices();
let service: Service;
beforeAll(async () => {
  service = await startService();
});

// The bodies stand in seed 002 §10 and §13 as they stand here, blanks and line ends included.
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
const PRUNE = `{
    "jsonrpc":"2.0",
    "id":2,
    "method":"tools/call",
    "params":{
      "name":"prune_text",
      "arguments":{
        "text":"L1\\nL2\\nL3\\nL4",
        "goal_hint":"garder L1",
        "source_type":"docs",
        "options":{
          "max_prune_ratio":0.75,
          "min_keep_lines":1,
          "timeout_ms":1500,
          "annotate_lines":true,
          "include_markers":true
        }
      }
    }
  }`;
const RECOVER = `{
    "jsonrpc":"2.0",
    "id":3,
    "method":"tools/call",
    "params":{
      "name":"recover_text",
      "arguments":{
        "prune_id":"prn_...",
        "ranges":[{"start_line":1,"end_line":50}],
        "include_line_numbers":true
      }
    }
  }`;
const KEEP = PRUNE.replace('L1\\nL2\\nL3\\nL4', 'L1 keep\\nL2 prune\\nL3 prune\\nL4 keep').replace('garder L1', 'keep');
const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"diag","version":"1.0.0"}}}';

/** What `curl -sS -H 'Content-Type: application/json' -d <body> <url>` prints; the same bytes by hand where there is none. */
async function curl(path: string, body?: string) {
  const url = `http://127.0.0.1:${service.port}${path}`;
  const data = body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', body];
  try {
    const { stdout } = await promisify(execFile)('curl', ['-sS', ...data, url], { encoding: 'utf8' });
    return JSON.parse(stdout);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return JSON.parse(await sendByHand(url, body));
  }
}

function sendByHand(url: string, body: string | undefined): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST';
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { 'user-agent': 'curl/8.0.0', accept: '*/*', ...type };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject).end(body);
  });
}

describe('the examples of seed 002', () => {
  verifies('http.rpc.example-list', 'list the tools', async () => {
    const { id, result } = await curl('/rpc', LIST);
    expect(id).toBe(1);
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['prune_text', 'recover_text', 'health']);
  });

  verifies(
    ['http.rpc.example-prune', 'http.rpc.example-recover'],
    'prune four lines, and recover them with their numbers by the id that came back',
    async () => {
      for (const [body, kept, lines] of [
        [PRUNE, 'L1', ['L1', 'L2', 'L3', 'L4']],
        [KEEP, 'L1 keep', ['L1 keep', 'L2 prune', 'L3 prune', 'L4 keep']],
      ] as const) {
        const { id, result } = await curl('/rpc', body);
        expect(id).toBe(2);
        const { prune_id, pruned_text, stats, annotations } = JSON.parse(result.content[0].text);
        // Numbers and markers would cost more than four short lines: a result never takes more tokens than its text.
        expect(pruned_text.split('\n')).toContain(kept);
        expect(stats).toMatchObject({ original_lines: 4, used_fallback: false, backend: 'heuristic' });
        expect(stats.pruned_ratio).toBeLessThanOrEqual(0.75);
        for (const { marker } of annotations) expect(pruned_text.split('\n')).toContain(marker);
        const recovered = await curl('/rpc', RECOVER.replace('prn_...', prune_id));
        expect(JSON.parse(recovered.result.content[0].text)).toEqual({
          raw_text: lines.map((line, at) => `${at + 1}│ ${line}`).join('\n'),
          metadata: { prune_id, ranges: [{ start_line: 1, end_line: 4 }], line_numbering: 'original' },
        });
      }
      const unknown = await curl('/rpc', RECOVER);
      expect(unknown).toMatchObject({ id: 3, error: { code: -32004, data: { prune_id: 'prn_...' } } });
    },
  );

  verifies('http.start.no-log-heuristic', 'tell a healthy server by `/health` and `initialize`', async () => {
    expect(await curl('/health')).toMatchObject({ status: 'healthy', server: 'mcp-pruner' });
    const { result } = await curl('/rpc', INITIALIZE);
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: '@jeeves/mcp-pruner' } });
  });
});
