import { from, type Requirement } from './entry.ts';

/** Running `read`, `bash` and `grep`. */
export const FILES: readonly Requirement[] = [
  ...from('seed 001 §3 (MCP tools), requirements 2.4', {
    'files.read.result':
      'A successful `read` returns path, encoding, content, truncation, bytes, duration and pruning metadata.',
    'files.read.not-found': 'A missing file is the tool error `not_found`.',
    'files.read.permission-denied': 'An unreadable file is the tool error `permission_denied`.',
    'files.read.io-error': 'Any other failure to read is the tool error `io_error`.',
    'files.bash.result':
      'A successful `bash` returns command, cwd, both streams, exit code, timeout and truncation flags, duration and pruning metadata.',
    'files.bash.shell': 'The command runs in the platform’s shell, `bash -lc` on POSIX.',
    'files.bash.timeout': 'A command past its time is killed and is the tool error `timeout`, with what was captured.',
    'files.bash.spawn-error': 'A shell that cannot start is the tool error `spawn_error`.',
    'files.bash.env': 'Overrides are merged over the sanitized environment of the server.',
    'files.grep.result':
      'A successful `grep` returns pattern, paths, matches, their count, truncation, duration and pruning metadata.',
    'files.grep.rg-first': '`rg` from the path does the search.',
    'files.grep.fallback': 'Without `rg` the system’s `grep` does it, with the same result shape.',
    'files.grep.no-match': 'No match is a success with no matches.',
    'files.grep.timeout': 'A search past its time is killed and is the tool error `timeout`.',
    'files.grep.max-matches': 'At the match limit the search ends and the result is truncated.',
    'files.grep.max-bytes': 'At the byte limit over the matches’ texts the search ends and the result is truncated.',
    'files.grep.spawn-error': 'Without any search program the call is the tool error `spawn_error`.',
    'files.grep.fixed-string':
      'With `fixed_string` the pattern is literal; without `case_sensitive` case does not count.',
    'files.errors.carry-pruning': 'Every tool error carries pruning metadata.',
    'files.max-output-bytes':
      'Output is cut to at most that many UTF-8 bytes before pruning is considered, and says so.',
    'files.grep.default-path': 'Without a path the search covers the root.',
  }),
  ...from('seed 001 §3 (validation), requirements 2.4, decisions §7 #2', {
    'files.read.invalid-path':
      'A path outside the root, lexically or by symlink, or no regular file, is the tool error `invalid_path`.',
    'files.bash.invalid-cwd': 'A cwd outside the root, missing or no directory is the tool error `invalid_cwd`.',
    'files.grep.invalid-path': 'A path or cwd outside the root is the tool error `invalid_path`.',
  }),
  ...from('seed 001 §3 (execution strategy), decisions §7 #3', {
    'files.grep.exit-codes':
      'Exit 0 and 1 succeed; 2 without matches is `rg_error`, 2 with matches a truncated success.',
    'files.grep.missing-path': 'A missing path is the tool error `invalid_path`.',
    'files.grep.columns': 'Columns count characters from 1; the fallback knows them for fixed strings only.',
    'files.grep.paths-relative': 'Match paths are relative to the root, the cwd is absolute.',
    'files.grep.context-lines': 'Context lines come as arrays before and after each match.',
    'files.grep.ignore-rules':
      'Ignore files and hidden files are treated as ripgrep does; the fallback skips hidden files, `.git` and `node_modules`.',
  }),
  ...from('seed 001 §3 (MCP tools), decisions §3, requirements 2.4', {
    'files.bash.nonzero-exit':
      'A failing command is the tool error `nonzero_exit` with exit code and both streams, pruned like a success when a question was asked.',
  }),
  ...from('decisions §7 #4, requirements 2.8', {
    'files.bash.login-off': '`MCP_PRUNER_SHELL_LOGIN=0` runs commands without profile files.',
  }),
  ...from('decisions §5', {
    'files.read.window': '`read` from a start line keeps the file’s line numbers in markers and recovery.',
  }),
  ...from('decisions §3, decisions §4, issue 12', {
    'output.budget':
      'A pruned reply stays within the tokens of its reader: 4,000, 2,400 for Codex, or `max_tokens`; nothing is cut afterwards.',
    'output.answer':
      'A failing build of up to 400,000 lines or a file of 8,000 is answered within the budget, wherever the answer stands.',
    'files.implicit-cap':
      'Without a question more than 1 MiB (40,000 bytes for Claude and Codex) is cut in the middle, marked, recoverable by one id, `truncated`.',
    'files.captured-whole':
      'Up to 64 MiB of an output are captured; beyond that beginning and end are kept with one line between. All of it is recoverable.',
    'files.looked-at':
      'The engine looks at up to 16 MiB of an output or a file; of more at beginning and end, with one marked gap between.',
    'files.bash.one-reading':
      'Both streams are pruned within one budget, each with its own id when both are cut; a short one stays whole.',
    'files.bash.no-colours':
      'Commands are asked for plain output unless the environment says otherwise; codes that remain are neither judged nor shown.',
    'files.null-arguments': '`null` for an optional argument is the same as leaving it out, in every tool.',
    'files.reply-cap': 'A serialized reply never exceeds 8 MiB: the output is cut further and says so.',
  }),
  ...from('requirements 2.8', {
    'files.bash.cap-shared':
      'The byte cap of `bash` is for both streams together; on contention a third goes to stdout.',
    'files.bash.drains': 'Beyond the cap output is drained and discarded, so that the exit code is true.',
    'files.invalid-utf8': 'Bytes that are not UTF-8 become U+FFFD before the cap, and no character is split.',
    'files.read.bytes': '`bytes` of `read` equals the pruning metadata’s raw bytes.',
    'files.bash.stdin': 'A command never reads the protocol stream: its standard input is empty.',
    'files.concurrency': 'At most 8 shells and 16 requests run, 64 wait, and what comes then is told busy.',
    'files.grep.sorted': 'Matches come sorted by path.',
    'files.grep.engines-agree': 'Both search programs give the same matches on the same tree.',
  }),
  ...from('seed 001 §3 (execution strategy), issue 12', {
    'files.grep.classes':
      'Without `rg`, `\\d`, `\\w`, `\\s` and `\\b` mean what they mean to it; a pattern that cannot be put that way is an error that says so.',
  }),
];

/** Pruning the output of a tool, with the pruner that is configured. */
export const TOOL_PRUNING: readonly Requirement[] = [
  ...from('seed 001 §2 (prune check), seed 001 §3 (PruningMetadata), requirements 2.5, decisions §7 #1', {
    'pruning.no-question': 'Without a focus question nothing is attempted, reason `no_focus_question`.',
    'pruning.disabled': 'With an empty pruner address nothing is attempted, reason `disabled_or_unconfigured`.',
    'pruning.output-empty': 'An empty output is not sent, reason `output_empty`.',
    'pruning.too-large': 'An output above 2,097,152 bytes is not sent to a service, reason `too_large`.',
  }),
  ...from('seed 001 §3 (outbound HTTP), requirements 2.5', {
    'pruning.applied': 'A usable answer is applied; the metadata has attempted, applied, pruned bytes and no reason.',
    'pruning.failure.timeout': 'A slow pruner means the raw output, fallback, reason `pruner_error`, error `timeout`.',
    'pruning.failure.http': 'A failing pruner means the raw output, fallback and the error `http_error`.',
    'pruning.failure.invalid': 'An unusable answer means the raw output, fallback and the error `invalid_response`.',
    'pruning.raw-unchanged': 'In every failure the raw output comes back unchanged.',
    'pruning.mapping.read': 'For `read` the content is sent and replaced.',
    'pruning.mapping.bash':
      'For `bash` stdout is sent and replaced, or stderr when stdout is empty or short beside it; both when both are long.',
    'pruning.mapping.grep': 'For `grep` the matches are sent as lines and the answer is read back into matches.',
  }),
  ...from('seed 001 §3 (PruningMetadata)', {
    'pruning.metadata.raw-bytes': 'Raw bytes are counted after the tool’s own cut.',
    'pruning.metadata.flags':
      'Fallback implies attempted and not applied; a reason stands whenever nothing was applied; an error only with `pruner_error`.',
  }),
  ...from('decisions §3, requirements 2.5', {
    'pruning.check-order': 'The checks run in the order question, configuration, empty, size, call.',
  }),
  ...from('decisions §3', {
    'pruning.target.unset': 'With no address set the embedded engine prunes, and no connection is made.',
    'pruning.target.auto':
      '`auto` uses the service at port 8000 when it answers healthy within 300 ms, else the embedded engine, decided once.',
    'pruning.target.found':
      'An answer of a service that was merely found is `invalid_response` unless it can be aligned.',
    'pruning.longer': 'An answer longer than what was sent is `invalid_response`.',
    'pruning.target.embedded':
      '`embedded:` prunes in the process; attempted means the engine was asked, and events name `embedded:`.',
    'pruning.backend-field': 'The metadata says whether http or embedded pruned.',
    'pruning.aligned':
      'An aligned answer gets markers in the text block while the structured content keeps the service’s text.',
    'pruning.unaligned':
      'An answer that cannot be aligned is applied as returned, with `aligned=false` and a prune id for the raw text.',
    'pruning.grep-table':
      'A pruned grep line counts only if it equals one that was sent; any other text is `invalid_response`.',
    'pruning.deadline':
      'One deadline covers a request: the pruner gets what the tool left, never more than its own timeout.',
    'pruning.failing-command': 'The output of a failed or timed-out command is pruned when a question was asked.',
  }),
  ...from('requirements 2.8', {
    'pruning.error-metadata': 'Tool errors without output carry metadata with all flags false and no raw bytes.',
    'pruning.grep-ambiguity': 'Colons in names and texts never make two different matches read the same.',
  }),
  ...from('decisions §5', {
    'pruning.closing-line':
      'A pruned tool output ends with one closing line that names its prune id, and is still no larger than raw.',
  }),
];
