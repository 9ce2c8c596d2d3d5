import type { Output } from '../context.ts';

// What this program itself says to a terminal: its colours, and the way back to the beginning of a line of progress.
const OURS = '\\u001B\\[(?:1|2|22|3[1-6]|39)m|\\r\\u001B\\[2K';
const CONTROLS = [
  '\\r(?=\\n)',
  '(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*[@-~]?',
  '(?:\\u001B[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])[^\\u0007\\u001B\\u009C\\n]*(?:\\u0007|\\u001B\\\\|\\u009C)?',
  '\\u001B[ -/]*[0-~]?',
  '[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]',
  // These make a line read in another order than it is written.
  '[\\u202A-\\u202E\\u2066-\\u2069]',
].join('|');
const ANY = new RegExp(`(${OURS})|${CONTROLS}`, 'g');
const ALL = new RegExp(CONTROLS, 'g');

/**
 * A stream on which nothing that was read commands the terminal: texts, file names, messages of servers. Everything is
 * written through it, so that no command can forget to. A pipe or a file gets every byte as it is.
 */
export function forTerminal(output: Output): Output {
  if (output.isTTY !== true) return output;
  const decoder = new TextDecoder();
  return {
    isTTY: true,
    get columns() {
      return output.columns ?? 80;
    },
    write(text, done) {
      const decoded = typeof text === 'string' ? text : decoder.decode(text, { stream: true });
      return output.write(
        decoded.replace(ANY, (_, ours: string | undefined) => ours ?? ''),
        done,
      );
    },
  };
}

/** A text that was read, for this stream: on a terminal even without the colours that are its own. */
export function plainOn({ isTTY }: Output, text: string): string {
  return isTTY === true ? text.replace(ALL, '') : text;
}
