import type { TermTable } from '../../terms/terms.ts';
import type { GoalTerms } from './goal.ts';

/** Where the goal's terms occur, text after text: `places` and `counts` at `starts[i]..starts[i+1]`. */
export interface Hits {
  readonly starts: Uint32Array;
  readonly places: Int32Array;
  readonly counts: Uint16Array;
  /** Where each text's terms start in the table: what all texts before it have together. */
  readonly termStarts: Uint32Array;
  readonly meanLength: number;
}

export function findHits(table: TermTable, goal: GoalTerms): Hits {
  const texts = table.starts.length - 1;
  const starts = new Uint32Array(texts + 1);
  const size = countOccurrences(table, goal);
  const places = new Int32Array(size);
  const counts = new Uint16Array(size);
  // Where a goal term was last written, so that a second occurrence in one text raises its count.
  const writtenAt = new Int32Array(goal.weights.length).fill(-1);
  let end = 0;
  for (let text = 0; text < texts; text += 1) {
    const first = end;
    const stop = table.starts[text + 1] ?? 0;
    for (let at = table.starts[text] ?? 0; at < stop; at += 1) {
      const place = goal.placeOf[table.ids[at] ?? 0] ?? -1;
      if (place === -1) continue;
      let slot = writtenAt[place] ?? -1;
      if (slot < first) {
        slot = end++;
        writtenAt[place] = slot;
        places[slot] = place;
      }
      if ((counts[slot] ?? 0) < 0xffff) counts[slot] = (counts[slot] ?? 0) + 1;
    }
    starts[text + 1] = end;
  }
  const total = table.ids.length;
  return {
    starts,
    places: places.slice(0, end),
    counts: counts.slice(0, end),
    termStarts: table.starts,
    meanLength: Math.max(1, total / Math.max(1, texts)),
  };
}

function countOccurrences(table: TermTable, goal: GoalTerms): number {
  let size = 0;
  for (const id of table.ids) if ((goal.placeOf[id] ?? -1) !== -1) size += 1;
  return size;
}
