import type { ProviderRunOptions } from '../../provider.ts';

export interface Withdrawal {
  /** Resolves when what was asked for so far is done. */
  readonly done: () => Promise<void>;
}

/** Takes the servers away from the agent once the run is degraded. */
export function createWithdrawal(
  { withdraw, mcpServers = {}, onServer }: Pick<ProviderRunOptions, 'withdraw' | 'mcpServers' | 'onServer'>,
  take: (server: string) => Promise<void>,
): Withdrawal {
  let taken = Promise.resolve();
  async function takeAll(): Promise<void> {
    for (const server of Object.keys(mcpServers)) {
      try {
        await take(server);
        onServer({ server, status: 'withdrawn' });
      } catch {
        // The client is on its way out, and the server with it.
      }
    }
  }
  withdraw.addEventListener('abort', () => {
    taken = takeAll();
  });
  return { done: () => taken };
}
