import { shapeProblem } from '../shape.ts';

type Json = Readonly<Record<string, unknown>>;

/** Names that models use for an argument, and the one that is meant. */
type Aliases = Readonly<Record<string, readonly string[]>>;

const MCP_ALIASES: Aliases = {
  query: ['goal', 'task', 'question', 'search', 'q'],
  names: ['name', 'tools', 'toolNames', 'tool_names'],
  sessionId: ['session_id', 'session'],
  forceRefresh: ['force_refresh', 'refresh'],
};

const EVAL_ALIASES: Aliases = {
  toolName: ['tool_name', 'tool', 'name'],
  arguments: ['args', 'params', 'parameters', 'input', 'tool_arguments'],
  routingKey: ['routing_key'],
  context_focus_question: ['focus_question', 'goal'],
};

/** The arguments of `automatic_mcp` as they were meant, where that is plain; anything else stays as it is. */
export function mendMcpArgs(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const mended = withoutNulls(renamed(sent, MCP_ALIASES));
  const { names, forceRefresh } = mended;
  return {
    ...mended,
    ...(typeof names === 'string' && { names: listIn(names) }),
    ...((forceRefresh === 'true' || forceRefresh === 'false') && { forceRefresh: forceRefresh === 'true' }),
  };
}

/**
 * The arguments of `automatic_eval` as they were meant: the tool's own as JSON in a text, or beside the name instead of
 * inside `arguments`. Where both forms are used at once, nobody can tell what was meant.
 */
export function mendEvalArgs(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const { arguments: given, ...rest } = withoutNulls(renamed(sent, EVAL_ALIASES));
  if (typeof given === 'string') return { ...rest, arguments: objectIn(given) ?? given };
  if (given !== undefined) return { ...rest, arguments: given };
  const own = Object.entries(rest).filter(([key]) => !Object.hasOwn(EVAL_ALIASES, key));
  const known = Object.entries(rest).filter(([key]) => Object.hasOwn(EVAL_ALIASES, key));
  // A call that names no tool is no flattened call.
  if (own.length === 0 || rest['toolName'] === undefined) return rest;
  return { ...Object.fromEntries(known), arguments: Object.fromEntries(own) };
}

/** Only where the right name is not used and exactly one of the others is. */
function renamed(sent: Json, aliases: Aliases): Json {
  const result: Record<string, unknown> = { ...sent };
  for (const [name, others] of Object.entries(aliases)) {
    const used = others.filter((other) => result[other] !== undefined && !Object.hasOwn(aliases, other));
    const [only] = used;
    if (result[name] !== undefined || used.length !== 1 || only === undefined || !fits(name, result[only])) continue;
    result[name] = result[only];
    delete result[only];
  }
  return result;
}

/** `name` may be an argument of the tool itself: then it is of another kind, or the tool is named already. */
function fits(name: string, value: unknown): boolean {
  if (name === 'arguments') return isObject(value) || (typeof value === 'string' && objectIn(value) !== undefined);
  if (name === 'names') return typeof value === 'string' || Array.isArray(value);
  return name === 'forceRefresh' || typeof value === 'string';
}

/** What is optional and null was left out. */
function withoutNulls(sent: Json): Json {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

function listIn(text: string): unknown {
  const value = text.trimStart().startsWith('[') ? parsed(text) : undefined;
  return Array.isArray(value) ? value : text.split(/\s*,\s*/);
}

function objectIn(text: string): Json | undefined {
  const value = parsed(text);
  return isObject(value) ? value : undefined;
}

function parsed(text: string): unknown {
  // As a string it is one value of its message, whatever it holds: it is judged like a message of its own.
  if (shapeProblem(text) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
