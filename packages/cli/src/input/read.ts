import { Buffer } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import type { Context, Input } from '../context.ts';
import { reasonOf, UsageError } from '../failure.ts';
import { decode } from './decode.ts';

/** Larger texts would not fit the recovery store anyway, and every line costs memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The text of a file, or of standard input for `-` and when no file is named. */
export async function readText(file: string | undefined, context: Context): Promise<string> {
  const fromStdin = file === undefined || file === '-';
  if (file === undefined && context.stdin.isTTY === true) {
    throw new UsageError('no input: name a file, or pipe a text in (npm test 2>&1 | jeeves prune --goal "…")');
  }
  const name = fromStdin ? 'standard input' : file;
  const bytes = fromStdin ? await readStream(context.stdin) : await readBytes(file);
  const decoded = decode(bytes);
  if ('text' in decoded) return decoded.text;
  if (decoded.problem === 'binary') {
    throw new UsageError(
      `${name}: not a text: there is a NUL byte at offset ${decoded.offset}. ` +
        'A UTF-16 text can be converted first: iconv -f utf-16 -t utf-8',
    );
  }
  throw new UsageError(
    `${name}: not valid UTF-8 at byte offset ${decoded.offset}. Jeeves gives texts back byte for byte, ` +
      'so it replaces nothing; convert the text first, for example: iconv -f latin1 -t utf-8',
  );
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) throw new UsageError(`${file}: is a directory; name a file`);
    if (facts.size > MAX_BYTES) throw tooLarge(file);
    return await readFile(file);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${file}: cannot be read: ${reasonOf(error)}`);
  }
}

async function readStream(stream: Input): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) throw tooLarge('standard input');
    }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`standard input cannot be read: ${reasonOf(error)}`);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string): UsageError {
  return new UsageError(`${name}: larger than ${MAX_BYTES / 1024 / 1024} MiB; prune a part of it (tail -n 200000)`);
}
