import { HEALTH, type HealthResult } from '@jeeves/protocol';
import type { Tool } from '../../host/tool.ts';
import { size } from '../size.ts';
import type { Tally } from './tally.ts';

const CAPABILITIES = ['prune_text', 'recover_text', 'annotations', 'markers'] as const;

export interface HealthDependencies {
  readonly tally: Tally;
  readonly version: string;
  readonly now: () => number;
}

export function healthOf({ tally, version, now }: HealthDependencies): HealthResult {
  return {
    status: 'healthy',
    server: 'mcp-pruner',
    version,
    capabilities: CAPABILITIES,
    timestamp: new Date(now()).toISOString(),
    metrics: tally.health(),
  };
}

export function createHealth(dependencies: HealthDependencies): Tool {
  return {
    definition: HEALTH,
    run({ emit }) {
      const started = dependencies.now();
      const structured = healthOf(dependencies);
      const text = JSON.stringify(structured);
      const duration_ms = Math.max(0, dependencies.now() - started);
      emit({ event: 'tool.exec_ok', data: { tool: HEALTH.name, duration_ms, bytes: size(text) } });
      return Promise.resolve({ text, structured, isError: false, mode: 'raw' });
    },
  };
}
