import { randomBytes } from 'node:crypto';
import {
  type Backend,
  createEmbeddedBackend,
  newPruneId,
  type PruneDependencies,
  type PruneRequest,
  type PruneResult,
  prune,
  type Recovered,
  type RecoverRequest,
  type RecoveryStore,
  recover,
  split,
} from '@jeeves/engine';
import { createMemoryStore } from '@jeeves/store';

export interface World {
  readonly prune: (request: PruneRequest) => Promise<PruneResult>;
  readonly recover: (request: RecoverRequest) => Promise<Recovered>;
  readonly store: RecoveryStore;
  readonly backend: Backend;
}

/** The engine as an application puts it together; parts can be replaced by real or failing ones. */
export function world(parts: Partial<PruneDependencies> = {}): World {
  const dependencies: PruneDependencies = {
    backend: createEmbeddedBackend(),
    store: createMemoryStore(),
    newId: () => newPruneId((count) => randomBytes(count)),
    now: Date.now,
    countTokens: (text) => ({ tokens: Math.ceil(text.length / 4), method: 'estimate' }),
    ...parts,
  };
  const { store, backend } = dependencies;
  return {
    store,
    backend,
    prune: (request) => prune(request, dependencies),
    recover: (request) => recover(request, { store, backend }),
  };
}

/** A backend that scores each line by itself; without a rule no line serves any goal. */
export function scoring(rule: (line: string) => number = () => 0): Backend {
  return {
    name: 'fixed',
    judge: async ({ texts }) => ({
      scores: Float64Array.from({ length: texts.length }, (_, at) => rule(texts.at(at))),
    }),
  };
}

/** What `prune_text` asks for: canonical markers, what seed 002 protects, and no budget. */
export const CANONICAL = {
  markers: 'canonical',
  protectStructure: true,
  limits: { capTokens: Number.POSITIVE_INFINITY },
} as const;

/** Removes every line that nothing protects. */
export const ALL_MAY_GO = {
  ...CANONICAL,
  limits: { ...CANONICAL.limits, maxPruneRatio: 1, minKeepLines: 0 },
} as const;

export function numberedLines(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join('');
}

/** The lines of a text that a result kept, without their endings, by number. */
export function keptLines(text: string, { gaps }: Pick<PruneResult, 'gaps'>): Map<number, string> {
  const lines = split(text);
  const kept = new Map(Array.from({ length: lines.length }, (_, at) => [at + 1, lines.at(at)] as const));
  for (const { startLine, endLine } of gaps) for (let at = startLine; at <= endLine; at += 1) kept.delete(at);
  return kept;
}

export function keptTexts(text: string, result: Pick<PruneResult, 'gaps'>): string[] {
  return [...keptLines(text, result).values()];
}

/**
 * Puts a result back together from its own lines and what recovery gives for each gap. Every line of the result must be
 * used up, and where a gap is, its marker must stand.
 */
export async function rebuilt(
  result: PruneResult,
  recovering: World['recover'],
  { markers = true, prefix = false }: { markers?: boolean; prefix?: boolean } = {},
): Promise<string> {
  const lines = split(result.text);
  // Where nothing is cut and numbers would only cost, the text is as it was.
  const numbered = prefix && lines.length > 0 && /^\d+│ /.test(lines.at(0).replace(/^⟦.*/, '1│ '));
  let at = 0;
  let raw = '';
  for (let line = 1; line <= result.stats.originalLines; line += 1) {
    const gap = result.gaps.find(({ startLine }) => startLine === line);
    if (gap === undefined) {
      raw += withoutPrefix(lines.raw(at), numbered ? line : undefined);
      at += 1;
      continue;
    }
    if (markers && lines.at(at) !== gap.marker) throw new Error(`no marker at line ${line}: ${lines.at(at)}`);
    if (markers) at += 1;
    raw += (await recovering({ pruneId: result.pruneId, ranges: [gap] })).text;
    line = gap.endLine;
  }
  if (at !== lines.length) throw new Error(`the result has ${lines.length - at} lines too many`);
  return raw;
}

function withoutPrefix(line: string, number: number | undefined): string {
  if (number === undefined) return line;
  const prefix = `${number}│ `;
  if (!line.startsWith(prefix)) throw new Error(`line ${number} has no number: ${line}`);
  return line.slice(prefix.length);
}
