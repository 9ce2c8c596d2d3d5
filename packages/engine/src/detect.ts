import type { SourceType } from './backends/backend.ts';
import type { Kind } from './kinds/kind.ts';
import { BY_SOURCE, SPECIAL } from './kinds/kinds.ts';
import type { Lines } from './split.ts';

const SAMPLE = 300;
const LOOK_AT = 300;

const STAMP =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d|\d{10,13}\b|\[\s*\d+(?:[./]\d+)?\]|\[[\d:. -]{5,}\]|\{"(?:ts|time|timestamp|level)")/;
const LEVEL =
  /\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|ERR!)\b|\blevel=\w|^\s+at \S+[.(]|^(?:npm|make|error|warning)\b[ :[!]|^\s*(?:✓|✔|✗|✖|×|√|PASS|FAIL|ok \d|not ok \d)|^travis_|^\$ |^\+{1,2} ?[a-z./]|^##\[|^::\w+/;
/** What build tools print: steps, files at work, sizes, times and counts. */
const WORK =
  /\r.|^\s*(?:Get|Hit|Ign|Setting up|Unpacking|Preparing|Selecting|Reading|Building|Compiling|Compiled|Downloading|Downloaded|Installing|Installed|Fetching|Resolving|Running|Checking|Cloning|Retrieving|Removed|Skipping|Uploading|Copying|Waiting|SKIP|Collecting|Processing|Generating|Linking|Loading|Using|Updating|Creating|Removing|Receiving|Starting|Finished|Successfully|Updated|Configuring|remote:|checking|creating|compiling|copying|running|adding|inflating|gcc|g\+\+|clang|cc|CC|CXX|LD|AR|GEN|libtool|javac|ghc|ocaml\w*|rustc|\[\s*\d+%\]|\[\d+\/\d+\]|\[\w+\] )[: ]|\.{3}\s*(?:ok|yes|no|done|failed|passed)?\s*$|\b\d+(?:\.\d+)?\s?(?:ms|s|sec|secs|seconds|kB|KB|MB|B\/s|%)\b[\])]?\s*$|\S+:\d+:(?:\d+:)? |\b(?:passed|failed|skipped|warnings?|errors?)[,.]?\s*$|^-- \S|^={3,} .* ={3,}$|^-{3,} .* -{3,}$/;
/** What compilers say of a place in a file. */
const DIAGNOSTIC = /^\S+[:(]\d+(?:[:,]\d+)?\)?: (?:fatal )?(?:error|warning)\b/;
const CODE =
  /[;{}]\s*$|^\s*(?:import|from|def|class|func|fn|function|const|let|var|public|private|return|if|for|while|elif|else|try|except|#include|#define|package|use|export|end)\b|^\s*(?:\/\/|\/\*|\*\/|\* )|=>|\)\s*:\s*$|^\s*[\w.]+\s*=\s*\S|^\s+\w[\w.]*\(|[,(]\s*$/;
const PROSE = /^\s*[-*+] (?:[\p{L}'’`*-]+[,.:]? ){2}|^\s*\d+\. \S|^\s*(?:[\p{L}'’`*-]+[,.;:)]? ){6,}|^\s*\|.*\|\s*$/u;
const HASHED = /^#{1,6} \S/;
const SETTING = /^[\w.-]+\s*[:=]/;
/** What only prose has at the very start of a line: fences, underlined titles, directives. */
const MARKUP = /^(?:```|~~~|={4,}$|-{4,}$|~{4,}$|\^{4,}$|\.\. [\w-]+::|\[[^\]]+\]: |={1,6} \S)/;

/** What a text is, told from a sample of its lines. */
export function detectKind(lines: Lines): Kind {
  const sample = sampleOf(lines);
  // Colours are what a program shows on a terminal; no file has them.
  if (lines.text.includes('\u001b[')) return BY_SOURCE.logs;
  return SPECIAL.find((kind) => kind.recognises?.(sample, lines) === true) ?? BY_SOURCE[bySigns(sample)];
}

export function detectSource(lines: Lines): SourceType {
  return detectKind(lines).source;
}

/** Stretches of neighbouring lines: what stands beside a line tells more than the line alone. */
function sampleOf(lines: Lines): string[] {
  const sample: string[] = [];
  const step = Math.max(1, Math.floor(lines.length / (SAMPLE / 3)));
  for (let first = 0; first < lines.length; first += step) {
    for (let at = first; at < Math.min(lines.length, first + Math.min(3, step)); at += 1) {
      sample.push(lines.at(at).slice(0, LOOK_AT));
    }
  }
  return sample;
}

function bySigns(sample: readonly string[]): SourceType {
  let [seen, logs, code, prose, markup, diagnostics] = [0, 0, 0, 0, 0, 0];
  for (const [at, line] of sample.entries()) {
    if (line.trim() === '') continue;
    seen += 1;
    if (DIAGNOSTIC.test(line)) diagnostics += 1;
    if (MARKUP.test(line)) markup += 1;
    if (STAMP.test(line) || LEVEL.test(line)) logs += 1;
    else if (HASHED.test(line)) {
      // A heading stands alone; lines of `# …` below each other, or above a setting, are comments.
      if (isHashed(sample[at - 1]) || isHashed(sample[at + 1]) || SETTING.test(sample[at + 1] ?? '')) code += 1;
      else markup += 1;
    } else if (WORK.test(line)) logs += 1;
    else if (CODE.test(line)) code += 1;
    else if (PROSE.test(line)) prose += 1;
  }
  if (diagnostics >= Math.max(2, seen * 0.03)) return 'logs';
  if (markup >= Math.max(2, seen * 0.015) && prose + markup >= seen * 0.1 && logs < seen * 0.2 && code < seen * 0.8)
    return 'docs';
  if (logs >= seen * 0.25 && logs >= Math.max(code, prose) * 0.8) return 'logs';
  // Neither the one nor the other: lines that stand for themselves are what a log is.
  if (Math.max(code, prose) < seen * 0.15) return 'logs';
  return code >= prose ? 'code' : 'docs';
}

function isHashed(line: string | undefined): boolean {
  return line !== undefined && /^#(?:\s|$)/.test(line);
}
