import { from, type Requirement } from './entry.ts';

/** Real agent clients with the pruner wired in. */
export const AGENTS: readonly Requirement[] = [
  ...from('issue 7, agent-clients §3', {
    'agents.claude.always-loaded': 'The pruner’s tools stand in Claude’s first request, with their schemas.',
    'agents.claude.unattended': 'Claude works without anybody to ask, as root as well.',
    'agents.claude.respawn':
      'A server that Claude silently started again is reported as lost and taken away for the rest of the run.',
    'agents.claude.api-failure': 'A model API that fails makes the run fail, with what it said.',
  }),
  ...from('issue 7, agent-clients §4', {
    'agents.codex.approved': 'The pruner’s tools can be called although nobody is there to approve.',
    'agents.codex.grace': 'The pruner’s tools stand in Codex’s first request.',
    'agents.codex.hint': 'A model that Codex does not show the pruner’s tools is told of them.',
    'agents.codex.silent-start': 'A server that does not start is noticed although Codex says nothing.',
    'agents.codex.api-failure': 'A model API that fails makes the run fail, with what it said.',
  }),
  ...from('issue 7 (must hold)', {
    'agents.missing': 'A client that is not installed is named, with the command that installs it.',
    'agents.pruned': 'The model gets the kept lines and markers of a file it asked about, and nothing twice.',
    'agents.large': 'The model gets the answer of a build of 40,000 lines and of a file of 8,000, uncut by its client.',
    'agents.recovered': 'The model gets a gap back byte for byte.',
    'agents.start-failure':
      'A server that is missing, exits at once or hangs is reported; the agent’s run finishes without it.',
    'agents.death': 'A server that dies in a call or between calls is reported; the agent’s run finishes.',
    'agents.slow-tool': 'A slow tool is no dead server.',
    'agents.service-down': 'With the pruner’s service down the model gets the raw output.',
    'agents.cancelled': 'A run that is cancelled ends its client, its server and their commands.',
    'agents.no-process-left':
      'After any run, and five seconds after a client was killed hard, no process of it is left.',
  }),
];
