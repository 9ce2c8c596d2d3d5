// The real server, which takes longer to start than Codex waits of its own accord.
import { setTimeout as delay } from 'node:timers/promises';
import { startRealServer } from './real-server.mjs';

await delay(2500);
await startRealServer();
