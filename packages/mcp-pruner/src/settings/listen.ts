import { isIP } from 'node:net';
import { ENVIRONMENT, parseInteger } from '@jeeves/protocol';
import type { Launch } from '../config.ts';
import type { Values } from './values.ts';

export interface Listen {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  /** Why nobody can listen there. */
  readonly refusal?: string;
}

const HOSTNAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;

/** The address. A bad one is no reason to listen at another: whoever named it relies on it. */
export function readListen(values: Values, { host: hostFlag, port: portFlag, http }: Launch): Listen {
  const host = hostFlag ?? values.text('MCP_PRUNER_HOST') ?? ENVIRONMENT.MCP_PRUNER_HOST.default;
  const port = readPort(portFlag ?? values.text('MCP_PRUNER_PORT'), http?.defaultPort);
  const allowedHosts = values.list('MCP_PRUNER_ALLOWED_HOSTS') ?? [];
  if (http === undefined) return { host, port: port.value, allowedHosts };
  const hostProblem = problemOf(host, allowedHosts);
  if (hostProblem !== undefined) values.report('MCP_PRUNER_HOST', hostProblem);
  if (port.problem !== undefined) values.report('MCP_PRUNER_PORT', port.problem);
  const why =
    hostProblem === undefined ? prefixed('invalid_port', port.problem) : prefixed('invalid_host', hostProblem);
  return { host, port: port.value, allowedHosts, ...(why !== undefined && { refusal: why }) };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function problemOf(host: string, allowedHosts: readonly string[]): string | undefined {
  const shown = JSON.stringify(host.slice(0, 80));
  if (isIP(host) === 0 && !HOSTNAME.test(host)) return `${shown} is no address`;
  if (isLoopback(host) || allowedHosts.length > 0) return undefined;
  return `${shown} is not loopback: that needs MCP_PRUNER_ALLOWED_HOSTS, the names it is reached by`;
}

function readPort(value: string | undefined, usual: number = ENVIRONMENT.MCP_PRUNER_PORT.default) {
  if (value === undefined) return { value: usual, problem: undefined };
  const parsed = parseInteger(value, ENVIRONMENT.MCP_PRUNER_PORT);
  return parsed.ok ? { value: parsed.value, problem: undefined } : { value: usual, problem: parsed.message };
}

function prefixed(code: string, message: string | undefined): string | undefined {
  return message === undefined ? undefined : `${code}: ${message}`;
}
