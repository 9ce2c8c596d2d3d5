// The one entry behind `npm run build`, `npm run check`, `npm test` and `npm run test:agents`: a fresh machine has only Node and npm,
// so this fetches the pinned package manager, installs, and then runs the steps, each with its time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const stampFile = join(root, 'node_modules', '.cache', 'jeeves-install');
const windows = process.platform === 'win32';
// Pinned here and not as `packageManager`: pnpm would insist on recording that in the lock file, which not every registry allows.
const PACKAGE_MANAGER = 'pnpm@12.18.0';
// The real agent clients are some 800 MB: only their own tests bring them.
const WITHOUT_AGENTS = ['--filter', '!@jeeves/agent-tests'];

const build = [
  ['types', 'tsc', ['-b']],
  ['programs', 'rolldown', ['-c', 'rolldown.config.mjs', '--log-level', 'warn']],
];
const check = [
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'biome', ['ci', '.']],
  ['unused', 'knip', []],
  ['reference pages', 'tsx', ['--conditions=@jeeves/source', 'scripts/docs.ts', '--check']],
];
const flows = {
  build,
  check: [...build, ...check],
  test: [...build, ...check, ['tests', 'vitest', ['run']]],
  'agents-build': build,
  agents: [...build, ['tests with the real clients', 'vitest', ['run', '--config', 'test/agents/vitest.config.ts']]],
};

main(process.argv[2] ?? 'build');

function main(flow) {
  requireNode();
  const steps = flows[flow];
  if (steps === undefined) fail(`unknown step "${flow}"; use one of: ${Object.keys(flows).join(', ')}`);
  installIfStale(flow.startsWith('agents') ? 'agents' : 'workspace');
  removeOldChunks();
  for (const [title, command, args] of steps) step(title, command, args);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old: Jeeves needs ${manifest.engines.node}.`);
  }
}

/** Installing costs seconds even when nothing changed, so it is skipped while the lock file is the installed one. */
function installIfStale(what) {
  const lock = createHash('sha256');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])
    lock.update(readFileSync(join(root, file)));
  const wanted = lock.digest('hex');
  const [installed, extent] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : [];
  // What has the agents has everything else, too.
  if (installed === wanted && (extent === what || extent === 'agents')) return;
  const filter = what === 'agents' ? [] : WITHOUT_AGENTS;
  step('install', 'npx', ['--yes', PACKAGE_MANAGER, 'install', '--frozen-lockfile', ...filter]);
  mkdirSync(join(stampFile, '..'), { recursive: true });
  writeFileSync(stampFile, `${wanted} ${what}`);
}

/** Bundled chunks are named after their content, so an old build's would pile up. */
function removeOldChunks() {
  for (const name of readdirSync(join(root, 'packages'))) {
    rmSync(join(root, 'packages', name, 'dist', 'chunks'), { recursive: true, force: true });
  }
}

function step(title, command, args) {
  process.stderr.write(`\n▸ ${title}\n`);
  const started = performance.now();
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
    shell: windows,
  });
  if (error) fail(`${title}: cannot start ${command}: ${error.message}`);
  if (status !== 0) fail(`${title} failed: ${command} ${args.join(' ')}`);
  process.stderr.write(`  ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

function fail(message) {
  process.stderr.write(`\n✗ ${message}\n`);
  process.exit(1);
}
