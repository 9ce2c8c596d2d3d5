import { BLANK, COMMENT, DEFINITION, IMPORT, layoutOf } from '../layout/layout.ts';
import type { Lines } from '../split.ts';

/** A file header is what stands before the code, at most this much of it. */
const MAX_HEADER_LINES = 10;
/** A definition whose parameter list goes on below: so many lines of it belong to its header. */
const MAX_SIGNATURE_LINES = 40;

/** Keeps imports, the headers of functions and types, and the file's own header. */
export function protectCode(lines: Lines, keep: Uint8Array): void {
  const { flags } = layoutOf(lines, 'code');
  protectFileHeader(lines, flags, keep);
  for (let index = 0; index < lines.length; index += 1) {
    const flag = flags[index] ?? 0;
    if ((flag & IMPORT) !== 0) keep[index] = 1;
    else if ((flag & DEFINITION) !== 0) protectSignature(lines, index, keep);
  }
}

function protectFileHeader(lines: Lines, flags: Uint8Array, keep: Uint8Array): void {
  const end = Math.min(lines.length, MAX_HEADER_LINES);
  for (let index = 0; index < end; index += 1) {
    const flag = flags[index] ?? 0;
    const belongs = (flag & (COMMENT | BLANK | IMPORT)) !== 0 || isPreamble(lines.at(index));
    if (!belongs) return;
    if ((flag & BLANK) === 0) keep[index] = 1;
  }
}

function isPreamble(line: string): boolean {
  return /^\uFEFF?(?:#!|<\?|['"]use |package |module |--- |\+\+\+ |index [0-9a-f]|syntax\s*=|# -\*-)/.test(
    line.slice(0, 120),
  );
}

function protectSignature(lines: Lines, first: number, keep: Uint8Array): void {
  const end = Math.min(lines.length, first + MAX_SIGNATURE_LINES);
  let depth = 0;
  for (let index = first; index < end; index += 1) {
    depth += parenBalance(lines.at(index));
    if (depth > 0) continue;
    keep.fill(1, first, index + 1);
    return;
  }
  keep[first] = 1;
}

function parenBalance(line: string): number {
  let balance = 0;
  for (let at = 0; at < Math.min(line.length, 400); at += 1) {
    const unit = line.charCodeAt(at);
    if (unit === 0x28) balance += 1;
    else if (unit === 0x29) balance -= 1;
  }
  return balance;
}
