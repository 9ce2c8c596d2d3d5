import type { TextList } from '../split.ts';

/** A text read as rows and columns. */
export interface Table {
  /** The line that names the columns, or -1 (`ls -l` has none). */
  readonly header: number;
  readonly names: readonly string[];
  /** The cells of a line; undefined for lines that are no row. */
  readonly cells: (line: string) => readonly string[] | undefined;
}

const SAMPLE = 60;
const LOOK_AT = 2000;
const LISTING = /^[-bcdlps][-rwxsStT]{9}[.+@]?\s+\d+\s/;
const LISTING_NAMES = ['permissions', 'links', 'owner', 'group', 'size', 'month', 'day', 'time', 'name'];

/** Reads `ls -l`, CSV and its kin, and columns aligned by spaces as `ps` and `docker` print them. */
export function readTable(lines: TextList): Table | undefined {
  const sample: string[] = [];
  for (let at = 0; at < Math.min(lines.length, SAMPLE); at += 1) sample.push(lines.at(at).slice(0, LOOK_AT));
  const said = sample.filter((line) => line.trim() !== '');
  if (said.length < 3) return undefined;
  return listing(said) ?? separated(sample, said) ?? aligned(sample, said);
}

function listing(said: readonly string[]): Table | undefined {
  const rows = said.filter((line) => LISTING.test(line)).length;
  if (rows < said.length * 0.5) return undefined;
  return { header: -1, names: LISTING_NAMES, cells: (line) => (LISTING.test(line) ? words(line, 9) : undefined) };
}

/** The same separator equally often in nearly every line. */
function separated(sample: readonly string[], said: readonly string[]): Table | undefined {
  for (const separator of [',', '\t', ';', '|']) {
    const first = sample.findIndex((line) => line.trim() !== '');
    const names = cut(sample[first] ?? '', separator);
    if (names.length < 3 || names.some((name) => name.length > 60 || /[(){}=<>]/.test(name))) continue;
    const rows = said.filter((line) => cut(line, separator).length === names.length).length;
    if (rows < said.length * 0.9) continue;
    return { header: first, names, cells: (line) => equalTo(cut(line, separator), names.length) };
  }
  return undefined;
}

/** `NAME   IMAGE   STATUS`: a first line of capitals, and rows with at least as many words. */
function aligned(sample: readonly string[], said: readonly string[]): Table | undefined {
  const header = sample.findIndex((line) => line.trim() !== '');
  const line = sample[header] ?? '';
  const apart = line.trim().split(/ {2,}/);
  // `CONTAINER ID   IMAGE` is cut at wide gaps; `PID %CPU   RSS` has a name at every word.
  const wide = apart.length >= 3 && apart.filter((name) => !name.includes(' ')).length >= apart.length * 0.7;
  const names = wide ? apart : words(line, 99);
  if (names.length < 3 || !names.every((name) => /^[%A-Z][\w%/+ :()-]*$/.test(name) && name.length < 24))
    return undefined;
  if (names.filter((name) => name === name.toUpperCase()).length < names.length / 2) return undefined;
  const cells = (row: string) =>
    atLeast(wide ? row.trim().split(/ {2,}/) : words(row, names.length), wide ? 2 : names.length);
  const rows = said.filter((row) => cells(row) !== undefined).length;
  return rows < said.length * 0.9 ? undefined : { header, names, cells };
}

/** At most `most` words; the last one takes the rest of the line. */
function words(line: string, most: number): string[] {
  const parts = line.trim().split(/\s+/);
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(' ')];
}

function cut(line: string, separator: string): string[] {
  const parts: string[] = [];
  for (const [, quoted, plain = ''] of line.matchAll(CELLS[separator] ?? /$/g)) parts.push((quoted ?? plain).trim());
  return parts;
}

const CELLS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  [',', '\t', ';', '|'].map((mark) => {
    const safe = mark === '|' ? '\\|' : mark;
    return [mark, new RegExp(`(?:^|${safe})(?:"((?:[^"]|"")*)"|([^${safe}]*))(?=${safe}|$)`, 'g')];
  }),
);

function equalTo(cells: readonly string[], count: number): readonly string[] | undefined {
  return cells.length === count ? cells : undefined;
}

function atLeast(cells: readonly string[], count: number): readonly string[] | undefined {
  return cells.length >= count ? cells : undefined;
}
