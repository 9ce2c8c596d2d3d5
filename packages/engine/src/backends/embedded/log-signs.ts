import { isCalm, isErrorLine } from '../../logs/error-line.ts';
import { findTemplates } from '../../logs/template.ts';
import type { TextList } from '../../split.ts';
import type { TermTable } from '../../terms/terms.ts';
import { addStanding, type Columns, type Scratch, type Values } from './columns.ts';
import { boxMean } from './smooth.ts';

/** Only so much of a line is looked at: what a line of a log reports, it says early. */
const LOOK_AT = 400;
const PARAGRAPH = 40;

// oxlint-disable-next-line no-control-regex -- colour codes are what is looked for
const RED = new RegExp('\\u001b\\[(?:[01];)?(?:31|91)(?:;1)?m');
const PLACE = /[\w)\]]\.[A-Za-z]{1,5}[:(]\d+/;
const FINE =
  /^\s*(?:✓|✔|√|ok\b|PASS(?:ED)?\b|--- PASS|\[\s*(?:OK|PASSED)\s*\]|\.+$)|\b(?:ok|passed|success(?:ful(?:ly)?)?|done|PASS)\b\W*$|\.\.\. ?(?:ok|yes|done)\b/i;
/** A command or a whole run that ended badly. */
const ENDED =
  /exited with (?:code )?[1-9]|exit(?:ed)?(?: with)? (?:code|status):? ?[1-9]|returned? (?:non-?zero|[1-9]\d* exit|code [1-9])|ELIFECYCLE|^make(?:\[\d+\])?: \*\*\*|BUILD FAIL(?:ED|URE)|##\[error\]|^FAILED|^error: (?:could not compile|aborting|recipe|script)|^tests? (?:run )?failed|\d+ (?:failed|failing|failures?)\b/i;
/** Lines that go on with what an error says: carets, quoted source, expected and received values. */
const DETAIL =
  /^\s*(?:\d+\s*)?\||^\s{2,}\S|^\t|^\s*-->|^\s*[\^~]+|^[+-] (?:expected|actual|received)|^E {3}|^\s*(?:expected|actual|received|got|left|right|found)\b\s*[:=]?/i;

/** What a log shows of trouble, whatever the goal. */
export function addLogSigns(texts: TextList, table: TermTable, columns: Columns, scratch: Scratch): void {
  const { earlier, total } = findTemplates(texts);
  const [severe, other] = [scratch.take().fill(0), scratch.take()];
  const add = (feature: string, value: (at: number) => number): void => {
    for (let at = 0; at < texts.length; at += 1) other[at] = value(at);
    columns.add(feature, other);
  };
  const smoothed = (feature: string, values: Values, radius: number): void => {
    if (!columns.wants(feature)) return;
    const out = scratch.take();
    columns.add(feature, boxMean(values, radius, out));
    scratch.giveBack(out);
  };
  const lineAt = (at: number): string => texts.at(at).slice(0, LOOK_AT);
  const single = (at: number): number => 1 / Math.max(1, total[at] ?? 0);
  add('fine', (at) => {
    const line = lineAt(at);
    const calm = isCalm(line);
    const fine = calm || FINE.test(line);
    if (!fine && isErrorLine(line)) severe[at] = 1;
    return fine ? 1 : 0;
  });
  smoothed('fineNear', other, 5);
  columns.add('severe', severe);
  smoothed('severeNear', severe, 3);
  add('detail', (at) => (DETAIL.test(lineAt(at)) ? 1 : 0));
  add('place', (at) => (PLACE.test(lineAt(at)) ? 1 : 0));
  add('red', (at) => (RED.test(lineAt(at)) ? 1 : 0));
  smoothed('redNear', other, 3);
  add('single', single);
  addStanding(columns, 'single', other, scratch);
  add('repeated', (at) => Math.min(1, Math.log2(1 + (earlier[at] ?? 0)) / 6));
  add('severeSingle', (at) => (severe[at] ?? 0) * single(at));
  const most = paragraphMost(texts, other, scratch.take());
  columns.add('paragraph', most);
  scratch.giveBack(most);
  columns.add('afterSevere', fadingFrom(severe, 0.85, other, false));
  add('ended', (at) => (ENDED.test(lineAt(at)) && !isCalm(lineAt(at)) ? 1 : 0));
  columns.add('beforeEnd', fadingFrom(other.slice(), 0.95, other, true));
  columns.add('rareWords', rareWords(table, other));
  addStanding(columns, 'rareWords', other, scratch);
  add('lastSome', (at) => Math.exp((at + 1 - texts.length) / 60));
  scratch.giveBack(severe, other);
}

/** How near the next sign below a line is (`ahead`), or the last one above it: 1 right beside it, fading with distance. */
function fadingFrom(sign: Values, fade: number, out: Values, ahead: boolean): Values {
  let near = 0;
  for (let step = 0; step < sign.length; step += 1) {
    const at = ahead ? sign.length - 1 - step : step;
    out[at] = near;
    near = Math.max(near * fade, sign[at] ?? 0);
  }
  return out;
}

/** The share of a line's words that hardly occur anywhere else in the log. */
function rareWords({ starts, ids, frequency }: TermTable, out: Values): Values {
  for (let at = 0; at < out.length; at += 1) {
    const first = starts[at] ?? 0;
    const end = starts[at + 1] ?? 0;
    let rare = 0;
    for (let term = first; term < end; term += 1) if ((frequency[ids[term] ?? 0] ?? 0) <= 2) rare += 1;
    // Two more words than there are: one rare word alone says little.
    out[at] = rare / (end - first + 2);
  }
  return out;
}

/** The largest value in the paragraph that a line stands in: a cause is often a block, not a line. */
function paragraphMost(texts: TextList, values: Values, out: Values): Values {
  let first = 0;
  for (let at = 0; at <= texts.length; at += 1) {
    const ends = at === texts.length || at - first >= PARAGRAPH || texts.at(at).slice(0, 80).trim() === '';
    if (!ends) continue;
    let most = 0;
    for (let line = first; line < at; line += 1) most = Math.max(most, values[line] ?? 0);
    out.fill(most, first, at + 1);
    first = at + 1;
  }
  return out;
}
