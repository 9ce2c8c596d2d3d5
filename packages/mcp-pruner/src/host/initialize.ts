import type { InitializeParams, InitializeResult, SCHEMA_VERSION } from '@jeeves/protocol';
import type { Client } from './tool.ts';

// Part of the way to the handshake: nothing of the contract is loaded here, only its types.

/** What a server says of itself. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  /** Clients put this into the prompt: at most three sentences. */
  readonly instructions: string;
  /** Clients are told when its tools change. Default false. */
  readonly listChanged?: boolean;
}

/** Revisions of MCP that this host speaks, newest first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** A client that did not introduce itself. */
export const UNKNOWN_CLIENT: Client = { name: '', version: '' };

// The compiler holds this equal to the contract's.
const schemaVersion: typeof SCHEMA_VERSION = 1;

/** Takes the client's revision where it is known, else offers the newest. */
export function initializeResult(
  server: ServerIdentity,
  { protocolVersion }: InitializeParams,
): InitializeResult & { readonly instructions: string } {
  return {
    protocolVersion: PROTOCOL_VERSIONS.find((known) => known === protocolVersion) ?? PROTOCOL_VERSIONS[0],
    serverInfo: { name: server.name, version: server.version },
    capabilities: { tools: { listChanged: server.listChanged ?? false } },
    jeeves: { schemaVersion },
    instructions: server.instructions,
  };
}

export function clientOf({ clientInfo }: InitializeParams): Client {
  return clientInfo === undefined ? UNKNOWN_CLIENT : { name: clientInfo.name, version: clientInfo.version ?? '' };
}
