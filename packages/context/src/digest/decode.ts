import { Buffer } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { type ColumnName, type Columns, NAME_COLUMNS } from '../analysis/columns.ts';
import { type Joined, Names } from '../analysis/names.ts';
import { type Numbers, newNumbers, viewNumbers, type Width, widthOf } from '../analysis/numbers.ts';
import {
  aligned,
  CHECKSUM_BYTES,
  COLUMNS,
  type ColumnForm,
  checksum,
  FORMAT,
  type Head,
  type NamesForm,
  type NumbersForm,
  PREFIX_BYTES,
} from './format.ts';

export interface Decoded {
  readonly columns: Columns;
  readonly collections: number;
}

/**
 * Undefined for whatever is not exactly what `encodeDigest` made. The columns are views of the bytes wherever possible,
 * and names are unpacked when one is asked for: in a process that has just begun, fresh memory is what costs most.
 */
export function decodeDigest(given: Uint8Array): Decoded | undefined {
  const aside = given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
  const bytes = Buffer.from(aside.buffer, aside.byteOffset, aside.byteLength);
  if (bytes.length < PREFIX_BYTES) return undefined;
  const signed = bytes.subarray(CHECKSUM_BYTES);
  if (!checksum(signed).equals(bytes.subarray(0, CHECKSUM_BYTES))) return undefined;
  const [format, headBytes = 0] = viewNumbers(4, signed.subarray(0, 8));
  if (format !== FORMAT) return undefined;
  const body = bytes.subarray(PREFIX_BYTES);
  const head = JSON.parse(body.toString('utf8', 0, headBytes)) as Head;
  return { columns: readColumns(head, body.subarray(aligned(headBytes))), collections: head.collections };
}

function readColumns(head: Head, bytes: Buffer): Columns {
  const { length, epoch } = head;
  const take = reader(bytes);
  const takeNumbers = ({ width, count }: NumbersForm): Numbers => viewNumbers(width, take(width * count));
  const places = once(() => placesUpTo(length));
  const columns: Partial<Record<ColumnName, Numbers>> = {};
  const column = (form: ColumnForm): Numbers | undefined => {
    if (form === 'zeros') return new Uint8Array(length);
    if (form === 'places') return places();
    if (form === 'createdAt') return columns.createdAt;
    if (typeof form === 'number') return takeNumbers({ width: form, count: length });
    return withExceptions(columns.createdAt as Numbers, takeNumbers(form.places), takeNumbers(form.numbers));
  };
  for (const [at, name] of COLUMNS.entries()) columns[name] = column(head.columns[at] as ColumnForm) as Numbers;
  const targets = takeNumbers(head.targets);
  const targetsFrom = takeNumbers(head.targetsFrom);
  const names = NAME_COLUMNS.map((name, at) => [name, readNames(head.names[at] as NamesForm, take)]);
  return {
    ...(columns as Record<ColumnName, Numbers>),
    length,
    epoch,
    targets,
    targetsFrom,
    texts: viewNumbers(4, take(16 * length)) as Uint32Array,
    names: Object.fromEntries(names) as Columns['names'],
  };
}

function withExceptions(numbers: Numbers, places: Numbers, exceptions: Numbers): Numbers {
  const changed = newNumbers(Math.max(widthOf(numbers), widthOf(exceptions)) as Width, numbers.length);
  changed.set(numbers);
  for (let at = 0; at < places.length; at += 1) changed[places[at] as number] = exceptions[at] as number;
  return changed;
}

type Take = (count: number) => Buffer;

function reader(bytes: Buffer): Take {
  let next = 0;
  return (count) => {
    const part = bytes.subarray(next, next + count);
    next += aligned(count);
    return part;
  };
}

function readNames({ count, encoding, packedBytes, bytes }: NamesForm, take: Take): Names {
  const signs = viewNumbers(2, take(2 * count)) as Uint16Array;
  const ends = viewNumbers(4, take(4 * count)) as Uint32Array;
  const packed = take(packedBytes);
  return new Names(signs, (): Joined => {
    const unpacked = inflateRawSync(packed, { chunkSize: Math.max(64, bytes) });
    return { text: unpacked.toString(encoding), ends };
  });
}

function placesUpTo(length: number): Uint32Array {
  const places = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) places[at] = at;
  return places;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
