/** `12,345`, the same in every locale. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 line`, `35 lines`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How much smaller a number became: `−80 %`. */
export function change(before: number, after: number): string {
  if (before === 0 || before === after) return '±0 %';
  const percent = Math.round(((after - before) / before) * 100);
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
