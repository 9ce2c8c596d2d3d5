import { from, type Requirement } from './entry.ts';

/** What the gateway says to agents and to whoever runs it. */
export const CATALOGUE: readonly Requirement[] = [
  ...from('issue 15 item 1', {
    'gateway.start.honest':
      '`automatic_mcp` waits for servers that are starting, up to a limit each, or says which are not in yet.',
    'gateway.start.remembered': 'Definitions of the last run are offered at once and checked in the background.',
  }),
  ...from('issue 15 item 2', {
    'gateway.servers.instructions': 'The instructions name each server and what it is for, within 300 tokens.',
    'gateway.servers.problems':
      'The reply says what is wrong with a server that might fit, and what its owner must do.',
    'gateway.servers.check':
      '`jeeves gateway check` starts every server and shows tools, times and problems; it fails when one does.',
  }),
  ...from('issue 15 item 3', {
    'gateway.start.refresh': '`forceRefresh` asks the servers for their tools anew.',
    'gateway.reply.budget':
      'Definitions come whole while a token budget lasts, without what only programs read; then one line each.',
    'gateway.reply.by-name': 'Any definition is sent whole when it is asked for by its name.',
    'gateway.reply.weak': 'The reply says when nothing fits well, and offers nothing when nothing fits at all.',
    'gateway.reply.session': 'A session is one connection: ids that agents choose never meet those of others.',
    'gateway.reply.http-session': 'Over HTTP the `Mcp-Session-Id` is the caller’s id.',
    'gateway.reply.model-filter': 'A model that filters may fence its answer; names that nobody has are skipped.',
  }),
  ...from('issue 15 item 4', {
    'gateway.rules.lists': 'Tools are offered by lists that allow and deny, by name and by what they say they do.',
    'gateway.rules.ask': 'A tool that needs consent is not called where nobody can be asked; the error says so.',
    'gateway.rules.dialects': 'What other clients write in their files is obeyed, or refused by name.',
    'gateway.rules.reload': 'A configuration file that changes is taken over; what did not change goes on.',
  }),
  ...from('issue 15 item 7', {
    'gateway.errors.outer': 'A wrong outer shape that can mean one thing only is taken as it is meant.',
    'gateway.errors.coerced':
      '`null` for an optional field and a number in a text are coerced, and noted in the answer.',
  }),
  ...from('issue 15 item 8', {
    'gateway.state.said': 'A server that was stopped while it may have held state says so in its next answer.',
    'gateway.state.kept': 'Browsers, shells and the like are not stopped for resting unless their owner says so.',
  }),
  ...from('issue 15 item 9', {
    'gateway.stats.servers':
      '`jeeves gateway stats` shows calls, errors and latency of each server, as a table and JSON.',
  }),
  ...from('issue 13 item 8', {
    'gateway.rank.words-file': 'The words that ranking knows are one data file with its format described at its top.',
  }),
  ...from('issue 14 item 5', {
    'gateway.change.marked':
      'A tool that changed since it was first seen is sent with `changed: true` and what changed.',
    'gateway.change.withheld':
      'A change that reads like orders to the agent, or of a server with `onChange: "withhold"`, is not callable until accepted.',
    'gateway.names.unambiguous': 'A tool’s name belongs to one server; no other answers for it.',
    'gateway.safety.every-text': 'Hidden characters are stripped from every text and key of a definition.',
    'gateway.safety.size-cap': 'No text or key of a definition is longer than a cap; the whole is one call away.',
    'gateway.safety.orphans': 'Hunting for orphans reaches no other PID namespace and no live gateway.',
    'gateway.safety.event-cap': 'The cap on messages counts whole events of a stream.',
    'gateway.safety.link-local': 'Link-local addresses are refused in every spelling.',
  }),
];
