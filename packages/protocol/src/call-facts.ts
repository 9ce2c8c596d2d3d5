import { PRUNING_METADATA } from './pruning.ts';

/** What a tool call of an agent is about, whichever client made it, in our own words. */
export interface CallFacts {
  readonly kind: 'file' | 'command' | 'search' | 'recover' | 'other';
  /** It went to the pruner server. */
  readonly pruner: boolean;
  /** The path, command or pattern; equal for calls that ask for the same thing with the same kind. */
  readonly target?: string | undefined;
  readonly goal?: string | undefined;
  /** Asks for a range of a file's lines. */
  readonly partial?: true | undefined;
}

/** What became of a tool's output on its way to the agent. */
export interface ResultFacts {
  readonly applied: boolean;
  readonly rawBytes: number;
  readonly prunedBytes?: number | undefined;
  readonly pruneId?: string | undefined;
  /** Of everything that was cut: a command has two streams, each with an id of its own. */
  readonly pruneIds?: readonly string[] | undefined;
  /** What stands beside the pruned text as it came: a command's other stream. */
  readonly beside?: string | undefined;
}

const KINDS: Readonly<Record<string, CallFacts['kind']>> = {
  read: 'file',
  bash: 'command',
  shell: 'command',
  command_execution: 'command',
  grep: 'search',
  recover_text: 'recover',
};

const PRUNER_CALL = 'mcp:pruner/';

/** Reads a call of the pruner server (`mcp:pruner/read`) or of a client's own tools (`Read`, `command_execution`). */
export function callFacts(name: string, input: Readonly<Record<string, unknown>>): CallFacts {
  const pruner = name.startsWith(PRUNER_CALL);
  const tool = pruner ? name.slice(PRUNER_CALL.length) : name.toLowerCase();
  const kind = Object.hasOwn(KINDS, tool) ? (KINDS[tool] ?? 'other') : 'other';
  const partial = kind === 'file' && [input['start_line'], input['end_line']].some((line) => typeof line === 'number');
  const goal = text(input['context_focus_question']);
  return { kind, pruner, target: targetOf(kind, input), goal, ...(partial && { partial }) };
}

function targetOf(kind: CallFacts['kind'], input: Readonly<Record<string, unknown>>): string | undefined {
  if (kind === 'file') return text(input['file_path'] ?? input['path']);
  if (kind === 'command') return text(input['command']);
  if (kind === 'recover') return text(input['prune_id']);
  if (kind === 'search') return JSON.stringify([input['pattern'], input['path'] ?? input['paths'] ?? '.']);
  return undefined;
}

/** Reads what accompanies a result of `read`, `bash` or `grep`; nothing for any other text. */
export function resultFacts(structured: unknown): ResultFacts | undefined {
  if (typeof structured !== 'object' || structured === null || !('pruning' in structured)) return undefined;
  const { success, data } = PRUNING_METADATA.safeParse(structured.pruning);
  if (!success) return undefined;
  const ofStderr = text((structured.pruning as Readonly<Record<string, unknown>>)['stderr_prune_id']);
  const pruneIds = [data.prune_id, ofStderr].filter((id) => id !== undefined);
  const beside = ofStderr === undefined && data.prune_id !== undefined ? otherStream(structured) : '';
  return {
    applied: data.applied,
    rawBytes: data.raw_bytes,
    prunedBytes: data.pruned_bytes,
    pruneId: data.prune_id,
    ...(pruneIds.length > 0 && { pruneIds }),
    ...(beside !== '' && { beside }),
  };
}

/** The stream of a command that has no gap; where neither has one, stderr, since stdout is pruned first. */
function otherStream(structured: object): string {
  const { stdout, stderr } = structured as { readonly stdout?: unknown; readonly stderr?: unknown };
  const [out, err] = [text(stdout) ?? '', text(stderr) ?? ''];
  return hasGap(err) && !hasGap(out) ? out : err;
}

function hasGap(stream: string): boolean {
  return /^⟦pruned /m.test(stream);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Arguments of `read`, `bash` or `grep` with a goal added. */
export function withGoal(
  args: Readonly<Record<string, unknown>>,
  goal: string | undefined,
): Readonly<Record<string, unknown>> {
  return goal === undefined ? args : { ...args, context_focus_question: goal };
}

/** Arguments of `recover_text` for one range of lines. */
export function recoverArguments(
  pruneId: string,
  range: { readonly startLine: number; readonly endLine: number },
): Readonly<Record<string, unknown>> {
  return { prune_id: pruneId, ranges: [{ start_line: range.startLine, end_line: range.endLine }] };
}
