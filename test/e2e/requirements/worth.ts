import { from, type Requirement } from './entry.ts';

/** What stays is what is worth its tokens: the choice itself, and what a new user asks first. */
export const WORTH: readonly Requirement[] = [
  ...from('issue 11 (deliver 1), decisions §4', {
    'worth.budget': 'A budget is met in every case, markers included, and spent on the likeliest lines.',
    'worth.nested': 'A larger value of a needed line never cuts a line that a smaller one keeps.',
  }),
  ...from('issue 11 (deliver 4), decisions §5', {
    'worth.no-match': 'A goal that the text is not about is told with `no_match`, and answered with an outline.',
    'worth.tables':
      'A superlative is answered by the column it names; where none is clear, every row is needed, and said so.',
  }),
  ...from('issue 11 (must hold)', {
    'worth.new-user':
      'What a new user asks first of `ps`, `dmesg`, `ls -R`, a CSV, a test run, a lock file and a function is answered.',
  }),
];
