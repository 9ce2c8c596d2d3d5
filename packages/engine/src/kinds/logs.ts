import { type Kind, loose } from './kind.ts';

/** Logs and test runs: every line for itself, since indentation there is decoration, not scope. */
export const LOGS: Kind = { name: 'logs', source: 'logs', structure: (lines) => loose(lines.length) };
