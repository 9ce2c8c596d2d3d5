import type { Writable } from 'node:stream';

/** Resolves when the stream took everything it was given, or cannot. */
export function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    // Answered after everything before it, and after those who wait for that were told.
    else stream.write('', () => resolve());
  });
}

/** Whether the promise came true in time. */
export async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  if (milliseconds <= 0) return false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
