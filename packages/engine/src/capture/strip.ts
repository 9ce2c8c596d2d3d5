/**
 * What a program sends to a terminal beside its words: colours and cursor movements (CSI), titles and links (OSC), other
 * strings and escapes, and the bell. None of them reaches over the end of a line.
 */
const CODES = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]?',
    '\\u001b\\][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[PX^_][^\\u001b\\n]*(?:\\u001b\\\\)?',
    '\\u001b[ -/]*[0-~]',
    '\\u009b[0-?]*[ -/]*[@-~]?',
    '[\\u0007\\u001b]',
  ].join('|'),
  'g',
);
/** Erases the line, or what follows the cursor in it. */
const ERASES = new RegExp('\\u001b\\[[0-2]?K');
const HAS_CODES = new RegExp('[\\u0007\\u001b\\u009b]');

/**
 * A text as a terminal would show it, without the codes: a progress bar that is drawn over and over is what it was in
 * the end. Lines are never added or removed, so that line numbers hold. A text without codes is returned as it is.
 */
export function stripControls(text: string): string {
  const last = withLastDrawing(text);
  return HAS_CODES.test(last) ? last.replace(CODES, '') : last;
}

/** Text without anything that a terminal would take for a command: for what is printed on one. */
export function printable(text: string): string {
  return stripControls(text).replace(OTHER_CONTROLS, '');
}

const OTHER_CONTROLS = new RegExp('[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]|\\r(?!\\n|$)', 'g');

/** Carriage returns inside a line: what is drawn over goes, as far as that is plain to see. */
function withLastDrawing(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = text.indexOf('\r'); at !== -1; ) {
    const next = text.charCodeAt(at + 1);
    if (next === NEWLINE || at + 1 === text.length) {
      at = text.indexOf('\r', at + 1);
      continue;
    }
    const start = text.lastIndexOf('\n', at) + 1;
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    pieces.push(text.slice(done, start), lastDrawing(text.slice(start, end)));
    done = end;
    at = text.indexOf('\r', end);
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

const NEWLINE = 10;

function lastDrawing(line: string): string {
  const ending = line.endsWith('\r') ? '\r' : '';
  const drawings = line.slice(0, line.length - ending.length).split('\r');
  const last = drawings.at(-1) ?? '';
  const width = visible(last);
  // A shorter drawing leaves the end of a longer one standing: then all of them are shown.
  const covers = ERASES.test(line) || drawings.every((drawing) => visible(drawing) <= width);
  return covers && last !== '' ? last + ending : line;
}

function visible(drawing: string): number {
  return drawing.replace(CODES, '').length;
}
