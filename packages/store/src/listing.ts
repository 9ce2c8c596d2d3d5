import type { RecoveryStore, StoredText } from '@jeeves/engine';

/** A recovery store that can name what it holds. */
export interface ListingStore extends RecoveryStore {
  /** Texts that can be recovered now, the newest first. */
  recent(query: RecentQuery): Promise<readonly StoredSummary[]>;
}

export interface RecentQuery {
  /** The most texts to name, the newest first. */
  readonly limit: number;
  /** Only texts whose id begins like this. */
  readonly prefix?: string;
}

/** What a list of kept texts says of each. */
export interface StoredSummary extends Omit<StoredText, 'text' | 'firstLine'> {
  /** What the text takes in the store. */
  readonly bytes: number;
}
