import type { RecoveryStore } from '@jeeves/engine';
import {
  fromRecoverTextInput,
  RECOVER_TEXT,
  type RecoverOutcome,
  type RecoverTextArgs,
  toRecoverError,
  toRecoverTextResult,
} from '@jeeves/protocol';
import { type OutputMode, replyShape } from '../host/reply.ts';
import { CallError, type Tool, type ToolCall, type ToolOutcome } from '../host/tool.ts';
import { block } from './block.ts';
import { size } from './size.ts';
import { AGENT_MAX_OUTPUT_BYTES, isAgent } from './limits.ts';
import { type Cut, firstLines, lineCount } from './recovered.ts';

export interface RecoverDependencies {
  readonly store: RecoveryStore;
  /** Decides who gets the lines alone and who the whole result in JSON. */
  readonly output: OutputMode;
  readonly now: () => number;
}

export function createRecover(dependencies: RecoverDependencies): Tool<RecoverTextArgs> {
  return { definition: RECOVER_TEXT, run: (call) => run(call, dependencies) };
}

async function run(call: ToolCall<RecoverTextArgs>, { store, output, now }: RecoverDependencies): Promise<ToolOutcome> {
  const { args, client, emit } = call;
  const started = now();
  const elapsed = (): number => Math.max(0, now() - started);
  const tool = RECOVER_TEXT.name;
  let recovered: RecoverOutcome;
  try {
    recovered = await find(args, store);
  } catch (error) {
    const failure = asCallError(error);
    // The name is all: a prune id is a key to a text, and logs hold no keys.
    const { message } = failure.error;
    emit({ event: 'tool.exec_failed', data: { tool, code: message, message, duration_ms: elapsed() } });
    throw failure;
  }
  emit({ event: 'tool.exec_ok', data: { tool, duration_ms: elapsed(), bytes: size(recovered.text) } });
  const plain = replyShape(output, client) === 'text';
  const shrink = (bytes: number): ToolOutcome => outcome(firstLines(recovered, bytes), plain);
  // A line that is asked for alone cannot be had in smaller pieces, so only the size of a reply bounds it.
  const spared = isAgent(client) && lineCount(recovered) > 1;
  return { ...shrink(spared ? AGENT_MAX_OUTPUT_BYTES : Number.POSITIVE_INFINITY), shrink };
}

async function find(args: RecoverTextArgs, store: RecoveryStore): Promise<RecoverOutcome> {
  const { createLexicalBackend, recover } = await import('@jeeves/engine');
  return await recover(fromRecoverTextInput(args), { store, backend: createLexicalBackend() });
}

/** What the engine refuses is an answer; anything else is a defect. Told by shape: the engine may not be loaded. */
function asCallError(error: unknown): CallError {
  if (!(error instanceof Error) || error.name !== 'EngineError' || !('code' in error && 'data' in error)) throw error;
  const { code, data } = error as Error & { code: string; data: Readonly<Record<string, unknown>> };
  return new CallError(toRecoverError({ code, data }), `${code}: ${error.message}`);
}

function outcome({ recovered, notice }: Cut, plain: boolean): ToolOutcome {
  const structured = toRecoverTextResult(recovered);
  return {
    text: plain ? block(recovered.text, notice) : JSON.stringify(structured),
    structured,
    isError: false,
    mode: 'raw',
  };
}
