// The real server, started in the process of the script that imports this.
export function startRealServer() {
  return import('../../../packages/mcp-pruner/dist/index.js');
}
