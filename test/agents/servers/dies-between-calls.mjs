// The real server, which dies when the answer to its first tool call is out.
import { startRealServer } from './real-server.mjs';

let called = false;
const push = process.stdin.push.bind(process.stdin);
process.stdin.push = (chunk, ...rest) => {
  called ||= chunk?.includes('"tools/call"') === true;
  return push(chunk, ...rest);
};
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => {
  const done = rest.find((argument) => typeof argument === 'function');
  return write(chunk, (error) => {
    done?.(error);
    // Later than this turn, so that what the server says about the call is written as well.
    if (called && chunk.includes('"result"')) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);
  });
};
await startRealServer();
