import { spawn } from 'node:child_process';

interface ChangedFile {
  readonly status: string;
  readonly oldBlob: string;
  /** The path before the commit. */
  readonly path: string;
}

export interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly files: readonly ChangedFile[];
}

/** The lines of the old file that one hunk replaced; a count of 0 is an insertion after `start`. */
export interface Hunk {
  readonly start: number;
  readonly count: number;
}

export interface FileDiff {
  readonly commit: string;
  readonly oldBlob: string;
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** Every commit but merges, newest first, with its message and the files it touched; no content is read. */
export async function listCommits(gitDir: string): Promise<Commit[]> {
  const format = '--format=%x01%H%x02%B%x03';
  const output = await git(gitDir, ['log', '--no-merges', '--raw', '--no-abbrev', '-M', format, 'HEAD']);
  const commits: Commit[] = [];
  for (const record of output.toString('utf8').split('\u0001').slice(1)) {
    const messageAt = record.indexOf('\u0002');
    const filesAt = record.indexOf('\u0003');
    if (messageAt === -1 || filesAt === -1) continue;
    const files = record
      .slice(filesAt + 1)
      .split('\n')
      .filter((line) => line.startsWith(':'))
      .map(parseRawLine);
    commits.push({ hash: record.slice(0, messageAt), message: record.slice(messageAt + 1, filesAt), files });
  }
  return commits;
}

/** What the commits changed in the files they touched, white space and blank lines aside. */
export async function diffCommits(gitDir: string, hashes: readonly string[]): Promise<FileDiff[]> {
  const options = ['-r', '-M', '-w', '--ignore-blank-lines', '-U0', '-p', '--full-index', '--no-color'];
  const plain = ['--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
  const output = await git(gitDir, ['diff-tree', '--stdin', ...options, ...plain], `${hashes.join('\n')}\n`);
  return parseDiffs(output.toString('utf8'));
}

/** Contents by blob id, through one process; a blob the mirror does not hold is left out. */
export async function readBlobs(gitDir: string, blobs: readonly string[]): Promise<Map<string, string>> {
  const output = await git(gitDir, ['cat-file', '--batch'], `${[...new Set(blobs)].join('\n')}\n`);
  const contents = new Map<string, string>();
  let at = 0;
  while (at < output.length) {
    const lineEnd = output.indexOf(10, at);
    if (lineEnd === -1) break;
    const [blob, type, size] = output.toString('latin1', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (type !== 'blob' || blob === undefined) continue;
    const end = at + Number(size);
    contents.set(blob, output.toString('utf8', at, end));
    at = end + 1;
  }
  return contents;
}

/** Path and blob id of every file at the newest commit. */
export async function listTree(gitDir: string): Promise<{ path: string; blob: string }[]> {
  const output = await git(gitDir, ['ls-tree', '-r', '-z', 'HEAD']);
  const files: { path: string; blob: string }[] = [];
  for (const entry of output.toString('utf8').split('\0')) {
    const tab = entry.indexOf('\t');
    const [mode, type, blob] = entry.slice(0, tab).split(' ');
    if (type === 'blob' && mode !== '120000' && blob !== undefined) files.push({ path: entry.slice(tab + 1), blob });
  }
  return files;
}

function parseRawLine(line: string): ChangedFile {
  const [meta = '', path = ''] = line.split('\t');
  const [, , oldBlob = '', , status = ''] = meta.split(' ');
  return { status: status.slice(0, 1), oldBlob, path };
}

function parseDiffs(output: string): FileDiff[] {
  const diffs: { commit: string; oldBlob: string; path: string; hunks: Hunk[] }[] = [];
  let commit = '';
  for (const line of output.split('\n')) {
    if (/^[0-9a-f]{40}$/.test(line)) commit = line;
    else if (line.startsWith('diff --git ')) diffs.push({ commit, oldBlob: '', path: '', hunks: [] });
    const diff = diffs.at(-1);
    if (diff === undefined) continue;
    if (line.startsWith('index ') && diff.oldBlob === '') diff.oldBlob = line.slice(6, 46);
    else if (line.startsWith('--- a/') && diff.path === '') diff.path = line.slice(6);
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk !== null) diff.hunks.push({ start: Number(hunk[1]), count: hunk[2] === undefined ? 1 : Number(hunk[2]) });
  }
  return diffs.filter((diff) => diff.path !== '' && diff.hunks.length > 0);
}

function git(gitDir: string, args: readonly string[], input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--git-dir', gitDir, '-c', 'core.quotepath=off', ...args], {
      env: { ...process.env, GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
    });
    const chunks: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new Error(`git ${args[0]} ended with ${code}: ${Buffer.concat(complaints).toString('utf8')}`));
    });
    // A child that ends early closes its input; its exit status says why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
