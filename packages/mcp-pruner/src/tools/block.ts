/** Puts parts under each other, each beginning on a line of its own; absent ones leave no trace. */
export function block(...parts: readonly (string | undefined)[]): string {
  let text = '';
  for (const part of parts) {
    if (part === undefined || part === '') continue;
    text += text === '' || text.endsWith('\n') ? part : `\n${part}`;
  }
  return text;
}
