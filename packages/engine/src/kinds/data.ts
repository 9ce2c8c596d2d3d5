import { layoutOf } from '../layout/layout.ts';
import type { Lines } from '../split.ts';
import { type Kind, type Structure, scopesOf } from './kind.ts';

/** JSON, YAML, lock files: a line needs the path of keys that leads to it, which indentation shows. */
export const DATA: Kind = { name: 'data', source: 'code', recognises, structure };

const KEY = /^\s*(?:- )?(?:"[^"]{1,120}"|'[^']{1,120}'|[\w./@$-]{1,120}(?:\([^)]*\))*)\s*:(?:\s|$)/;
const BRACKET = /^\s*[[\]{}]+,?$/;

function recognises(sample: readonly string[]): boolean {
  const said = sample.filter((line) => line.trim() !== '');
  const keys = said.filter((line) => KEY.test(line) || BRACKET.test(line) || /^\s*- \S/.test(line)).length;
  const code = said.filter((line) => /[;{]\s*$|^\s*(?:def|class|function|const|if|for|return)\b.*[({:]/.test(line)).length;
  return said.length >= 3 && keys >= said.length * 0.8 && code - said.filter((line) => /:\s*\{$/.test(line)).length <= said.length * 0.1;
}

function structure(lines: Lines): Structure {
  return { joined: new Uint8Array(lines.length), scopeEnd: scopesOf(layoutOf(lines, 'code').parent) };
}
