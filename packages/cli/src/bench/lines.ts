import { createReadStream } from 'node:fs';
import { reasonOf, UsageError } from '../failure.ts';

const NEWLINE = 10;

/**
 * The lines of a file one by one, as bytes. Only `\n` ends a line: `node:readline` would also split at U+2028, which
 * may stand unescaped inside a JSON string. `flag` is the option that named the file.
 */
export async function* linesOf(file: string, flag = '--cases'): AsyncGenerator<Uint8Array> {
  let rest: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)]);
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    }
  } catch (error) {
    throw new UsageError(`${flag} ${file}: cannot be read: ${reasonOf(error)}`);
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
