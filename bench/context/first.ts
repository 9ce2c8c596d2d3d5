// The first call of a process for a project: `tsx bench/context/first.ts <store URL> <segments> <way>`, where the way is
// `plain` or `described` (with descriptors of a platform). Prints one line.
// As in a server, the store has been open for a while when the first call comes; nothing has been read from it.
import { setTimeout as sleep } from 'node:timers/promises';
import { openStores } from '@jeeves/store';
import { describing, openContext, segmentAt, WORKING } from './world.ts';

const [url = '', segments = '0', way = 'plain'] = process.argv.slice(2);
const stores = await openStores(url);
const context = openContext(stores);
const window = Array.from({ length: 300 }, (_, at) => segmentAt((at * 97) % Number(segments)));
const descriptors = way === 'described' ? describing(window) : undefined;
const readyMs = performance.now();
await sleep(1000);
const calledMs = performance.now();
const { usage } = await context.analyzeUsage({ project: WORKING, descriptors });
const firstMs = performance.now() - calledMs;
process.stdout.write(`${JSON.stringify({ readyMs, firstMs, seen: usage.totalSegments })}\n`);
await stores.close();
