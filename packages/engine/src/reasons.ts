import type { SourceType } from './backends/backend.ts';
import { findTemplates, type Templates } from './logs/template.ts';
import type { GapReason } from './marker.ts';
import type { Lines } from './split.ts';

/** Why a block `[first, end)` went: it is empty, it only repeats earlier log lines, or it does not serve the goal. */
export function gapReasons(lines: Lines, source: SourceType): (first: number, end: number) => GapReason {
  let templates: Templates | undefined;
  return (first, end) => {
    let blank = true;
    let repeated = source === 'logs';
    for (let at = first; at < end && (blank || repeated); at += 1) {
      if (lines.at(at).trim() === '') continue;
      blank = false;
      if (!repeated) break;
      templates ??= findTemplates(lines);
      if ((templates.earlier[at] ?? 0) === 0) repeated = false;
    }
    if (blank) return 'blank';
    return repeated ? 'repeated' : 'off_goal';
  };
}
