// The real server, which dies when its first tool call arrives.
import { startRealServer } from './real-server.mjs';

const push = process.stdin.push.bind(process.stdin);
process.stdin.push = (chunk, ...rest) => {
  if (chunk?.includes('"tools/call"')) process.kill(process.pid, 'SIGKILL');
  return push(chunk, ...rest);
};
await startRealServer();
