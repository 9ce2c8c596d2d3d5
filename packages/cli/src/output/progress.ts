import type { Context } from '../context.ts';

/** Between two updates, so that a log does not fill up and a terminal does not flicker. */
const INTERVAL_MS = { terminal: 100, other: 5000 };

/** Says on stderr how far long work is: in place on a terminal, a line now and then elsewhere. */
export function progressOn(
  { stderr, now }: Context,
  noun: string,
): { readonly show: (done: number) => void; readonly clear: () => void } {
  const onTerminal = stderr.isTTY === true;
  let last = now();
  let shown = false;
  const put = (text: string): void => void stderr.write(text, () => {});
  return {
    show(done) {
      if (now() - last < (onTerminal ? INTERVAL_MS.terminal : INTERVAL_MS.other)) return;
      last = now();
      shown = true;
      put(onTerminal ? `\r\u001B[2K${done} ${noun}` : `${done} ${noun}\n`);
    },
    clear() {
      if (shown && onTerminal) put('\r\u001B[2K');
    },
  };
}
