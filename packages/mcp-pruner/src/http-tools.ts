import { TOOL_SETS } from '@jeeves/protocol';
import type { HostOptions } from './host/options.ts';

/**
 * What is served to a caller with the token, and to one without. A shell is for callers with the token, and where
 * nobody can tell whose a connection is, so are files and stashed texts: any user of the machine could ask for them.
 * Others are not even told that these tools exist.
 */
export function hostFor(all: HostOptions, ownersKnown: boolean): (trusted: boolean) => HostOptions {
  const text = new Set(TOOL_SETS.text.map(({ name }) => name));
  const isOpen = (name: string): boolean => (ownersKnown ? name !== 'bash' : text.has(name));
  const open = { ...all, tools: all.tools.filter(({ definition }) => isOpen(definition.name)) };
  return (trusted) => (trusted ? all : open);
}
