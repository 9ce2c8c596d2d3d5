import type { Random } from '../random.ts';
import { runTool } from './run-tool.ts';
import type { ToolLog } from './test-runners.ts';
import { pascal, snake, thing } from './vocabulary.ts';

const ANY_ERROR = [
  'Why does the build fail?',
  'Which error stops the compilation?',
  'find the compile error and where it is',
  'The build is broken, what has to be fixed?',
  'What does the compiler reject?',
];

/** Real output of gcc on many files full of warnings, one or two of which do not compile. */
export function gccLog(random: Random): ToolLog | undefined {
  const names = someThings(random, 8 + random.below(14));
  const broken = random.shuffle(names).slice(0, 1 + random.below(2));
  const files: Record<string, string> = {};
  for (const name of names) files[`src/${name}.c`] = cFile(name, broken.includes(name), random);
  const args = ['-Wall', '-Wextra', '-fsyntax-only', '-fdiagnostics-color=never', ...Object.keys(files)];
  const lines = runTool({ files, command: 'gcc', args }, random);
  return lines && errorLog({ lines, broken, random, start: /^src\/\w+\.c:/, error: /: error: / });
}

/** Real output of rustc, with the lines that a package manager prints around it. */
export function rustcLog(random: Random): ToolLog | undefined {
  const names = someThings(random, 5 + random.below(8));
  const broken = random.shuffle(names).slice(0, 1);
  const source = names.map((name) => rustModule(name, broken.includes(name), random)).join('\n');
  const args = ['--crate-type', 'lib', '--emit=metadata', '--color=never', '-o', '/dev/null', 'src.rs'];
  const output = runTool({ files: { 'src.rs': source }, command: 'rustc', args }, random);
  if (output === undefined) return undefined;
  const version = (): string => `v${random.below(3)}.${random.below(30)}.${random.below(12)}`;
  const before = someThings(random, 20 + random.below(60)).map(
    (name) => `   Compiling ${name}-${random.pick(['core', 'sys', 'util', 'macros'])} ${version()}`,
  );
  const lines = [...before, ...output];
  return errorLog({ lines, broken, random, start: /^(warning|error)(\[|:)/, error: /^error(\[|:)/ });
}

/** Real output of javac, talkative about the classes it loads. */
export function javacLog(random: Random): ToolLog | undefined {
  const names = someThings(random, 4 + random.below(6)).map(pascal);
  const broken = random.shuffle(names).slice(0, 1);
  const files: Record<string, string> = {};
  for (const name of names) files[`${name}.java`] = javaFile(name, broken.includes(name), random);
  const args = ['-Xlint:all', ...(random.next() < 0.7 ? ['-verbose'] : []), '-d', 'out', ...Object.keys(files)];
  const lines = runTool({ files, command: 'javac', args }, random);
  const stable = lines?.map((line) => line.replace(/\/modules\/[^\]]*\/(?=java)/, '/modules/'));
  return (
    stable &&
    errorLog({
      lines: stable,
      broken,
      random,
      start: /^(\w+\.java:\d+:|\[|\d+ (error|warning))/,
      error: /\.java:\d+: error:/,
    })
  );
}

/** Real output of tsc that traces how it looks for modules, one of which is missing. */
export function tscLog(random: Random, tsc: string): ToolLog | undefined {
  const names = someThings(random, 6 + random.below(10));
  const [missing = 'gone', ...rest] = names;
  const files: Record<string, string> = {
    'src/main.ts': names.map((name) => `import { ${name} } from './${name}.js';\nconsole.log(${name});`).join('\n'),
  };
  for (const name of rest)
    files[`src/${name}.ts`] =
      `import './${random.pick(['main', ...rest])}.js';\nexport const ${name}: number = ${random.below(99)};\n`;
  const mistaken = random.pick(rest);
  files[`src/${mistaken}.ts`] = `export const ${mistaken}: number = 'not a number';\n`;
  const args = [
    '--noEmit',
    '--traceResolution',
    '--pretty',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    'src/main.ts',
  ];
  const lines = runTool({ files, command: tsc, args }, random);
  if (lines === undefined) return undefined;
  const aboutMissing = random.next() < 0.5;
  const word = aboutMissing ? missing : mistaken;
  const wanted = aboutMissing
    ? [
        `Module name './${missing}.js' was not resolved`,
        `Cannot find module './${missing}.js'`,
        `Resolving module './${missing}.js' from`,
      ]
    : [`src/${mistaken}.ts(`];
  const gold = lines.flatMap((line, index) => (wanted.some((part) => line.includes(part)) ? [index + 1] : []));
  const goals = aboutMissing
    ? [`Why can the module ${word} not be found?`, `Which import is not resolved?`, `cannot find module ${word}`]
    : [`What is wrong with the type of ${word}?`, `type error in ${word}`, `Which assignment has the wrong type?`];
  return { goal: random.pick(goals), lines, gold };
}

interface Diagnostics {
  readonly lines: readonly string[];
  readonly broken: readonly string[];
  readonly random: Random;
  /** First line of any diagnostic. */
  readonly start: RegExp;
  readonly error: RegExp;
}

/** Gold is every error with the source and notes under it, or those of one file when the goal names it. */
function errorLog({ lines, broken, random, start, error }: Diagnostics): ToolLog {
  const named = broken[0] ?? '';
  const specific = broken.length > 1 || random.next() < 0.3;
  const gold: number[] = [];
  let inside = false;
  for (const [index, line] of lines.entries()) {
    if (start.test(line) && !/: note: /.test(line)) {
      inside = error.test(line) && !/^error: (aborting|could not)/.test(line);
      if (specific && broken.length > 1 && inside) inside = line.includes(named);
    }
    if (inside && !/In function|^For more information/.test(line)) gold.push(index + 1);
  }
  const goals = [
    `Why does ${named} not compile?`,
    `What is the error in ${named}?`,
    `compile error in the ${named} module`,
  ];
  return { goal: random.pick(specific ? goals : ANY_ERROR), lines, gold };
}

function someThings(random: Random, count: number): string[] {
  const names = new Set<string>();
  while (names.size < Math.min(count, 40)) names.add(thing(random));
  return [...names];
}

function cFile(name: string, broken: boolean, random: Random): string {
  const functions: string[] = [];
  for (let number = 0; number < 2 + random.below(5); number += 1) {
    functions.push(
      `static int ${name}_step_${number}(int a, unsigned b) {\n  int spare;\n  if (a < b) return 1;\n  return 0;\n}\n`,
    );
  }
  const mistake = random.pick([
    `int ${name}_total(struct ${name} *it) { return it->amount + missing_${name}; }`,
    `int ${name}_total(struct ${name} *it) { return it->balance; }`,
    `int ${name}_total(struct ${name} *it) { return ${name}_step_0(1); }`,
    `int ${name}_total(struct ${name} *it) { return it->amount }`,
  ]);
  const last = broken ? mistake : `int ${name}_total(struct ${name} *it) { return it->amount; }`;
  return `struct ${name} { int amount; };\n\n${functions.join('\n')}\n${last}\n`;
}

function rustModule(name: string, broken: boolean, random: Random): string {
  const mistake = random.pick([
    `pub fn total(items: Vec<u32>) -> u32 { let kept = items; items.len() as u32 + kept.len() as u32 }`,
    `pub fn total(items: &[u32]) -> String { items.len() }`,
    `pub struct Part { pub size: u32 }\n    pub fn total(part: &Part) -> u32 { part.weight }`,
    `pub fn total(name: &str) -> &str { let owned = name.to_string(); &owned }`,
  ]);
  const spare = Array.from(
    { length: 1 + random.below(4) },
    (_, number) => `    fn spare_${number}(value: u32) { let unused = 1; }`,
  );
  const good = 'pub fn total(items: &[u32]) -> usize { items.len() }';
  return `pub mod ${snake(name)} {\n${spare.join('\n')}\n    ${broken ? mistake : good}\n}\n`;
}

function javaFile(name: string, broken: boolean, random: Random): string {
  const mistake = random.pick([
    `int total() { return missing${name}; }`,
    `String total() { return 12; }`,
    `int total() { return items.length(); }`,
    `int total() { int sum = 0 return sum; }`,
  ]);
  const raw = Array.from(
    { length: 1 + random.below(4) },
    (_, number) => `  java.util.List step${number}() { return new java.util.ArrayList(); }`,
  );
  return `class ${name} {\n  java.util.List<String> items;\n${raw.join('\n')}\n  ${broken ? mistake : 'int total() { return items.size(); }'}\n}\n`;
}
