/**
 * The marker grammar: the lines that stand where lines were removed. Safe in a browser.
 *
 * canonical  ⟦PRUNÉ: prune_id=<id> lignes <a>-<b> (<n>) raison=<reason>⟧
 * compact    ⟦pruned <a>-<b> (<n> lines)⟧            and one closing line ⟦prune_id=<id> · recover_text restores any range⟧
 *                                                     or, at a prompt,   ⟦jeeves recover <id> --lines <a>-<b>⟧
 * directives ⟦NO_PRUNE_BEGIN⟧ … ⟦NO_PRUNE_END⟧       written by people, to protect what is between
 */

/** Why a gap was cut. Closed: what a marker says never comes from the text or the goal. */
export type GapReason = 'off_goal' | 'repeated' | 'blank';

/** What the canonical marker, which is French, says for each reason. */
export const REASON_TEXTS: Readonly<Record<GapReason, string>> = {
  off_goal: 'hors focus',
  repeated: 'lignes répétées',
  blank: 'lignes vides',
};

export type MarkerStyle = 'canonical' | 'compact';

/** A removed block of lines, numbered as in the original text. */
export interface GapRange {
  readonly startLine: number;
  readonly endLine: number;
}

export interface CanonicalMarker extends GapRange {
  readonly style: 'canonical';
  readonly pruneId: string;
  readonly lineCount: number;
  /** Opaque: for people and audits only. */
  readonly reason: string;
}

export interface CompactMarker extends GapRange {
  readonly style: 'compact';
  readonly lineCount: number;
}

export const NO_PRUNE_BEGIN = '⟦NO_PRUNE_BEGIN⟧';
export const NO_PRUNE_END = '⟦NO_PRUNE_END⟧';

const CANONICAL = /^⟦PRUNÉ: prune_id=([^\s]+) lignes (\d+)-(\d+) \((\d+)\) raison=(.*)⟧$/;
const COMPACT = /^⟦pruned (\d+)-(\d+) \((\d+) lines?\)⟧$/;
const CLOSING = /^⟦prune_id=([^\s]+) · recover_text restores any range⟧$/;
const SHELL_CLOSING = /^⟦jeeves recover ([^\s]+) --lines \d+-\d+⟧$/;
const LOOKS_LIKE_ONE = /^\s*⟦(?:PRUNÉ:|pruned \d|prune_id=|jeeves recover |NO_PRUNE_)/;

export function formatCanonical(pruneId: string, gap: GapRange, reason: GapReason): string {
  const count = gap.endLine - gap.startLine + 1;
  return `⟦PRUNÉ: prune_id=${pruneId} lignes ${gap.startLine}-${gap.endLine} (${count}) raison=${REASON_TEXTS[reason]}⟧`;
}

export function formatCompact(gap: GapRange): string {
  const count = gap.endLine - gap.startLine + 1;
  return `⟦pruned ${gap.startLine}-${gap.endLine} (${count} ${count === 1 ? 'line' : 'lines'})⟧`;
}

/** The one line behind a pruned tool output that says how to get any of it back. */
export function formatClosing(pruneId: string): string {
  return `⟦prune_id=${pruneId} · recover_text restores any range⟧`;
}

/** The same for a person at a prompt: the command that gives the named lines back, and by its options any others. */
export function formatShellClosing(pruneId: string, { startLine, endLine }: GapRange): string {
  return `⟦jeeves recover ${pruneId} --lines ${startLine}-${endLine}⟧`;
}

/** Reads a marker back, or gives undefined. A parsed marker proves nothing: compare its id with the result's own. */
export function parseMarker(line: string): CanonicalMarker | CompactMarker | undefined {
  const canonical = CANONICAL.exec(line);
  if (canonical !== null) {
    const [, pruneId = '', start, end, count, reason = ''] = canonical;
    return {
      style: 'canonical',
      pruneId,
      startLine: Number(start),
      endLine: Number(end),
      lineCount: Number(count),
      reason,
    };
  }
  const compact = COMPACT.exec(line);
  if (compact === null) return undefined;
  const [, start, end, count] = compact;
  return { style: 'compact', startLine: Number(start), endLine: Number(end), lineCount: Number(count) };
}

/** The prune id of a closing line, or undefined. */
export function parseClosing(line: string): string | undefined {
  return (CLOSING.exec(line) ?? SHELL_CLOSING.exec(line))?.[1];
}

/** Whether a line of the input could be taken for one of ours. Such lines are ordinary text, worth a warning. */
export function looksLikeMarker(line: string): boolean {
  return LOOKS_LIKE_ONE.test(line.slice(0, 200));
}
