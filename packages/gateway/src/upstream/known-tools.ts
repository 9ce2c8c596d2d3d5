import type { Emit } from '@jeeves/protocol';
import type { ServerConfig } from '../config/server.ts';
import { hidingTools, originalsOf, pinNew, toTools } from './definitions.ts';
import { messageOf } from './failure.ts';
import type { ServerState, StateStore } from './state.ts';
import type { UpstreamTool } from './upstream.ts';

/** What is known of one server's tools. */
export interface KnownTools {
  readonly tools: () => readonly UpstreamTool[];
  /** Whether the server was ever listed under this configuration. */
  readonly known: () => boolean;
  /** What the server says it is for; empty when it says nothing, or was never asked. */
  readonly about: () => string;
  /** When that was, in milliseconds since the epoch; 0 when never. */
  readonly listedAt: () => number;
  /** Reads what an earlier process remembered. */
  readonly load: () => Promise<void>;
  /** Takes a fresh list over and remembers it. */
  readonly update: (listed: readonly unknown[], about: string) => Promise<void>;
}

export interface KnownToolsOptions {
  readonly config: ServerConfig;
  readonly state: StateStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly emit: Emit;
  readonly onChanged: () => void;
}

export function createKnownTools({ config, state, now, emit, onChanged }: KnownToolsOptions): KnownTools {
  let remembered: ServerState | undefined;
  let tools: readonly UpstreamTool[] = [];
  const reported = new Set<string>();

  function take(next: ServerState): void {
    const before = tools;
    remembered = next;
    tools = toTools(config, next.listed, next.pins, next.originals);
    for (const tool of tools) {
      const known = before.some(({ hash, changed }) => changed && hash === tool.hash);
      if (tool.changed && !known) {
        const { name, withheld } = tool;
        emit({
          event: 'gateway.tool_changed',
          data: { server: config.name, tool: name, ...(withheld && { withheld }) },
        });
      }
    }
    if (!isSame(before, tools)) onChanged();
  }

  async function update(listed: readonly unknown[], about: string): Promise<void> {
    // Another gateway may have seen some of them first.
    const elsewhere = await state.read(config);
    const pins = { ...remembered?.pins, ...elsewhere?.pins };
    const fresh = toTools(config, listed, pins);
    const originals = originalsOf(fresh, tools, { ...remembered?.originals, ...elsewhere?.originals });
    const next = { listed, pins: pinNew(fresh, pins), originals, listedAt: now(), about };
    take(next);
    const data = { server: config.name, tools: tools.length, left_out: listed.length - tools.length };
    emit({ event: 'gateway.upstream_listed', data });
    for (const tool of hidingTools(config, listed)) {
      if (!reported.has(tool)) emit({ event: 'gateway.tool_cleaned', data: { server: config.name, tool } });
      reported.add(tool);
    }
    try {
      await state.write(config, next);
    } catch (error) {
      const message = `its definitions cannot be remembered: ${messageOf(error)}`;
      emit({ event: 'gateway.upstream_failed', data: { server: config.name, message } });
    }
  }

  return {
    tools: () => tools,
    known: () => remembered !== undefined,
    about: () => remembered?.about ?? '',
    listedAt: () => remembered?.listedAt ?? 0,
    load: async () => {
      const found = await state.read(config);
      if (found !== undefined && remembered === undefined) take(found);
    },
    update,
  };
}

function isSame(before: readonly UpstreamTool[], after: readonly UpstreamTool[]): boolean {
  return (
    before.length === after.length &&
    before.every(
      ({ hash, changed, withheld }, at) =>
        after[at]?.hash === hash && after[at].changed === changed && after[at].withheld === withheld,
    )
  );
}
