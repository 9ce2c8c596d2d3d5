/**
 * Wire names end here: packages speak camelCase, the wire snake_case, and these two functions are the door between them.
 * They rename the fields of our own shapes only; below a field that holds somebody else's data nothing is touched.
 */

type CamelKey<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelKey<Tail>>}`
  : Key;

/** A wire shape in the words that the packages use. */
export type OurWords<Shape> = Shape extends readonly (infer Item)[]
  ? readonly OurWords<Item>[]
  : Shape extends object
    ? { readonly [Key in keyof Shape as Key extends string ? CamelKey<Key> : Key]: OurWords<Shape[Key]> }
    : Shape;

/** Fields whose value is data with keys of its own: environment variables, another server's arguments and schemas, counts by name. */
const FOREIGN: ReadonlySet<string> = new Set([
  'env',
  'arguments',
  'tools',
  'toolSchema',
  'inputSchema',
  'tokens_by_type',
  'segments_by_type',
  'tokens_by_task',
]);

/** Arguments that came over the wire, in our own words. */
export function fromWire<Shape extends object>(wire: Shape): OurWords<Shape> {
  return rename(wire, toCamel) as OurWords<Shape>;
}

/** A result in our own words, as it goes over the wire. */
export function toWire<Shape extends object>(ours: OurWords<Shape>): Shape {
  return rename(ours, toSnake) as Shape;
}

function rename(value: unknown, nameOf: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => rename(item, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, held] of Object.entries(value)) {
    const name = nameOf(key);
    renamed[name] = FOREIGN.has(key) || FOREIGN.has(name) ? held : rename(held, nameOf);
  }
  return renamed;
}

function toCamel(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function toSnake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
