import { join } from 'node:path';
import {
  callFacts,
  type JeevesEvent,
  type LogLine,
  type ProviderEvent,
  type ResponseRetrieval,
  type RunFile,
  type SdkOutput,
  type ToolResultEvent,
  toLogLine,
} from '@jeeves/protocol';
import { append, makeDirectory, remove, writeJson, writeWhole } from './files.ts';
import { describeEvent, describeLine, type LogTag, logEntry } from './runLog.ts';
import { createSdkOutput, type Ending } from './sdkOutput.ts';
import { summarise } from './summarise.ts';
import { writeToolOutput } from './toolRaw.ts';

/** Who says what a line of `events.jsonl` says. */
type Speaker = 'runner' | 'server' | 'agent';

/** A run's directory while the run goes on. */
export interface RunRecord {
  readonly directory: string;
  /** Where servers add their events; collected from there into `events.jsonl`. */
  readonly eventFile: string;
  readonly runner: (event: JeevesEvent) => void;
  readonly server: (line: LogLine) => void;
  readonly agent: (event: ProviderEvent) => void;
  readonly note: (tag: LogTag, text: string) => void;
  readonly writeRun: (run: RunFile) => void;
  readonly finish: (ending: Ending) => SdkOutput;
  /** Why the record is not complete. */
  readonly problem: () => string | undefined;
}

const WRITE_EVERY_MS = 750;

/**
 * A disk that fills up costs the record, never the agent's work: what cannot be written is left out. Only a directory
 * that cannot be used from the start is an error.
 *
 * Opens an empty record: `events.jsonl`, `last-run.log`, `sdk-output.json`, `run.json` and `tool-raw/`.
 */
export function openRecord(directory: string, now: () => number): RunRecord {
  makeDirectory(directory);
  const paths = {
    events: join(directory, 'events.jsonl'),
    log: join(directory, 'last-run.log'),
    sdk: join(directory, 'sdk-output.json'),
    run: join(directory, 'run.json'),
  };
  const eventFile = join(directory, 'server-events.jsonl');
  for (const path of [eventFile, join(directory, 'tool-raw')]) remove(path);
  for (const path of [paths.events, paths.log]) writeWhole(path, '');
  const output = createSdkOutput(now());
  let written = 0;
  let problem: string | undefined;
  function attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error);
    }
  }
  const note = (tag: LogTag, text: string): void => attempt(() => append(paths.log, logEntry(now(), tag, text)));
  const keep = (speaker: Speaker, line: LogLine): void =>
    attempt(() => append(paths.events, `${JSON.stringify({ ...line, source: speaker })}\n`));

  function agent(event: ProviderEvent): void {
    const kept = event.type === 'tool_result' ? answer(event) : event;
    if (event.type !== 'tool_result') output.add(event);
    const { tag, text } = describeEvent(kept, kept.type === 'tool_result' ? (kept.response_text ?? '') : '');
    note(tag, text);
    keep('agent', { ts: timeOf(event, now()), level: 'info', event: `agent.${event.type}`, data: { ...kept } });
    if (now() - written < WRITE_EVERY_MS) return;
    written = now();
    attempt(() => writeJson(paths.sdk, output.build(now())));
  }

  /** The result as it is kept, with what people are shown of it. */
  function answer(event: ToolResultEvent): ToolResultEvent {
    const call = output.callOf(event.toolUseId);
    const facts = call === undefined ? undefined : callFacts(call.name, call.input);
    const summary = summarise({
      content: event.content,
      isError: event.isError ?? false,
      command: facts?.kind === 'command' ? facts.target : undefined,
    });
    let retrieval: ResponseRetrieval = { status: 'not_applicable', not_applicable_reason: 'it could not be written' };
    attempt(() => {
      retrieval = writeToolOutput(directory, event.toolUseId, event.content);
    });
    output.answer({ event, summary, retrieval });
    return {
      ...event,
      response_text: summary.text,
      response_truncated: summary.truncated,
      response_compression: summary.compression,
      ...(event.structured !== undefined && { structured: withoutText(event.structured) }),
    };
  }

  return {
    directory,
    eventFile,
    note,
    agent,
    runner(event) {
      const line = toLogLine(event, new Date(now()));
      keep('runner', line);
      note('MCP', describeLine(line));
    },
    server: (line) => keep('server', line),
    writeRun: (run) => attempt(() => writeJson(paths.run, run)),
    finish(ending) {
      const last = output.build(now(), ending);
      attempt(() => writeJson(paths.sdk, last));
      return last;
    },
    problem: () => problem,
  };
}

const ABOUT_OUTPUT = new Set(['tool', 'error', 'truncated', 'pruning', 'metadata']);

/** What a tool said of its output; the output itself is there already. */
function withoutText(structured: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(structured).filter(([name]) => ABOUT_OUTPUT.has(name)));
}

function timeOf(event: ProviderEvent, now: number): string {
  return 'timestamp' in event ? event.timestamp : new Date(now).toISOString();
}
