import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { ALL_MAY_GO, keptTexts, numberedLines, scoring, world } from './world.ts';

type Source = 'code' | 'logs' | 'docs';

/** What stays of a text when nothing serves the goal and everything may go: the protected lines. */
async function protectedLines(text: string, source: Source): Promise<string[]> {
  const result = await world({ backend: scoring() }).prune({ ...ALL_MAY_GO, text, goal: 'zebra', source });
  expect(result.stats.usedFallback).toBe(false);
  return keptTexts(text, result);
}

const tick = (line: number) => `2026-01-01 00:00:${line % 60} INFO scheduler tick ${line}`;
const calm = (from: number) => numberedLines(40, (line) => tick(from + line));
const prose = (from: number) => numberedLines(20, (line) => `Sentence ${from + line} says something else.`);
const rows = (from: number) => numberedLines(30, (line) => `row ${from + line}`);

interface Language {
  readonly header?: readonly string[];
  readonly imports: readonly string[];
  readonly definitions: readonly string[];
  readonly body: (line: number) => string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Python: {
    header: ['#!/usr/bin/env python3', '# Reads meters.'],
    imports: ['import os', 'from pathlib import Path'],
    definitions: ['class Meter:', '    def read(self, port):', 'def main():', 'async def poll(queue):'],
    body: (line) => `        value_${line} = ${line}`,
  },
  TypeScript: {
    header: ['// Limits the rate of calls.'],
    imports: ["import { readFile } from 'node:fs/promises';", "import type { Clock } from './clock.ts';"],
    definitions: [
      'export class Bucket {',
      'export async function fill(bucket: Bucket): Promise<void> {',
      'function drain(bucket: Bucket): number {',
      'export interface Limits {',
    ],
    body: (line) => `    const value${line} = ${line};`,
  },
  JavaScript: {
    imports: ["const fs = require('node:fs');", "import path from 'node:path';"],
    definitions: ['class Calendar {', 'function shiftsOf(day) {', 'const save = async (order) => {'],
    body: (line) => `    let value${line} = ${line};`,
  },
  Go: {
    header: ['// Package pool keeps connections.', 'package pool'],
    imports: ['import "errors"', 'import "time"'],
    definitions: ['type Pool struct {', 'func New(size int) *Pool {', 'func (p *Pool) Get() (*Conn, error) {'],
    body: (line) => `\tvalue${line} := ${line}`,
  },
  Rust: {
    header: ['//! A write-ahead log.'],
    imports: ['use std::fs::File;', 'use std::io::{self, Write};'],
    definitions: ['pub struct Log {', 'impl Log {', '    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {'],
    body: (line) => `        let value_${line} = ${line};`,
  },
  Java: {
    header: ['package shop.billing;'],
    imports: ['import java.util.List;', 'import java.time.Instant;'],
    definitions: ['public class InvoiceExporter {', '    public void export(List<Invoice> invoices) {'],
    body: (line) => `        int value${line} = ${line};`,
  },
  C: {
    header: ['/* A ring of events. */'],
    imports: ['#include <stdio.h>', '#include "ring.h"'],
    definitions: ['struct ring {', 'int ring_push(struct ring *ring, int event) {'],
    body: (line) => `    int value_${line} = ${line};`,
  },
  Ruby: {
    header: ['# frozen_string_literal: true'],
    imports: ["require 'json'", "require_relative 'mailer'"],
    definitions: ['class Digest', '  def deliver(user)', 'module Mail'],
    body: (line) => `    value_${line} = ${line}`,
  },
};

describe('code', () => {
  for (const [name, { header = [], imports, definitions, body }] of Object.entries(LANGUAGES)) {
    const filler = (number: number) =>
      numberedLines(30, (line) => body(number * 100 + line))
        .split('\n')
        .slice(0, -1);
    const blocks = definitions.flatMap((definition, at) => [definition, ...filler(at)]);
    const text = `${[...header, ...imports, '', ...filler(90), ...blocks].join('\n')}\n`;

    verifies('protect.code.imports', `${name}: imports stay`, async () => {
      expect(await protectedLines(text, 'code')).toEqual(expect.arrayContaining([...imports]));
    });
    verifies('protect.code.definitions', `${name}: class and function headers stay`, async () => {
      const kept = await protectedLines(text, 'code');
      expect(kept).toEqual(expect.arrayContaining([...definitions]));
      expect(kept).not.toContain(body(15));
    });
    if (header.length > 0) {
      verifies('protect.code.file-header', `${name}: the file’s header stays`, async () => {
        expect(await protectedLines(text, 'code')).toEqual(expect.arrayContaining([...header]));
      });
    }
  }

  verifies('protect.code.imports', 'an import amid the code stays too', async () => {
    const text = `${numberedLines(40, (line) => `x = ${line}`)}    import json\n${numberedLines(40, (line) => `y = ${line}`)}`;
    expect(await protectedLines(text, 'code')).toContain('    import json');
  });
});

describe('logs', () => {
  verifies('protect.logs.alarms', 'every line with error, exception or traceback stays, in any case', async () => {
    const alarms = [
      '2026-01-01 00:00:01 ERROR cannot connect to db-1',
      'worker: error while reading shard 7',
      'Error: ENOENT: no such file',
      'java.lang.NullPointerException',
      'caught exception in handler',
      'TRACEBACK follows',
      'finished with 3 errors',
      'status=ok errors=0 exception=none',
      'npm ERR! code ELIFECYCLE an error occurred',
    ];
    const text = alarms.map((alarm, at) => `${calm(at * 100)}${alarm}\n`).join('');
    const kept = await protectedLines(text, 'logs');
    expect(kept).toEqual(expect.arrayContaining(alarms));
    expect(kept).not.toContain(tick(20));
  });

  verifies('protect.logs.alarms', 'every one of a hundred repeated errors stays', async () => {
    const errors = Array.from({ length: 100 }, (_, at) => `ERROR request ${at} failed`);
    const text = errors.map((error, at) => `${calm(at * 100)}${error}\n`).join('');
    expect(await protectedLines(text, 'logs')).toEqual(expect.arrayContaining(errors));
  });

  for (const calmly of ['done, 0 errors', 'status=ok errors=0', '{"error":null}', 'no exception seen']) {
    verifies('protect.logs.alarms', `a line stays also where it says "${calmly}", again and again`, async () => {
      const counts = Array.from({ length: 30 }, (_, at) => `batch ${at} ${calmly}`);
      const text = counts.map((count, at) => `${calm(at * 100)}${count}\n`).join('');
      expect(await protectedLines(text, 'logs')).toEqual(expect.arrayContaining(counts));
    });
  }

  verifies('protect.logs.alarms', 'a line stays wherever in it the word stands', async () => {
    const long = `{"payload":"${'x'.repeat(5000)}","level":"error"}`;
    expect(await protectedLines(`${calm(0)}${long}\n${calm(100)}`, 'logs')).toContain(long);
  });

  verifies('protect.logs.context', 'what stands right before and after an error stays with it', async () => {
    const text = `${calm(0)}loading shard 7 of orders\nERROR shard 7 is corrupt\nopened replica instead\n${calm(100)}`;
    const kept = await protectedLines(text, 'logs');
    expect(kept).toContain('loading shard 7 of orders');
    expect(kept).toContain('opened replica instead');
    expect(kept).not.toContain(tick(10));
  });

  const TRACES = {
    Python: [
      'Traceback (most recent call last):',
      '  File "a.py", line 3, in <module>',
      '    main()',
      '  File "a.py", line 1, in main',
      '    raise ValueError("no")',
      'ValueError: no',
    ],
    Java: [
      'Exception in thread "main" java.lang.IllegalStateException: no',
      '\tat shop.A.run(A.java:10)',
      '\tat shop.B.main(B.java:3)',
      'Caused by: java.io.IOException: gone',
      '\tat shop.C.read(C.java:7)',
      '\t... 2 more',
    ],
    Node: [
      'TypeError: x is not a function',
      '    at run (/app/a.js:3:5)',
      '    at Object.<anonymous> (/app/b.js:1:1)',
      '    at node:internal/main/run_main_module:23:47',
    ],
    Go: [
      'panic: runtime error: index out of range',
      '',
      'goroutine 1 [running]:',
      'main.main()',
      '\t/app/main.go:7 +0x1d',
      'exit status 2',
    ],
  };
  for (const [name, trace] of Object.entries(TRACES)) {
    verifies('protect.logs.trace', `a stack trace of ${name} stays whole`, async () => {
      const text = `${calm(0)}${trace.join('\n')}\n${calm(100)}`;
      expect((await protectedLines(text, 'logs')).join('\n')).toContain(trace.join('\n'));
    });
  }
});

describe('docs', () => {
  verifies('protect.docs.headings', 'headings of every level and style stay', async () => {
    const headings = [
      '# Title',
      '## Install',
      '### On Linux',
      '#### Old kernels',
      '##### a',
      '###### b',
      'Underlined\n==========',
      'Minor\n-----',
    ];
    const text = headings.map((heading, at) => `${heading}\n\n${prose(at * 100)}\n`).join('');
    const kept = await protectedLines(text, 'docs');
    expect(kept).toEqual(expect.arrayContaining(headings.flatMap((heading) => heading.split('\n'))));
    expect(kept).not.toContain('Sentence 10 says something else.');
  });

  const FENCES = ['```\n', '```sh\n', '~~~\n', '  ```ts\n', '````\n```\n'];
  for (const opening of FENCES) {
    verifies(
      'protect.docs.fences-whole',
      `a block after ${JSON.stringify(opening)} stays or goes as a whole`,
      async () => {
        const mark = opening.trim().replace(/[a-z\n].*/s, '');
        const block = `${opening}${numberedLines(80, (line) => `command ${line}`)}${mark}`;
        const text = `# Use\n\n${prose(0)}\n${block}\n\n${prose(100)}`;
        const fence = block.split('\n');
        const seen = new Set<number>();
        for (const wanted of ['command 40', 'Sentence 3 ', 'nothing at all']) {
          const { prune } = world({ backend: scoring((line) => (line.startsWith(wanted) ? 1 : 0)) });
          const kept = keptTexts(text, await prune({ ...ALL_MAY_GO, text, goal: wanted, source: 'docs' }));
          seen.add(fence.filter((line) => kept.includes(line)).length);
        }
        expect([...seen].sort((a, b) => a - b)).toEqual([0, fence.length]);
      },
    );
  }

  verifies('protect.docs.no-heading-in-fence', 'a comment in a code block is no heading', async () => {
    const text = `# Use\n\n${prose(0)}\n\`\`\`sh\n# install it\nmake install\n\`\`\`\n\n${prose(100)}`;
    const kept = await protectedLines(text, 'docs');
    expect(kept).toContain('# Use');
    expect(kept).not.toContain('# install it');
  });
});

describe('NO_PRUNE', () => {
  const block = `⟦NO_PRUNE_BEGIN⟧\nprecious 1\n\nprecious 2\n⟦NO_PRUNE_END⟧`;

  for (const source of ['code', 'logs', 'docs'] as const) {
    verifies(
      ['protect.no-prune.block', 'protect.no-prune.directives'],
      `${source}: the block and its directives stay`,
      async () => {
        const kept = await protectedLines(`${rows(0)}${block}\n${rows(100)}${block}\n${rows(200)}`, source);
        expect(kept.join('\n').split(block)).toHaveLength(3);
        expect(kept.some((line) => line.startsWith('row'))).toBe(false);
      },
    );
  }

  verifies('protect.no-prune.unclosed', 'a block without an end protects to the end, with a warning', async () => {
    const text = `${rows(0)}⟦NO_PRUNE_BEGIN⟧\n${rows(100)}`;
    const result = await world({ backend: scoring() }).prune({ ...ALL_MAY_GO, text, goal: 'zebra', source: 'logs' });
    expect(keptTexts(text, result)).toEqual(['⟦NO_PRUNE_BEGIN⟧', ...rows(100).split('\n').slice(0, -1)]);
    expect(result.warnings).toContain('no_prune_unclosed');
    expect(result.gaps).toHaveLength(1);
  });
});
