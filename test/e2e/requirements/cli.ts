import { AWAITS, from, type Requirement } from './entry.ts';

/** What a person types: the `jeeves` program over the engine. */
export const CLI: readonly Requirement[] = [
  ...from('decisions §1, decisions §5', {
    'cli.prune.pipe':
      '`jeeves prune` reads a file or standard input, writes the pruned text with its gap markers to standard output and nothing else, and exits 0.',
    'cli.prune.json': '`jeeves prune --json` writes one JSON object with the result’s wire fields.',
    'cli.prune.bad-input':
      'A directory, a binary file, a missing file, unreadable standard input or a wrong option ends with exit code 2 and a sentence on standard error.',
    'cli.recover.lines':
      '`jeeves recover` gives back the raw lines of a range of an earlier prune id, from another process.',
    'cli.recover.query': '`jeeves recover` finds the raw lines of an earlier prune id that match a query.',
    'cli.prune.closing': 'The closing line of `jeeves prune` is the command that gives lines back.',
    'cli.demo.shows': '`jeeves demo` shows a text before and after, what it saved, and a recovery that succeeds.',
  }),
  ...from('issue 12, decisions §4', {
    'cli.prune.max-tokens': '`--max-tokens` always holds, whatever the other limits say.',
    'cli.prune.passes-through':
      'Input that is not UTF-8 passes through a pipe byte for byte, unpruned, and standard error says so.',
    'cli.prune.several': '`jeeves prune` takes several files and shows each under its name.',
    'cli.prune.why-whole': 'A result that is returned whole says why on standard error.',
    'cli.prune.terminal': 'On a terminal no control sequence of the text is passed through.',
    'cli.exec':
      '`jeeves exec -- command…` captures what a command writes, prunes it within one budget when a goal is given, and exits as the command did.',
    'cli.prunes': '`jeeves prunes` lists recent texts with size, age and goal, as a table or as JSON.',
    'cli.recover.last':
      '`jeeves recover` takes `--last`, and the first six characters of an id or more; ids that begin alike are named.',
  }),
  ...from('decisions §5, reliability G11', {
    'cli.verify.proof':
      '`jeeves verify` proves for given files that kept lines plus recovered gaps rebuild each of them byte for byte.',
    'cli.verify.tally':
      '`jeeves verify` counts what it proved and fails with a non-zero exit code if any file is not rebuilt.',
  }),
  ...from('design/scorer, decisions §1', {
    'cli.bench.score':
      '`jeeves bench score` reads cases from a JSONL file and writes one score per line of each case to another.',
  }),
  ...from('decisions §1', { 'cli.serve': '`jeeves serve` starts the HTTP service.' }),
  ...from('decisions §1', { 'cli.config': '`jeeves config` shows the settings in force and where each comes from.' }),
  ...from('decisions §1', { 'cli.gateway': '`jeeves gateway` starts the gateway.' }),
  ...from(
    'decisions §1',
    {
      'cli.run': '`jeeves run` runs an agent with the pruner wired in.',
      'cli.replay': '`jeeves replay` shows what pruning does to a recorded run.',
      'cli.compare': '`jeeves compare` runs a task with and without pruning.',
      'cli.init': '`jeeves init` writes the agent clients’ configuration.',
    },
    AWAITS.runner,
  ),
  ...from('decisions §1', { 'cli.view': '`jeeves view` opens the viewer.' }, AWAITS.viewer),
  ...from('decisions §1, decisions §7 #4', {
    'cli.doctor': '`jeeves doctor` reports what is missing or slow, the login shell’s cost among it.',
  }),
];
