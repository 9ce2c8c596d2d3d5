import type { DocumentedFunction } from './doc-functions.ts';

const MAX_WORDS = 50;
const NOT_A_GOAL =
  /^(see\b|deprecated|todo|fixme|note\b|example|copyright|@|\{@inherit|internal\b|usage|same as|like\b|alias|this (file|module)|constructor|getter|setter|param|args|returns?:|default constructor)/i;
const SECTION =
  /^\s*(@\w+|:\w+|args:|arguments:|parameters:?$|params:|returns?:|yields:|raises:|examples?:|usage:|#+ |-{3,}|={3,}|\* )/i;

/** The first sentence of a function's documentation without markup and without the function's own name. */
export function firstSentence(fn: DocumentedFunction): string {
  const paragraph: string[] = [];
  for (const line of fn.doc) {
    if (line.trim() === '') {
      if (paragraph.length > 0) break;
    } else if (SECTION.test(line)) break;
    else paragraph.push(line.trim());
  }
  const prose = withoutMarkup(paragraph.join(' '));
  const end = /[.!?](?=\s+[A-Z(]|\s*$)/.exec(prose);
  const sentence = end === null ? prose : prose.slice(0, end.index);
  const goal = withoutName(sentence, fn.name);
  const tooLong = goal.split(' ').length > MAX_WORDS;
  return tooLong || NOT_A_GOAL.test(goal) || looksLikeCode(sentence) ? '' : goal;
}

function withoutMarkup(text: string): string {
  return text
    .replace(/\{@\w+\s+([^}]*)\}/g, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .replace(/:(?:py:)?\w+:`~?([^`]*)`/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]+/g, '')
    .replace(/&[a-z]+;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutName(sentence: string, name: string): string {
  const bare = name.slice(name.lastIndexOf(':') + 1);
  const words = sentence.split(' ').filter((word) => word.replace(/[^\w$~]/g, '') !== bare);
  return words
    .join(' ')
    .replace(/^[\s\-–:,.;()]+/, '')
    .replace(/\s+([.,;:])/g, '$1')
    .trim();
}

/** Code that was commented out reads like no sentence. */
function looksLikeCode(sentence: string): boolean {
  const marks = sentence.match(/[;{}=<>|\\]/g)?.length ?? 0;
  return marks > 2 || /\b(NOLINT|eslint|clang-format|type:|nolint)\b/.test(sentence);
}
