import { type ColumnName, type Columns, codeOfName, PLAIN_COLUMNS, TIME_COLUMNS } from './columns.ts';
import { Names } from './names.ts';
import { type Numbers, newNumbers, numbersFrom, type Width, widthOf } from './numbers.ts';

/** Both together, in their order of entering; among those of one moment, by rank. Both know the same names. */
export function merge(first: Columns, second: Columns): Columns {
  if (second.length === 0) return first;
  if (first.length === 0) return second;
  const runs: Run[] = [];
  let start = 0;
  for (let at = 0; at < second.length; at += 1) {
    const end = placeFor(first, start, second, at);
    runs.push([first, start, end], [second, at, at + 1]);
    start = end;
  }
  return arrange(first.names, [...runs, [first, start, first.length]]);
}

/** Where in the first, from a place on, the one at a place of the second belongs. */
function placeFor(first: Columns, from: number, second: Columns, at: number): number {
  const entered = second.epoch + (second.enteredAt[at] as number) - first.epoch;
  let [low, high] = [from, first.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const since = (first.enteredAt[middle] as number) - entered;
    const isBefore = since === 0 ? (first.rank[middle] as number) <= (second.rank[at] as number) : since < 0;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All but these places, which are in order. */
export function without(columns: Columns, places: readonly number[]): Columns {
  if (places.length === 0) return columns;
  const ends = [...places, columns.length];
  return arrange(
    columns.names,
    ends.map((end, at): Run => [columns, at === 0 ? 0 : (places[at - 1] as number) + 1, end]),
  );
}

/** Of one task, or all of them. */
export function inTask(columns: Columns, task: string | undefined): Columns {
  if (task === undefined) return columns;
  const code = codeOfName(columns.names.tasks, task);
  return selectWhere(columns, (at) => columns.task[at] === code);
}

export function selectWhere(columns: Columns, isWanted: (at: number) => boolean): Columns {
  const runs: Run[] = [];
  let start = -1;
  for (let at = 0; at <= columns.length; at += 1) {
    const continues = at < columns.length && isWanted(at);
    if (continues && start < 0) start = at;
    if (continues || start < 0) continue;
    runs.push([columns, start, at]);
    start = -1;
  }
  return arrange(columns.names, runs);
}

/** The same with no name that nobody has. */
export function withoutUnused(columns: Columns): Columns {
  const { names } = columns;
  const ids = keepUsed(names.ids, 0, [columns.id, columns.targets]);
  const task = keepUsed(names.tasks, 1, [columns.task]);
  const file = keepUsed(names.files, 1, [columns.file]);
  const topic = keepUsed(names.topics, 1, [columns.topic]);
  const subject = keepUsed(names.subjects, 1, [columns.subject]);
  return {
    ...columns,
    id: ids.columns[0] as Numbers,
    targets: ids.columns[1] as Numbers,
    task: task.columns[0] as Numbers,
    file: file.columns[0] as Numbers,
    topic: topic.columns[0] as Numbers,
    subject: subject.columns[0] as Numbers,
    names: { ids: ids.names, tasks: task.names, files: file.names, topics: topic.names, subjects: subject.names },
  };
}

interface Kept {
  readonly names: Names;
  readonly columns: readonly Numbers[];
}

/** `offset` is what the columns add to the number of a name. */
function keepUsed(names: Names, offset: 0 | 1, columns: readonly Numbers[]): Kept {
  const numbers = new Uint32Array(names.length + offset);
  const used: string[] = [];
  const renumber = (code: number): number => {
    if (code < offset) return code;
    if (numbers[code] === 0) numbers[code] = used.push(names.nameOf(code - offset));
    return (numbers[code] as number) - 1 + offset;
  };
  const renumbered = columns.map((column) => numbersFrom(column.length, (at) => renumber(column[at] as number)));
  return { names: Names.of(used), columns: renumbered };
}

/** Neighbours that stay neighbours: they are copied together, which a cold process does hundreds of times faster. */
type Run = readonly [from: Columns, start: number, end: number];

/** The runs, one after the other. */
function arrange(names: Columns['names'], given: readonly Run[]): Columns {
  const runs = given.filter(([, start, end]) => end > start);
  const length = runs.reduce((sum, [, start, end]) => sum + end - start, 0);
  const epoch = runs.reduce((earliest, [from]) => Math.min(earliest, from.epoch), Number.POSITIVE_INFINITY);
  const columns: Partial<Record<ColumnName, Numbers>> = {};
  for (const name of PLAIN_COLUMNS) columns[name] = gather(runs, length, (from) => from[name]);
  for (const name of TIME_COLUMNS) {
    const shifted = memoized((from: Columns) => shift(from[name], from.epoch - epoch));
    columns[name] = gather(runs, length, shifted);
  }
  return {
    ...(columns as Record<ColumnName, Numbers>),
    length,
    epoch: length === 0 ? 0 : epoch,
    texts: gatherTexts(runs, length),
    ...gatherTargets(runs, length),
    names,
  };
}

function gather(runs: readonly Run[], length: number, columnOf: (from: Columns) => Numbers): Numbers {
  const width = runs.reduce((widest, [from]) => Math.max(widest, widthOf(columnOf(from))), 1);
  const numbers = newNumbers(width as Width, length);
  let next = 0;
  for (const [from, start, end] of runs) {
    numbers.set(columnOf(from).subarray(start, end), next);
    next += end - start;
  }
  return numbers;
}

/** Times since another, earlier moment. */
function shift(times: Numbers, by: number): Numbers {
  return by === 0 ? times : numbersFrom(times.length, (at) => (times[at] as number) + by);
}

function memoized<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const one = made.get(key) ?? make(key);
    made.set(key, one);
    return one;
  };
}

function gatherTexts(runs: readonly Run[], length: number): Uint32Array {
  const texts = new Uint32Array(4 * length);
  let next = 0;
  for (const [from, start, end] of runs) {
    texts.set(from.texts.subarray(4 * start, 4 * end), next);
    next += 4 * (end - start);
  }
  return texts;
}

function gatherTargets(runs: readonly Run[], length: number): Pick<Columns, 'targets' | 'targetsFrom'> {
  const all = runs.map(([{ targets, targetsFrom }, start, end]) =>
    targets.subarray(targetsFrom[start], targetsFrom[end]),
  );
  const targets = new Uint32Array(all.reduce((sum, part) => sum + part.length, 0));
  const starts = new Uint32Array(length + 1);
  let [next, place] = [0, 0];
  for (const [run, part] of all.entries()) {
    const [{ targetsFrom }, start, end] = runs[run] as Run;
    const shiftedBy = next - (targetsFrom[start] as number);
    for (let at = start; at < end; at += 1, place += 1) starts[place] = (targetsFrom[at] as number) + shiftedBy;
    targets.set(part, next);
    next += part.length;
  }
  starts[length] = next;
  return { targets, targetsFrom: starts };
}
