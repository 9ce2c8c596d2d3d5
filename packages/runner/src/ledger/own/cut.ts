/** Both ends of a text that is too long, and between them what `mark` says of so many characters. */
export function cutMiddle(text: string, most: number, mark: (left: number) => string): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}${mark(text.length - 2 * half)}${text.slice(-half)}`;
}
