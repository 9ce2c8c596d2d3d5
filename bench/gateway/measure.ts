import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Peer, type Reply, stdioPeer } from './peer.ts';
import { EVERYTHING, gateway, gatewayOverHttp, proxy, type Servers, script, TEST_SERVER } from './sites.ts';

export interface Times {
  readonly p50: number;
  readonly p99: number;
}

const ECHO = { message: 'hello' };
const ROUNDS = 12;
const CALLS = 150;
const WARM_UP = 100;

/** The same call by every way, in turns, so that a noisy moment hits all of them. */
export async function measureOverhead(directory: string): Promise<Readonly<Record<Way, Times>>> {
  const servers = { e: script(EVERYTHING) };
  const peers = {
    direct: await stdioPeer([EVERYTHING]),
    gateway: await gateway(join(directory, 'a'), servers),
    passthrough: await gateway(join(directory, 'b'), servers, '--passthrough'),
    gatewayHttp: await gatewayOverHttp(join(directory, 'c'), servers),
    proxyHttp: await proxy(),
  };
  const ways: Readonly<Record<Way, () => Promise<Reply>>> = {
    direct: direct(peers.direct, 'echo'),
    gateway: found(peers.gateway),
    passthrough: direct(peers.passthrough, 'e__echo'),
    gatewayHttp: found(peers.gatewayHttp),
    proxyHttp: direct(peers.proxyHttp, 'echo'),
  };
  const times = await inTurns(ways);
  for (const { end } of Object.values(peers)) end();
  return times;
}

function direct(peer: Peer, name: string): () => Promise<Reply> {
  return () => peer.ask('tools/call', { name, arguments: ECHO });
}

function found(peer: Peer): () => Promise<Reply> {
  const args = { toolName: 'e__echo', arguments: ECHO };
  return () => peer.ask('tools/call', { name: 'automatic_eval', arguments: args });
}

export type Way = 'direct' | 'gateway' | 'passthrough' | 'gatewayHttp' | 'proxyHttp';

async function inTurns(ways: Readonly<Record<Way, () => Promise<Reply>>>): Promise<Record<Way, Times>> {
  const names = Object.keys(ways) as Way[];
  const samples = new Map<Way, number[]>(names.map((name) => [name, []]));
  for (const name of names) await repeat(ways[name], WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) samples.get(name)?.push(...(await repeat(ways[name], CALLS)));
  }
  return Object.fromEntries(names.map((name) => [name, timesOf(samples.get(name) ?? [])])) as Record<Way, Times>;
}

async function repeat(call: () => Promise<Reply>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    const reply = await call();
    times.push(performance.now() - started);
    if (reply.result?.content?.[0]?.text !== 'Echo: hello') throw new Error(`a wrong answer: ${JSON.stringify(reply)}`);
  }
  return times;
}

export interface Isolation {
  readonly alone: Times;
  readonly beside: Times;
  readonly asked: number;
  readonly answered: number;
}

const HEALTHY = ['h1', 'h2', 'h3', 'h4', 'h5'];
const FAULTS = [
  [{ fault: 'hangs' }, { fault: 'crashes' }, { fault: 'floods' }],
  [{ fault: 'exits' }, { fault: 'garbage' }, { delayMs: 60_000 }],
] as const;
const SECONDS = 5;
const PAUSE_MS = 250;
/** Agents think between calls: a saturated machine would measure the machine. */
const BREATH_MS = 5;

/** Five healthy servers beside three: healthy ones, then three faulty ones, then three faulty in the other ways. */
export async function measureIsolation(directory: string): Promise<Isolation> {
  const alone: number[] = [];
  const beside: number[] = [];
  const total = { asked: 0, answered: 0 };
  for (let round = 0; round < 2; round += 1) {
    for (const [at, faults] of [[{}, {}, {}], ...FAULTS].entries()) {
      const home = join(directory, `isolation-${round}-${at}`);
      const times = await callHealthy(await gateway(home, serversWith(faults)), total);
      (at === 0 ? alone : beside).push(...times);
    }
  }
  return { alone: timesOf(alone), beside: timesOf(beside), ...total };
}

function serversWith(faults: readonly object[]): Servers {
  const healthy = HEALTHY.map((name) => [name, script(TEST_SERVER, '{}')]);
  const others = faults.map((fault, at) => [
    `f${at}`,
    { ...script(TEST_SERVER, JSON.stringify(fault)), timeoutMs: 1000, maxMessageBytes: 1_000_000 },
  ]);
  return Object.fromEntries([...healthy, ...others]) as Servers;
}

/** Each healthy server is called one call after the other; the others are called all the while, at a slower pace. */
async function callHealthy(peer: Peer, total: { asked: number; answered: number }): Promise<number[]> {
  const times: number[] = [];
  const echo = (server: string): Promise<Reply> =>
    peer.ask('tools/call', {
      name: 'automatic_eval',
      arguments: { toolName: `${server}__echo`, arguments: { text: server } },
    });
  for (const server of HEALTHY) for (let at = 0; at < 20; at += 1) await echo(server);
  const end = performance.now() + SECONDS * 1000;
  const healthy = HEALTHY.map(async (server) => {
    while (performance.now() < end) {
      const started = performance.now();
      const reply = await echo(server);
      times.push(performance.now() - started);
      total.asked += 1;
      if (reply.result?.content?.[0]?.text === server) total.answered += 1;
      await sleep(BREATH_MS);
    }
  });
  const others = [0, 1, 2].map(async (at) => {
    while (performance.now() < end) {
      void echo(`f${at}`);
      await sleep(PAUSE_MS);
    }
  });
  await Promise.all([...healthy, ...others]);
  peer.end();
  return times;
}

function timesOf(samples: readonly number[]): Times {
  const sorted = samples.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
