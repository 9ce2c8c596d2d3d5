import { stripHidden } from '../safety/hidden.ts';
import type { UpstreamServer } from './server.ts';

const MAX_PURPOSE = 160;
const MAX_NAMES = 12;

/** One line on what a server is for: as it was configured, as the server says, or else the names of its tools. */
export function purposeOf({
  config,
  about,
  tools,
}: Pick<UpstreamServer, 'about' | 'tools'> & {
  readonly config: Pick<UpstreamServer['config'], 'description'>;
}): string {
  const said = firstSentence(config.description ?? about());
  if (said !== '') return said;
  const names = tools().map(({ name }) => name);
  return names.slice(0, MAX_NAMES).join(', ').slice(0, MAX_PURPOSE);
}

/** Without headings, marks of lists and what nobody sees. */
function firstSentence(text: string): string {
  const line = stripHidden(text)
    .split('\n')
    .map((part) => part.replace(/^[\s#>*-]+/, '').trim())
    .find((part) => part !== '' && !part.startsWith('<'));
  const end = line?.search(/[.!?](?:\s|$)/) ?? -1;
  return (end > 0 ? line?.slice(0, end) : line)?.replaceAll(/\s+/g, ' ').slice(0, MAX_PURPOSE) ?? '';
}
