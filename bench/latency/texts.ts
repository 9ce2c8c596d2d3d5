import type { SourceType } from '@jeeves/engine';
import { loadCorpus } from '../../test/corpus/corpus.ts';

/** A text of so many real lines of the corpus; each round of them is a little different, as real files are. */
export function sampleText(source: SourceType, size: number): string {
  const files = new Map(
    loadCorpus()
      .filter((entry) => entry.source === source)
      .map((entry) => [entry.file, entry.text]),
  );
  const lines = [...files.values()].flatMap((text) => text.split(/\r?\n/));
  let text = '';
  for (let at = 0; at < size; at += 1) {
    const round = Math.floor(at / lines.length);
    text += `${lines[at % lines.length] ?? ''}${round > 0 && at % 7 === 0 ? ` v${round}x` : ''}\n`;
  }
  return text;
}
