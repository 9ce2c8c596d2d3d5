/** The first few stand for themselves; whoever comes after must be nearly as good as the best. */
const SURE = 5;
const SURE_SHARE = 0.3;
const SHARE = 0.65;

/** Cuts a ranking where the tools stop having to do with the goal. */
export function worthShowing<Scored extends { readonly score: number }>(
  ranked: readonly Scored[],
  cap: number,
): Scored[] {
  const top = ranked[0]?.score ?? 0;
  return ranked
    .slice(0, cap)
    .filter(({ score }, place) => score > 0 && score >= top * (place < SURE ? SURE_SHARE : SHARE));
}
