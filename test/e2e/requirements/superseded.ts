import { from, type Requirement } from './entry.ts';

const REPLACED = 'seed 001 is the final text of this clause and says otherwise';
const FOREIGN = 'this describes the tool chain or the repository of another product';
const NO_GOAL = 'the seed states it as a non-goal';

/** Clauses of the seeds that describe another design or another product's surroundings: they will not be built. */
export const SUPERSEDED: readonly Requirement[] = [
  ...from(
    'seed 000 §3, decisions §7 #1',
    {
      'superseded.reasons': 'Skip reasons are called `no_question` and `input_too_large`.',
      'superseded.field-errors': 'Invalid params carry `field_errors`.',
      'superseded.argument-names': 'The tools take `path` and `cmd`, and `grep` requires `paths`.',
      'superseded.environment': 'The variables are called `JEEVES_MCP_PRUNER_*` and `JEEVES_PRUNER_ENDPOINT`.',
      'superseded.outbound-body': 'The pruner is sent request id, tool, question and input, and answers with `output`.',
      'superseded.prune-limit': 'The size limit for pruning is configurable and 256 KiB by default.',
      'superseded.pruner-timeout': 'The pruner’s timeout is 2,000 ms by default and at most 30,000.',
      'superseded.loopback-only': 'The host can only be a loopback address.',
    },
    REPLACED,
  ),
  ...from(
    'seed 000 §1 (non-goals), seed 001 §1 (non-goals)',
    {
      'superseded.prune-everything': 'All tool output is pruned by default.',
      'superseded.service-lifecycle': 'The swe-pruner service is deployed and supervised.',
      'superseded.viewer-controls': 'The viewer has controls for pruning.',
    },
    NO_GOAL,
  ),
  ...from(
    'seed 001 §5 (tasks)',
    {
      'superseded.sdk-v1': 'The server is built on version 1 of the MCP SDK.',
      'superseded.test-places': 'Tests stand beside the sources.',
    },
    'the decisions page records the deviation (§1, §7 #13)',
  ),
  ...from(
    'seed 002 §3.1, seed 002 §12, seed 002 §14',
    {
      'superseded.proxy-forwarder': 'A proxy forwards raw payloads to the server.',
      'superseded.fastapi': 'The server is a FastAPI program started with uvicorn.',
      'superseded.start-scripts': 'Shell scripts start, stop and show the servers.',
    },
    FOREIGN,
  ),
  ...from(
    'seed 002 §2.2',
    { 'superseded.no-persistence': 'No durable store is required.' },
    'the decisions page (§5, §6) requires recovery to survive a restart',
  ),
  ...from(
    'seed 003 (references)',
    { 'superseded.python-types': 'The interface is described by Python classes and decorators.' },
    FOREIGN,
  ),
];
