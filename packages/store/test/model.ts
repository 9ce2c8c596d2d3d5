import type { RecoveryStore } from '@jeeves/engine';
import { expect } from 'vitest';
import type { StoreLimits } from '../src/limits.ts';
import { entryOf } from './texts.ts';

export type Step =
  | { readonly kind: 'put'; readonly id: string; readonly bytes: number }
  | { readonly kind: 'get'; readonly id: string }
  | { readonly kind: 'wait'; readonly ms: number };

interface Held {
  readonly id: string;
  readonly text: string;
  readonly expiresAt: number;
}

/** The rules of a store in their plainest form: a list, oldest put first. */
export class Model {
  readonly #limits: StoreLimits;
  #held: Held[] = [];
  now = 1000;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  async apply(step: Step, store: RecoveryStore): Promise<void> {
    if (step.kind === 'wait') this.now += step.ms;
    else if (step.kind === 'get') await this.#get(step.id, store);
    else await this.#put(step.id, step.bytes, store);
  }

  async #put(id: string, bytes: number, store: RecoveryStore): Promise<void> {
    const text = String.fromCharCode(97 + (this.now % 26)).repeat(bytes);
    if (bytes > this.#limits.maxBytes) {
      await expect(store.put(entryOf(id, text))).rejects.toMatchObject({ code: 'store_failed' });
      return;
    }
    await store.put(entryOf(id, text));
    this.#held = this.#held.filter((held) => held.id !== id && held.expiresAt > this.now);
    const total = (): number => this.#held.reduce((sum, held) => sum + held.text.length, bytes);
    while (total() > this.#limits.maxBytes) this.#held.shift();
    this.#held.push({ id, text, expiresAt: this.now + this.#limits.ttlMs });
  }

  async #get(id: string, store: RecoveryStore): Promise<void> {
    const held = this.#held.find((entry) => entry.id === id && entry.expiresAt > this.now);
    expect((await store.get(id))?.text).toBe(held?.text);
  }
}
