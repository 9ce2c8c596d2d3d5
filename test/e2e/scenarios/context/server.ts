import type { SearchStashedResult, SegmentInfo, WorkingSetResult } from '@jeeves/protocol';
import { afterAll } from 'vitest';
import {
  cleanUp,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../packages/mcp-pruner/test/harness.ts';
import { type Described, descriptors } from './described.ts';

/** The real program with the context tools, from the other end of its pipes. */
export interface ContextServer {
  readonly process: ServerProcess;
  /** Calls `context_<name>` and gives what it answered, errors of the tool included. */
  readonly ask: <Answer>(name: string, args?: object) => Promise<Answer & { isError?: boolean }>;
  /** Tells the server of these segments. */
  readonly tell: (project_id: string, segments: readonly Described[]) => Promise<void>;
  readonly working: (project_id: string) => Promise<readonly SegmentInfo[]>;
  /** Ids of what the stash has, in alphabetical order. */
  readonly stashed: (project_id: string) => Promise<string[]>;
  /** As a crash does it. */
  readonly kill: () => Promise<void>;
}

export interface ContextServerOptions {
  readonly store?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly client?: string;
}

/** To be called once in a file whose tests start servers. */
export function cleanUpAfterwards(): void {
  afterAll(cleanUp);
}

export async function startContext(options: ContextServerOptions = {}): Promise<ContextServer> {
  const env = { JEEVES_STORE: options.store ?? 'memory:', ...options.env };
  const process = await startServer({ args: ['--tools', 'context'], env, client: options.client ?? 'harness' });
  const ask: ContextServer['ask'] = async <Answer>(name: string, args: object = {}) => {
    const { structuredContent, isError } = await process.call(`context_${name}`, args);
    return { ...(structuredContent as Answer), ...(isError === true && { isError }) };
  };
  return {
    process,
    ask,
    tell: async (project_id, segments) => {
      await ask('analyze_usage', { project_id, context_descriptors: descriptors(segments) });
    },
    working: async (project_id) => (await ask<WorkingSetResult>('get_working_set', { project_id })).segments,
    stashed: async (project_id) => idsOf((await ask<SearchStashedResult>('search_stashed', { project_id })).segments),
    kill: async () => {
      process.child.kill('SIGKILL');
      await process.exit;
    },
  };
}

export function idsOf(segments: readonly { readonly segment_id: string }[]): string[] {
  return segments.map(({ segment_id }) => segment_id).sort((a, b) => (a < b ? -1 : 1));
}

/** A store of its own that outlives the server. */
export function freshStore(): string {
  return `sqlite:${temporaryDirectory()}/jeeves.db`;
}
