/** How one server is doing, in words that may be shown to an agent and to whoever configured it. */
export interface ServerStatus {
  readonly server: string;
  /** `listed`: its tools are known and nothing is wrong. `starting`: asking again in a moment will help. */
  readonly state: 'listed' | 'starting' | 'failed';
  /** How many of its tools are known, from this run or an earlier one. */
  readonly tools: number;
  /** What is wrong with it; absent for one that is listed. */
  readonly problem?: string;
  /** What somebody must do about it. */
  readonly fix?: string;
}

/** A server that is configured in a way that cannot be used. It is never started. */
export interface UnusableServer {
  readonly server: string;
  readonly problem: string;
}

export const STARTING: Pick<ServerStatus, 'state' | 'problem' | 'fix'> = {
  state: 'starting',
  problem: 'is still starting',
  fix: 'Ask again in a few seconds.',
};

export function failedStatus(problem: string): Pick<ServerStatus, 'state' | 'problem' | 'fix'> {
  return { state: 'failed', problem, fix: fixFor(problem) };
}

export function unusableStatus({ server, problem }: UnusableServer): ServerStatus {
  const fix = 'Its owner must correct this in the configuration of the gateway.';
  return { server, state: 'failed', tools: 0, problem: `is not configured correctly: ${problem}`, fix };
}

/** The problem is one of our own sentences, so its beginning says of which kind it is. */
function fixFor(problem: string): string {
  if (/^answered 40[13]\b/.test(problem)) return 'Its owner must put a valid credential into its headers.';
  if (problem.startsWith('cannot be started')) return 'Its owner must install the program or correct its command.';
  if (problem.startsWith('cannot be reached')) return 'Its owner must start the server or correct its url.';
  return 'Its owner finds out more with: jeeves gateway check.';
}
