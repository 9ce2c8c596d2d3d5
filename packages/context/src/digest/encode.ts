import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';
import { type ColumnName, type Columns, NAME_COLUMNS } from '../analysis/columns.ts';
import type { Names } from '../analysis/names.ts';
import { type Numbers, numbersFrom, widthOf } from '../analysis/numbers.ts';
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
} from './format.ts';

/** The columns of a project after so many collections, as bytes to be kept. */
export function encodeDigest(columns: Columns, collections: number): Uint8Array {
  const parts = new Parts();
  const { length, epoch, targets, targetsFrom, texts, names } = columns;
  const head: Head = {
    collections,
    length,
    epoch,
    columns: COLUMNS.map(
      (name) => formOf(columns, name) ?? addExceptions(columns, name, parts) ?? parts.addNumbers(columns[name]).width,
    ),
    targets: parts.addNumbers(targets),
    targetsFrom: parts.addNumbers(targetsFrom),
    names: NAME_COLUMNS.map((name) => addNames(names[name], parts)),
  };
  parts.add(bytesOf(texts));
  return sealed(Buffer.from(JSON.stringify(head)), parts.all);
}

class Parts {
  readonly all: Uint8Array[] = [];

  add(bytes: Uint8Array): void {
    this.all.push(bytes, new Uint8Array(aligned(bytes.length) - bytes.length));
  }

  addNumbers(numbers: Numbers): NumbersForm {
    // A column that was changed may be wider than it must be.
    const narrow = numbersFrom(numbers.length, (at) => numbers[at] as number);
    this.add(bytesOf(narrow));
    return { width: widthOf(narrow), count: narrow.length };
  }
}

/** Of what need not be stored. */
function formOf(columns: Columns, name: ColumnName): ColumnForm | undefined {
  const numbers = columns[name];
  if (numbers.every((number) => number === 0)) return 'zeros';
  if (numbers.every((number, at) => number === at)) return 'places';
  return isLater(name) && numbers.every((number, at) => number === columns.createdAt[at]) ? 'createdAt' : undefined;
}

function isLater(name: ColumnName): boolean {
  return name === 'touchedAt' || name === 'enteredAt';
}

/** Most segments are as they were made; the fewer bytes a digest has, the sooner it is read. */
function addExceptions(columns: Columns, name: ColumnName, parts: Parts): ColumnForm | undefined {
  if (!isLater(name)) return undefined;
  const { createdAt, [name]: numbers, length } = columns;
  const places: number[] = [];
  for (let at = 0; at < length; at += 1) if (numbers[at] !== createdAt[at]) places.push(at);
  if (places.length > length / 4) return undefined;
  return {
    places: parts.addNumbers(Uint32Array.from(places)),
    numbers: parts.addNumbers(numbersFrom(places.length, (at) => numbers[places[at] as number] as number)),
  };
}

/** Two bytes a character where one does not do: half surrogate pairs come back as well. */
function addNames(names: Names, parts: Parts): NamesForm {
  const { text, ends } = names.joined;
  const short = Buffer.from(text, 'latin1');
  const encoding = short.toString('latin1') === text ? 'latin1' : 'utf16le';
  const bytes = encoding === 'latin1' ? short : Buffer.from(text, encoding);
  const packed = deflateRawSync(bytes, { level: 1 });
  parts.add(bytesOf(names.signs));
  parts.add(bytesOf(ends));
  parts.add(packed);
  return { count: names.length, encoding, packedBytes: packed.length, bytes: bytes.length };
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function sealed(head: Buffer, parts: readonly Uint8Array[]): Uint8Array {
  const start = bytesOf(Uint32Array.of(FORMAT, head.length));
  const padding = new Uint8Array(aligned(head.length) - head.length);
  const bytes = Buffer.concat([new Uint8Array(CHECKSUM_BYTES), start, head, padding, ...parts]);
  bytes.set(checksum(bytes.subarray(CHECKSUM_BYTES)));
  return bytes;
}
