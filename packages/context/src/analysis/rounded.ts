/** To so many steps per whole: 100 keeps two digits. */
export function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
