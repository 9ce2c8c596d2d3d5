import type { FieldName } from './document.ts';

/**
 * How ranking weighs what it sees. The weights were chosen on one half of the labelled goals; the other half only
 * measures. `weakFit` was chosen with all sets of goals in view.
 */
export interface RankSettings {
  /** How much an occurrence in a field counts. */
  readonly fields: Readonly<Record<FieldName, number>>;
  /** How much longer fields are held back, 0..1. */
  readonly lengthNorm: Readonly<Record<FieldName, number>>;
  /** How fast further occurrences stop counting. */
  readonly saturation: number;
  /** How much a related word counts at most, and when the word itself is nowhere in the catalogue. */
  readonly related: number;
  readonly relatedAlone: number;
  /** A word that only says what to do. */
  readonly actionWord: number;
  /** Share of the tool's name that the goal speaks of. */
  readonly nameShare: number;
  /** Share of the name's words that the goal has in the same form. */
  readonly asWritten: number;
  /** How much the tool's whole server is about the goal. */
  readonly server: number;
  /** The goal names the tool's server. */
  readonly mention: number;
  /** The tool does what the goal asks to be done, or something else. */
  readonly sameAction: number;
  readonly otherAction: number;
  /** The goal asks which there are, and the tool lists. */
  readonly listing: number;
  /** How much the engine's backend has to say. */
  readonly backend: number;
  /** A goal of which the best tool speaks less than this is served badly. */
  readonly weakFit: number;
}

export const SETTINGS: RankSettings = {
  fields: { name: 4, title: 1.5, server: 10, lead: 4.5, rest: 0.25, parameters: 0.25, parameterTexts: 0.25 },
  lengthNorm: { name: 0.25, title: 0.4, server: 0, lead: 0.95, rest: 0.4, parameters: 0.7, parameterTexts: 0.8 },
  saturation: 1.5,
  related: 1.2,
  relatedAlone: 2.2,
  actionWord: 0.9,
  nameShare: 0.12,
  asWritten: 0.06,
  server: 0.5,
  mention: 0.15,
  sameAction: 0.02,
  otherAction: -0.12,
  listing: 0.07,
  backend: 0.05,
  weakFit: 0.3,
};
