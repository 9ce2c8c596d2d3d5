import { CODE } from './code.ts';
import { DATA } from './data.ts';
import { DIFF } from './diff.ts';
import { DOCS } from './docs.ts';
import { HTML } from './html.ts';
import type { Kind } from './kind.ts';
import { LOGS } from './logs.ts';
import { TABLE } from './table.ts';

/** Kinds that are recognised by what they look like, in this order; any other text is told by counting its lines. */
export const SPECIAL: readonly Kind[] = [DIFF, HTML, TABLE, DATA];

/** The kind of a text of which only the source is known. */
export const BY_SOURCE: Readonly<Record<Kind['source'], Kind>> = { code: CODE, logs: LOGS, docs: DOCS };
