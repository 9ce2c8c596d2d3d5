import { readFile } from 'node:fs/promises';

/** A text that this project really had to read, and what it wanted to know from it. */
export interface Scene {
  readonly title: string;
  readonly goal: string;
  readonly source: 'code' | 'logs';
  /** Where the text lies, from the package's directory: the first that is there is taken. */
  readonly files: readonly [string, ...string[]];
  /** Lines that the excerpt must show. */
  readonly focus: readonly [string, ...string[]];
}

/** One text of each kind that agents read most. */
export const SCENES: readonly [Scene, ...Scene[]] = [
  {
    title: 'the log of a failing test run',
    goal: 'which test fails, and what did it expect',
    source: 'logs',
    files: ['demo/failing-test.txt'],
    focus: [' × packages/', ' FAIL '],
  },
  {
    title: 'a source file',
    goal: 'what happens when the body is larger than allowed',
    source: 'code',
    // A checkout shows the code as it is today; an installed package has the copy.
    files: ['../engine/src/backends/http.ts', 'demo/http.ts.txt'],
    focus: ['function readBody'],
  },
  {
    title: 'the diff of a change',
    goal: 'how does a judgement end when its time limit passes',
    source: 'code',
    files: ['demo/change.diff'],
    focus: ['with-timeout.ts b/'],
  },
];

/** The scene's text; that the last of its files is missing means a broken installation, and is thrown. */
export async function loadScene({ files }: Scene, packageRoot: URL): Promise<string> {
  for (const file of files.slice(0, -1)) {
    const text = await readFile(new URL(file, packageRoot), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return await readFile(new URL(files.at(-1) ?? files[0], packageRoot), 'utf8');
}
