import { parse } from 'yaml';
import { RunnerError } from '../errors.ts';
import { PROVIDERS } from '../providers/load.ts';
import { type Guard, parseGuard } from './guard.ts';

/** A few prompts, and which follows which. */
export interface Workflow {
  readonly name: string;
  readonly start: string;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly phases: ReadonlyMap<string, Phase>;
}

export interface Phase {
  /** `execute` and `evaluate` ask an agent, `script` runs a command, `terminal` ends the workflow. */
  readonly type: 'execute' | 'evaluate' | 'script' | 'terminal';
  readonly prompt?: string | undefined;
  /** Relative to the workflow's file, and not outside its directory. */
  readonly promptFile?: string | undefined;
  readonly command?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: string | undefined;
  /** In the order they are tried. */
  readonly transitions: readonly PhaseTransition[];
}

export interface PhaseTransition {
  readonly to: string;
  /** Absent: always. */
  readonly guard?: Guard | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a workflow may say. Fields of other runners of such files are let through: they do no harm here. */
const HEAD_FIELDS = [
  'name',
  'version',
  'start',
  'description',
  'default_provider',
  'default_model',
  'default_reasoning_effort',
  'default_thinking_budget',
];
const PHASE_FIELDS = [
  'type',
  'provider',
  'prompt',
  'prompt_file',
  'command',
  'description',
  'transitions',
  'model',
  'permission_mode',
  'mcp_profile',
  'mcp_enforcement',
  'allowed_writes',
  'status_mapping',
  'output_file',
  'reasoning_effort',
  'thinking_budget',
];
const TRANSITION_FIELDS = ['to', 'when', 'auto', 'priority'];

const TYPES = ['execute', 'evaluate', 'script', 'terminal'] as const;

/** Reads a workflow and checks all of it: nothing is found out in the middle of a run. */
export function parseWorkflow(text: string): Workflow {
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw wrong(`it is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { workflow, phases } = asFields(document, 'the file', ['workflow', 'phases']);
  const head = asFields(workflow, '"workflow"', HEAD_FIELDS);
  const name = asText(head['name'], '"workflow.name"');
  if (name.includes('..') || /[/\\]/.test(name)) throw wrong(`the name ${JSON.stringify(name)} is no plain name`);
  const named = Object.entries(asFields(phases, '"phases"'));
  const parsed = new Map(
    named.map(([phase, fields]) => [phase, toPhase(phase, asFields(fields, phase, PHASE_FIELDS))]),
  );
  const start = asText(head['start'], '"workflow.start"');
  checkTargets(start, parsed);
  return {
    name,
    start,
    provider: providerName(head['default_provider'], '"workflow.default_provider"'),
    model: optionalText(head['default_model'], '"workflow.default_model"'),
    phases: parsed,
  };
}

function toPhase(name: string, fields: Fields): Phase {
  const type = TYPES.find((known) => known === (fields['type'] ?? 'execute'));
  if (type === undefined) throw wrong(`${name}: its type is none of ${TYPES.join(', ')}`);
  const phase: Phase = {
    type,
    prompt: optionalText(fields['prompt'], `${name}.prompt`),
    promptFile: optionalText(fields['prompt_file'], `${name}.prompt_file`),
    command: optionalText(fields['command'], `${name}.command`),
    provider: providerName(fields['provider'], `${name}.provider`),
    model: optionalText(fields['model'], `${name}.model`),
    permissionMode: optionalText(fields['permission_mode'], `${name}.permission_mode`),
    transitions: toTransitions(name, fields['transitions'] ?? []),
  };
  const prompts = [phase.prompt, phase.promptFile].filter((prompt) => prompt !== undefined).length;
  if ((type === 'execute' || type === 'evaluate') && prompts !== 1) {
    throw wrong(`${name}: it needs either "prompt" or "prompt_file"`);
  }
  if (type === 'script' && phase.command === undefined) throw wrong(`${name}: it needs "command"`);
  return phase;
}

function toTransitions(phase: string, value: unknown): readonly PhaseTransition[] {
  if (!Array.isArray(value)) throw wrong(`${phase}: "transitions" is not a list`);
  const transitions = value.map((item, at) => {
    const {
      to,
      when,
      auto = false,
      priority = 0,
    } = asFields(item, `transition ${at + 1} of ${phase}`, TRANSITION_FIELDS);
    if (typeof priority !== 'number') throw wrong(`${phase}: a priority is a number`);
    // One that is neither automatic nor guarded never fires.
    if (auto !== true && when === undefined) throw wrong(`${phase}: a transition needs "when" or "auto: true"`);
    const guard = auto === true ? undefined : toGuard(phase, asText(when, `${phase}: "when"`));
    return { to: asText(to, `${phase}: "to"`), guard, priority };
  });
  return transitions.sort((one, other) => one.priority - other.priority);
}

function toGuard(phase: string, text: string): Guard {
  try {
    return parseGuard(text);
  } catch (error) {
    throw wrong(`${phase}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checkTargets(start: string, phases: ReadonlyMap<string, Phase>): void {
  const targets = [...phases].flatMap(([name, { transitions }]) =>
    transitions.map(({ to }) => ({ field: `${name}: "to"`, target: to })),
  );
  for (const { field, target } of [{ field: '"workflow.start"', target: start }, ...targets]) {
    if (!phases.has(target)) throw wrong(`${field}: there is no phase named ${JSON.stringify(target)}`);
  }
}

/** Checked here, because it is needed when some phases are over already. */
function providerName(value: unknown, what: string): string | undefined {
  const name = optionalText(value, what);
  if (name === undefined || PROVIDERS.some((known) => known === name)) return name;
  throw wrong(`${what} is none of ${PROVIDERS.join(', ')}`);
}

/** Without `known` a mapping may have any names. */
function asFields(value: unknown, what: string, known?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${what} is not a mapping`);
  const unknown = Object.keys(value).filter((name) => known?.includes(name) === false);
  if (unknown.length > 0) throw wrong(`${what} has unknown fields: ${unknown.join(', ')}`);
  return { ...value };
}

function asText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(`${what} is not a text`);
}

function optionalText(value: unknown, what: string): string | undefined {
  return value === undefined ? undefined : asText(value, what);
}

function wrong(problem: string): RunnerError {
  return new RunnerError('invalid_workflow', `the workflow cannot be used: ${problem}`);
}
