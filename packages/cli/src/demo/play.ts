import { type Gap, type PruneDependencies, type PruneResult, prune, recover } from '@jeeves/engine';
import type { Scene } from './scenes.ts';

/** A scene with its outcome: what was cut, and whether the largest gap came back unaltered. */
export interface Played {
  readonly scene: Scene;
  readonly text: string;
  readonly result: PruneResult;
  readonly recovered?: { readonly gap: Gap; readonly text: string; readonly identical: boolean };
}

/** Prunes a scene's text with the defaults, exactly as `jeeves prune` would. */
export async function playScene(scene: Scene, text: string, dependencies: PruneDependencies): Promise<Played> {
  const { goal, source } = scene;
  const result = await prune({ text, goal, source }, dependencies);
  const gap = largest(result.gaps);
  if (gap === undefined) return { scene, text, result };
  const { text: back } = await recover({ pruneId: result.pruneId, ranges: [gap] }, dependencies);
  const identical = Buffer.from(back).equals(Buffer.from(linesBetween(text, gap)));
  return { scene, text, result, recovered: { gap, text: back, identical } };
}

function largest(gaps: readonly Gap[]): Gap | undefined {
  return gaps.toSorted((a, b) => b.lineCount - a.lineCount)[0];
}

/** The same lines straight from the original, told apart by nothing but newlines. */
function linesBetween(text: string, { startLine, endLine }: Gap): string {
  return text
    .split(/(?<=\n)/)
    .slice(startLine - 1, endLine)
    .join('');
}
