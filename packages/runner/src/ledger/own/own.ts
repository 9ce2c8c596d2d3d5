import type { LedgerLimit, LedgerReader } from '@jeeves/protocol';
import type { CountTokens } from '../tokens.ts';
import { claudeTools } from './claude.ts';
import { codexTools } from './codex.ts';

/** What a tool found out before anybody shortened it. */
export interface Output {
  readonly kind: 'file' | 'command' | 'search';
  readonly raw: string;
  /** A range of a file's lines was asked for, not the file. */
  readonly partial: boolean;
  readonly failed: boolean;
}

/** What a model would have been shown of it. */
export interface Shown {
  readonly text: string;
  /** The limit that kept the rest away; absent when all of it is there. */
  readonly limit?: LedgerLimit | undefined;
}

/**
 * The tools that a client brings along. Savings count against what these would have shown, since clients shorten large
 * outputs themselves. Headings and line numbers that they add are left out: they would only flatter the comparison.
 */
export interface OwnTools {
  readonly reader: LedgerReader;
  readonly show: (output: Output, countTokens: CountTokens) => Shown;
  /** What the client passes on to its model of a reply of ours. */
  readonly passOn: (reply: string) => string;
}

/** Shows everything: the fake agent's own tools have no limits. */
const LIMITLESS: OwnTools = {
  reader: 'limitless',
  show: ({ raw }) => ({ text: raw }),
  passOn: (reply) => reply,
};

/** The tools of a provider's client; what a model is called decides how much Codex shows it. */
export function ownToolsOf(provider: string, model: string | undefined): OwnTools {
  if (provider === 'claude-agent-sdk') return claudeTools();
  return provider === 'codex' ? codexTools(model) : LIMITLESS;
}
