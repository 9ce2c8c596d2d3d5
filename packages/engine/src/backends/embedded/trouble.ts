/** Words that ask what went wrong, in English and French. */
const TROUBLE =
  /\bwhy\b|\bfail|\berr(?:or|eur)|\bwrong|\bbr(?:oke|eak)|\bcrash|\bexception|\bbug|\bproblem|\bissue|\breject|\brefus|\binvalid|\bpanic|\bcause|\babort|\bdenied|\bcannot|\bunable|\bdoes(?:n't| not)|\bis(?:n't| not)|\bred\b|\bstack ?trace|\btraceback|\bpourquoi|\bechou|\béchou|\bplant/i;

/** Whether a goal asks what went wrong, rather than for something a log merely tells. */
export function asksForTrouble(goal: string): boolean {
  return TROUBLE.test(goal);
}

/** Words that say where to look but not for what: they stand in every goal about a build or a test run. */
const PLACES = new Set(
  'build builds test tests run runs job step command log logs output suite case compile compiles ci happen happened happens went go goes going wrong there root find show tell message messages line lines which what where when who and the this that with its did does was were has have for from not are any'.split(
    ' ',
  ),
);

/** Whether a goal about trouble also names what is in trouble. */
export function namesSubject(goal: string): boolean {
  return (goal.toLowerCase().match(/[\p{L}\p{N}_-]{3,}/gu) ?? []).some(
    (word) => !PLACES.has(word) && !TROUBLE.test(word),
  );
}
