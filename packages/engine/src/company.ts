import type { Blocks } from './layout/blocks.ts';
import { BLANK, CLOSER, COMMENT, DEFINITION, type Layout } from './layout/layout.ts';
import type { Protection } from './protect/protect.ts';

/** Blocks up to this size stay whole once half of them stays: a reader gets a block, not crumbs. */
const SMALL_BLOCK = 14;
/** The best block stays whole up to this size. */
const LARGE_BLOCK = 48;
const SHORT_BODY = 4;
const LONG_COMMENT = 8;
/** Scope headers are kept this far out. */
const MAX_SCOPES = 8;
/** So many blank or closing lines between kept lines are kept along. */
const SMALL_HOLE = 2;

/** What decides which lines come along with chosen ones. */
export interface Company {
  readonly scores: Float64Array;
  readonly protection: Protection;
  readonly layout: Layout;
  readonly blocks: Blocks;
  /** Whether the lines that enclose a kept line are kept too. */
  readonly keepScopes: boolean;
  /** Lines that set the values a line uses. */
  readonly valuesUsed?: (index: number) => readonly number[];
  /** Whether the gap `[first, end)` saves more than its marker costs; a part of a gap that does not, must not either. */
  readonly worthCutting?: (first: number, end: number) => boolean;
}

/** Adds what makes chosen lines readable: their blocks, values, bodies, comments and scopes. */
export function addCompany(chosen: Uint8Array, company: Company): void {
  if (company.keepScopes) fillBestBlock(chosen, company);
  fillSmallBlocks(chosen, company.blocks);
  if (company.valuesUsed !== undefined) keepValues(chosen, company.valuesUsed);
  if (!company.keepScopes) return;
  keepBodies(chosen, company.layout);
  keepComments(chosen, company.layout);
  keepEnclosing(chosen, company.layout);
}

/** Adds what must stay whatever was chosen, and closes gaps that are not worth their marker. */
export function addRequired(chosen: Uint8Array, { protection, layout, worthCutting }: Company): void {
  for (let at = 0; at < chosen.length; at += 1) if (protection.lines[at] === 1) chosen[at] = 1;
  fillHoles(chosen, layout);
  keepWholes(chosen, protection);
  if (worthCutting !== undefined) keepCheapGaps(chosen, worthCutting);
}

/** The block that serves the goal best is given whole: its other lines are what the good ones mean. */
function fillBestBlock(chosen: Uint8Array, { scores, blocks }: Company): void {
  let best = 0;
  let bestMean = -1;
  for (let block = 0; block + 1 < blocks.starts.length; block += 1) {
    const first = blocks.starts[block] ?? 0;
    const end = blocks.starts[block + 1] ?? first;
    let sum = 0;
    for (let at = first; at < end; at += 1) sum += scores[at] ?? 0;
    if (sum / (end - first) <= bestMean) continue;
    best = block;
    bestMean = sum / (end - first);
  }
  const first = blocks.starts[best] ?? 0;
  const end = blocks.starts[best + 1] ?? first;
  if (end - first <= LARGE_BLOCK && chosen.subarray(first, end).includes(1)) chosen.fill(1, first, end);
}

function fillSmallBlocks(chosen: Uint8Array, blocks: Blocks): void {
  for (let block = 0; block + 1 < blocks.starts.length; block += 1) {
    const first = blocks.starts[block] ?? 0;
    const end = blocks.starts[block + 1] ?? first;
    if (end - first > SMALL_BLOCK) continue;
    let inside = 0;
    for (let at = first; at < end; at += 1) inside += chosen[at] ?? 0;
    if (inside * 2 >= end - first) chosen.fill(1, first, end);
  }
}

/** What a kept line depends on, one step far: the limit it compares with, the delay it waits. */
function keepValues(chosen: Uint8Array, valuesUsed: (index: number) => readonly number[]): void {
  for (const [index, mark] of chosen.slice().entries()) {
    if (mark === 1) for (const value of valuesUsed(index)) chosen[value] = 1;
  }
}

/** `if (full) {` without what it guards says nothing, so a short body comes along. */
function keepBodies(chosen: Uint8Array, layout: Layout): void {
  for (let at = 0; at < chosen.length; at += 1) {
    if (chosen[at] === 0) continue;
    let end = at + 1;
    while (end < chosen.length && end <= at + SHORT_BODY + 1 && isInside(layout, end, at)) end += 1;
    if (end - at - 1 <= SHORT_BODY) chosen.fill(1, at + 1, end);
  }
}

function isInside(layout: Layout, line: number, opener: number): boolean {
  return (layout.flags[line] ?? 0) !== BLANK && (layout.indent[line] ?? 0) > (layout.indent[opener] ?? 0);
}

/** The comment right above a definition is what its author says of it. */
function keepComments(chosen: Uint8Array, layout: Layout): void {
  for (let at = 1; at < chosen.length; at += 1) {
    if (chosen[at] === 0 || ((layout.flags[at] ?? 0) & DEFINITION) === 0) continue;
    for (
      let above = at - 1;
      above >= Math.max(0, at - LONG_COMMENT) && ((layout.flags[above] ?? 0) & COMMENT) !== 0;
      above -= 1
    ) {
      chosen[above] = 1;
    }
  }
}

function keepEnclosing(chosen: Uint8Array, layout: Layout): void {
  for (let at = chosen.length - 1; at >= 0; at -= 1) {
    if (chosen[at] === 0) continue;
    let parent = layout.parent[at] ?? -1;
    for (let depth = 0; parent !== -1 && depth < MAX_SCOPES; depth += 1) {
      chosen[parent] = 1;
      parent = layout.parent[parent] ?? -1;
    }
  }
}

function fillHoles(chosen: Uint8Array, layout: Layout): void {
  forEachGap(chosen, (first, end) => {
    if (end - first > SMALL_HOLE || first === 0 || end === chosen.length) return;
    for (let at = first; at < end; at += 1) if (((layout.flags[at] ?? 0) & (BLANK | CLOSER)) === 0) return;
    chosen.fill(1, first, end);
  });
}

function keepWholes(chosen: Uint8Array, protection: Protection): void {
  for (const [first, end] of protection.whole) {
    if (chosen.subarray(first, end).includes(1)) chosen.fill(1, first, end);
  }
}

function keepCheapGaps(chosen: Uint8Array, worthCutting: (first: number, end: number) => boolean): void {
  forEachGap(chosen, (first, end) => {
    if (!worthCutting(first, end)) chosen.fill(1, first, end);
  });
}

/** Visits every run `[first, end)` of lines that are not chosen. */
export function forEachGap(chosen: Uint8Array, visit: (first: number, end: number) => void): void {
  let at = 0;
  while (at < chosen.length) {
    const first = chosen.indexOf(0, at);
    if (first === -1) return;
    const next = chosen.indexOf(1, first);
    at = next === -1 ? chosen.length : next;
    visit(first, at);
  }
}
