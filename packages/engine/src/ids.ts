const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 16;
/** Digits that 128 bits take in base 62. */
const DIGITS = 22;

/** `prn_` and 128 random bits in base 62: an id is a key to a text, so it must not be guessable. */
export function newPruneId(randomBytes: (count: number) => Uint8Array): string {
  let value = 0n;
  for (const byte of randomBytes(RANDOM_BYTES)) value = (value << 8n) | BigInt(byte);
  let digits = '';
  for (let at = 0; at < DIGITS; at += 1) {
    digits = `${ALPHABET[Number(value % 62n)] ?? ''}${digits}`;
    value /= 62n;
  }
  return `prn_${digits}`;
}
