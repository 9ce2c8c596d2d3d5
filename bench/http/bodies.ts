/** No line of a body stands in the one before. */
export function everNew(body: string): () => string {
  let at = 0;
  return () => {
    at += 1;
    return body.replaceAll('2026-11-15T', `2026-11-15T${at}T`);
  };
}

/** A `prune_text` call over `/rpc` with about so many bytes of a log in which few lines matter. */
export function pruneBody(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0, at = 0; size < bytes; at += 1) {
    const line =
      at % 37 === 30
        ? `2026-11-15T12:00:${at % 60}Z ERROR worker ${at}: connection to port ${8000 + at} refused`
        : `2026-11-15T12:00:${at % 60}Z INFO request ${at * 7919} for /api/items/${at} took ${at % 90} ms`;
    lines.push(line);
    size += line.length + 1;
  }
  const options = {
    max_prune_ratio: 0.9,
    min_keep_lines: 5,
    timeout_ms: 10_000,
    annotate_lines: false,
    include_markers: true,
  };
  const args = { text: lines.join('\n'), goal_hint: 'Which port was refused?', source_type: 'logs', options };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'prune_text', arguments: args },
  });
}
