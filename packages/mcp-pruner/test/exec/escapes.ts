import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CANARY, makeFifos, writeTree } from './world.ts';

/** A path and what becomes of it: the content of a file inside the root, or the code of the refusal. */
export type Case = readonly [path: string, expected: string];

/** Lays out a root full of traps beside the places that it must not lead to. */
export function layTraps(base: string): void {
  writeTree(base, {
    'root/file.txt': 'inside',
    'root/dir/inner.txt': 'inside',
    'root/dir/deep/er.txt': 'inside',
    'root/..name': 'inside',
    'root/name..': 'inside',
    'root/...': 'inside',
    'root/ ': 'inside',
    'root/-rf': 'inside',
    'root/~': 'inside',
    'root/line\nfeed': 'inside',
    'root/$(id)': 'inside',
    'root/caf\u00e9.txt': 'inside',
    'root/nai\u0308ve.txt': 'inside',
    'root/😀': 'inside',
    'outside/secret.txt': CANARY,
    'outside/deep/secret.txt': CANARY,
    'root-evil/secret.txt': CANARY,
    'root.txt': CANARY,
    'rooted/secret.txt': CANARY,
  });
  symlinkSync('root', join(base, 'alias'));
  for (const [name, target] of Object.entries(links(base))) symlinkSync(target, join(base, 'root', name));
  linkSync(join(base, 'root/file.txt'), join(base, 'root/hard.txt'));
  makeFifos(join(base, 'root/fifo'));
}

/** Links by the name they have in the root. */
function links(base: string): Record<string, string> {
  return {
    'in-file': 'file.txt',
    'in-dir': 'dir',
    'in-chain': 'in-chain-2',
    'in-chain-2': 'in-dir/inner.txt',
    'in-detour': 'dir/deep/../inner.txt',
    'in-absolute': join(base, 'root/file.txt'),
    'in-by-alias': join(base, 'alias/file.txt'),
    'in-out-and-back': '../outside/../root/file.txt',
    'to-root': '.',
    'out-file': '../outside/secret.txt',
    'out-file-absolute': join(base, 'outside/secret.txt'),
    'out-dir': '../outside',
    'out-dir-absolute': join(base, 'outside'),
    'out-evil': '../root-evil',
    'out-parent': '..',
    'out-top': '/',
    'out-chain': 'out-chain-2',
    'out-chain-2': 'dir/../out-chain-3',
    'out-chain-3': '../outside',
    'out-by-alias': join(base, 'alias/../outside'),
    'out-missing': '../outside/missing',
    'out-missing-chain': 'out-missing',
    'out-proc': '/proc/self',
    'out-environ': '/proc/self/environ',
    'out-proc-root': '/proc/self/root',
    'out-zero': '/dev/zero',
    'out-stdin': '/dev/stdin',
    'out-fd': '/dev/fd/0',
    'loop-a': 'loop-b',
    'loop-b': 'loop-a',
    'loop-self': 'loop-self',
    dangling: 'missing',
    'dangling-chain': 'dangling',
  };
}

/** Every way out and every way that only looks like one. */
export function cases(base: string): Record<string, Case[]> {
  const root = join(base, 'root');
  return {
    'parent segments and absolute paths': product(
      climbs(base),
      [
        'outside/secret.txt',
        'outside/deep/secret.txt',
        'root-evil/secret.txt',
        'root.txt',
        'rooted/secret.txt',
        'outside/missing',
      ],
      'invalid_path',
    ),
    'names that only look like a climb': product(
      disguises(),
      ['outside/secret.txt', 'root-evil/secret.txt', 'file.txt'],
      'not_found',
    ),
    'links that lead out': product(
      leadsOut(),
      ['', '/', '/.', '/secret.txt', '/deep/secret.txt', '/missing', '/missing/deeper', '/../file.txt'],
      'invalid_path',
    ).map(staysInside),
    'links to kernel files': all('invalid_path', [
      'out-proc',
      'out-proc/environ',
      'out-proc/cwd/file.txt',
      'out-proc/fd/0',
      'out-environ',
      'out-proc-root',
      `out-proc-root${base}/outside/secret.txt`,
      'out-zero',
      'out-stdin',
      'out-fd',
      `out-top${base}/outside/secret.txt`,
      'out-top/etc/passwd',
    ]),
    'kernel files by name': all('invalid_path', kernelFiles(root)),
    'links that stay': all('inside', [
      'in-file',
      'in-dir/inner.txt',
      'in-chain',
      'in-chain-2',
      'in-detour',
      'in-absolute',
      'in-by-alias',
      'in-out-and-back',
      'to-root/file.txt',
      'to-root/to-root/to-root/dir/inner.txt',
      'hard.txt',
      `out-proc-root${root}/file.txt`,
      `${root}/in-file`,
      `${base}/alias/in-file`.replace('alias', 'root'),
    ]),
    'links that lead nowhere': [
      ...all('io_error', ['loop-a', 'loop-b', 'loop-self', 'loop-a/x', `${root}/loop-a`]),
      ...all('not_found', ['dangling', 'dangling-chain', 'dangling/x']),
    ],
    'NUL bytes': all('invalid_path', [
      '\0',
      'file.txt\0',
      '\0file.txt',
      'file.txt\0.png',
      'dir\0/inner.txt',
      '../outside/secret.txt\0',
      'file.txt\0/../../outside/secret.txt',
      `${base}/outside/secret.txt\0`,
      `${root}/\0/../file.txt`,
    ]),
    'odd names that exist': all('inside', [
      '..name',
      'name..',
      '...',
      ' ',
      '-rf',
      '~',
      'line\nfeed',
      '$(id)',
      'caf\u00e9.txt',
      'nai\u0308ve.txt',
      '😀',
      './..name',
      'dir/../name..',
      './file.txt',
      'file.txt/',
      './/dir///inner.txt',
      'dir/../dir/./inner.txt',
      `${'./'.repeat(4000)}file.txt`,
      `${'dir/../'.repeat(1000)}file.txt`,
      `${root}/file.txt`,
      `//${root}/file.txt`,
      `../root/file.txt`,
    ]),
    'odd names that do not': all('not_found', [
      'file.txt.',
      'file.txt..',
      'file.txt ',
      ' file.txt',
      'FILE.TXT',
      'file.txt:stream',
      'cafe\u0301.txt',
      'na\u00efve.txt',
      'fi\u200ble.txt',
      '$HOME',
      '*',
      'file.tx?',
      'file:///etc/passwd',
      'CON',
      'dir\\inner.txt',
      '\u202etxt.elif',
      'missing',
      'dir/missing',
      'missing/..name',
      'to-root/../outside/secret.txt',
      'out-dir/../root-evil/secret.txt',
    ]),
    'names that are too long': [
      ...all('io_error', ['a'.repeat(256), 'a'.repeat(5000), `dir/${'b'.repeat(256)}`]),
      ...all('invalid_path', [`${'../'.repeat(2000)}etc/passwd`, `/${'a'.repeat(5000)}`]),
    ],
    'what is no regular file': all('invalid_path', ['.', '', 'dir', 'dir/', 'in-dir', 'to-root', 'fifo', root]),
    'a file taken for a directory': all('io_error', [
      'file.txt/child',
      'in-file/child',
      '~/file.txt',
      'file.txt/../file.txt/child',
    ]),
  };
}

function climbs(base: string): string[] {
  const root = join(base, 'root');
  return [
    '../',
    './../',
    'dir/../../',
    'dir/./.././../',
    './/..//',
    '..//',
    '.././',
    'file.txt/../../',
    'missing/../../',
    'dir/deep/../../../',
    'out-dir/../../',
    `${base}/`,
    `/${base}/`,
    `${root}/../`,
    `${root}/dir/../../`,
    `${root}//..//`,
    `${base}/alias/../`,
    `${'../'.repeat(30)}${base.slice(1)}/`,
    `/proc/self/root${base}/`,
    `/proc/self/cwd/${'../'.repeat(20)}${base.slice(1)}/`,
    `/dev/fd/../../${base.slice(1)}/`,
  ];
}

function disguises(): string[] {
  return [
    '%2e%2e/',
    '%2e%2e%2f',
    '..%2f',
    '%2e./',
    '.%2e/',
    '%252e%252e/',
    '..%c0%af',
    '..%5c',
    '..\\',
    '.. /',
    ' ../x/../',
    '..\u2215',
    '\u2024\u2024/',
    '．．/',
    '..;/',
    '....//',
    '..../..../',
    '..\u200b/',
    '..\u00a0/',
    '"../"',
    "'..'/",
    '~/../x/',
    '$(echo ..)/',
    '`..`/',
  ];
}

function leadsOut(): string[] {
  return [
    'out-file',
    'out-file-absolute',
    'out-dir',
    'out-dir-absolute',
    'out-evil',
    'out-parent',
    'out-chain',
    'out-chain-2',
    'out-by-alias',
    'out-missing',
    'out-missing-chain',
    'to-root/out-dir',
    'in-dir/../out-dir',
  ];
}

/** `link/../x` is `x` here: the parent is taken from the name, before any link is followed. */
function staysInside([path, expected]: Case): Case {
  return path.endsWith('/../file.txt') ? [path, 'inside'] : [path, expected];
}

function kernelFiles(root: string): string[] {
  return [
    '/proc/self/environ',
    '/proc/self/cmdline',
    '/proc/self/maps',
    '/proc/self/cwd',
    '/proc/self/cwd/package.json',
    '/proc/self/root',
    `/proc/self/root${root}/file.txt`,
    '/proc/1/environ',
    `/proc/${process.pid}/environ`,
    '/proc/thread-self/environ',
    '/proc/self/fd/0',
    '/proc/self/fd/1',
    '/proc/version',
    '/dev/fd/0',
    '/dev/fd/3',
    '/dev/stdin',
    '/dev/stdout',
    '/dev/zero',
    '/dev/null',
    '/dev/tty',
    '/dev/urandom',
    '/sys/kernel/profiling',
    '/etc/passwd',
    '/etc/shadow',
    '/',
    '//',
    '/.',
    '/..',
    '/../../etc/passwd',
  ];
}

function product(starts: readonly string[], ends: readonly string[], expected: string): Case[] {
  return starts.flatMap((start) => ends.map((end): Case => [start + end, expected]));
}

function all(expected: string, paths: readonly string[]): Case[] {
  return paths.map((path) => [path, expected]);
}
