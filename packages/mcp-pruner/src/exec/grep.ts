import { join } from 'node:path';
import type { Collector } from './collect.ts';
import { toExtended } from './dialect.ts';
import { type EngineEnd, type Operands, runEngine, SearchError, type SearchRequest } from './engine.ts';
import { countCharacters } from './ripgrep.ts';

/** Searches with grep, in such a way that what means the same to ripgrep finds the same lines. */
export async function searchWithGrep(
  program: string,
  request: SearchRequest,
  operands: Operands,
  collector: Collector,
): Promise<EngineEnd> {
  // Alternatives to grep, an error to ripgrep.
  if (request.pattern.includes('\n')) throw new SearchError('rg_error', 'a pattern cannot contain a line feed', 2);
  const pattern = request.fixedString ? request.pattern : toExtended(request.pattern);
  const env = { ...request.env, LC_ALL: localeFor(request) };
  const deadline = performance.now() + request.timeoutMs;
  let end: EngineEnd = { exitCode: 1, stderr: '' };
  for (const target of targetsOf(operands)) {
    const cwd = target.directory ?? request.cwd;
    const timeoutMs = Math.max(1, deadline - performance.now());
    const parse = parseLines(request, target, collector);
    const args = grepArgs({ ...request, pattern }, target);
    end = joined(
      end,
      await runEngine({ program, args, cwd, env, timeoutMs, signal: request.signal, parse }, collector),
    );
    if (collector.full) break;
  }
  return end;
}

/** What one run searches: the files that were named, or one directory with all that lies below it. */
interface Target {
  readonly directory?: string;
  readonly names: readonly string[];
}

function targetsOf({ files, directories }: Operands): Target[] {
  // The exclusions hold for names on the command line too; `.` is the one name of a directory that they never hit.
  const below = directories.map((directory) => ({ directory, names: ['.'] }));
  return files.length === 0 ? below : [{ names: files }, ...below];
}

// Hidden files, as ripgrep does by default, and what ignore files usually keep out of a ripgrep search.
const EXCLUDED = ['--exclude=.?*', '--exclude-dir=.?*', '--exclude-dir=node_modules'];

function grepArgs(request: SearchRequest, { directory, names }: Target): string[] {
  const args = ['-s', '-n', '-H', '-D', 'skip', '--null', request.fixedString ? '-F' : '-E'];
  if (!request.caseSensitive) args.push('-i');
  if (request.contextLines > 0) args.push('-C', String(request.contextLines));
  // `-R` would follow links out of the root. A named file is searched whatever it holds.
  if (directory === undefined) args.push('-a');
  else args.push('-r', '-I', ...EXCLUDED);
  return [...args, '-e', request.pattern, '--', ...names];
}

/** In a locale with characters, grep takes a line with bytes that are no UTF-8 for binary and leaves it out. */
function localeFor({ pattern, fixedString, caseSensitive }: SearchRequest): string {
  const bytesSuffice = fixedString && (caseSensitive || Buffer.byteLength(pattern) === pattern.length);
  return bytesSuffice ? 'C' : 'C.UTF-8';
}

function joined(one: EngineEnd, other: EngineEnd): EngineEnd {
  const { exitCode } = weight(one) > weight(other) ? one : other;
  return { exitCode, stderr: one.stderr + other.stderr };
}

/** Which exit code stands for several runs: stopped over failed over found over nothing. */
function weight({ exitCode }: EngineEnd): number {
  if (exitCode === null) return Number.POSITIVE_INFINITY;
  return exitCode === 1 ? -1 : exitCode;
}

const NUL = 0;
const NEWLINE = 10;
const COLON = 58;
const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** Reads grep's lines: path, NUL, line number, `:` for a match or `-` for a neighbour, text. */
function parseLines(request: SearchRequest, target: Target, collector: Collector): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;
  return (chunk) => {
    parts.push(chunk);
    length += chunk.length;
    if (chunk.includes(NEWLINE)) {
      const bytes = Buffer.concat(parts);
      const from = skipping ? bytes.indexOf(NEWLINE) + 1 : 0;
      const found = (path: string, line: Buffer): void => addLine(request, collector, placed(path, target), line);
      const rest = parseWhole(bytes.subarray(from), found, collector);
      skipping = false;
      parts = [rest];
      length = rest.length;
    } else if (length > MAX_LINE_BYTES || skipping) {
      collector.skipped();
      skipping = true;
      parts = [];
      length = 0;
    }
  };
}

/** Hands out every whole line and returns what is left. */
function parseWhole(bytes: Buffer, found: (path: string, line: Buffer) => void, collector: Collector): Buffer {
  let from = 0;
  while (!collector.full) {
    // A path may contain a line feed, so the end of the line is looked for behind the NUL.
    const nul = bytes.indexOf(NUL, from);
    const end = nul === -1 ? -1 : bytes.indexOf(NEWLINE, nul);
    if (end === -1) break;
    found(bytes.toString('utf8', from, nul), bytes.subarray(nul + 1, end));
    from = end + 1;
  }
  return bytes.subarray(from);
}

function placed(printed: string, { directory }: Target): string {
  // Groups of neighbours are separated by a line of their own, which ends up in front of the next path.
  const path = printed.startsWith('--\n') ? printed.slice(3) : printed;
  return directory === undefined ? path : join(directory, path);
}

function addLine(request: SearchRequest, collector: Collector, path: string, numbered: Buffer): void {
  const digits = numbered.findIndex((byte) => byte < 48 || byte > 57);
  const line = Number(numbered.toString('latin1', 0, digits));
  const decoded = numbered.toString('utf8', digits + 1);
  // ripgrep does not count a byte order mark as text.
  const text = line === 1 && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  const matched = numbered[digits] === COLON;
  const column = matched && request.fixedString ? columnOf(request, text) : null;
  collector.add({ path, line, text, column, matched });
}

/** Where the literal stands, in characters from 1; null where that is uncertain. */
function columnOf({ pattern, caseSensitive }: SearchRequest, text: string): number | null {
  const [haystack, needle] = caseSensitive ? [text, pattern] : [text.toLowerCase(), pattern.toLowerCase()];
  const at = haystack.length === text.length ? haystack.indexOf(needle) : -1;
  return at === -1 ? null : countCharacters(text.slice(0, at)) + 1;
}
