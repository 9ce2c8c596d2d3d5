import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

export type CorpusKind = 'code' | 'logs' | 'docs' | 'diffs' | 'json';
export type CorpusSource = 'code' | 'logs' | 'docs';

/** 1-based lines, both ends included. */
export type LineRange = readonly [start: number, end: number];

/** One goal put to one text, and the lines of it that pruning must leave. */
export interface CorpusCase {
  readonly id: string;
  /** Path below `texts/`. */
  readonly file: string;
  readonly kind: CorpusKind;
  /** Of the file's ending, e.g. `go` or `markdown`. */
  readonly language: string;
  readonly source: CorpusSource;
  readonly goal: string;
  readonly text: string;
  readonly lineCount: number;
  readonly mustSurvive: readonly LineRange[];
  readonly why: string;
  /** The goal is from another topic: no line of the text serves it. */
  readonly negative: boolean;
}

const HERE: URL = new URL('./', import.meta.url);
const KINDS: readonly CorpusKind[] = ['code', 'logs', 'docs', 'diffs', 'json'];
const SOURCES: readonly CorpusSource[] = ['code', 'logs', 'docs'];
const LF = 10;

const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.tsx': 'typescript',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.py': 'python',
  '.go': 'go',
  '.rs': 'rust',
  '.java': 'java',
  '.c': 'c',
  '.cpp': 'cpp',
  '.hpp': 'cpp',
  '.sql': 'sql',
  '.sh': 'bash',
  '.rb': 'ruby',
  '.yaml': 'yaml',
  '.toml': 'toml',
  '.css': 'css',
  '.md': 'markdown',
  '.rst': 'restructuredtext',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.diff': 'diff',
  '.patch': 'diff',
  '.log': 'log',
  '.tap': 'log',
  '.txt': 'log',
};

/** The cases that pruning must hold, with their texts. Throws an error that names the entry when one does not fit. */
export function loadCorpus(directory: URL = HERE): CorpusCase[] {
  return loadCases('cases.json', directory);
}

/** The cases whose evidence shares too little with the goal for the default backend: measured, not yet held. */
export function loadStretch(directory: URL = HERE): CorpusCase[] {
  return loadCases('stretch.json', directory);
}

function loadCases(name: string, directory: URL): CorpusCase[] {
  const entries: unknown = JSON.parse(readFileSync(new URL(name, directory), 'utf8'));
  if (!Array.isArray(entries)) throw new Error(`corpus: ${name} is not an array`);
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(new URL(`texts/${file}`, directory), 'utf8');
    texts.set(file, text);
    return text;
  };
  return entries.map((entry: unknown, index) => toCase(entry, index, read));
}

/** Paths below `texts/` of all texts, used or not, in order. */
export function corpusFiles(directory: URL = HERE): string[] {
  return KINDS.flatMap((kind) =>
    readdirSync(new URL(`texts/${kind}/`, directory)).map((name) => `${kind}/${name}`),
  ).sort();
}

/** Ends at `\n` and nowhere else; "a\n" is one line. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return text.length > 0 && text.charCodeAt(text.length - 1) !== LF ? count + 1 : count;
}

function toCase(entry: unknown, index: number, read: (file: string) => string): CorpusCase {
  if (typeof entry !== 'object' || entry === null) throw new Error(`corpus: entry ${index} is not an object`);
  const fields = new Map(Object.entries(entry));
  const text = (name: string): string => {
    const value: unknown = fields.get(name);
    if (typeof value !== 'string' || value.trim() === '') throw new Error(`corpus: entry ${index} has no ${name}`);
    return value;
  };
  const id = text('id');
  const file = text('file');
  const body = read(file);
  const lineCount = countLines(body);
  const negative = fields.get('negative') === true;
  const mustSurvive = toRanges(fields.get('mustSurvive'), id, lineCount);
  if (negative !== (mustSurvive.length === 0)) throw new Error(`corpus: ${id}: only negative cases have no lines`);
  return {
    id,
    file,
    kind: oneOf(KINDS, file.slice(0, file.indexOf('/')), id),
    language: languageOf(file),
    source: oneOf(SOURCES, text('source'), id),
    goal: text('goal'),
    text: body,
    lineCount,
    mustSurvive,
    why: text('why'),
    negative,
  };
}

/** Ranges in order, apart from each other, and inside the text. */
function toRanges(value: unknown, id: string, lineCount: number): LineRange[] {
  if (!Array.isArray(value)) throw new Error(`corpus: ${id}: mustSurvive is not an array`);
  let previousEnd = -1;
  return value.map((range: unknown) => {
    if (!Array.isArray(range) || range.length !== 2) throw new Error(`corpus: ${id}: a range is a pair of lines`);
    const [start, end]: unknown[] = range;
    if (!isLine(start) || !isLine(end) || start > end || end > lineCount) {
      throw new Error(`corpus: ${id}: ${String(start)}-${String(end)} is not inside 1-${lineCount}`);
    }
    if (start <= previousEnd + 1) throw new Error(`corpus: ${id}: ranges overlap, touch or are out of order`);
    previousEnd = end;
    return [start, end];
  });
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, id: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`corpus: ${id}: ${value} is none of ${allowed.join(', ')}`);
  return found;
}

function languageOf(file: string): string {
  if (file.endsWith('/Dockerfile')) return 'dockerfile';
  const language = LANGUAGES[extname(file)];
  if (language === undefined) throw new Error(`corpus: ${file}: unknown ending`);
  return language;
}
