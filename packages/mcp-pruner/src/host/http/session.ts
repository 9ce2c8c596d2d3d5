import { Buffer } from 'node:buffer';
import { z } from 'zod';
import type { Client } from '../tool.ts';

// Random, so that no two clients are taken for one; and it carries what the handshake told, so that nothing has to be
// remembered: a session outlives a restart of the server.
const SESSION = /^jv1\.[\w-]{22}\.([\w-]{1,1200})$/;
const MAX_NAME = 100;
const NAMED = z.tuple([z.string(), z.string()]);

export function newSession({ name, version }: Client, randomBytes: (count: number) => Uint8Array): string {
  const random = Buffer.from(randomBytes(16)).toString('base64url');
  const told = JSON.stringify([name.slice(0, MAX_NAME), version.slice(0, MAX_NAME)]);
  return `jv1.${random}.${Buffer.from(told).toString('base64url')}`;
}

/** Whose session it is; nothing for one that this server never gave out. */
export function readSession(session: string): Client | undefined {
  const told = SESSION.exec(session)?.[1];
  if (told === undefined) return undefined;
  try {
    const [name, version] = NAMED.parse(JSON.parse(Buffer.from(told, 'base64url').toString('utf8')));
    return { name, version };
  } catch {
    return undefined;
  }
}
