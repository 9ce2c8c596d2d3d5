import type { MinedCase } from './case.ts';
import type { CommitCase } from './commit-cases.ts';
import type { Random } from './random.ts';
import { informativeWords } from './words.ts';

const MIN_WORDS = 3;
const REPAIR =
  /^(?:bug\s?fix|hot\s?fix|fix(?:e[sd]|ing)?|correct(?:s|ed|ly)?|repair(?:s|ed)?|resolve[sd]?|prevent(?:s|ed)?|avoid(?:s|ed)?|solve[sd]?|workaround(?: for)?|work around)\s*:?\s+/i;
const ADDITION =
  /^(?:add(?:s|ed|ing)?|introduce[sd]?|implement(?:s|ed)?|support(?:s|ed)?|allow(?:s|ed)?|enable[sd]?|provide[sd]?|expose[sd]?|create[sd]?)\s+/i;
const REMOVAL = /^(?:remove[sd]?|removing|delete[sd]?|drop(?:s|ped)?|get rid of|disable[sd]?|deprecate[sd]?)\s+/i;
const CONDITION = /^(.{8,}?)\s+(when|if|while|after|before|during|on)\s+(.{6,})$/i;

const VERBS: ReadonlySet<string> = new Set(
  (
    'return get set check create build parse read write compute calculate convert find add remove append insert delete update send receive open close start ' +
    'stop run execute call invoke handle process validate verify test determine load save store fetch make generate format render print log emit register ' +
    'unregister initialize init reset clear copy clone merge split join sort filter map apply attach detach bind connect disconnect listen wait schedule ' +
    'resolve reject throw raise ensure enforce escape encode decode encrypt decrypt compress serialize deserialize wrap unwrap extract replace search match ' +
    'compare count swap reverse shuffle trim strip pad repeat capitalize normalize transform translate iterate yield consume push pop enqueue dequeue flush ' +
    'lock unlock acquire release allocate free increase decrease move rename list show display hide enable disable allow prevent skip ignore define declare ' +
    'assign configure setup install mark try attempt retry abort cancel finish complete perform use change turn keep track record report collect gather ' +
    'prepare evaluate expand collapse truncate rewrite rewind seek select deselect toggle notify dispatch subscribe publish pass pipe stringify tokenize ' +
    'scan visit walk traverse inject mock stub spy delegate forward redirect route serve respond request refresh reload restore revert improve refactor ' +
    'optimize simplify speed reduce limit support implement indicate encapsulate rely suppress propagate pick tell fill draw land escape extend export import include exclude preserve respect treat throttle wake hash sign authenticate authorize inspect look retrieve switch rotate scale shift warn'
  ).split(' '),
);

/** The same case behind a question a person might ask; undefined when the goal gives too little to ask about. */
export function toQuestion(source: MinedCase | CommitCase, random: Random): MinedCase | undefined {
  const goal = 'subject' in source ? source.subject : source.query;
  const query = 'subject' in source ? questionOfCommit(goal, random) : questionOfSentence(goal, random);
  if (query === undefined || informativeWords(query).size < MIN_WORDS) return undefined;
  const { id, text, gold, kind, repo, origin } = source;
  return { id: `question:${id}`, query, text, gold, kind, task: 'question', repo, origin };
}

function questionOfCommit(subject: string, random: Random): string | undefined {
  const goal = lowerFirst(subject.replace(/[.!]+$/, '').replace(/^[\w./-]{2,24}:\s+/, ''));
  if (REPAIR.test(goal)) return questionOfRepair(goal.replace(REPAIR, ''), random);
  if (ADDITION.test(goal)) {
    const thing = goal.replace(ADDITION, '').replace(/^support for /, '');
    return random.pick([
      `Where is ${thing} handled?`,
      `Which part of the code deals with ${thing}?`,
      `How does the code support ${thing}?`,
      `Where would support for ${thing} go?`,
      `I want ${thing}: which code is involved?`,
    ]);
  }
  if (REMOVAL.test(goal)) {
    const thing = goal.replace(REMOVAL, '');
    return random.pick([
      `Where is ${thing} used?`,
      `What depends on ${thing}?`,
      `Where does the code still have ${thing}?`,
      `Which lines take care of ${thing}?`,
    ]);
  }
  return questionOfSentence(goal, random);
}

function questionOfRepair(problem: string, random: Random): string {
  const parts = CONDITION.exec(problem);
  if (parts !== null) {
    const [, thing = '', word = '', condition = ''] = parts;
    return random.pick([
      `Why does ${thing} go wrong ${word} ${condition}?`,
      `What happens to ${thing} ${word} ${condition}?`,
      `What happens ${word} ${condition}, and why is there ${thing}?`,
      `Why would there be ${thing} ${word} ${condition}?`,
    ]);
  }
  return random.pick([
    `Why would ${problem} happen?`,
    `What causes ${problem}?`,
    `Where does ${problem} come from?`,
    `Which code is responsible for ${problem}?`,
    `How can ${problem} occur?`,
  ]);
}

function questionOfSentence(sentence: string, random: Random): string {
  const goal = lowerFirst(sentence.replace(/[.!?]+$/, ''));
  const space = goal.indexOf(' ');
  if (/^(do not|don't|never) /.test(goal)) {
    const rest = goal.replace(/^(do not|don't|never) /, '');
    return random.pick([`Why does the code ${rest}?`, `Where does the code ${rest}?`, `When does it ${rest}?`]);
  }
  if (/^[^,]{3,60} (should|must|is|are|was|does|doesn't|can|cannot|now) /.test(goal)) {
    return random.pick([
      `Where is it decided that ${goal}?`,
      `How does the code make sure that ${goal}?`,
      `Why is it that ${goal}?`,
    ]);
  }
  const base = baseVerb(goal.slice(0, space === -1 ? goal.length : space));
  if (base === undefined || space === -1) {
    return random.pick([
      `Where is ${goal} implemented?`,
      `How does ${goal} work?`,
      `Where can I find ${goal}?`,
      `What does the code do about ${goal}?`,
      `Which function is about ${goal}?`,
    ]);
  }
  const rest = goal.slice(space + 1);
  return random.pick([
    `Where does the code ${base} ${rest}?`,
    `How does the code ${base} ${rest}?`,
    `Which function is there to ${base} ${rest}?`,
    `What happens when we ${base} ${rest}?`,
    `What is the way to ${base} ${rest}?`,
    `Where is the logic to ${base} ${rest}?`,
    `Why would it ${base} ${rest}?`,
  ]);
}

/** The plain form of a verb in one of its usual endings; undefined for a word that is no known verb. */
function baseVerb(word: string): string | undefined {
  const candidates = [word];
  for (const [ending, replacement] of [
    ['ies', 'y'],
    ['es', ''],
    ['s', ''],
    ['es', 'e'],
    ['ing', ''],
    ['ing', 'e'],
    ['ed', ''],
    ['ed', 'e'],
  ] as const) {
    if (word.endsWith(ending)) candidates.push(word.slice(0, -ending.length) + replacement);
  }
  return candidates.find((candidate) => VERBS.has(candidate));
}

/** Sentence case goes; acronyms and identifiers keep their letters. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]+(?![A-Za-z0-9_])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
