import autocannon from 'autocannon';

export interface Load {
  readonly connections: number;
  /** Either so long, or so many requests. */
  readonly seconds?: number;
  readonly amount?: number;
  /** Requests per second in all; as fast as answers come when absent. */
  readonly rate?: number;
}

/** What came back. Times in milliseconds. */
export interface Outcome {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  readonly ok: number;
  readonly shed: number;
  /** Neither answered nor turned away properly. */
  readonly errors: number;
}

/** One body for all requests, or what makes one for each: that takes the load generator longer. */
export type Bodies = string | (() => string);

/** Posts one body after the other. */
export async function post(url: string, bodies: Bodies, load: Load): Promise<Outcome> {
  const { connections, seconds = 10, amount, rate } = load;
  const result = await autocannon({
    url: `${url}/rpc`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(typeof bodies === 'string'
      ? { body: bodies }
      : { requests: [{ setupRequest: (request) => ({ ...request, body: bodies() }) }] }),
    connections,
    timeout: 30,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(rate !== undefined && { overallRate: rate }),
  });
  const { latency, duration, errors, timeouts } = result;
  const shed = result.statusCodeStats?.['503']?.count ?? 0;
  const all = result['2xx'] + result.non2xx;
  return {
    perSecond: result['2xx'] / duration,
    p50: latency.p50,
    p99: latency.p99,
    slowest: latency.max,
    ok: result['2xx'],
    shed,
    errors: errors + timeouts + all - result['2xx'] - shed,
  };
}
