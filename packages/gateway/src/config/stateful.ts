import type { ServerConfig } from './server.ts';

/** Words that servers with pages, sessions or variables to lose have in their names. */
const HOLDERS =
  /(?:^|[^a-z])(?:playwright|puppeteer|selenium|browser|browserbase|chrome|chromium|firefox|stagehand|shell|terminal|tmux|ssh|bash|repl|jupyter|notebook|ipython|desktop-commander|iterm|debugger|gdb|lldb)(?:[^a-z]|$)/;

/** Browsers, shells and the like: what they hold is why they are used, so they are not stopped for resting. */
export function isKnownToHoldState(name: string, target: ServerConfig['target']): boolean {
  // Only the words that say which program it is: a path among the later arguments may hold anything.
  const words = target.kind === 'http' ? [] : [target.command, ...target.args.filter((word) => !word.startsWith('-'))];
  return [name, ...words.slice(0, MAX_WORDS)].some((word) => HOLDERS.test(programOf(word).toLowerCase()));
}

const MAX_WORDS = 3;

/** `@playwright/mcp@latest` is a package and `/usr/bin/tmux` a path: of a path only the last part names the program. */
function programOf(word: string): string {
  return /^(?:\/|[A-Za-z]:\\|\.)/.test(word) ? (word.split(/[/\\]/).at(-1) ?? '') : word;
}
