import type { TextList } from '../split.ts';

/** Far beyond any real stack, so that a whole one stays whole. */
const MAX_TRACE_LINES = 20_000;

/** One past the last line of the stack trace that starts at `index`; `index + 1` or less when none does. */
export function traceEnd(texts: TextList, index: number): number {
  const line = texts.at(index).slice(0, 400);
  if (/traceback \(most recent call last\)/i.test(line)) return pythonEnd(texts, index);
  if (/^goroutine \d+ \[/.test(line)) return paragraphEnd(texts, index);
  const next = index + 1 < texts.length ? texts.at(index + 1).slice(0, 200) : '';
  if (isFrame(next) && !isFrame(line)) return framesEnd(texts, index + 1);
  return index;
}

/** Indented lines, then the line that names the exception; chained tracebacks are found on their own. */
function pythonEnd(texts: TextList, index: number): number {
  const prefix = indentOf(texts.at(index));
  let at = index + 1;
  const limit = Math.min(texts.length, index + MAX_TRACE_LINES);
  while (
    at < limit &&
    (texts.at(at).trim() === ''
      ? at + 1 < limit && indentOf(texts.at(at + 1)) > prefix
      : indentOf(texts.at(at)) > prefix)
  )
    at += 1;
  return Math.min(texts.length, at + 1);
}

function framesEnd(texts: TextList, first: number): number {
  let at = first;
  const limit = Math.min(texts.length, first + MAX_TRACE_LINES);
  while (at < limit && (isFrame(texts.at(at).slice(0, 200)) || isLink(texts.at(at).slice(0, 200)))) at += 1;
  return at;
}

function paragraphEnd(texts: TextList, index: number): number {
  let at = index + 1;
  const limit = Math.min(texts.length, index + MAX_TRACE_LINES);
  while (at < limit && texts.at(at).trim() !== '') at += 1;
  return at;
}

/** A frame of Java, JavaScript, .NET, Ruby, Rust or a native backtrace. */
function isFrame(line: string): boolean {
  return /^(?:==\d+==)?\s+(?:at|by) \S|^\s*#\d+\s+(?:0x[0-9a-f]+\s|\S+\()|^\s+\d+: +(?:0x[0-9a-f]+ - )?[\w<]|^\s+from \S+:\d+:in |^\s+\.{3} \d+ more/.test(
    line,
  );
}

/** What stands between the frames of one trace. */
function isLink(line: string): boolean {
  return /^\s*(?:Caused by:|Suppressed:|\.{3} \d+ (?:more|common frames)|--- End of|note: )/.test(line);
}

function indentOf(line: string): number {
  let at = 0;
  while (at < line.length && (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9)) at += 1;
  return at;
}
