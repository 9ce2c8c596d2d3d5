import type { Config } from '../config.ts';
import type { Output } from '../context.ts';

/** Paints text, or leaves it alone where colour is unwanted. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
}

type Paint = (text: string) => string;

/** Painted by hand: whether `node:util` respects NO_COLOR and pipes depends on the version of Node. */
export function styleFor(output: Output, { colour }: Config): Style {
  const on = colour === 'auto' ? output.isTTY === true : colour === 'always';
  const paint = (open: number, close: number): Paint =>
    on ? (text) => `\u001B[${open}m${text}\u001B[${close}m` : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    cyan: paint(36, 39),
  };
}
