/** Only so much of a line is looked at for lesser signs: an alarm stands near the front, and a line may be megabytes long. */
const LOOK_AT = 2000;

// Alternatives that share no prefix a hostile line could make the matcher retry.
const NAMED = /error|exception|traceback/i;
const LESSER =
  /fatal|panic|critical|failed|failure|failing|\bfail\b|segfault|segmentation fault|core dumped|unhandled|uncaught|\bnot ok\b|\bERR!|out of memory|\boom\b|stack overflow|undefined reference|aborted|denied|received signal|sigsegv|sigabrt|invalid (?:read|write|free)|uninitiali[sz]ed|definitely lost|✗|✖|×|❌/i;
const CALM =
  /\b(?:0|no|without|zero) (?:error|exception|failure|failed|failing)s?\b|\b(?:errors?|exceptions?)["']?\s*[=:]\s*["']?(?:0\b|null|none|false|nil)/i;
const PASSED = /^\s*(?:✓|✔|√|ok \d|PASS\b|--- PASS|\[\s*(?:OK|PASSED)\s*\])/;

/** Whether a line names an error, an exception or a traceback, wherever in it. Such lines are never lost. */
export function namesError(line: string): boolean {
  if (line.length <= LOOK_AT) return NAMED.test(line);
  const lower = line.toLowerCase();
  return lower.includes('error') || lower.includes('exception') || lower.includes('traceback');
}

/** Whether a log line shows in any way that something went wrong. */
export function isErrorLine(line: string): boolean {
  return namesError(line) || LESSER.test(line.length > LOOK_AT ? line.slice(0, LOOK_AT) : line);
}

/** Whether a line says that all is well, be it the success of a test that is about errors. */
export function isCalm(line: string): boolean {
  const seen = line.slice(0, LOOK_AT);
  return PASSED.test(seen) || CALM.test(seen);
}
