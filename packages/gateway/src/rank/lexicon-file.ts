import lexicon from './lexicon.json' with { type: 'json' };

/** A line of related words: all of them alike, or some that `heads` imply. */
export interface RelatedLine {
  readonly heads: readonly string[];
  /** Absent when the heads mean nearly the same. */
  readonly others: readonly string[] | undefined;
}

/** The lines of related words. What they look like stands at the top of the file. */
export function related(): readonly RelatedLine[] {
  return lexicon.related
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [heads = '', others] = line.split(' > ');
      return { heads: heads.split(' '), others: others?.split(' ') };
    });
}

/** Short and irregular forms, each with the word that it stands for. */
export function aliases(): ReadonlyMap<string, string> {
  return new Map(
    lexicon.aliases.flatMap((line) => {
      const [word = '', forms = ''] = line.split(': ');
      return forms.split(' ').map((form) => [form, word] as const);
    }),
  );
}
