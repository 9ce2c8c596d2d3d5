import { relatedTo } from './lexicon.ts';
import { stemOf } from './stem.ts';
import { wordsOf } from './words.ts';

/** One thing a goal speaks of: the words a tool may say it with, and how much each counts. */
export interface Concept {
  readonly stem: string;
  readonly variants: ReadonlyMap<string, number>;
  /** How much it says about which tool is wanted. */
  readonly weight: number;
}

/** Data in a goal, such as a quoted title: it goes into a call and says little about which tool that is. */
const DATA_WEIGHT = 0.35;
const HINT_WEIGHT = 0.6;
const WEAK_WEIGHT = 0.4;
const MAX_CONCEPTS = 64;
const MAX_GOAL = 4000;

export function conceptsOf(goal: string): Concept[] {
  const weights = new Map<string, number>();
  const note = (stem: string, weight: number): void => {
    if (weights.size < MAX_CONCEPTS || weights.has(stem)) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  };
  const { plain, data, hints } = takeApart(goal.slice(0, MAX_GOAL));
  for (const word of wordsOf(plain)) if (says(word)) note(stemOf(word), WEAK.has(word) ? WEAK_WEIGHT : 1);
  for (const word of wordsOf(data)) if (says(word)) note(stemOf(word), DATA_WEIGHT);
  for (const [frame, found] of FRAMES) if (frame.test(plain)) hints.push(...found);
  for (const hint of hints) note(stemOf(hint), HINT_WEIGHT);
  return [...weights].map(([stem, weight]) => ({ stem, weight, variants: variantsOf(stem) }));
}

function variantsOf(stem: string): ReadonlyMap<string, number> {
  return new Map([...relatedTo(stem), [stem, 1]]);
}

function says(word: string): boolean {
  return !STOP_WORDS.has(word) && (word.length > 1 || /[^\p{ASCII}]/u.test(word)) && !/^\d+$/.test(word);
}

/** A goal in parts: what is wanted, what it is wanted with, and what the form of the data tells. */
function takeApart(goal: string): { plain: string; data: string; hints: string[] } {
  const hints: string[] = [];
  const data: string[] = [];
  let plain = goal;
  for (const [pattern, found] of FORMS) {
    plain = plain.replace(pattern, (text) => {
      hints.push(...found);
      data.push(text);
      return ' ';
    });
  }
  return { plain, data: data.join(' '), hints };
}

/** Each pattern stops at a space, a quote or a fixed length, so none can be made to go back over a long text. */
const FORMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bhttps?:\/\/[^\s"'<>]{1,500}/g, ['url', 'page']],
  [/[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}/g, ['email']],
  [/"[^"\n]{1,200}"|“[^”\n]{1,200}”|`[^`\n]{1,200}`|(?<=\s)'[^'\n]{1,200}'(?=[\s.,;:?!)]|$)/g, []],
  [/(?<![\w/])(?:~|\.{1,2})?\/[\w.-]{1,100}(?:\/[\w.-]{1,100}){0,20}\/?/g, ['file', 'path']],
  [
    /\b[\w-]{1,80}\.(?:txt|md|log|ts|js|py|go|rs|java|c|h|cpp|json|ya?ml|toml|html?|css|csv|env|sh|ini|conf)\b/gi,
    ['file'],
  ],
  [/\b[\w-]{1,80}\.(?:png|jpe?g|gif|svg|webp|bmp)\b/gi, ['image', 'file']],
  [/\b[\w-]{1,80}\.(?:mp3|wav|m4a|flac|ogg)\b/gi, ['audio', 'file']],
  [/\b[\w-]{1,80}\.(?:mp4|mov|avi|mkv|webm)\b/gi, ['video', 'file']],
  [/\b[\w-]{1,80}\.pdf\b/gi, ['pdf', 'file']],
  [/\b[\w-]{1,80}\.xlsx?\b/gi, ['spreadsheet', 'excel', 'file']],
  [/\b[\w-]{1,80}\.docx?\b/gi, ['word', 'document', 'file']],
  [/\b[\w-]{1,80}\.pptx?\b/gi, ['presentation', 'file']],
  [/(?<=\b(?:called|named|titled|labelled|entitled) )[\w-]{1,80}/gi, []],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, ['ip', 'address']],
  [/-?\b\d{1,3}\.\d{2,10},\s?-?\d{1,3}\.\d{2,10}\b/g, ['coordinate', 'location']],
  [/\b\d{1,9}\s?(?:[+*/×÷^-]|times|plus|minus|divided by)\s?\d{1,9}\b/gi, ['calculate', 'math', 'expression']],
  [/\b\d{0,9}[a-z]\s?[+*/=-]\s?\d{1,9}\b/gi, ['equation', 'solve', 'math']],
  [/\b(?:sin|cos|tan|log|exp|sqrt)\([^()\n]{1,40}\)/gi, ['function', 'math']],
  [
    /\b\d{1,9}\s?(?:km|cm|mm|kg|lbs?|oz|ft|feet|foot|inch(?:es)?|miles?|met(?:er|re)s?|pounds?|lit(?:er|re)s?|gallons?)\b/gi,
    ['unit', 'convert'],
  ],
  [/\b\d{4}\.\d{4,5}\b/g, ['paper', 'arxiv']],
  [/\b\d{1,2}(?::\d{2})?\s?(?:am|pm)\b/gi, ['time']],
  [/[$€£¥]\s?\d[\d.,]{0,20}/g, ['price']],
  [/\b\d[\d.,]{0,20}\s?%/g, ['percentage']],
  [/\b[A-Z]{2,10}-\d{1,7}\b/g, ['issue', 'ticket']],
  [/(?<!\w)#\d{1,9}\b/g, ['issue']],
  [/(?<!\w)#[a-z][\w-]{1,80}/g, ['channel']],
  [/\br\/\w{2,30}\b/g, ['reddit']],
  [/\b(?:[a-z0-9-]{1,63}\.){1,3}(?:com|org|net|io|dev|gov|edu|co|ai)\b/gi, ['website', 'url']],
];

/** Turns of phrase whose words stand apart, and what they ask for. */
const FRAMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\s*who\b/i, ['who']],
  [/^\s*where(?:'s|s| is| are| was)\b/i, ['location', 'track']],
  [/^\s*when(?:'s|s| is| are| will| does| do)\b/i, ['date', 'time', 'next']],
  [/\b(?:give|hand)\b.{1,40}\bto\b/i, ['assign']],
  [/\bput\b.{1,40}\b(?:in|into|on|onto|under)\b/i, ['add', 'move']],
  [/\bturn\b.{1,40}\binto\b/i, ['convert']],
  [/\bget\b.{1,40}\b(?:in|into|onto)\b/i, ['add', 'merge']],
  [/\bfile\b.{1,40}\baway\b/i, ['archive']],
  [/\btake\b.{1,40}\b(?:out|off|away)\b/i, ['remove']],
  [/\b(?:days?|weeks?|months?|time)\s+off\b/i, ['leave', 'vacation']],
  [/\b(?:put|bring|join)\b.{1,40}\btogether\b/i, ['merge', 'combine']],
  [/\bcall\b.{1,40}\boff\b/i, ['cancel']],
  [/\bhow many\b/i, ['count', 'query']],
  [/\bwill (?:it|there)\b/i, ['forecast']],
  [/\bwhen (?:does|do|is|are)\b.{1,40}\b(?:open|opens|close|closes|closed)\b/i, ['hours', 'place', 'details']],
  [/\blet\b.{1,40}\bknow\b/i, ['send', 'notify']],
  [/\b(?:bring|keep)\b.{1,40}\bup to date\b/i, ['update']],
  [/\bset\b.{1,40}\bto\b/i, ['update', 'set']],
  [/\bmake\b.{1,40}\b(?:bigger|larger|smaller|wider|pixels)\b/i, ['resize']],
  [/\bfrom\b.{1,60}\bto\b.{1,60}\bby (?:car|bus|train|foot|bike)\b/i, ['direction', 'route']],
];

/** Words that say how something is asked for, not what. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but nor so if then else of to in on at by for from with without as is are am be been being was were ' +
    'it its this that these those there here what which who whom whose when where why how do does did doing done can could ' +
    'should would will shall may might must have has had having i you he she we they me my mine your yours his her our ours ' +
    'their theirs us them myself yourself itself not no yes please help want wants wanted need needs like just also very ' +
    'really some any each every both either neither few such own same than too again once now only into onto out off up down ' +
    'about above below over under between through during before after against within along across upon per via using use ' +
    'used let lets sure going goes thing things stuff way ways something anything everything someone ' +
    'anyone one ones two three first second well kind sort lot able want ll re ve don doesn isn aren couldn shouldn won wasn ' +
    'http https www com tool tools mcp'
  ).split(' '),
);

/** Words that many goals hold and few tools are about. */
const WEAK: ReadonlySet<string> = new Set(
  (
    'all new my latest current recent best good specific given following based available provide provides full complete ' +
    'entire whole different various other another more most many much right exact simple quick quickly currently existing ' +
    'today tomorrow yesterday last next back look see tell know give show try called named get gets got make makes go'
  ).split(' '),
);
