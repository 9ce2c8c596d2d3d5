/** What a UTF-16 code unit is to the term scanner. */
export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** Joins parts of one identifier: `_` and `$`. */
export const JOINER = 4;
/** Scripts written without spaces: every character is a term. */
export const IDEOGRAPH = 5;

/** The class of every code unit. A table, because the scanner asks once per character. */
export const CLASSES: Uint8Array = classTable();

/** Lower case without accents for every code unit, so that `Élagué` and `elague` are one word. */
export const FOLDS: Uint16Array = foldTable();

function classTable(): Uint8Array {
  const classes = new Uint8Array(0x10000);
  classes.fill(DIGIT, 48, 58);
  classes.fill(UPPER, 65, 91);
  classes.fill(LOWER, 97, 123);
  classes[0x5f] = JOINER;
  classes[0x24] = JOINER;
  // Outside ASCII everything but punctuation, symbols and surrogates counts as a letter.
  classes.fill(LOWER, 0xaa, 0x2000);
  classes[0xd7] = OTHER;
  classes[0xf7] = OTHER;
  classes.fill(LOWER, 0x2c00, 0xd800);
  classes.fill(LOWER, 0xf900, 0xfe00);
  classes.fill(IDEOGRAPH, 0x3040, 0x3100);
  classes.fill(IDEOGRAPH, 0x3400, 0xa000);
  classes.fill(IDEOGRAPH, 0xac00, 0xd7a4);
  return classes;
}

function foldTable(): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < table.length; unit += 1) table[unit] = unit;
  for (let unit = 65; unit <= 90; unit += 1) table[unit] = unit + 32;
  // Latin, Greek and Cyrillic; case and accents mean nothing beyond.
  for (let unit = 128; unit < 0x600; unit += 1) {
    table[unit] = String.fromCharCode(unit).toLowerCase().normalize('NFD').charCodeAt(0);
  }
  return table;
}
