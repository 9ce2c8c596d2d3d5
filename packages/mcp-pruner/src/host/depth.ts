const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b] as const;
const CLOSING = [0x5d, 0x7d] as const;

/**
 * Whether a text of JSON is nested deeper than this. Counts brackets outside strings and parses nothing, so that a
 * hostile text is judged before it costs memory.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPENING[0] || code === OPENING[1]) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === CLOSING[0] || code === CLOSING[1]) depth -= 1;
  }
  return false;
}

/** A quote behind an odd number of backslashes is part of the string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
