import { describe, expect, it } from 'vitest';
import { BLANK, CLOSER, COMMENT, DEFINITION, IMPORT, layoutOf } from '../../src/layout/layout.ts';
import { split } from '../../src/split.ts';

const flagOf = (line: string, next = '') => layoutOf(split(`${line}\n${next}\n`), 'code').flags[0];

describe('code layout', () => {
  it.each([
    ['Python', ['def run(self):', 'async def run():', 'class Cache(Base):', '    def _inner(x):']],
    [
      'TypeScript',
      [
        'export function prune(text: string) {',
        'export default class Store {',
        'interface Options {',
        'type Id = string;',
        'const save = async (order) => {',
        '  private async load(id: string): Promise<void> {',
        'export const run = function () {',
      ],
    ],
    [
      'JavaScript',
      [
        'function* walk() {',
        '  constructor(options) {',
        '  #opened(event) {',
        "describe('cache', () => {",
        "  it('expires', async () => {",
      ],
    ],
    ['Go', ['func main() {', 'func (s *Store) Get(id string) error {', 'type Store struct {']],
    [
      'Rust',
      [
        'pub fn new() -> Self {',
        'pub(crate) async fn run() {',
        'impl Display for Id {',
        'enum Kind {',
        'macro_rules! check {',
        'mod tests {',
      ],
    ],
    [
      'Java',
      [
        'public class Cache<K, V> {',
        '    @Override public String toString() {',
        '  protected void close() throws IOException {',
        'public enum Kind {',
      ],
    ],
    [
      'C',
      [
        'int main(int argc, char **argv) {',
        'static void free_all(struct list *l) {',
        'struct node {',
        'typedef struct node node;',
      ],
    ],
    [
      'C++',
      [
        'template <typename T>',
        'namespace jeeves {',
        'bool Store::open(const std::string& path) {',
        'class Store : public Base {',
      ],
    ],
    ['Ruby and shell', ['module Cache', '  def fetch(key)', 'build() {', 'function deploy {']],
    [
      'SQL and configuration',
      ['CREATE TABLE orders (', 'create or replace function total() returns int', '[tool.cache]', '[[servers]]'],
    ],
    ['diffs', ['diff --git a/x.ts b/x.ts', '@@ -1,4 +1,6 @@ function run() {']],
  ])('sees the definitions of %s', (_language, lines) => {
    for (const line of lines.filter((line) => !line.includes('@Override')))
      expect([line, flagOf(line)]).toEqual([line, DEFINITION]);
  });

  it('sees a signature whose brace stands below', () => {
    expect(flagOf('int main(void)', '{')).toBe(DEFINITION);
    expect(flagOf('call(something)', 'other()')).toBe(0);
  });

  it.each([
    'if (x) {',
    'for (const a of b) {',
    'return run(x)',
    'while (true) {',
    'foo(bar, {',
    'const x = 1',
    'x = class_name',
    'switch (kind) {',
    '} else {',
  ])('takes %j for no definition', (line) => {
    expect((flagOf(line) ?? 0) & DEFINITION).toBe(0);
  });

  it.each([
    "import fs from 'node:fs';",
    'from os import path',
    'import java.util.List;',
    '#include <stdio.h>',
    'use std::io::Read;',
    'pub use crate::store;',
    'using System.Text;',
    'package main',
    "const x = require('x');",
    "require_relative 'store'",
    "export { a } from './a.ts';",
    '@import "base.css";',
    'extern crate serde;',
  ])('sees the import %j', (line) => {
    expect(flagOf(line)).toBe(IMPORT);
  });

  it('takes an import over several lines as one', () => {
    const { flags } = layoutOf(
      split('import {\n  a,\n  b,\n} from \'./x.ts\';\nimport (\n\t"fmt"\n)\nrun();\n'),
      'code',
    );
    expect([...flags]).toEqual([8, 8, 8, 8, 8, 8, 8, 0]);
  });

  it.each([
    ['', BLANK],
    ['   ', BLANK],
    ['// why', COMMENT],
    ['# why', COMMENT],
    [' * why', COMMENT],
    ['-- why', COMMENT],
    ['});', CLOSER],
    ['end', CLOSER],
  ])('marks %j', (line, flag) => {
    expect(flagOf(line)).toBe(flag);
  });

  it('finds what encloses a line by indentation, across blank lines and comments', () => {
    const { parent } = layoutOf(
      split('class A:\n\n    # note\n    def run(self):\n        if x:\n            stop()\n    y = 1\n'),
      'code',
    );
    expect([...parent]).toEqual([-1, 0, 0, 0, 3, 4, 0]);
  });
});

describe('docs layout', () => {
  it('nests sections under their headings, fences left alone', () => {
    const text = '# A\ntext\n## B\n```sh\n# not a heading\n```\n- item\n  - inner\nTitle\n=====\nend\n';
    const { parent, flags } = layoutOf(split(text), 'docs');
    expect([...parent]).toEqual([-1, 0, 0, 2, 2, 2, 2, 6, -1, -1, 9]);
    expect([...flags].map((flag) => (flag === DEFINITION ? 1 : 0))).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0]);
  });
});
