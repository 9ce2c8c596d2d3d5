import type { MinedCase, Split } from '../case.ts';

/** Collects a text line by line and remembers which of its lines serve the goal. */
export class LogText {
  readonly lines: string[] = [];
  readonly gold: number[] = [];

  add(line: string, serves = false): void {
    for (const part of line.split('\n')) {
      this.lines.push(part);
      if (serves) this.gold.push(this.lines.length);
    }
  }
}

interface LogCaseParts {
  readonly family: string;
  readonly split: Split;
  readonly number: number;
  readonly goal: string;
  readonly lines: readonly string[];
  /** 1-based. */
  readonly gold: readonly number[];
}

export function toLogCase({ family, split, number, goal, lines, gold }: LogCaseParts): MinedCase {
  const seen = new Set<string>();
  // A tool that reports a failure twice tells nothing new the second time.
  const isNews = (line: number): boolean => {
    const text = (lines[line - 1] ?? '').trim();
    const isNew = text !== '' && !seen.has(text);
    seen.add(text);
    return isNew;
  };
  const sorted = [...new Set(gold)].sort((one, other) => one - other);
  return {
    id: `logs:${family}:${split}:${number}`,
    query: goal,
    text: `${lines.join('\n')}\n`,
    gold: sorted.filter(isNews),
    kind: 'logs',
    task: 'logs',
    repo: family,
    origin: `${family}:${number}`,
  };
}
