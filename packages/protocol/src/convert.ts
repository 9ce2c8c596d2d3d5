import { rpcError } from './errors.ts';
import { PRUNE_REASONS, type PruneStats, type PruneTextResult, type RecoverTextResult } from './results/text.ts';
import type { RpcErrorObject } from './rpc.ts';
import type { LineRange, PruneTextArgs, RecoverTextArgs } from './tools/text.ts';

/** A pruning as the engine reports it. Named by its shape: the contract does not depend on the engine. */
export interface PruneOutcome {
  readonly pruneId: string;
  readonly text: string;
  readonly gaps: readonly {
    readonly startLine: number;
    readonly endLine: number;
    readonly lineCount: number;
    readonly reason: string;
    readonly marker: string;
  }[];
  readonly stats: {
    readonly originalLines: number;
    readonly keptLines: number;
    readonly prunedLines: number;
    readonly prunedRatio: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly tokensMethod: 'o200k' | 'estimate';
    readonly elapsedMs: number;
    readonly usedFallback: boolean;
    readonly backend: string;
    readonly facts?: Readonly<Record<string, string | number | boolean>> | undefined;
  };
  readonly warnings: readonly string[];
}

/** Recovered lines as the engine reports them. */
export interface RecoverOutcome {
  readonly pruneId: string;
  readonly text: string;
  readonly ranges: readonly { readonly startLine: number; readonly endLine: number }[];
  /** A marker line stands between every two ranges. */
  readonly marked?: boolean | undefined;
  /** Set by who cut the text afterwards: the engine gives all that was asked for. */
  readonly truncated?: boolean | undefined;
}

/** An error as the engine throws it. */
export interface EngineFailure {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The arguments of `prune_text` in the engine's words. */
export interface PruneTextInput {
  readonly text: string;
  readonly goal: string;
  readonly source: 'code' | 'logs' | 'docs';
  readonly limits: { readonly maxPruneRatio: number; readonly minKeepLines: number };
  readonly timeoutMs: number;
  readonly annotateLines: boolean;
  readonly includeMarkers: boolean;
}

/** The arguments of `recover_text` in the engine's words; either `ranges` or `goal` is there. */
export interface RecoverTextInput {
  readonly pruneId: string;
  readonly ranges?: readonly { readonly startLine: number; readonly endLine: number }[];
  readonly goal?: string;
  readonly lineNumbers: boolean;
}

export function fromPruneTextInput(args: PruneTextArgs): PruneTextInput {
  const { options } = args;
  return {
    text: args.text,
    goal: args.goal_hint,
    source: args.source_type,
    limits: { maxPruneRatio: options.max_prune_ratio, minKeepLines: options.min_keep_lines },
    timeoutMs: options.timeout_ms,
    annotateLines: options.annotate_lines,
    includeMarkers: options.include_markers,
  };
}

export function fromRecoverTextInput(args: RecoverTextArgs): RecoverTextInput {
  return {
    pruneId: args.prune_id,
    ...(args.ranges && { ranges: args.ranges.map(fromLineRange) }),
    ...(args.query !== undefined && { goal: args.query }),
    lineNumbers: args.include_line_numbers,
  };
}

export function toPruneTextResult(outcome: PruneOutcome): PruneTextResult {
  return {
    prune_id: outcome.pruneId,
    pruned_text: outcome.text,
    annotations: outcome.gaps.map((gap) => ({
      kind: 'pruned_block',
      original_start_line: gap.startLine,
      original_end_line: gap.endLine,
      pruned_line_count: gap.lineCount,
      reason: toReason(gap.reason),
      marker: gap.marker,
    })),
    stats: toStats(outcome.stats),
    warnings: outcome.warnings,
  };
}

export function toRecoverTextResult(outcome: RecoverOutcome): RecoverTextResult {
  return {
    raw_text: outcome.text,
    metadata: {
      prune_id: outcome.pruneId,
      ranges: outcome.ranges.map((range) => ({ start_line: range.startLine, end_line: range.endLine })),
      line_numbering: 'original',
      ...(outcome.truncated === true && { truncated: true }),
    },
  };
}

/** A kept text as `jeeves prunes --json` names it. */
export interface PruneSummary {
  readonly prune_id: string;
  readonly bytes: number;
  /** When it was pruned, in ISO 8601. */
  readonly created_at: string;
  readonly goal?: string | undefined;
}

export function toPruneSummary(kept: {
  readonly pruneId: string;
  readonly bytes: number;
  readonly createdAt: number;
  readonly goal?: string;
}): PruneSummary {
  const { pruneId, bytes, createdAt, goal } = kept;
  return {
    prune_id: pruneId,
    bytes,
    created_at: new Date(createdAt).toISOString(),
    ...(goal !== undefined && { goal }),
  };
}

/** Why `recover_text` could not give lines back. Anything else the engine throws is a defect. */
export function toRecoverError({ code, data }: EngineFailure): RpcErrorObject {
  switch (code) {
    case 'prune_id_not_found':
    case 'recovery_unavailable':
      return rpcError(code, { prune_id: data['pruneId'] });
    case 'invalid_range':
      return rpcError(code, {
        start_line: data['startLine'],
        end_line: data['endLine'],
        max_line: data['maxLine'],
        ...(data['maxChars'] !== undefined && { max_chars: data['maxChars'] }),
      });
    default:
      return rpcError('internal_error');
  }
}

const USD_PER_TOKEN = 0.01 / 1_000_000;

function toStats(stats: PruneOutcome['stats']): PruneStats {
  const saved = stats.tokensBefore - stats.tokensAfter;
  return {
    original_lines: stats.originalLines,
    kept_lines: stats.keptLines,
    pruned_lines: stats.prunedLines,
    pruned_ratio: stats.prunedRatio,
    tokens_est_before: stats.tokensBefore,
    tokens_est_after: stats.tokensAfter,
    elapsed_ms: stats.elapsedMs,
    used_fallback: stats.usedFallback,
    backend: toBackendName(stats.backend),
    tokens_method: stats.tokensMethod,
    tokens_saved_est: saved,
    ...(stats.backend === 'deepinfra' && { cost_estimated_usd: toDollars(Math.max(0, saved)) }),
    ...toFacts(stats.facts ?? {}),
  };
}

// On the wire the engine in this process has one name, whichever way it judges.
function toBackendName(backend: string): string {
  return backend === 'lexical' || backend === 'learned' ? 'heuristic' : backend;
}

function toDollars(tokens: number): number {
  return Math.round(tokens * USD_PER_TOKEN * 1e8) / 1e8;
}

// Closed on purpose: a fact the contract does not name stays inside.
const FACTS: Readonly<Record<string, keyof PruneStats>> = {
  deepinfraLatencyMs: 'deepinfra_latency_ms',
  deepinfraDocsScored: 'deepinfra_docs_scored',
  deepinfraDocsTotal: 'deepinfra_docs_total',
  deepinfraHttpStatus: 'deepinfra_http_status',
  deepinfraCached: 'deepinfra_cached',
};

function toFacts(facts: Readonly<Record<string, string | number | boolean>>): Partial<PruneStats> {
  const named = Object.entries(facts).flatMap(([fact, value]) => {
    const name = FACTS[fact];
    return name === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(named) as Partial<PruneStats>;
}

function toReason(reason: string): string {
  const texts: Readonly<Record<string, string>> = PRUNE_REASONS;
  return texts[reason] ?? reason;
}

function fromLineRange(range: LineRange): { readonly startLine: number; readonly endLine: number } {
  return { startLine: range.start_line, endLine: range.end_line };
}
