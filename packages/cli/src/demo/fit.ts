/** Text of at most `width` columns. A log line says the most at its end, so there the middle goes. */
export function shorten(text: string, width: number, cut: 'end' | 'middle' = 'end'): string {
  const characters = Array.from(printable(text));
  if (characters.length <= width) return characters.join('');
  const tail = cut === 'end' ? 0 : Math.floor(width * 0.6);
  const head = characters.slice(0, Math.max(0, width - tail - 1));
  return `${head.join('')}…${characters.slice(characters.length - tail).join('')}`;
}

/** Text filled up to `width` columns. */
export function fill(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - Array.from(text).length));
}

/** Control characters never reach the terminal. */
function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(/\p{Cc}/gu, '');
}
