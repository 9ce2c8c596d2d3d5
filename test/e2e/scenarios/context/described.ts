/** A described segment, with the least that a test has to say about it. */
export interface Described {
  readonly segment_id: string;
  readonly type?: string;
  readonly preview?: string;
  readonly tokens?: number;
  readonly created_at?: string;
  readonly task_id?: string;
  readonly file_path?: string;
  readonly topic_id?: string;
  readonly tags?: readonly string[];
}

/** What a platform sends. */
export function descriptors(segments: readonly Described[], more: object = {}): object {
  const common = { type: 'log', tokens: 100 };
  return {
    token_usage: { current: 25_000, limit: 32_000 },
    segment_summaries: segments.map((segment) =>
      Object.assign({ preview: `preview of ${segment.segment_id}` }, common, segment),
    ),
    ...more,
  };
}

export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

/** Answers of which none is a minute older than the others: ages are told in whole minutes. */
export async function withinOneMinute<Answers>(ask: () => Promise<Answers>): Promise<Answers> {
  for (;;) {
    const minute = Math.floor(Date.now() / 60_000);
    const answers = await ask();
    if (Math.floor(Date.now() / 60_000) === minute) return answers;
  }
}
