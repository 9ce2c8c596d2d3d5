/** The first few stand for themselves; whoever comes after must be nearly as good as the best. */
const SURE = 3;
const SURE_SHARE = 0.4;
const SHARE = 0.7;

/** So far down a ranking a tool is still worth a line. */
const MAX_NAMED = 20;

/** Cuts a ranking where the tools stop being worth their definitions. */
export function worthShowing<Scored extends { readonly score: number }>(
  ranked: readonly Scored[],
  cap: number,
): Scored[] {
  const top = ranked[0]?.score ?? 0;
  return ranked
    .slice(0, cap)
    .filter(({ score }, place) => score > 0 && score >= top * (place < SURE ? SURE_SHARE : SHARE));
}

/** Cuts a ranking where the tools stop being worth a line. */
export function worthNaming<Scored extends { readonly score: number }>(ranked: readonly Scored[]): Scored[] {
  return ranked.slice(0, MAX_NAMED).filter(({ score }) => score > 0);
}
