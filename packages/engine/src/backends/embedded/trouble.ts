/** Words of people who look for what went wrong, in English and French. */
const TROUBLE =
  /\bwhy\b|\bfail|\berr(?:or|eur)|\bwrong|\bbr(?:oke|eak)|\bcrash|\bexception|\bbug|\bproblem|\bissue|\breject|\brefus|\binvalid|\bpanic|\bcause|\babort|\bdenied|\bcannot|\bunable|\bdoes(?:n't| not)|\bis(?:n't| not)|\bred\b|\bstack ?trace|\btraceback|\bpourquoi|\bechou|\béchou|\bplant/i;

/** Whether a goal asks what went wrong, rather than for something a log merely tells. */
export function asksForTrouble(goal: string): boolean {
  return TROUBLE.test(goal);
}
