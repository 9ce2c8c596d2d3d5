import { Buffer } from 'node:buffer';
import { endProcess, environmentOf, isRunning, noteProcess, type ProcessRef, waitForEnd } from '@jeeves/process';
import type { LogLine } from '@jeeves/protocol';
import { followEventFile } from './eventFile.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ServerReport } from './provider.ts';

export interface ServerWatch {
  /** Reads what servers have said by now, so that it stands before what comes next. */
  readonly look: () => void;
  /** What a provider says of the server. */
  readonly report: (report: ServerReport) => void;
  /** From here on the end of a server is nothing to worry about. */
  readonly phaseOver: () => void;
  /** Ends every server that is still there, and reads their last words. */
  readonly clear: () => Promise<void>;
}

export interface ServerWatchOptions {
  readonly lifecycle: Lifecycle;
  readonly eventFile: string;
  readonly root: string;
  readonly onLine: (line: LogLine) => void;
  readonly onEscalated: (pid: number) => void;
  /** A server that was there to the end was ended before it could say so. */
  readonly onStopped?: ((durationMs: number) => void) | undefined;
  /** How long a server may take to leave by itself, and then to follow a signal. */
  readonly patience?: Patience;
}

interface Patience {
  readonly leaveMs: number;
  readonly graceMs: number;
}

const CHECK_MS = 250;
// A server whose input has ended needs two seconds at most to put its children away.
const PATIENCE: Patience = { leaveMs: 3000, graceMs: 1000 };

/**
 * Puts together what providers, servers and the system say. Clients miss a lot: Claude starts a dead server again without
 * a word, Codex is silent about one that never started.
 */
export function watchServers(options: ServerWatchOptions): ServerWatch {
  const { lifecycle, eventFile, root, onLine } = options;
  const servers = new Map<number, { readonly process: ProcessRef; missing: number; stopped: boolean }>();
  let starts = 0;
  let silentSince: number | undefined;
  let reports = 0;
  let over = false;
  function note(pid: unknown): void {
    if (typeof pid !== 'number' || servers.has(pid)) return;
    // Agents can write to the file, too: what it names is ended only if it is a server of this run.
    const process = hasVariable(pid, 'JEEVES_EVENT_FILE', eventFile) ? noteProcess(pid) : undefined;
    if (process !== undefined) servers.set(process.pid, { process, missing: 0, stopped: false });
  }
  const lost = (message: string): void => {
    if (!over) lifecycle.send({ type: 'server_lost', reason: 'exited', message });
  };
  const file = followEventFile(eventFile, (line) => {
    onLine(line);
    if (line.event === 'mcp_pruner.stopped') {
      silentSince = undefined;
      for (const server of servers.values()) server.stopped = true;
    }
    if (line.event !== 'mcp_pruner.ready') return;
    starts += 1;
    silentSince = Date.parse(line.ts);
    note(line.data?.['pid']);
    if (starts > 1) lost('the server was started a second time');
  });
  const timer = setInterval(() => {
    for (const server of servers.values()) {
      server.missing = isRunning(server.process) ? 0 : server.missing + 1;
      // Twice, so that what a server said at its end has been read.
      if (server.missing === 2 && !server.stopped) lost('the server’s process is gone');
    }
  }, CHECK_MS);
  return {
    look: file.drain,
    report(found) {
      if (found.status === 'ready') {
        note(found.pid);
        reports += 1;
        if (reports > 1) lost('the server was started a second time');
        else lifecycle.send({ type: 'server_ready', root, pid: found.pid });
      } else if (found.status === 'failed') lifecycle.send({ type: 'start_failed', message: found.message });
      else if (found.status === 'died' && !over) lifecycle.send({ type: 'server_lost', ...withoutStatus(found) });
    },
    phaseOver() {
      over = true;
      clearInterval(timer);
    },
    async clear() {
      file.drain();
      await Promise.all([...servers.values()].map(({ process }) => end(process, options)));
      file.stop();
      // Codex kills its servers when it is done.
      const lasted = silentSince !== undefined && lifecycle.state === 'run:mcp_pruner_running';
      if (lasted) options.onStopped?.(Math.max(0, Date.now() - (silentSince ?? 0)));
    },
  };
}

async function end(process: ProcessRef, { onEscalated, patience = PATIENCE }: ServerWatchOptions): Promise<void> {
  if (await waitForEnd(process, patience.leaveMs)) return;
  const { escalated } = await endProcess(process, patience.graceMs);
  if (escalated) onEscalated(process.pid);
}

function withoutStatus({
  reason,
  message,
  exitCode,
  signal,
}: Extract<ServerReport, { status: 'died' }>): Omit<Extract<ServerReport, { status: 'died' }>, 'status' | 'server'> {
  return { reason, message, exitCode, signal };
}

/** Whether a process was given this variable. Where nobody can tell, its word is taken. */
function hasVariable(pid: number, name: string, value: string): boolean {
  const environment = environmentOf(pid);
  if (environment === undefined) return process.platform !== 'linux';
  return Buffer.concat([Buffer.from([0]), environment]).includes(`\0${name}=${value}\0`);
}
