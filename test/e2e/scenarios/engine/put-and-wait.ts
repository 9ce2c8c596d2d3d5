import { openStore } from '@jeeves/store';

/** A process that stores a text, says so once that was confirmed, and then waits to be killed. */
const [url = '', pruneId = '', text = ''] = process.argv.slice(2);
const store = await openStore(url);
await store.put({ pruneId, text, firstLine: 1, createdAt: Date.now() });
process.stdout.write('stored\n');
setInterval(() => {}, 1000);
