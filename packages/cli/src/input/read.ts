import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { reasonOf, UsageError } from '../failure.ts';
import { decode } from './decode.ts';

/** Larger texts would not fit the recovery store anyway, and every line costs memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/** What was given to be pruned: a text, or bytes that can only be passed on. */
export type Given = { readonly name: string; readonly bytes: Uint8Array } & (
  | { readonly text: string }
  | {
      /** Why it is not a text that can be pruned, as the end of a sentence about it. */
      readonly problem: string;
      /** What comes after the bytes, when not all of it was read. */
      readonly rest?: AsyncIterable<Uint8Array>;
    }
);

/** The bytes of a file, or of standard input for `-` and when no file is named. */
export async function readGiven(file: string | undefined, context: Context): Promise<Given> {
  const fromStdin = file === undefined || file === '-';
  if (file === undefined && context.stdin.isTTY === true) {
    throw new UsageError('no input: name a file, or pipe a text in (npm test 2>&1 | jeeves prune --goal "…")');
  }
  const name = fromStdin ? 'standard input' : file;
  if (!fromStdin) await assertReadable(file);
  const stream: AsyncIterable<Uint8Array> = fromStdin ? context.stdin : createReadStream(file);
  try {
    return await collect(name, stream[Symbol.asyncIterator]());
  } catch (error) {
    const problem = `${fromStdin ? name : `${name}:`} cannot be read: ${reasonOf(error)}`;
    throw error instanceof UsageError ? error : new UsageError(problem);
  }
}

async function assertReadable(file: string): Promise<void> {
  const facts = await stat(file).catch((error: unknown) => {
    throw new UsageError(`${file}: cannot be read: ${reasonOf(error)}`);
  });
  if (facts.isDirectory()) throw new UsageError(`${file}: is a directory; name a file`);
}

async function collect(name: string, chunks: AsyncIterator<Uint8Array>): Promise<Given> {
  const read: Uint8Array[] = [];
  let size = 0;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    read.push(next.value);
    size += next.value.length;
    if (size > MAX_BYTES) {
      const rest = { [Symbol.asyncIterator]: () => chunks };
      const problem = `larger than ${MAX_BYTES / 1024 / 1024} MiB; prune a part of it (tail -n 200000)`;
      return { name, bytes: Buffer.concat(read), problem, rest };
    }
  }
  const bytes = Buffer.concat(read);
  const decoded = decode(bytes);
  if ('text' in decoded) return { name, bytes, text: decoded.text };
  const problem =
    decoded.problem === 'binary'
      ? `not a text: there is a NUL byte at offset ${decoded.offset} (a UTF-16 text can be converted: iconv -f utf-16 -t utf-8)`
      : `not valid UTF-8 at byte offset ${decoded.offset} (it can be converted, for example: iconv -f latin1 -t utf-8)`;
  return { name, bytes, problem };
}
