import { estimateTokens } from '@jeeves/engine';
import type { Event } from './transcript.ts';

const SYSTEM_TOKENS = 3000;
const PREVIEW_CHARS = 160;

/** An agent's platform: it owns the window, describes it, and does with it what it thinks right. */
export class Platform {
  readonly limit: number;
  /** When the transcript began, in milliseconds. */
  readonly start: number;
  readonly window = new Map<string, Event>();

  constructor(limit: number, start: number) {
    this.limit = limit;
    this.start = start;
  }

  take(events: readonly Event[]): void {
    for (const event of events) this.window.set(event.id, event);
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.window.delete(id);
  }

  get tokens(): number {
    return [...this.window.values()].reduce((sum, { text }) => sum + estimateTokens(text), SYSTEM_TOKENS);
  }

  /** What the seed has a platform send. */
  describe(task: string, currentFile: string): object {
    const events = [...this.window.values()];
    return {
      token_usage: { current: this.tokens, limit: this.limit },
      current_file: { path: currentFile },
      task_info: { task_id: task },
      recent_messages: events
        .filter(({ type }) => type === 'message')
        .map(({ id, role, text, minute }) => ({ segment_id: id, role, content: text, timestamp: this.#time(minute) })),
      segment_summaries: events
        .filter(({ type }) => type !== 'message')
        .map(({ id, type, text, file, minute }) => ({
          segment_id: id,
          type,
          preview: text.slice(0, PREVIEW_CHARS) + (type === 'log' ? text.slice(-40) : ''),
          tokens: estimateTokens(text),
          created_at: this.#time(minute),
          file_path: file,
        })),
    };
  }

  #time(minute: number): string {
    return new Date(this.start + minute * 60_000).toISOString();
  }
}
