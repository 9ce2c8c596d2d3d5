import type { MinedCase } from './case.ts';
import { listTree, readBlobs } from './git.ts';
import type { Random } from './random.ts';
import type { Mirror } from './rules.ts';
import { informativeWords } from './words.ts';

const DOCUMENT = /\.(md|markdown|rst|adoc)$/i;
const SKIPPED =
  /(^|\/)(vendor|node_modules|third_party)\/|change(s|log)|history|release|news|licen[sc]e|contributors|authors/i;
const LIMITS = { minLines: 60, maxLines: 1500, minBody: 3, maxBody: 40, maxShare: 0.25 } as const;
const MOST: Readonly<Record<Mirror['split'], number>> = { train: 150, test: 60 };

interface Section {
  readonly heading: string;
  readonly headingLine: number;
  /** Line numbers of the body, blank ones aside. */
  readonly body: readonly number[];
}

/** A section's heading is the goal, its body the answer; every second time the heading itself is taken out of the text. */
export async function mineSections(mirror: Mirror, random: Random): Promise<MinedCase[]> {
  const files = (await listTree(mirror.gitDir)).filter(({ path }) => DOCUMENT.test(path) && !SKIPPED.test(path));
  const blobs = await readBlobs(
    mirror.gitDir,
    files.map(({ blob }) => blob),
  );
  const cases: MinedCase[] = [];
  for (const { path, blob } of files) {
    const lines = (blobs.get(blob) ?? '').split('\n');
    if (lines.length < LIMITS.minLines || lines.length > LIMITS.maxLines) continue;
    const sections = sectionsOf(lines).filter((section) => isAnswer(section, lines.length));
    for (const section of random.shuffle(sections).slice(0, mirror.perFile)) {
      cases.push(toCase(section, lines, { mirror, path, random }));
    }
  }
  return random.shuffle(cases).slice(0, MOST[mirror.split]);
}

function sectionsOf(lines: readonly string[]): Section[] {
  const sections: { heading: string; headingLine: number; body: number[] }[] = [];
  let inFence = false;
  for (const [at, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence;
    const marked = inFence ? null : /^#{1,6} +(.+?)\s*#*$/.exec(line);
    const underlined = !inFence && /^(=+|-+|~+)$/.test(line) && line.length >= 3 && /^\w/.test(lines[at - 1] ?? '');
    if (marked !== null) sections.push({ heading: marked[1] ?? '', headingLine: at + 1, body: [] });
    else if (underlined) {
      sections.at(-1)?.body.pop();
      sections.push({ heading: lines[at - 1] ?? '', headingLine: at, body: [] });
    } else if (line.trim() !== '') sections.at(-1)?.body.push(at + 1);
  }
  return sections;
}

function isAnswer({ heading, body }: Section, total: number): boolean {
  const fits = body.length >= LIMITS.minBody && body.length <= LIMITS.maxBody && body.length <= total * LIMITS.maxShare;
  return fits && informativeWords(heading).size >= 2;
}

function toCase(
  section: Section,
  lines: readonly string[],
  from: { mirror: Mirror; path: string; random: Random },
): MinedCase {
  const { mirror, path, random } = from;
  const hidden = random.next() < 0.5 && lines[section.headingLine - 1]?.startsWith('#') === true;
  const text = hidden ? lines.filter((_, at) => at !== section.headingLine - 1) : lines;
  const topic = section.heading.replace(/[`*_[\]]|\(.*?\)|:+$/g, '').trim();
  const query = random.pick([
    topic,
    `What do the docs say about ${topic}?`,
    `How do I use ${topic}?`,
    `I need to know about ${topic}`,
  ]);
  return {
    id: `section:${mirror.repo}:${path}:${section.headingLine}`,
    query,
    text: text.join('\n'),
    gold: section.body.map((line) => (hidden && line > section.headingLine ? line - 1 : line)),
    kind: 'docs',
    task: 'section',
    repo: mirror.repo,
    origin: path,
  };
}
