import { describe, expect, test } from 'vitest';
import { check, type Promised } from '../../src/verify/check.ts';
import type { Answer, Asked, Trial } from '../../src/verify/reading.ts';
import { answer } from '../answers.ts';

const RAW = Array.from({ length: 40 }, (_, at) => `line ${at + 1}${at === 20 ? ' wanted' : ''}\n`).join('');

const ASKED: Asked = {
  maxPruneRatio: 0.9,
  minKeepLines: 4,
  markers: 'canonical',
  includeMarkers: true,
  annotateLines: false,
  firstLine: 1,
};

type Spoil = (sound: Trial) => Partial<Answer>;

/** A sound answer with two gaps around line 21, for mutations to spoil. */
function trial(asked: Partial<Asked> = {}, raw: string = RAW): Trial {
  const all = { ...ASKED, ...asked };
  const shift = all.firstLine - 1;
  const lines = raw.split(/(?<=\n)/);
  return {
    raw,
    asked: all,
    answer: answer(
      raw,
      [
        [1 + shift, 18 + shift],
        [24 + shift, 40 + shift],
      ],
      all,
    ),
    recovered: [...lines.slice(0, 18), ...lines.slice(23)].join(''),
  };
}

function broken({ answer: sound, ...rest }: Trial, change: Partial<Answer>): Promised[] {
  return check({ ...rest, answer: { ...sound, ...change } }).violations.map(({ promise }) => promise);
}

describe('a sound answer', () => {
  const cases: readonly [string, Partial<Asked>, string][] = [
    ['with canonical markers', {}, RAW],
    ['with compact markers', { markers: 'compact' }, RAW],
    ['without markers', { includeMarkers: false }, RAW],
    ['with line numbers', { annotateLines: true }, RAW],
    ['of a window of a file', { annotateLines: true, firstLine: 300 }, RAW],
    ['with CRLF endings', {}, RAW.replaceAll('\n', '\r\n')],
    ['without a final newline', {}, RAW.slice(0, -1)],
    ['with separators that end no line', {}, RAW.replaceAll('line', 'l\u2028\f\rine')],
    ['with marker-like lines', {}, RAW.replaceAll('line 2\n', '⟦pruned 1-2 (2 lines)⟧\n')],
  ];
  for (const [name, asked, raw] of cases) {
    test(`${name} keeps every promise`, () => {
      const sound = trial(asked, raw);
      expect(sound.answer.gaps.length).toBe(2);
      expect(check(sound).violations).toEqual([]);
    });
  }

  test('without any gap keeps every promise', () => {
    const whole = { ...trial({ maxPruneRatio: 0 }), answer: answer(RAW, []), recovered: '' };
    expect(check(whole).violations).toEqual([]);
  });

  test('that could not meet the limits is the raw text', () => {
    const asked = { ...ASKED, minKeepLines: 41, annotateLines: true };
    const whole = { raw: RAW, asked, answer: { ...answer(RAW, []), warnings: ['constraints_unmet'] }, recovered: '' };
    expect(check(whole).violations).toEqual([]);
    expect(check(whole).checked).toContain('untouched');
    expect(check(whole).checked).not.toContain('minimum');
  });
});

function text(change: (shown: string) => string): Spoil {
  return (sound) => ({ text: change(sound.answer.text) });
}

function gaps(change: (all: Answer['gaps']) => Answer['gaps']): Spoil {
  return (sound) => ({ gaps: change(sound.answer.gaps) });
}

describe('a planted violation', () => {
  const [FIRST, SECOND] = [0, 1];

  const cases: readonly [string, Promised, Spoil][] = [
    ['an altered line', 'verbatim', text((shown) => shown.replace('line 21 wanted', 'line 21 wonted'))],
    ['a trimmed line', 'verbatim', text((shown) => shown.replace('wanted\n', 'wanted \n'))],
    ['swapped lines', 'verbatim', text((shown) => shown.replace(/(line 20\n)(line 21 wanted\n)/, '$2$1'))],
    ['an invented line', 'verbatim', text((shown) => `${shown}line 41\n`)],
    ['a changed line ending', 'verbatim', text((shown) => shown.replace('wanted\n', 'wanted\r\n'))],
    ['a silently dropped line', 'annotated', text((shown) => shown.replace('line 20\n', ''))],
    ['a gap that is not listed', 'annotated', gaps((all) => all.slice(SECOND))],
    ['a gap listed twice', 'annotated', gaps((all) => all.flatMap((gap) => [gap, gap]))],
    ['gaps out of order', 'annotated', gaps((all) => all.toReversed())],
    ['a wrong count', 'annotated', gaps((all) => all.map((gap) => Object.assign({}, gap, { lineCount: 3 })))],
    ['a gap outside the text', 'annotated', gaps((all) => all.map((gap) => Object.assign({}, gap, { endLine: 4e9 })))],
    ['a wrong total', 'annotated', (sound) => ({ stats: { ...sound.answer.stats, keptLines: 39 } })],
    ['a missing marker', 'marker', text((shown) => shown.replace(/^⟦PRUNÉ.*\n/m, 'line 1\n'))],
    ['a marker of another prune id', 'marker', () => ({ pruneId: 'prn_other' })],
    ['a marker with another range', 'marker', text((shown) => shown.replace('lignes 1-', 'lignes 2-'))],
    [
      'an annotation whose marker is another gap’s',
      'marker',
      gaps((all) => all.map((gap) => Object.assign({}, gap, { marker: all[FIRST]?.marker ?? '' }))),
    ],
    ['a numbered marker', 'marker', text((shown) => shown.replace('⟦PRUNÉ', '1│ ⟦PRUNÉ'))],
    ['a failure that hid behind the raw text', 'sound', () => ({ text: RAW, gaps: [], warnings: ['internal_error'] })],
  ];
  for (const [name, promise, change] of cases) {
    test(`is found: ${name}`, () => {
      const sound = trial();
      expect(broken(sound, change(sound))).toContain(promise);
    });
  }

  test('is found: more cut than allowed', () => {
    const sound = trial();
    expect(check({ ...sound, asked: { ...sound.asked, maxPruneRatio: 0.8 } }).violations).toEqual([
      { promise: 'ratio', detail: '35 of 40 lines are cut, more than 0.8' },
    ]);
  });

  test('is found: fewer kept than asked', () => {
    const sound = trial();
    expect(check({ ...sound, asked: { ...sound.asked, minKeepLines: 6 } }).violations).toEqual([
      { promise: 'minimum', detail: '5 lines are kept, fewer than 6' },
    ]);
  });

  test('is found: a protected line that was cut', () => {
    const sound = trial();
    const raw = RAW.replace('line 3\n', '# ⟦NO_PRUNE_BEGIN⟧\n').replace('line 6\n', '# ⟦NO_PRUNE_END⟧\n');
    expect(check({ ...sound, raw }).violations).toContainEqual({
      promise: 'directives',
      detail: 'line 3 is protected by NO_PRUNE directives and was cut',
    });
  });

  test('is found: a text that was cut although the limits cannot be met', () => {
    const sound = trial();
    const { violations } = check({ ...sound, asked: { ...sound.asked, minKeepLines: 41 } });
    expect(violations.map(({ promise }) => promise)).toContain('untouched');
  });

  for (const [name, recovered] of [
    ['one byte less', (text: string) => text.slice(0, -1)],
    [
      'another order',
      (text: string) =>
        text
          .split(/(?<=\n)/)
          .reverse()
          .join(''),
    ],
    ['a replaced character', (text: string) => text.replace('1', '\uFFFD')],
    ['a line too many', (text: string) => `${text}x\n`],
    ['nothing', () => ''],
  ] as const) {
    test(`is found: recovered with ${name}`, () => {
      const sound = trial();
      const { violations } = check({ ...sound, recovered: recovered(sound.recovered) });
      expect(violations.map(({ promise }) => promise)).toEqual(['rebuilt']);
    });
  }
});
