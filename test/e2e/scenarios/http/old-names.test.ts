import { expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, startService } from '../text/service.ts';

cleanUpServices();

verifies('server.old-names', 'a service names variables of an earlier draft, and what to set instead', async () => {
  const names = { JEEVES_MCP_PRUNER_HOST: '127.0.0.1', JEEVES_MCP_PRUNER_PORT: '1', JEEVES_PRUNER_TIMEOUT_MS: '1' };
  const { events } = await startService({ program: 'jeeves-mcp-pruner', env: names });
  const told = events.filter(({ event }) => event === 'mcp_pruner.config_invalid').map(({ data }) => data);
  expect(told).toEqual([
    { variable: 'JEEVES_MCP_PRUNER_HOST', message: 'nothing reads it; set MCP_PRUNER_HOST' },
    { variable: 'JEEVES_MCP_PRUNER_PORT', message: 'nothing reads it; set MCP_PRUNER_PORT' },
    { variable: 'JEEVES_PRUNER_TIMEOUT_MS', message: 'nothing reads it; set PRUNER_TIMEOUT_MS' },
  ]);
});
