import { stemOf } from './stem.ts';
import { wordsOf } from './words.ts';

/** What a tool does to what it is about. */
export type Action = 'create' | 'delete' | 'change' | 'look' | 'send' | 'run';

const WORDS: Readonly<Record<Action, string>> = {
  create:
    'create add new insert register make compose generate upload fork copy clone install initialize schedule book',
  delete: 'delete remove erase drop purge destroy unlink trash uninstall cancel clear forget cleanup discard',
  change: 'update edit modify change patch set rename move replace merge convert rotate resize scale toggle upgrade',
  look: 'list get fetch retrieve read find search show view describe query check inspect count browse lookup status explain download export analyze',
  send: 'send post reply publish notify share forward message email',
  run: 'run execute start stop launch invoke trigger call restart kill apply',
};

const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries(WORDS).flatMap(([action, words]) => words.split(' ').map((word) => [stemOf(word), action as Action])),
);

/** The action that a stem names, if it names one. */
export function actionOf(stem: string): Action | undefined {
  return ACTIONS.get(stem);
}

/**
 * What a goal asks to be done. A question asks to look, whatever it is about; otherwise the first action word says it.
 * "How do I open…" is no such question.
 */
export function wantedAction(goal: string): Action | undefined {
  const words = wordsOf(goal).slice(0, MAX_WORDS);
  const [first = '', second = ''] = words;
  const asks =
    ASKING.has(first) ||
    (first === 'how' && HOW_MUCH.has(second)) ||
    (second === 'me' && /^(?:tell|give)$/.test(first));
  if (asks) return 'look';
  for (const word of words) {
    const action = ACTIONS.get(stemOf(word));
    if (action !== undefined) return action;
  }
  return first === 'how' ? 'look' : undefined;
}

const MAX_WORDS = 40;
const ASKING = new Set(
  'what which who whom whose where when why is are was were will do does did has have any show'.split(' '),
);
const HOW_MUCH = new Set('many much long far high big large old often tall fast'.split(' '));

/** Whether a goal asks which there are: then a tool that lists is better than one that gets. */
export function asksForMany(goal: string): boolean {
  return /^\s*(?:which|what|who|list|show(?: me)?(?: all)?|all|any|are there)\b.{0,60}\b(?!is\b|this\b|has\b|does\b|was\b)[a-z]{3,}s\b/i.test(
    goal.slice(0, 120),
  );
}

/** Only what cannot be confused: who asks to look does not want to delete, and the other way round. */
export function contradict(wanted: Action, done: Action): boolean {
  return wanted !== done && (wanted === 'delete' || done === 'delete' || wanted === 'look' || done === 'look');
}
