import type { Random } from '../random.ts';
import { type Program, runTool } from './run-tool.ts';
import { behaviours, pascal, snake } from './vocabulary.ts';

export interface ToolLog {
  readonly goal: string;
  readonly lines: readonly string[];
  readonly gold: readonly number[];
}

interface Behaviour {
  readonly thing: string;
  readonly deed: string;
}

const ANY_FAILURE = [
  'Why does the test run fail?',
  'Which test fails and with what assertion?',
  'find the failing test and what it expected',
  'The tests are red, what broke?',
  'Show me the failure of this test run',
];

/** Real output of Python's unittest with one to three broken tests among many. */
export function unittestLog(random: Random): ToolLog | undefined {
  const { all, broken } = plan(random);
  const [shout, subject] = [random.next() < 0.3, random.pick(broken)];
  const body = all.map((one) => {
    const fails = broken.includes(one);
    const noise = shout ? `        print("checking ${one.thing}: ${one.deed}")\n` : '';
    return `    def test_${snake(`${one.thing} ${one.deed}`)}(self):\n${noise}        ${fails ? brokenPython(one, random) : 'self.assertEqual(1, 1)'}\n`;
  });
  const file = `import unittest\n\n\nclass ${pascal(subject.thing)}Test(unittest.TestCase):\n${body.join('\n')}\n`;
  const program: Program = {
    files: { 'test_all.py': file },
    command: 'python3',
    args: ['-m', 'unittest', '-v', 'test_all'],
  };
  const lines = runTool(program, random);
  if (lines === undefined) return undefined;
  const specific = broken.length > 1 && random.next() < 0.6;
  const wanted = specific ? [subject] : broken;
  const gold: number[] = [];
  for (const one of wanted) gold.push(...unittestBlock(lines, `test_${snake(`${one.thing} ${one.deed}`)}`));
  if (!specific) gold.push(...matching(lines, /^FAILED \(/));
  return { goal: specific ? specificGoal(subject, random) : random.pick(ANY_FAILURE), lines, gold };
}

/** Real output of Node's own test runner, in its TAP or its spec form. */
export function nodeTestLog(random: Random): ToolLog | undefined {
  const { all, broken } = plan(random);
  const subject = random.pick(broken);
  const reporter = random.pick(['tap', 'spec']);
  const tests = all.map(
    (one) =>
      `test('${one.thing} ${one.deed}', () => {\n  ${broken.includes(one) ? brokenScript(one, random) : 'assert.ok(true);'}\n});\n`,
  );
  const file = `import { test } from 'node:test';\nimport assert from 'node:assert/strict';\n\n${tests.join('\n')}`;
  const program: Program = {
    files: { 'all.test.mjs': file },
    command: 'node',
    args: ['--test', `--test-reporter=${reporter}`, 'all.test.mjs'],
  };
  const lines = runTool(program, random);
  if (lines === undefined) return undefined;
  const specific = broken.length > 1 && random.next() < 0.6;
  const gold = (specific ? [subject] : broken).flatMap((one) => nodeBlocks(lines, `${one.thing} ${one.deed}`));
  if (!specific) gold.push(...matching(lines, /^(# fail|ℹ fail) /));
  return { goal: specific ? specificGoal(subject, random) : random.pick(ANY_FAILURE), lines, gold };
}

function plan(random: Random): { all: Behaviour[]; broken: Behaviour[] } {
  const all = behaviours(random, 25 + random.below(90));
  return { all, broken: random.shuffle(all).slice(0, 1 + random.below(3)) };
}

function specificGoal({ thing, deed }: Behaviour, random: Random): string {
  return random.pick([
    `Why does the test "${thing} ${deed}" fail?`,
    `What did the ${thing} test get instead of what it expected?`,
    `fix the failing ${thing} test that ${deed}`,
    `Why is it that the ${thing} no longer ${deed}?`,
  ]);
}

function brokenPython({ thing }: Behaviour, random: Random): string {
  return random.pick([
    `self.assertEqual({"${thing}": ${random.below(90)}}, {"${thing}": ${random.below(90) + 100}})`,
    `self.assertIn("${thing}", ["a", "b"])`,
    `raise KeyError("${thing}_id")`,
    `self.assertTrue(int("${thing}"))`,
    `self.assertEqual("${thing}-${random.below(99)}", "${thing}", "${thing} came back changed")`,
    `{}["${thing}"]`,
  ]);
}

function brokenScript({ thing }: Behaviour, random: Random): string {
  return random.pick([
    `assert.equal('${thing}-${random.below(90)}', '${thing}');`,
    `assert.deepEqual({ ${thing}: [1, 2] }, { ${thing}: [1, 3] });`,
    `undefined.${thing}();`,
    `throw new RangeError('${thing} is out of range: ${random.below(900)}');`,
    `assert.match('${thing}', /^[0-9]+$/);`,
  ]);
}

/** The result line of a test, and its report from the header to the message. */
function unittestBlock(lines: readonly string[], name: string): number[] {
  const gold = matching(lines, new RegExp(`^${name} .*(FAIL|ERROR)$`));
  const start = lines.findIndex((line) => line.startsWith(`FAIL: ${name} `) || line.startsWith(`ERROR: ${name} `));
  for (let at = start; at >= 0 && at < lines.length && !/^(={10}|Ran \d)/.test(lines[at] ?? ''); at += 1) {
    if (!/^-{10}/.test(lines[at] ?? '')) gold.push(at + 1);
  }
  return gold;
}

/** The line that marks the test as failed, wherever it stands, and the report under it without its bookkeeping. */
function nodeBlocks(lines: readonly string[], name: string): number[] {
  const gold: number[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const isTap = /^\s*not ok \d+ - /.test(line) && line.includes(name);
    const isSpec = line.trimStart().startsWith('✖') && line.includes(name);
    if (!isTap && !isSpec) continue;
    gold.push(at + 1);
    for (let next = at + 1; next < Math.min(lines.length, at + 40); next += 1) {
      const under = lines[next] ?? '';
      if (isTap ? under.trim() === '...' : /^\s*(✖|✔|ℹ|test at|$)/.test(under) && !isInsideReport(lines, next)) break;
      if (
        !/(duration_ms|type: |---$|node:internal|node:async_hooks|generatedMessage|^\s*(Test|Suite)\.|^\s*[{}[\]],?$)/.test(
          under,
        )
      )
        gold.push(next + 1);
    }
  }
  return gold;
}

/** The spec reporter separates a message from its difference by an empty line. */
function isInsideReport(lines: readonly string[], at: number): boolean {
  return (
    (lines[at] ?? '').trim() === '' && /^\s{2,}\S/.test(lines[at + 1] ?? '') && !/^\s*[✖✔]/.test(lines[at + 1] ?? '')
  );
}

function matching(lines: readonly string[], pattern: RegExp): number[] {
  return lines.flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}
