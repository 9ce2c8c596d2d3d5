#!/usr/bin/env node
// A small file server for previews: no framework, no dependencies, safe enough for a shared network.
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, extname, join, normalize, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createBrotliCompress, createGzip, constants } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
  '.mp4': 'video/mp4',
};

const COMPRESSIBLE = /^(?:text\/|application\/(?:json|javascript|wasm)|image\/svg)/;
const HASHED = /\.[0-9a-f]{8,}\.(?:js|css|woff2|png|svg)$/;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', short: 'p', default: '4173' },
    host: { type: 'string', default: '127.0.0.1' },
    spa: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    quiet: { type: 'boolean', short: 'q', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (flags.help) {
  console.log('usage: static-server [--port N] [--host H] [--spa] [--list] [directory]');
  process.exit(0);
}

const root = await realpath(resolve(positionals[0] ?? '.'));
const server = createServer((request, response) => {
  const started = process.hrtime.bigint();
  response.on('close', () => {
    if (flags.quiet) return;
    const ms = Number(process.hrtime.bigint() - started) / 1e6;
    console.log(`${request.method} ${request.url} ${response.statusCode} ${ms.toFixed(1)} ms`);
  });
  serve(request, response).catch((error) => {
    if (response.headersSent) {
      response.destroy(error);
      return;
    }
    fail(response, 500, 'Internal error');
    if (!flags.quiet) console.error(error);
  });
});

server.keepAliveTimeout = 5_000;
server.headersTimeout = 10_000;
server.listen(Number(flags.port), flags.host, () => {
  console.log(`serving ${root} on http://${flags.host}:${server.address().port}`);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  });
}

async function serve(request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    fail(response, 405, 'Only GET and HEAD');
    return;
  }
  const located = await locate(request.url ?? '/');
  if (located.kind === 'refused') return fail(response, 403, 'Forbidden');
  if (located.kind === 'missing') {
    if (flags.spa && acceptsHtml(request)) return sendFile(request, response, join(root, 'index.html'));
    return fail(response, 404, 'Not found');
  }
  if (located.kind === 'directory') {
    if (!located.url.endsWith('/')) {
      response.writeHead(308, { Location: `${located.url}/` });
      response.end();
      return;
    }
    const index = join(located.path, 'index.html');
    if (await isFile(index)) return sendFile(request, response, index);
    return flags.list ? sendListing(response, located) : fail(response, 404, 'Not found');
  }
  return sendFile(request, response, located.path);
}

/** Turns a URL into a place on disk, or says why there is none. */
async function locate(rawUrl) {
  let url;
  try {
    url = decodeURIComponent(rawUrl.split('?', 1)[0]);
  } catch {
    return { kind: 'refused' };
  }
  if (url.includes('\0')) return { kind: 'refused' };
  const wanted = normalize(join(root, url));
  if (wanted !== root && !wanted.startsWith(root + sep)) return { kind: 'refused' };
  let path;
  try {
    // Links are followed before the check is repeated: a link may leave the tree as well as `..` can.
    path = await realpath(wanted);
  } catch {
    return { kind: 'missing' };
  }
  if (path !== root && !path.startsWith(root + sep)) return { kind: 'refused' };
  if (path.split(sep).some((part) => part.startsWith('.') && part !== '.well-known')) return { kind: 'missing' };
  const info = await stat(path);
  return { kind: info.isDirectory() ? 'directory' : 'file', path, url };
}

async function sendFile(request, response, path) {
  const info = await stat(path);
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const tag = `W/"${info.size.toString(16)}-${Math.trunc(info.mtimeMs).toString(16)}"`;
  response.setHeader('Content-Type', type);
  response.setHeader('ETag', tag);
  response.setHeader('Last-Modified', info.mtime.toUTCString());
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader(
    'Cache-Control',
    HASHED.test(basename(path)) ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  if (isFresh(request, tag, info)) {
    response.writeHead(304);
    response.end();
    return;
  }
  const range = parseRange(request.headers.range, info.size);
  if (range === 'invalid') {
    response.setHeader('Content-Range', `bytes */${info.size}`);
    fail(response, 416, 'Range not satisfiable');
    return;
  }
  if (range !== undefined) {
    response.writeHead(206, {
      'Accept-Ranges': 'bytes',
      'Content-Range': `bytes ${range.start}-${range.end}/${info.size}`,
      'Content-Length': range.end - range.start + 1,
    });
    if (request.method === 'HEAD') return void response.end();
    await pipeline(createReadStream(path, range), response);
    return;
  }
  response.setHeader('Accept-Ranges', 'bytes');
  if (request.method === 'HEAD') {
    response.writeHead(200, { 'Content-Length': info.size });
    response.end();
    return;
  }
  await sendBody(request, response, { path, type, size: info.size });
}

async function sendBody(request, response, { path, type, size }) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const worthIt = COMPRESSIBLE.test(type) && size > 1_400;
  response.setHeader('Vary', 'Accept-Encoding');
  if (worthIt && /\bbr\b/.test(accepted)) {
    response.writeHead(200, { 'Content-Encoding': 'br' });
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: size };
    await pipeline(createReadStream(path), createBrotliCompress({ params }), response);
  } else if (worthIt && /\bgzip\b/.test(accepted)) {
    response.writeHead(200, { 'Content-Encoding': 'gzip' });
    await pipeline(createReadStream(path), createGzip({ level: 6 }), response);
  } else {
    response.writeHead(200, { 'Content-Length': size });
    await pipeline(createReadStream(path), response);
  }
}

async function sendListing(response, { path, url }) {
  const entries = await readdir(path, { withFileTypes: true });
  const rows = entries
    .filter((entry) => !entry.name.startsWith('.'))
    .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name))
    .map((entry) => {
      const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
      return `<li><a href="${encodeURI(name)}">${escapeHtml(name)}</a></li>`;
    });
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`<!doctype html><title>${escapeHtml(url)}</title><h1>${escapeHtml(url)}</h1><ul>${rows.join('')}</ul>`);
}

function isFresh(request, tag, info) {
  const match = request.headers['if-none-match'];
  if (match !== undefined) return match.split(',').some((candidate) => candidate.trim() === tag);
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && Math.trunc(info.mtimeMs / 1_000) * 1_000 <= since;
}

/** One range only; several at once are answered with the whole file, which the standard allows. */
function parseRange(header, size) {
  if (header === undefined || !header.startsWith('bytes=') || header.includes(',')) return undefined;
  const [from, to] = header.slice('bytes='.length).split('-');
  if (from === '' && to === '') return 'invalid';
  if (from === '') {
    const length = Number(to);
    if (!Number.isInteger(length) || length === 0) return 'invalid';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (!Number.isInteger(start) || !Number.isInteger(end) || start > end) return 'invalid';
  return { start, end };
}

function acceptsHtml(request) {
  return String(request.headers.accept ?? '').includes('text/html');
}

async function isFile(path) {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function fail(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${status} ${text}\n`);
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
