import type { Random } from '../random.ts';

const THINGS: readonly string[] = (
  'invoice cart session token parser cache ledger shipment order refund coupon profile avatar inbox thread channel reminder calendar booking ticket ' +
  'seat playlist track album upload thumbnail archive snapshot backup cursor page filter query index schema migration tenant region zone route vehicle ' +
  'driver sensor reading meter alarm device firmware badge score level quest wallet transfer payout deposit currency tax receipt report chart widget ' +
  'layout theme palette font glyph shader mesh texture camera lens packet frame socket stream buffer queue worker job batch shard replica lease quorum'
).split(' ');
const DEEDS: readonly string[] = (
  'rounds totals|rejects empty input|expires after an hour|merges duplicates|keeps insertion order|trims white space|handles unicode names|returns the newest first|' +
  'ignores unknown keys|falls back to defaults|counts each item once|survives a restart|splits long lines|honours the limit|retries twice|closes on error|' +
  'sorts by date|escapes quotes|parses negative numbers|clamps to the range|renders nested lists|drops stale entries|copies before writing|locks while saving|' +
  'normalises case|supports paging|validates the checksum|restores defaults|accepts an iterator|formats large amounts'
).split('|');

export function thing(random: Random): string {
  return random.pick(THINGS);
}

export function deed(random: Random): string {
  return random.pick(DEEDS);
}

/** Different pairs of a thing and what it does, as many as asked for. */
export function behaviours(random: Random, count: number): { thing: string; deed: string }[] {
  const all = THINGS.flatMap((thing) => DEEDS.map((deed) => ({ thing, deed })));
  return random.shuffle(all).slice(0, count);
}

export function snake(words: string): string {
  return words.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

export function pascal(words: string): string {
  return snake(words).replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

export function hex(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += random.below(16).toString(16);
  return text;
}
