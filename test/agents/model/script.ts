/** What the scripted model does with one request: call a tool, say something and end, or fail. */
export type Step =
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly say: string }
  | { readonly status: number };

/** A step may depend on what the model was just sent. It may also take its time. */
export type ScriptedStep = Step | ((seen: Seen) => Step | Promise<Step>);

/** A request of the main conversation, in words that both APIs share. */
export interface Seen {
  /** Names of the tools that the model may call: `pruner/read` for a tool of an MCP server. */
  readonly tools: readonly string[];
  /** Each result of a tool call in the conversation, oldest first: the text, as the model gets it. */
  readonly results: readonly string[];
  /** The whole request as it came over the wire. */
  readonly raw: string;
}

/** A model API on 127.0.0.1 that follows a script, and remembers what it was sent. */
export interface ScriptedModel {
  readonly url: string;
  /** Requests of the main conversation, in order. */
  readonly seen: readonly Seen[];
  readonly close: () => Promise<void>;
}

/** Gives out the steps in order; beyond the last one the model has nothing to add. */
export function createScript(steps: readonly ScriptedStep[]): (seen: Seen) => Promise<Step> {
  let next = 0;
  return async (seen) => {
    const step = steps[next] ?? { say: 'The script is at its end.' };
    next += 1;
    return typeof step === 'function' ? await step(seen) : step;
  };
}
