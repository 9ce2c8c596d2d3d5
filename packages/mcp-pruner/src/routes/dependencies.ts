import type { Emit } from '@jeeves/protocol';
import type { Config } from '../config.ts';
import type { ServerIdentity } from '../host/initialize.ts';
import type { TextService } from '../tools/text/service.ts';

/** What the routes beside `/mcp` are made of. */
export interface RouteDependencies {
  readonly config: Pick<Config, 'rpcTtlMs'>;
  readonly text: TextService;
  readonly identity: ServerIdentity;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
}
