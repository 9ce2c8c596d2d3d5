// Loaded into a server with `node --import`: while the root holds a file named `break`, its tools have a defect.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const flag = join(process.env.MCP_PRUNER_CWD ?? '.', 'break');
const now = performance.now.bind(performance);

performance.now = () => {
  if (existsSync(flag)) throw new TypeError('sabotage');
  return now();
};
