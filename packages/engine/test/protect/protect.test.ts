import { describe, expect, it } from 'vitest';
import type { SourceType } from '../../src/backends/backend.ts';
import { protect } from '../../src/protect/protect.ts';
import { split } from '../../src/split.ts';

const kept = (text: string, source: SourceType) => {
  const lines = split(text);
  const { lines: keep } = protect(lines, source);
  return Array.from({ length: lines.length }, (_, at) => at + 1).filter((line) => keep[line - 1] === 1);
};

describe('what is protected in code', () => {
  it.each([
    [
      'Python',
      '#!/usr/bin/env python\n"""Docs."""\nimport os\nfrom a import (\n    b,\n)\n\nX = 1\n\ndef run(\n    a,\n):\n    pass\n',
      [1, 2, 3, 4, 5, 6, 10, 11, 12],
    ],
    [
      'TypeScript',
      "'use strict';\nimport a from 'a';\n\nconst x = 1;\nexport class A {\n  run(): void {\n    stop();\n  }\n}\n",
      [1, 2, 5, 6],
    ],
    ['Go', 'package main\n\nimport (\n\t"fmt"\n)\n\nfunc main() {\n\tfmt.Println()\n}\n', [1, 3, 4, 5, 7]],
    ['Rust', '//! Docs.\nuse std::io;\n\nfn main() {\n    run();\n}\n', [1, 2, 4]],
    [
      'Java',
      'package a;\nimport b.C;\n\npublic class D {\n    int x;\n    public void run() {\n    }\n}\n',
      [1, 2, 4, 6],
    ],
    ['C', '/* Licence. */\n#include <stdio.h>\n\nint x;\nint main(void)\n{\n    return 0;\n}\n', [1, 2, 5]],
    [
      'C++',
      '// Licence.\n#include <vector>\nnamespace a {\nint f(int x,\n      int y) {\n  return x;\n}\n}\n',
      [1, 2, 3, 4, 5],
    ],
    ['JavaScript', "const fs = require('fs');\nlet y = 2;\nfunction run() {\n  return y;\n}\n", [1, 3]],
    ['Ruby', "require 'json'\n\nclass A\n  def run\n    1\n  end\nend\n", [1, 3, 4]],
    ['a diff', 'diff --git a/x b/x\nindex 12ab..34cd 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n', [1, 5]],
  ])('%s: imports, headers and the file header stay', (_language, text, lines) => {
    expect(kept(text, 'code')).toEqual(lines);
  });
});

describe('what is protected in logs', () => {
  it('keeps error lines with the line before and two after', () => {
    expect(kept('a\nb\nERROR: boom\nc\nd\ne\n', 'logs')).toEqual([2, 3, 4, 5]);
  });

  it.each([
    ['Exception in thread main', true],
    ['java.lang.NullPointerException: x', true],
    ['Traceback (most recent call last):', true],
    ['FATAL: role does not exist', true],
    ['panic: runtime error', true],
    ['not ok 3 - saves', true],
    ['npm ERR! code 1', true],
    ['make: *** [all] Error 2', true],
    ['× saves the order', true],
    ['tests 3 passed', false],
    ['GET /health 200', false],
  ])('%j is an alarm: %s', (line, alarm) => {
    expect(kept(`x\nx\nx\nx\n${line}\nx\nx\nx\nx\n`, 'logs').includes(5)).toBe(alarm);
  });

  it.each([
    [
      'Python',
      'start\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\n    run()\nValueError: bad\nrest\nrest\nrest\n',
      [2, 3, 4, 5],
    ],
    [
      'Java',
      'x\nException in thread "main" java.lang.Error: a\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\nCaused by: java.io.E: b\n\tat a.F.g(F.java:3)\n\t... 2 more\ny\ny\ny\n',
      [2, 3, 4, 5, 6, 7],
    ],
    [
      'JavaScript',
      'x\nTypeError: x is not a function\n    at run (a.js:1:2)\n    at main (a.js:3:4)\ny\ny\ny\n',
      [2, 3, 4],
    ],
    ['Go', 'x\npanic: boom\n\ngoroutine 1 [running]:\nmain.run()\n\t/a.go:1\n\ny\ny\n', [2, 4, 5, 6]],
  ])('keeps whole stack traces of %s', (_language, text, lines) => {
    expect(kept(text, 'logs')).toEqual(expect.arrayContaining(lines));
  });

  it('keeps every one of many different traces whole, however alike they begin', () => {
    const text = Array.from({ length: 8 }, (_, at) => trace(at)).join('');
    const lines = kept(text, 'logs');
    for (let at = 0; at < 8; at += 1)
      expect(lines).toEqual(expect.arrayContaining([1, 2, 3, 4].map((line) => at * 8 + line)));
  });

  it('keeps a stack of a thousand frames whole', () => {
    const frames = Array.from({ length: 1_000 }, (_, at) => `    at frame${at} (a.js:${at}:1)\n`).join('');
    expect(kept(`x\nRangeError: too deep\n${frames}y\n`, 'logs').length).toBeGreaterThanOrEqual(1_001);
  });

  it('keeps what a compiler points at', () => {
    const text = 'cc a.c\na.c:3:5: error: expected x\n    3 |   int y\n      |   ^~~\n      |   ;\nnote\nnote\nnote\n';
    expect(kept(text, 'logs')).toEqual(expect.arrayContaining([2, 3, 4, 5]));
  });

  it('keeps a repeated error line each time but its context only at first', () => {
    const text = Array.from(
      { length: 20 },
      (_, at) => `info step ${at} alpha\ninfo beta\ninfo gamma\ninfo delta\nERROR refused ${at}\n`,
    ).join('');
    const lines = kept(text, 'logs');
    expect(lines.filter((line) => line % 5 === 0)).toHaveLength(20);
    expect(lines.filter((line) => line > 30 && line % 5 !== 0)).toEqual([]);
  });

  it('keeps a passing test that is about errors, without its context', () => {
    expect(kept(' ✓ a\n ✓ reports the error\n ✓ b\n ✓ fails on time\n', 'logs')).toEqual([2]);
  });

  it('keeps lines that say there was no error, without their context', () => {
    expect(kept('compiled\nFound 0 errors.\ndone\n', 'logs')).toEqual([2]);
    expect(kept('a\nstatus=200 error=null\nb\n', 'logs')).toEqual([2]);
  });
});

describe('what is protected in docs', () => {
  it('keeps headings of every style and nothing else', () => {
    expect(kept('# A\n\ntext\n\nB\n===\n\nC\n---\ntext\n\n== D\n', 'docs')).toEqual([1, 5, 6, 8, 9, 12]);
  });

  it('makes each code fence one piece, an unclosed one to the end', () => {
    const { whole } = protect(split('a\n```sh\nx\n```\nb\n~~~\ny\n'), 'docs');
    expect(whole).toEqual([
      [1, 4],
      [5, 7],
    ]);
  });
});

describe('directives', () => {
  it.each(['code', 'logs', 'docs'] as const)('keep a block and their own lines in %s', (source) => {
    const text = 'a b c\nd e f\n⟦NO_PRUNE_BEGIN⟧\nx\ny\n⟦NO_PRUNE_END⟧\nz z z\n';
    expect(kept(text, source)).toEqual(expect.arrayContaining([3, 4, 5, 6]));
    expect(kept(text, source)).not.toContain(7);
  });

  it('protect to the end when unclosed, and say so', () => {
    const lines = split('a\n// ⟦NO_PRUNE_BEGIN⟧\nx\ny\n');
    const { lines: keep, warnings } = protect(lines, 'docs');
    expect([...keep]).toEqual([0, 1, 1, 1]);
    expect(warnings).toEqual(['no_prune_unclosed']);
  });

  it('warn of lines that look like markers', () => {
    expect(protect(split('a\n⟦pruned 1-2 (2 lines)⟧\n'), 'code').warnings).toEqual(['marker_in_input']);
  });
});

function trace(at: number): string {
  const name = 'abcdefgh'[at] ?? '';
  return `Traceback (most recent call last):\n  File "m${at}x.py", line 1, in f\n    call_${name}()\nError${name}: gone\n${'quiet\n'.repeat(4)}`;
}
