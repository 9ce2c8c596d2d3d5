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

/** `640 B`, `1.2 KB`, `64 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** `5 s`, `12 min`, `3 h`, `2 d`. */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
