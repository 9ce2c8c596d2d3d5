'use strict';

/*
 * Builds the shop's static assets: scripts are concatenated per page, styles are minified, images get
 * smaller variants. Run by `npm run assets`; the deploy job calls it with --strict.
 */

const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const SOURCE = path.resolve(__dirname, '../assets');
const TARGET = path.resolve(__dirname, '../public/build');
const LEDGER = path.join(TARGET, '.ledger.json');
const VERSION = 7; // bump whenever a step below starts to produce different bytes

const strict = process.argv.includes('--strict');
const verbose = process.argv.includes('--verbose');
const only = (process.argv.find((arg) => arg.startsWith('--only=')) || '').slice('--only='.length);

const pages = {
  home: ['vendor/polyfills.js', 'shared/dom.js', 'shared/i18n.js', 'home/carousel.js', 'home/main.js'],
  product: ['vendor/polyfills.js', 'shared/dom.js', 'shared/i18n.js', 'product/gallery.js', 'product/main.js'],
  checkout: ['vendor/polyfills.js', 'shared/dom.js', 'shared/money.js', 'checkout/form.js', 'checkout/main.js'],
};

const breakpoints = [320, 640, 1280];

main();

function main() {
  const started = Date.now();
  fs.mkdirSync(TARGET, { recursive: true });
  const ledger = readLedger();
  const next = { version: VERSION, entries: {} };
  const counts = { built: 0, reused: 0, failed: 0 };

  for (const [name, files] of Object.entries(pages)) {
    step(`js/${name}.js`, files.map(inSource), (out) => buildScript(out, files), { ledger, next, counts });
  }
  for (const file of walk(path.join(SOURCE, 'styles')).filter((name) => name.endsWith('.css'))) {
    if (path.basename(file).startsWith('_')) continue;
    const inputs = [file, ...importsOf(file)];
    step(`css/${path.basename(file)}`, inputs, (out) => buildStyle(out, file), { ledger, next, counts });
  }
  for (const file of walk(path.join(SOURCE, 'images'))) {
    for (const width of breakpoints) {
      const extension = path.extname(file);
      const name = `img/${path.basename(file, extension)}-${width}${extension}`;
      step(name, [file], (out) => resize(file, out, width), { ledger, next, counts });
    }
  }

  sweep(next);
  fs.writeFileSync(LEDGER, JSON.stringify(next, null, 2));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`assets: ${counts.built} built, ${counts.reused} reused, ${counts.failed} failed in ${seconds}s`);
  if (counts.failed > 0 && strict) process.exit(1);
}

function step(name, inputs, build, { ledger, next, counts }) {
  if (only !== '' && !name.includes(only)) {
    if (ledger.entries[name]) next.entries[name] = ledger.entries[name];
    return;
  }
  const out = path.join(TARGET, name);
  const fingerprint = digest(inputs);
  const before = ledger.entries[name];
  if (before !== undefined && before.fingerprint === fingerprint && fs.existsSync(out)) {
    next.entries[name] = before;
    counts.reused += 1;
    return;
  }
  fs.mkdirSync(path.dirname(out), { recursive: true });
  try {
    build(out);
    next.entries[name] = { fingerprint, bytes: fs.statSync(out).size, builtAt: new Date().toISOString() };
    counts.built += 1;
    if (verbose) console.log(`  + ${name}`);
  } catch (error) {
    counts.failed += 1;
    console.error(`  ! ${name}: ${error.message}`);
  }
}

/** The contents count, not the dates: a fresh clone has new dates and old contents. */
function digest(inputs) {
  const hash = crypto.createHash('sha256');
  hash.update(String(VERSION));
  for (const input of [...inputs].sort()) {
    hash.update(path.relative(SOURCE, input));
    hash.update('\0');
    hash.update(fs.readFileSync(input));
  }
  return hash.digest('hex').slice(0, 32);
}

function readLedger() {
  try {
    const ledger = JSON.parse(fs.readFileSync(LEDGER, 'utf8'));
    if (ledger.version === VERSION) return ledger;
    console.log(`assets: ledger is of version ${ledger.version}, starting over`);
  } catch (error) {
    if (error.code !== 'ENOENT') console.warn(`assets: ledger unreadable (${error.message}), starting over`);
  }
  return { version: VERSION, entries: {} };
}

function buildScript(out, files) {
  const parts = files.map((file) => {
    const source = fs.readFileSync(inSource(file), 'utf8');
    if (source.includes('debugger;')) throw new Error(`${file} still has a debugger statement`);
    return `/* ${file} */\n(function () {\n${source}\n})();`;
  });
  fs.writeFileSync(out, `${parts.join('\n')}\n`);
}

function buildStyle(out, file) {
  const css = inlineImports(file, new Set());
  fs.writeFileSync(out, minify(css));
}

function inlineImports(file, seen) {
  if (seen.has(file)) throw new Error(`import cycle through ${path.relative(SOURCE, file)}`);
  seen.add(file);
  const css = fs.readFileSync(file, 'utf8');
  return css
    .split('\n')
    .map((line) => {
      const target = importTarget(line);
      return target === undefined ? line : inlineImports(path.resolve(path.dirname(file), target), seen);
    })
    .join('\n');
}

function importsOf(file) {
  const found = [];
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const target = importTarget(line);
    if (target === undefined) continue;
    const resolved = path.resolve(path.dirname(file), target);
    found.push(resolved, ...importsOf(resolved));
  }
  return found;
}

function importTarget(line) {
  const trimmed = line.trim();
  if (!trimmed.startsWith('@import "')) return undefined;
  const end = trimmed.indexOf('"', 9);
  return end === -1 ? undefined : trimmed.slice(9, end);
}

function minify(css) {
  let result = '';
  let at = 0;
  while (at < css.length) {
    const open = css.indexOf('/*', at);
    if (open === -1) {
      result += css.slice(at);
      break;
    }
    result += css.slice(at, open);
    const close = css.indexOf('*/', open + 2);
    at = close === -1 ? css.length : close + 2;
  }
  return result
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function resize(file, out, width) {
  const quality = width <= 640 ? '72' : '80';
  const run = spawnSync('convert', [file, '-resize', `${width}x>`, '-quality', quality, '-strip', out], {
    env: { ...process.env, MAGICK_THREAD_LIMIT: String(Math.max(1, os.cpus().length - 1)) },
  });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(String(run.stderr).split('\n')[0] || `convert ended with ${run.status}`);
}

/** Whatever the new ledger does not know was produced by a page that no longer exists. */
function sweep(next) {
  for (const file of walk(TARGET)) {
    const name = path.relative(TARGET, file).split(path.sep).join('/');
    if (name === '.ledger.json' || next.entries[name]) continue;
    fs.unlinkSync(file);
    if (verbose) console.log(`  - ${name}`);
  }
}

function walk(directory) {
  if (!fs.existsSync(directory)) return [];
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(directory, entry.name);
    return entry.isDirectory() ? walk(full) : [full];
  });
}

function inSource(file) {
  return path.join(SOURCE, file);
}
