import { informativeWords } from './words.ts';

export interface CommitGoal {
  readonly subject: string;
  /** Subject and the first paragraph of the body, as one goal. */
  readonly goal: string;
}

const MAX_BODY = 400;
const MIN_WORDS = 4;

const SKIPPED_TYPE = /^(chore|docs?|tests?|style|ci|build|release|deps?|lint|examples?|bench|typo|wip)(\([^)]*\))?!?:/i;
const CHANGE_TYPE =
  /^(fix|feat|feature|perf|refactor|refact|revert|types|bugfix|hotfix|imp|enhancement)(\([^)]*\))?!?:\s*/i;
const SKIPPED_START =
  /^(merge|revert|bump|releas|version|prepare|prepping|prep |initial|import |upgrade|backport|cherry|v?\d+\.\d+|back to dev|set version|\[?(ci|bot|pre-commit|maven)|pull request|apply (suggestions|review)|address|wip\b|oops|code review|update (the )?(changelog|change log|readme|dependenc|deps|version|copyright|license|history|authors|contributors|translations|submodule|docs|documentation|comment|help|requirements))/i;
const SKIPPED_ANYWHERE =
  /\b(typos?|spelling|misspell\w*|grammar|whitespace|white space|indentation|reformat\w*|formatting|changelog|copyright|license|javadocs?|pep-?8\w*|flake8|checkstyle|eslint|jshint|prettier|rustfmt|gofmt|clippy|pylint|mypy|isort|pmd|findbugs|spotbugs|docstrings?|readme|bumps?|dependabot|renovate|lint\w*|travis|appveyor|coverage|comments? only|fix comments?|add comments?|trailing spaces?|changeset|versionadded|docs?|severity description|wip|findings|ternary|sort members|clang-format|codespell|nits?)\b/i;
const TRAILER =
  /^\s*([A-Z][A-Za-z]+-)+[A-Za-z]+:|^\s*(git-svn-id|cc|fixes|closes|resolves|refs?|see|issue|pr|bug|tested|change-id|fix):?\s*[#:h]/i;
const ISSUE =
  /\b(?:GH-?|PR\s*#?|issues?\s*#?|pull\s*#?|[A-Z]{2,8}-)\d+\b:?|(?<![\w.-])(?:[\w.-]{1,40}(?:\/[\w.-]{1,60})?)?#\d+:?/gi;
const ISSUE_VERB = /\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see|re):?(?=\s*(?:[,.;)\]]|$))/gi;
const URL = /\bhttps?:\/\/\S+/g;
const FILE_NAME =
  /(?:[\w.@-]+\/)*[\w@-]+\.(?:py|jsx?|tsx?|mjs|cjs|go|rs|java|c|h|cc|cpp|hpp|rb|md|rst|txt|toml|ya?ml|json|xml|html)\b(?!\()/g;

/** The goal a commit message states, or undefined when it states none that its changed lines could answer. */
export function goalOfMessage(message: string): CommitGoal | undefined {
  const [first = '', ...rest] = message.replaceAll('\r', '').trim().split('\n');
  if (SKIPPED_TYPE.test(first) || SKIPPED_START.test(first) || SKIPPED_ANYWHERE.test(first)) return undefined;
  const subject = clean(first.replace(/^(\[[^\]]*\]\s*)+/, '').replace(CHANGE_TYPE, ''));
  if (SKIPPED_START.test(subject) || subject.length > 200) return undefined;
  const body = clean(firstParagraph(rest));
  const goal = body === '' ? subject : `${subject}${/[.!?]$/.test(subject) ? '' : '.'} ${body}`;
  if (informativeWords(subject).size === 0 || informativeWords(goal).size < MIN_WORDS) return undefined;
  return { subject, goal };
}

/** The first paragraph of prose; lists of squashed commits, quotes, code and trailers are no prose. */
function firstParagraph(lines: readonly string[]): string {
  let paragraph: string[] = [];
  for (const line of lines) {
    if (TRAILER.test(line)) {
      if (paragraph.length > 0) break;
    } else if (line.trim() === '') {
      if (paragraph.length > 0) break;
    } else if (/^\s*([*\-+>]|\d+[.)]|#|```|---)/.test(line)) {
      break;
    } else paragraph.push(line.trim());
  }
  const text = paragraph.join(' ');
  if (SKIPPED_TYPE.test(text) || /^(merge|co-authored|signed)/i.test(text)) return '';
  return text.length <= MAX_BODY ? text : text.slice(0, text.lastIndexOf(' ', MAX_BODY));
}

function clean(text: string): string {
  return text
    .replace(URL, '')
    .replace(ISSUE, '')
    .replace(FILE_NAME, '')
    .replace(/:[a-z0-9_+]+:(?=\s|$)/g, '')
    .replace(/[\p{Extended_Pictographic}\uFE0F]/gu, '')
    .replace(ISSUE_VERB, '')
    .replace(/\(\s*[,;]*\s*\)|\[\s*\]|``+|\(\s*$/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/^[\s\-–:,.;*]+|[\s\-–:,;]+$/g, '');
}
