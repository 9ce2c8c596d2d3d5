import { dirname, join } from 'node:path/posix';
import { filesUnder, readSource } from './sources.ts';

/** A source without its comments, so that words in prose count for nothing. Strings keep their `//`. */
export function withoutComments(source: string): string {
  const token = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|(?<![\\/:])\/\/[^\n]*/g;
  return source.replace(token, (found) => (found.startsWith('/') ? ' ' : found));
}

/** What a module imports or re-exports, types included, as written. */
export function importsIn(source: string): string[] {
  const code = withoutComments(source);
  const statement = /(?<!['"])(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g;
  return [...new Set([...code.matchAll(statement)].map(([, specifier]) => specifier ?? ''))].sort();
}

export function importsOf(file: string): string[] {
  return importsIn(readSource(file));
}

/** The package that a bare specifier names: `@a/b/c` → `@a/b`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

/** Every file that an entry reaches through relative imports, itself included. */
export function reachableFrom(entry: string): Set<string> {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const specifier of importsOf(file).filter(isRelative)) waiting.push(join(dirname(file), specifier));
  }
  return seen;
}

/** Names a module exports, `type` in front of those that exist for the compiler only, sorted. */
export function exportsIn(source: string): string[] {
  const code = withoutComments(source);
  const names: string[] = [];
  for (const [, type, list] of code.matchAll(/^export\s+(type\s+)?\{([^}]*)\}/gm)) {
    for (const item of (list ?? '').split(',').map((text) => text.trim())) {
      const [, own, name] = /^(type\s+)?(?:.*\sas\s+)?(\S+)$/.exec(item) ?? [];
      if (name !== undefined) names.push(`${type !== undefined || own !== undefined ? 'type ' : ''}${name}`);
    }
  }
  const declared = /^export\s+(?:declare\s+)?(?:async\s+)?(function\*?|class|const|let|interface|type)\s+([\w$]+)/gm;
  for (const [, kind, name] of code.matchAll(declared)) {
    names.push(`${kind === 'interface' || kind === 'type' ? 'type ' : ''}${name}`);
  }
  for (const [whole] of code.matchAll(/^export\s+(?:\*|default)[^\n]*/gm)) names.push(whole);
  return names.sort();
}

/** The TypeScript files of the repository that people write: sources, tests, benchmarks, scripts. */
export function writtenFiles(): string[] {
  return ['packages', 'test', 'bench', 'training', 'scripts', 'examples']
    .flatMap(filesUnder)
    .filter((file) => /\.(?:ts|tsx|mts|mjs)$/.test(file))
    .filter((file) => !file.startsWith('test/corpus/') && !file.includes('.generated.'));
}
