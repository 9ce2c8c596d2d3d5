import { unwatchFile, watchFile } from 'node:fs';

const INTERVAL_MS = 1000;

/**
 * Calls `changed` after the file got other content, never while an earlier call is under way. Polls: editors replace
 * files in ways of which many systems tell a watcher nothing.
 */
export function watchConfig(path: string, changed: () => Promise<void>): () => void {
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      await changed();
    } while (again);
    running = undefined;
  }

  const listener = (now: { mtimeMs: number; size: number }, before: { mtimeMs: number; size: number }): void => {
    // A file that is gone is about to come back, or nothing that anybody wants to run without.
    if (now.mtimeMs === 0 || (now.mtimeMs === before.mtimeMs && now.size === before.size)) return;
    if (running === undefined) running = run();
    else again = true;
  };
  watchFile(path, { interval: INTERVAL_MS, persistent: false }, listener);
  return () => unwatchFile(path, listener);
}
