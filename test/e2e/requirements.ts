import { AGENTS } from './requirements/agents.ts';
import { DEEPINFRA, SWE_PRUNER } from './requirements/backends.ts';
import { CATALOGUE } from './requirements/catalogue.ts';
import { CLI } from './requirements/cli.ts';
import { CONTEXT } from './requirements/context.ts';
import type { Requirement } from './requirements/entry.ts';
import { FILES, TOOL_PRUNING } from './requirements/files.ts';
import { GATEWAY } from './requirements/gateway.ts';
import { HTTP } from './requirements/http.ts';
import { PROTOCOL, SCHEMAS, WORKSPACE } from './requirements/protocol.ts';
import { RECOVER } from './requirements/recover.ts';
import { RUNNER, VIEWER } from './requirements/runner.ts';
import { SECURITY } from './requirements/security.ts';
import { STDIO } from './requirements/stdio.ts';
import { SUPERSEDED } from './requirements/superseded.ts';
import { MARKERS, PROTECT, TEXT } from './requirements/text.ts';
import { WORTH } from './requirements/worth.ts';

/** Everything the product must do. Ids are stable: tests cite them with `verifies`; `coverage.test.ts` compares the two. */
export const requirements: readonly Requirement[] = [
  ...TEXT,
  ...MARKERS,
  ...PROTECT,
  ...WORTH,
  ...RECOVER,
  ...DEEPINFRA,
  ...SWE_PRUNER,
  ...PROTOCOL,
  ...SCHEMAS,
  ...WORKSPACE,
  ...CLI,
  ...FILES,
  ...TOOL_PRUNING,
  ...STDIO,
  ...HTTP,
  ...CONTEXT,
  ...GATEWAY,
  ...CATALOGUE,
  ...RUNNER,
  ...AGENTS,
  ...VIEWER,
  ...SECURITY,
  ...SUPERSEDED,
];
