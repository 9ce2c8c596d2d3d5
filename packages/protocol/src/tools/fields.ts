import * as z from 'zod';

// Arguments that several tools share. `description` is listed to agents and paid for on every request;
// `doc` is for the reference pages only and is taken out of the listing.

// A NUL cannot be part of a path or of a program's argument, so no disk is needed to refuse it.
export const NUL_FREE: z.ZodString = z.string().regex(/^[^\0]*$/, 'contains a NUL character');

/** As long as a path can be on any system this runs on. */
export const PATH: z.ZodString = NUL_FREE.min(1).max(4096);

/** Text that becomes one argument of a child process. */
export function processText(maxChars: number): z.ZodString {
  return NUL_FREE.min(1).max(maxChars);
}

/** A goal in words. The limit counts what was sent; what remains after trimming must not be empty. */
export const GOAL: z.ZodType<string> = z.string().max(1000).trim().min(1);

export const FOCUS_QUESTION: z.ZodType<string | undefined> = GOAL.optional().meta({
  description:
    'What you need from the output, as one complete, self-contained, specific question; no file names or line numbers. Lines that do not serve it are left out and marked; recover_text restores them. Pass it when output may be long; omit it for small outputs or when every line matters.',
});

export const MAX_OUTPUT_BYTES: z.ZodType<number | undefined> = z.int().min(1024).max(10_485_760).optional().meta({
  doc: 'Cuts the raw output to this many UTF-8 bytes before it is pruned; what is cut off is lost. Without it up to 64 MiB are captured and stay recoverable, and what is shown without a question is cut in the middle at 1 MiB, at 40,000 bytes for Claude Code and Codex.',
});

/** The tokens that the reader of a pruned output wants to spend on it. */
export const MAX_TOKENS: z.ZodType<number | undefined> = z.int().min(100).max(20_000).optional().meta({
  doc: 'The most tokens (o200k) a pruned reply may take, markers and closing line included. Without it 4,000; 2,400 for Codex.',
});

export const TIMEOUT_MS: z.ZodType<number> = z
  .int()
  .min(100)
  .max(300_000)
  .default(30_000)
  .meta({ doc: 'After this time the command and every process it started are killed; what was captured is returned.' });

export const CWD: z.ZodType<string | undefined> = PATH.optional().meta({
  doc: 'Working directory, inside the root. Defaults to the root.',
});

/** Name of a project, task or segment. Never a path: any text without NUL will do. */
export const ID: z.ZodString = NUL_FREE.min(1).max(256);
