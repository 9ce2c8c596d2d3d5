import { resolve } from 'node:path';
import { type CallFacts, callFacts, type ProviderEvent, type ResultFacts, resultFacts } from '@jeeves/protocol';

/** A tool call with its answer, placed among the requests to the model. */
export interface Call {
  readonly id: string;
  /** As events have it: `mcp:pruner/bash`. */
  readonly name: string;
  readonly facts: CallFacts;
  readonly input: Readonly<Record<string, unknown>>;
  /** The request that asked for it, counted from 1. */
  readonly request: number;
  readonly content: string;
  /** The tool says that it failed: a command's exit code is one reason. */
  readonly failed: boolean;
  readonly result?: ResultFacts | undefined;
  /** Asks again for what a recent call had pruned. */
  readonly repeated: boolean;
}

export interface CallLog {
  readonly add: (event: ProviderEvent) => void;
  readonly calls: readonly Call[];
  /** Requests to the model so far, as far as its events tell. */
  readonly requests: () => number;
}

/** The same thing again within so many calls counts as reading it again. */
const NEAR = 5;

/** Pairs calls with answers and counts requests: whatever an agent does after an answer, it was asked anew for. */
export function createCallLog(cwd: string): CallLog {
  const calls: Call[] = [];
  const open = new Map<string, Pick<Call, 'id' | 'name' | 'facts' | 'input' | 'request'>>();
  let requests = 0;
  let answered = true;
  function turn(): void {
    if (answered) requests += 1;
    answered = false;
  }
  function add(event: ProviderEvent): void {
    if (event.type === 'assistant' || event.type === 'tool_use' || event.type === 'result') turn();
    if (event.type === 'tool_use') {
      const facts = located(callFacts(event.name, event.input), cwd);
      const { id, name, input } = event;
      open.set(id, { id, name, facts, input, request: requests });
    }
    if (event.type !== 'tool_result') return;
    answered = true;
    const asked = open.get(event.toolUseId);
    if (asked === undefined) return;
    open.delete(event.toolUseId);
    const result = resultFacts(event.structured);
    calls.push({
      ...asked,
      content: event.content,
      failed: event.isError === true,
      result,
      repeated: isRepeated(asked.facts, calls),
    });
  }
  return { add, calls, requests: () => requests };
}

function located(facts: CallFacts, cwd: string): CallFacts {
  return facts.kind === 'file' && facts.target !== undefined ? { ...facts, target: resolve(cwd, facts.target) } : facts;
}

function isRepeated({ kind, target }: CallFacts, before: readonly Call[]): boolean {
  if (target === undefined || kind === 'recover' || kind === 'other') return false;
  return before
    .slice(-NEAR)
    .some(({ facts, result }) => facts.kind === kind && facts.target === target && result?.applied === true);
}
