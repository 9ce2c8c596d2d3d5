import { MAX_MESSAGE_BYTES } from '../framing.ts';
import type { ConnectionLimits } from './connections.ts';
import { PLACE_LIMITS, type PlaceLimits } from './places.ts';

/** What a listener bears, and how long it waits for whom. */
export interface HttpLimits extends PlaceLimits, ConnectionLimits {
  readonly maxBodyBytes: number;
  /** What bodies and unread replies may hold in memory together. */
  readonly maxHeldBytes: number;
  /** For the head of a request, and for all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** The longest pause in the middle of a body. */
  readonly bodyIdleMs: number;
  /** For the caller to take a reply that is ready. */
  readonly replyMs: number;
  /** How long an unused connection stays open. */
  readonly keepAliveMs: number;
  /** What a caller that is turned away is told to wait. */
  readonly retryAfterS: number;
}

export const HTTP_LIMITS: HttpLimits = {
  ...PLACE_LIMITS,
  maxBodyBytes: MAX_MESSAGE_BYTES,
  maxHeldBytes: 128 * 1024 * 1024,
  connections: 1024,
  connectionsPerAddress: 768,
  makesRoomMs: 1000,
  headersMs: 5000,
  requestMs: 30_000,
  bodyIdleMs: 10_000,
  replyMs: 30_000,
  keepAliveMs: 10_000,
  retryAfterS: 1,
};
