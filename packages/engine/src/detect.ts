import type { SourceType } from './backends/backend.ts';
import type { Lines } from './split.ts';

const SAMPLE = 200;
const CLEAR = 0.15;

const STAMP =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d|\d{10,13}\b|\[\s*\d+(?:[./]\d+)?\]|\{"(?:ts|time|timestamp|level)")/;
const LEVEL =
  /\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE)\b|^\s+at \S+[.(]|^(?:npm|make|error|warning)\b[ :[!]|^\s*(?:✓|✗|×|PASS|FAIL|ok \d|not ok \d)/;
const CODE =
  /[;{}]\s*$|^\s*(?:import|from|def|class|func|fn|function|const|let|var|public|private|return|if|for|while|#include|package|use|export)\b|^\s*(?:\/\/|\/\*|\*\/)|^(?:diff --git|@@ |[-+]{3} )|=>|\)\s*:\s*$/;
const PROSE = /^#{1,6} \S|^\s*[-*+] \S|^\s*\d+\. \S|^[A-ZÀ-Ý][^;{}=]{40,}$|^(?:={3,}|-{3,})$|^\s*\|.*\|\s*$|^```/;

/** Tells what a text is from a sample of its lines; logs win over code, and code over docs, when in doubt. */
export function detectSource(lines: Lines): SourceType {
  const step = Math.max(1, Math.floor(lines.length / SAMPLE));
  let seen = 0;
  let logs = 0;
  let code = 0;
  let prose = 0;
  for (let at = 0; at < lines.length; at += step) {
    const line = lines.at(at).slice(0, 300);
    if (line.trim() === '') continue;
    seen += 1;
    if (STAMP.test(line) || LEVEL.test(line)) logs += 1;
    else if (CODE.test(line)) code += 1;
    else if (PROSE.test(line)) prose += 1;
  }
  if (logs >= seen * 0.3 && logs >= code) return 'logs';
  // Neither the one nor the other: the reading that protects errors does the least harm.
  if (Math.max(code, prose) < seen * CLEAR) return 'logs';
  return code >= prose ? 'code' : 'docs';
}
