// The public surface of `@jeeves/engine/terms`: how a text is taken apart into words, for indexes that must agree on them.
export { STOP_WORDS } from '../backends/embedded/stop-words.ts';
export { TermScanner } from './scanner.ts';
