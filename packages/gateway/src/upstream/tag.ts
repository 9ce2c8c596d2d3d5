import { TAG_VARIABLE } from './environment.ts';

/** Says whose process a tagged one is: who started it, and for which instance. */
export interface Tag {
  readonly owner: number;
  /** Tells the owner from a later process with the same number. */
  readonly started: string;
  readonly family: string;
  readonly instance: string;
}

export function tagText({ owner, started, family, instance }: Tag): string {
  return [owner, started, family, instance].join(':');
}

/** The tag in the environment of a process, if it has one. */
export function tagIn(environment: Buffer): Tag | undefined {
  if (!environment.includes(TAG_VARIABLE)) return undefined;
  const variables = environment.toString('latin1').split('\0');
  const entry = variables.find((variable) => variable.startsWith(`${TAG_VARIABLE}=`));
  const [owner, started, family, instance] = entry?.slice(TAG_VARIABLE.length + 1).split(':') ?? [];
  if (started === undefined || family === undefined || instance === undefined) return undefined;
  return { owner: Number(owner), started, family, instance };
}
