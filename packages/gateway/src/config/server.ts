import type { UnusableServer } from '../upstream/status.ts';
import type { CatalogueConfig } from './catalogue.ts';
import type { ToolRules } from './rules.ts';

/** How a server is used: shared by all, one instance per routing key, or one instance that does one thing at a time. */
export type Strategy = 'stateless' | 'stateful' | 'singleton';

export const STRATEGIES: readonly Strategy[] = ['stateless', 'stateful', 'singleton'];

/** A program that is started and spoken to over its standard streams. */
export interface StdioTarget {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Its own variables; beside these it gets the few that every program needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A Streamable HTTP endpoint. */
export interface HttpTarget {
  readonly kind: 'http';
  readonly url: string;
  /** The only place where its credentials come from. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One upstream server, checked and with every variable expanded. */
export interface ServerConfig {
  readonly name: string;
  /** Stands before its tools' names: its name, with what a tool's name may not hold replaced. */
  readonly prefix: string;
  readonly target: StdioTarget | HttpTarget;
  readonly tags: readonly string[];
  /** One line on what it is for, in the words of whoever configured it. */
  readonly description?: string;
  readonly rules: ToolRules;
  readonly strategy: Strategy;
  /** Whether an instance may hold something that its end would lose; false only where its owner says so. */
  readonly mayHoldState: boolean;
  /** What becomes of a tool whose definition changed: it is offered and marked, or withheld until it is accepted. */
  readonly onChange: 'offer' | 'withhold';
  /** The longest a call may take, the start of the server included. */
  readonly timeoutMs: number;
  /** The longest that a question for tools waits for this server to be listed for the first time. */
  readonly startMs: number;
  readonly maxMessageBytes: number;
  /** After so long without a call an instance is stopped; absent means never. */
  readonly idleMs?: number;
  /** Of the entry as it is written, variables unexpanded: other definitions belong to another one. */
  readonly fingerprint: string;
}

/** A part of the configuration that cannot be used. */
export interface ConfigProblem {
  /** Where it stands: `mcpServers.github.env.TOKEN`. */
  readonly field: string;
  readonly message: string;
}

/** What the file says. A server with a problem is left out; the others are not harmed. */
export interface GatewayConfig {
  readonly catalogue: CatalogueConfig;
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly ConfigProblem[];
  /** The servers that are left out, each with all that is wrong with it. */
  readonly unusable: readonly UnusableServer[];
}

/** The file as a whole is of no use. */
export class ConfigError extends Error {
  readonly code = 'config_invalid';
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.name = 'ConfigError';
    this.field = field;
  }
}
