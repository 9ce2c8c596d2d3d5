import { join } from 'node:path';
import type { ResponseRetrieval } from '@jeeves/protocol';
import { makeDirectory, writeWhole } from './files.ts';

const FOLDER = 'tool-raw';
const CHUNK_CHARS = 64_000;
const MAX_NAME = 120;

/** Writes the whole output of a call in readable pieces, and says where they lie. */
export function writeToolOutput(directory: string, toolUseId: string, text: string): ResponseRetrieval {
  if (text === '') return { status: 'not_applicable', not_applicable_reason: 'tool output was empty' };
  const name = safeName(toolUseId);
  makeDirectory(join(directory, FOLDER));
  const paths = chunksOf(text).map((chunk, at) => {
    const path = `${FOLDER}/${name}.part-${String(at + 1).padStart(3, '0')}.txt`;
    writeWhole(join(directory, path), chunk);
    return path;
  });
  return {
    status: 'available',
    handle: `tool-output://${name}`,
    artifact_paths: paths,
    mime: 'text/plain; charset=utf-8',
    chunk_count: paths.length,
  };
}

/** An id comes from a model's client: it must neither leave the folder nor hide in it. */
function safeName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, MAX_NAME);
  return name.replace(/^\.+/, (dots) => '_'.repeat(dots.length)) || '_';
}

/** No piece ends within a character that takes two units. */
function chunksOf(text: string): readonly string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + CHUNK_CHARS);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    chunks.push(text.slice(start, end));
    start = end;
  }
  return chunks;
}
