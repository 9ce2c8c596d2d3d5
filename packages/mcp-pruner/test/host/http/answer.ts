/** What a reply of `/mcp` may hold. A test that looks for what is not there fails by that. */
export interface McpMessage {
  readonly id: string | number | null;
  readonly result: {
    readonly protocolVersion: string;
    readonly resultType: string;
    readonly tools: readonly { readonly name: string }[];
    readonly content: readonly { readonly type: string; readonly text: string }[];
    readonly structuredContent: {
      readonly text: string;
      readonly content: string;
      readonly stdout: string;
      readonly match_count: number;
      readonly error: { readonly code: string };
      readonly pruning: { readonly attempted: boolean };
    };
    readonly isError: boolean;
  };
  readonly error: {
    /** A number of JSON-RPC, or the name of an HTTP error. */
    readonly code: number | string;
    readonly data: {
      readonly issues: readonly unknown[];
      readonly method: string;
      readonly requested: string;
      readonly supported: readonly string[];
    };
  };
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined, whatever the type says, when there was no body. */
  readonly json: McpMessage;
}

export async function readAnswer(reply: Response): Promise<McpAnswer> {
  const text = await reply.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: reply.status, headers: reply.headers, json: json as McpMessage };
}
