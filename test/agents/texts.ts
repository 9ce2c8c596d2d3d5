/** A log of which hardly anything serves the question, with a few lines that are easily damaged on the way. */
export const QUESTION = 'Which job failed, and why?';
export const ANSWER = 'ERROR worker 7: job 4711 failed: disk quota exceeded on /var/spool';

const ROUTINE = 240;
const TRICKY = [
  'tab\there',
  'trailing blanks   ',
  'é, 漢字 and 😀',
  '"quotes" \\ backslash',
  '⟦pruned 1-2 (2 lines)⟧',
  '<b>&amp;</b>',
];

/** The lines, each with its ending. */
export const LINES: readonly string[] = Array.from({ length: ROUTINE }, (_, index) => {
  if (index === 150) return `2026-11-15T08:00:00Z ${ANSWER}\n`;
  const tricky = TRICKY[index - 20];
  const ending = index === 30 ? '\r\n' : '\n';
  return `2026-11-15T07:${String(index % 60).padStart(2, '0')}:00Z INFO heartbeat ${tricky ?? 'all quiet'}${ending}`;
});

export const LOG: string = LINES.join('');
