import type { McpServerConfig, ProviderEvent } from '@jeeves/protocol';

/** An agent that can be given a prompt: Claude, Codex, or the fake one of the tests. */
export interface AgentProvider {
  readonly name: string;
  /** Asks no model: whatever it counts is computed, and is shown as such. */
  readonly simulated?: boolean | undefined;
  /**
   * Ends when the agent is done, throws when it failed or was aborted. By then it has ended every process it started.
   * A problem with an MCP server is never a reason to throw: it is reported, and the agent goes on without.
   */
  readonly run: (prompt: string, options: ProviderRunOptions) => AsyncIterable<ProviderEvent>;
}

export interface ProviderRunOptions {
  /** Absolute; where the agent works. */
  readonly cwd: string;
  /** Servers by name. Absent, not empty, when there is none. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  readonly permissionMode?: string | undefined;
  /** As the user wrote it; absent leaves the choice to the client. */
  readonly model?: string | undefined;
  readonly maxTurns?: number | undefined;
  /** What the client's own process may see: keys, base URLs, `PATH`, `HOME`. Providers read no other environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the run is to stop: the provider ends the client and its servers, then throws. */
  readonly abort: AbortSignal;
  /** Aborted when the run is degraded: the provider takes the servers away from the agent, if its client can. */
  readonly withdraw: AbortSignal;
  /** Called as soon as the provider learns how an MCP server fares; never later than its next event. */
  readonly onServer: (report: ServerReport) => void;
  /** Where the servers write their events (`JEEVES_EVENT_FILE`), for clients that do not say how a server fares. */
  readonly eventFile?: string | undefined;
}

/** How an MCP server fares, as far as a client can tell. A second `ready` means that the client started it again. */
export type ServerReport =
  | { readonly server: string; readonly status: 'ready'; readonly pid?: number | undefined }
  | { readonly server: string; readonly status: 'failed'; readonly message: string }
  | {
      readonly server: string;
      readonly status: 'died';
      /** `unreachable`: its process may be there, but it does not answer or makes no sense. */
      readonly reason: 'exited' | 'unreachable';
      readonly message: string;
      readonly exitCode?: number | undefined;
      readonly signal?: string | undefined;
    }
  /** The provider has taken the server away from the agent. */
  | { readonly server: string; readonly status: 'withdrawn' };
