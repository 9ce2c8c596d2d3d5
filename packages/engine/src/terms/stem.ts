const S = 115;
const E = 101;
const I = 105;
const Y = 121;
const D = 100;
const N = 110;
const G = 103;
const L = 108;
const R = 114;
const U = 117;

/**
 * How many leading units of a folded word are its stem. Light on purpose: it only has to bring
 * `retries`, `retried`, `retrying` and `retry` together, and must never cost more than the word is long.
 */
export function stemLength(word: Uint16Array, length: number): number {
  let end = length;
  if (end > 3 && word[end - 1] === S && word[end - 2] !== S && word[end - 2] !== U && word[end - 2] !== I) {
    end -= 1;
    // `retries` → `retri`, `boxes` → `boxe`
    if (end > 3 && word[end - 1] === E && word[end - 2] === I) end -= 1;
  }
  if (end > 5 && word[end - 1] === G && word[end - 2] === N && word[end - 3] === I) end = undouble(word, end - 3);
  else if (end > 4 && word[end - 1] === D && word[end - 2] === E) end = undouble(word, end - 2);
  else if (end > 5 && word[end - 1] === R && word[end - 2] === E) end = undouble(word, end - 2);
  else if (end > 5 && word[end - 1] === Y && word[end - 2] === L) end -= 2;
  // A silent `e`, and `y` against `i`: `parse`/`parsing`, `retry`/`retri(es)`.
  if (end > 3 && (word[end - 1] === E || word[end - 1] === Y || word[end - 1] === I)) end -= 1;
  return end;
}

/** `stopp(ing)` → `stop`; but `call(ing)`, `pass(ed)` keep theirs. */
function undouble(word: Uint16Array, end: number): number {
  const last = word[end - 1];
  const doubled = end > 3 && last === word[end - 2];
  return doubled && last !== L && last !== S ? end - 1 : end;
}
