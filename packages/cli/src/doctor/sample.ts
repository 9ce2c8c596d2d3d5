/** A build log in which one line matters, as every probe sends it. */
export const SAMPLE: string = [
  ...Array.from({ length: 120 }, (_, at) => `12:00:${at % 60} INFO compiled src/module_${at}.ts in ${at % 9} ms`),
  '12:02:30 ERROR src/parser.ts:88: expected ";" before "return"',
  ...Array.from({ length: 120 }, (_, at) => `12:04:${at % 60} INFO linked lib/part_${at}.js with ${at % 7} chunks`),
  '',
].join('\n');

/** What must survive pruning. */
export const NEEDLE = 'src/parser.ts:88';

export const GOAL = 'Which file failed to compile, and why?';
