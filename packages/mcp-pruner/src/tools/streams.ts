import type { BashError, PruningMetadata } from '@jeeves/protocol';
import { capUtf8 } from '../exec/truncate.ts';
import type { PrunedOutput } from '../pruner.ts';
import { block } from './block.ts';
import { fit, size } from './fit.ts';

type StreamName = 'stdout' | 'stderr';
type Texts = Readonly<Record<StreamName, string>>;

/** What a command wrote: one stream after its pruning, the other as it came. */
export interface Written {
  readonly chosen: StreamName;
  readonly output: PrunedOutput;
  readonly other: string;
}

/** Both streams as they are shown. */
export interface Streams {
  readonly text: Texts;
  readonly structured: Texts;
  readonly pruning: PruningMetadata;
  readonly rawCut: boolean;
  readonly prunedCut?: string;
  readonly closing?: string;
}

/** Fits both streams into so many bytes, shared as the capture shares them: on contention a third is for stdout. */
export function showStreams({ chosen, output, other }: Written, bytes: number): Streams {
  const wanted = Math.max(size(output.text), size(output.structuredText));
  const [stdout, stderr] = chosen === 'stdout' ? [wanted, size(other)] : [size(other), wanted];
  const forStdout = Math.min(stdout, Math.max(Math.floor(bytes / 3), bytes - stderr));
  const forStderr = Math.min(stderr, bytes - forStdout);
  const fitted = fit(output, chosen === 'stdout' ? forStdout : forStderr);
  const rest = capUtf8(other, chosen === 'stdout' ? forStderr : forStdout);
  const { pruning, closing, prunedCut } = fitted;
  return {
    text: inPlace(chosen, fitted.text, rest.text),
    structured: inPlace(chosen, fitted.structuredText, rest.text),
    pruning,
    rawCut: fitted.rawCut || rest.truncated,
    ...(prunedCut !== undefined && { prunedCut }),
    ...(closing !== undefined && { closing }),
  };
}

function inPlace(chosen: StreamName, text: string, other: string): Texts {
  return chosen === 'stdout' ? { stdout: text, stderr: other } : { stdout: other, stderr: text };
}

interface Ending {
  readonly ended: BashError['error'] | undefined;
  /** The cap that the raw output exceeded. */
  readonly cutAt: number | undefined;
}

/** The streams for a model: what failed, stdout, stderr under its heading, the exit code, then the notices. */
export function streamsText({ text, prunedCut, closing }: Streams, { ended, cutAt }: Ending): string {
  return block(
    ended && `${ended.code}: ${ended.message}`,
    text.stdout,
    text.stderr === '' ? undefined : `[stderr]\n${text.stderr}`,
    ended?.exit_code === undefined ? undefined : `[exit code ${ended.exit_code}]`,
    cutAt === undefined
      ? undefined
      : `[output cut at ${cutAt} bytes; send it to a file and read that with start_line, or narrow the command]`,
    prunedCut,
    closing,
  );
}
