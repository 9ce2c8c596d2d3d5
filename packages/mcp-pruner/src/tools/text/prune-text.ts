import { Buffer } from 'node:buffer';
import type { RecoveryStore } from '@jeeves/engine';
import {
  fromPruneTextInput,
  PRUNE_TEXT,
  type PruneTextArgs,
  type PruneTextResult,
  toPruneTextResult,
} from '@jeeves/protocol';
import { capUtf8 } from '../../exec/truncate.ts';
import type { Tool, ToolOutcome } from '../../host/tool.ts';
import { size } from '../size.ts';
import type { TextService } from './service.ts';

export interface PruneTextDependencies {
  readonly text: TextService;
  /** Where raw texts are kept; the service's own store when absent. */
  readonly store?: RecoveryStore;
  readonly now: () => number;
}

/** `prune_text`: canonical markers, and nothing but ratio, minimum and protection decides what goes. */
export function createPruneText({ text, store, now }: PruneTextDependencies): Tool<PruneTextArgs> {
  return {
    definition: PRUNE_TEXT,
    async run(call) {
      const { args, emit } = call;
      const started = now();
      const request = { ...fromPruneTextInput(args), markers: 'canonical', worthwhileGaps: false } as const;
      const result = toPruneTextResult(await text.prune(request, { store, signal: () => call.signal }));
      text.tally.add(result);
      const duration_ms = Math.max(0, now() - started);
      emit({ event: 'tool.exec_ok', data: { tool: PRUNE_TEXT.name, duration_ms, bytes: size(args.text) } });
      return outcome(result);
    },
  };
}

function outcome(result: PruneTextResult): ToolOutcome {
  return {
    text: JSON.stringify(result),
    structured: result,
    isError: false,
    mode: result.annotations.length > 0 ? 'pruned' : 'raw',
    shrink: (bytes) => outcome(cut(result, bytes)),
  };
}

/** A reply that is too large for its transport loses whole lines from its end; they are still recoverable. */
function cut(result: PruneTextResult, bytes: number): PruneTextResult {
  const rest = Buffer.byteLength(JSON.stringify({ ...result, pruned_text: '' }));
  const capped = capUtf8(result.pruned_text, Math.max(0, bytes - rest)).text;
  const pruned_text = capped.slice(0, capped.lastIndexOf('\n') + 1);
  const warnings = result.warnings.filter((warning) => warning !== 'reply_truncated');
  return { ...result, pruned_text, warnings: [...warnings, 'reply_truncated'] };
}
