// The least a node program must do to answer a handshake: one line in, one hand-written line out.
process.stdin.once('data', () => {
  process.stdout.write(
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"bare","version":"0"},"capabilities":{"tools":{}}}}\n',
  );
});
