import { type RpcId, type RpcRequest, rpcError } from '@jeeves/protocol';
import { describe } from './events.ts';
import type { Method } from './methods.ts';
import type { HostOptions } from './options.ts';
import type { Send } from './outgoing.ts';
import { type Checked, issuesInShort } from './params.ts';
import { errorLine, resultLine } from './reply.ts';

/** Answers everything but `tools/call`. */
export interface Answers {
  readonly answer: (request: RpcRequest) => void;
  /** Resolves when every answer was sent. */
  readonly settled: () => Promise<unknown>;
}

export function createAnswers(options: HostOptions, methods: ReadonlyMap<string, Method>, send: Send): Answers {
  const { emit } = options;
  const answering = new Set<Promise<void>>();

  function answer({ id, method, params }: RpcRequest): void {
    const run = methods.get(method);
    if (run === undefined) return send({ line: errorLine(id, rpcError('method_not_found')) });
    try {
      const answered = run(params);
      if (answered instanceof Promise) answerLater(id, method, answered);
      else reply(id, method, answered);
    } catch (cause) {
      fail(id, cause);
    }
  }

  function answerLater(id: RpcId, method: string, answered: Promise<Checked<object>>): void {
    const done = answered.then(
      (value) => reply(id, method, value),
      (cause: unknown) => fail(id, cause),
    );
    answering.add(done);
    void done.finally(() => answering.delete(done));
  }

  function reply(id: RpcId, method: string, answered: Checked<object>): void {
    if (answered.ok) {
      const result = options.revise?.(answered.value, method) ?? answered.value;
      return send({ line: resultLine(id, result) });
    }
    emit({ event: 'tool.request_invalid', data: { message: issuesInShort(answered.error) } });
    send({ line: errorLine(id, answered.error) });
  }

  function fail(id: RpcId, cause: unknown): void {
    emit({ event: 'tool.internal_error', data: describe(cause) });
    send({ line: errorLine(id, rpcError('internal_error')) });
  }

  return { answer, settled: () => Promise.all(answering) };
}
