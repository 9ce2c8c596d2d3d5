import { Buffer } from 'node:buffer';

export interface RunIdParts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly pid: number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** `20261115T115009Z-4711.Kq3xT0aB`: sorts by time, and no two processes ever share one. */
export function newRunId({ now, pid, randomBytes }: RunIdParts): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${time}-${pid}.${Buffer.from(randomBytes(6)).toString('base64url')}`;
}
