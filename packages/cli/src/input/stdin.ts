import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Input } from '../context.ts';
import { UsageError } from '../failure.ts';

const STDIN = 0;

/** Standard input, touched only when it is read: setting the stream up costs time that most commands need not spend. */
export function lazyStdin(): Input {
  return {
    get isTTY() {
      return isatty(STDIN);
    },
    async *[Symbol.asyncIterator]() {
      // Node takes a directory for an empty stream, and an empty answer would look like a success.
      if (fstatSync(STDIN).isDirectory()) throw new UsageError('standard input is a directory; pipe a text in');
      yield* process.stdin as AsyncIterable<Uint8Array>;
    },
  };
}
