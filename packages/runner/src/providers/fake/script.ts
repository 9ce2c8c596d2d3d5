import { parse } from 'yaml';
import { RunnerError } from '../../errors.ts';

/** What a scripted agent does, in order. */
export type Step =
  | { readonly do: 'say'; readonly text: string }
  /** A tool of the pruner server; without one, the agent's own tool of that kind. */
  | {
      readonly do: 'call';
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly goal?: string | undefined;
    }
  /** Asks for a gap of the last pruned result. */
  | { readonly do: 'recover'; readonly which: 'first' | 'all' }
  | { readonly do: 'wait'; readonly ms: number }
  /** Ends the server behind everybody's back, as a crash does. */
  | { readonly do: 'kill'; readonly signal: NodeJS.Signals }
  /** Starts it again without a word, as Claude Code does. */
  | { readonly do: 'restart' }
  | { readonly do: 'fail'; readonly message: string };

export interface FakeScript {
  readonly steps: readonly Step[];
  readonly result: string;
  readonly startTimeoutMs: number;
  readonly callTimeoutMs: number;
}

export const EMPTY_SCRIPT: FakeScript = {
  steps: [],
  result: '<promise>COMPLETE</promise>',
  startTimeoutMs: 10_000,
  callTimeoutMs: 60_000,
};

/** Reads a script from YAML or JSON. */
export function parseScript(text: string): FakeScript {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw wrong(`it is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  return toScript(value);
}

/** Checks a script that came as a value. */
export function toScript(value: unknown): FakeScript {
  const { steps = [], result, start_timeout_ms, call_timeout_ms, ...rest } = asRecord(value, 'a script');
  const unknown = Object.keys(rest);
  if (unknown.length > 0) throw wrong(`unknown: ${unknown.join(', ')}`);
  if (!Array.isArray(steps)) throw wrong('"steps" is not a list');
  return {
    steps: steps.map((step, at) => toStep(asRecord(step, `step ${at + 1}`), `step ${at + 1}`)),
    result: result === undefined ? EMPTY_SCRIPT.result : asText(result, 'result'),
    startTimeoutMs: asCount(start_timeout_ms ?? EMPTY_SCRIPT.startTimeoutMs, 'start_timeout_ms'),
    callTimeoutMs: asCount(call_timeout_ms ?? EMPTY_SCRIPT.callTimeoutMs, 'call_timeout_ms'),
  };
}

function toStep(step: Readonly<Record<string, unknown>>, where: string): Step {
  if ('say' in step) return { do: 'say', text: asText(step['say'], where) };
  if ('call' in step) {
    const goal = step['goal'] === undefined ? undefined : asText(step['goal'], where);
    return { do: 'call', tool: asText(step['call'], where), args: asRecord(step['with'] ?? {}, where), goal };
  }
  if ('recover' in step) return { do: 'recover', which: step['recover'] === 'all' ? 'all' : 'first' };
  if ('wait' in step) return { do: 'wait', ms: asCount(step['wait'], where) };
  if ('kill' in step) return { do: 'kill', signal: step['kill'] === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL' };
  if ('restart' in step) return { do: 'restart' };
  if ('fail' in step) return { do: 'fail', message: asText(step['fail'], where) };
  throw wrong(`${where} is none of say, call, recover, wait, kill, restart, fail`);
}

function asRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw wrong(`${what} is not a mapping`);
}

function asText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw wrong(`${where}: expected a text`);
}

function asCount(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(`${where}: expected a whole number`);
}

function wrong(problem: string): RunnerError {
  return new RunnerError('invalid_script', `the script of the fake provider cannot be used: ${problem}`);
}
