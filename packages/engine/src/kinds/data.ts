import { layoutOf } from '../layout/layout.ts';
import type { Lines } from '../split.ts';
import { type Kind, type Structure, scopesOf } from './kind.ts';

/** JSON, YAML, lock files: a line needs the path of keys that leads to it, which indentation shows. */
export const DATA: Kind = { name: 'data', source: 'code', recognises, structure };

const KEY = /^\s*(?:- )?(?:"[^"]{1,120}"|'[^']{1,120}'|[\w./@$-]{1,120}(?:\([^)]*\))*)\s*:(?:\s|$)/;
const REST = /^\s*(?:[[\]{}]+,?|-?\d[\d.]*,?|"[^"]*",?|true,?|false,?|null,?|- \S.*)$/;

function recognises(sample: readonly string[]): boolean {
  const said = sample.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  const data = said.filter((line) => KEY.test(line) || REST.test(line));
  const statements = data.filter((line) =>
    /;\s*$|^\s*(?:case|default|public|private|else)\b|\(.*\)\s*[:{]/.test(line),
  ).length;
  return said.length >= 3 && data.length >= said.length * 0.85 && statements <= said.length * 0.05;
}

function structure(lines: Lines): Structure {
  return { joined: new Uint8Array(lines.length), scopeEnd: scopesOf(layoutOf(lines, 'code').parent) };
}
