/**
 * The calculation core of the planning tool: cells, formulas, dependencies, undo.
 *
 * Nothing here knows about the screen. The grid calls `Sheet.set` and listens for changed cells.
 */

export type CellValue = number | string | boolean | CellError | null;

export interface CellError {
  readonly error: ErrorCode;
  readonly detail: string;
}

export type ErrorCode = '#DIV/0!' | '#NAME?' | '#REF!' | '#VALUE!' | '#CYCLE!' | '#PARSE!';

export interface Cell {
  readonly key: string;
  source: string;
  formula: Node | undefined;
  value: CellValue;
  format: NumberFormat;
}

export interface NumberFormat {
  readonly decimals: number;
  readonly thousands: boolean;
  readonly unit: 'none' | 'percent' | 'currency';
}

interface Change {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

type Node =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'ref'; readonly key: string }
  | { readonly kind: 'range'; readonly from: Position; readonly to: Position }
  | { readonly kind: 'unary'; readonly op: '-' | '%'; readonly operand: Node }
  | { readonly kind: 'binary'; readonly op: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] };

interface Position {
  readonly column: number;
  readonly row: number;
}

type Listener = (changed: ReadonlySet<string>) => void;

const DEFAULT_FORMAT: NumberFormat = { decimals: 2, thousands: false, unit: 'none' };
const MAX_COLUMN = 702; // ZZ
const MAX_ROW = 10_000;
const UNDO_LIMIT = 200;
const MAX_RANGE_CELLS = 100_000;

export class Sheet {
  private readonly cells = new Map<string, Cell>();
  /** For every cell the cells whose formulas read it. */
  private readonly readers = new Map<string, Set<string>>();
  private readonly listeners = new Set<Listener>();
  private undoStack: Change[][] = [];
  private redoStack: Change[][] = [];
  private batch: Change[] | undefined;
  private evaluations = 0;

  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get(key: string): CellValue {
    return this.cells.get(key)?.value ?? null;
  }

  source(key: string): string {
    return this.cells.get(key)?.source ?? '';
  }

  display(key: string): string {
    const cell = this.cells.get(key);
    if (cell === undefined) return '';
    return formatValue(cell.value, cell.format);
  }

  setFormat(key: string, format: Partial<NumberFormat>): void {
    const cell = this.cellAt(key);
    cell.format = { ...cell.format, ...format };
    this.notify(new Set([key]));
  }

  /** Writes one cell and recomputes everything that depends on it. */
  set(key: string, source: string): void {
    const position = parseKey(key);
    if (position === undefined) throw new RangeError(`${key} is not a cell`);
    const cell = this.cellAt(key);
    const change: Change = { key, before: cell.source, after: source };
    this.apply(key, source);
    this.record([change]);
  }

  /** Several writes that undo as one; listeners hear about them once. */
  transaction(work: () => void): void {
    if (this.batch !== undefined) {
      work();
      return;
    }
    this.batch = [];
    try {
      work();
    } catch (error) {
      for (const change of [...this.batch].reverse()) this.apply(change.key, change.before);
      this.batch = undefined;
      throw error;
    }
    const changes = this.batch;
    this.batch = undefined;
    if (changes.length > 0) this.record(changes);
  }

  undo(): boolean {
    const changes = this.undoStack.pop();
    if (changes === undefined) return false;
    for (const change of [...changes].reverse()) this.apply(change.key, change.before);
    this.redoStack.push(changes);
    return true;
  }

  redo(): boolean {
    const changes = this.redoStack.pop();
    if (changes === undefined) return false;
    for (const change of changes) this.apply(change.key, change.after);
    this.undoStack.push(changes);
    return true;
  }

  clear(): void {
    const keys = [...this.cells.keys()];
    this.transaction(() => {
      for (const key of keys) this.set(key, '');
    });
  }

  statistics(): { cells: number; formulas: number; evaluations: number } {
    let formulas = 0;
    for (const cell of this.cells.values()) if (cell.formula !== undefined) formulas += 1;
    return { cells: this.cells.size, formulas, evaluations: this.evaluations };
  }

  exportCsv(separator = ','): string {
    let lastRow = 0;
    let lastColumn = 0;
    for (const key of this.cells.keys()) {
      const position = parseKey(key);
      if (position === undefined) continue;
      lastRow = Math.max(lastRow, position.row);
      lastColumn = Math.max(lastColumn, position.column);
    }
    const lines: string[] = [];
    for (let row = 1; row <= lastRow; row += 1) {
      const fields: string[] = [];
      for (let column = 1; column <= lastColumn; column += 1) {
        fields.push(csvField(this.display(formatKey({ column, row })), separator));
      }
      lines.push(fields.join(separator));
    }
    return lines.join('\r\n');
  }

  importCsv(text: string, separator = ','): number {
    let count = 0;
    this.transaction(() => {
      parseCsv(text, separator).forEach((fields, rowIndex) => {
        fields.forEach((field, columnIndex) => {
          if (field === '') return;
          // A leading equals sign from a foreign file must not become a formula.
          const source = field.startsWith('=') ? `'${field}` : field;
          this.set(formatKey({ column: columnIndex + 1, row: rowIndex + 1 }), source);
          count += 1;
        });
      });
    });
    return count;
  }

  private record(changes: Change[]): void {
    if (this.batch !== undefined) {
      this.batch.push(...changes);
      return;
    }
    this.undoStack.push(changes);
    if (this.undoStack.length > UNDO_LIMIT) this.undoStack.shift();
    this.redoStack = [];
  }

  private apply(key: string, source: string): void {
    const cell = this.cellAt(key);
    this.forgetReads(cell);
    cell.source = source;
    cell.formula = undefined;
    if (source.startsWith('=')) {
      try {
        cell.formula = new Parser(source.slice(1)).parse();
        this.rememberReads(cell);
      } catch (error) {
        cell.value = { error: '#PARSE!', detail: error instanceof Error ? error.message : String(error) };
      }
    } else {
      cell.value = literal(source);
    }
    this.recompute(key);
  }

  /** Recomputes in an order in which every cell comes after what it reads. */
  private recompute(start: string): void {
    const { order, cyclic } = this.affected(start);
    for (const key of order) {
      const cell = this.cells.get(key);
      if (cell?.formula === undefined) continue;
      this.evaluations += 1;
      cell.value = cyclic.has(key)
        ? { error: '#CYCLE!', detail: `${key} depends on itself` }
        : this.evaluate(cell.formula);
    }
    this.notify(new Set(order));
  }

  private affected(start: string): { order: string[]; cyclic: Set<string> } {
    const order: string[] = [];
    const cyclic = new Set<string>();
    const state = new Map<string, 'open' | 'done'>();
    // An explicit stack: a column of ten thousand running totals is deeper than the call stack allows.
    const stack: { key: string; next: Iterator<string> }[] = [];
    const push = (key: string): void => {
      state.set(key, 'open');
      stack.push({ key, next: (this.readers.get(key) ?? new Set<string>()).values() });
    };
    push(start);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top === undefined) break;
      const step = top.next.next();
      if (step.done === true) {
        state.set(top.key, 'done');
        order.push(top.key);
        stack.pop();
        continue;
      }
      const seen = state.get(step.value);
      if (seen === undefined) push(step.value);
      else if (seen === 'open') {
        const from = stack.findIndex((entry) => entry.key === step.value);
        for (const entry of stack.slice(from)) cyclic.add(entry.key);
      }
    }
    return { order: order.reverse(), cyclic };
  }

  private rememberReads(cell: Cell): void {
    for (const key of readsOf(cell.formula)) {
      let set = this.readers.get(key);
      if (set === undefined) {
        set = new Set();
        this.readers.set(key, set);
      }
      set.add(cell.key);
    }
  }

  private forgetReads(cell: Cell): void {
    for (const key of readsOf(cell.formula)) {
      const set = this.readers.get(key);
      set?.delete(cell.key);
      if (set?.size === 0) this.readers.delete(key);
    }
  }

  private evaluate(node: Node): CellValue {
    switch (node.kind) {
      case 'number':
      case 'text':
      case 'boolean':
        return node.value;
      case 'ref':
        return this.get(node.key);
      case 'range':
        return { error: '#VALUE!', detail: 'a range needs a function around it' };
      case 'unary':
        return this.unary(node.op, this.evaluate(node.operand));
      case 'binary':
        return this.binary(node.op, this.evaluate(node.left), this.evaluate(node.right));
      case 'call':
        return this.call(node.name, node.args);
    }
  }

  private unary(op: '-' | '%', operand: CellValue): CellValue {
    const value = toNumber(operand);
    if (typeof value !== 'number') return value;
    return op === '-' ? -value : value / 100;
  }

  private binary(op: string, left: CellValue, right: CellValue): CellValue {
    if (isError(left)) return left;
    if (isError(right)) return right;
    if (op === '&') return `${toText(left)}${toText(right)}`;
    if (op === '=' || op === '<>') return (compare(left, right) === 0) === (op === '=');
    if (op === '<') return compare(left, right) < 0;
    if (op === '<=') return compare(left, right) <= 0;
    if (op === '>') return compare(left, right) > 0;
    if (op === '>=') return compare(left, right) >= 0;
    const a = toNumber(left);
    const b = toNumber(right);
    if (typeof a !== 'number') return a;
    if (typeof b !== 'number') return b;
    switch (op) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return b === 0 ? { error: '#DIV/0!', detail: 'division by zero' } : a / b;
      case '^':
        return a ** b;
      default:
        return { error: '#VALUE!', detail: `unknown operator ${op}` };
    }
  }

  private call(name: string, args: readonly Node[]): CellValue {
    if (name === 'IF') {
      // Only the chosen branch runs: the other one may divide by zero, and that is what people use IF for.
      const [condition, yes, no] = args;
      if (condition === undefined || yes === undefined) return { error: '#VALUE!', detail: 'IF needs two arguments' };
      const chosen = this.evaluate(condition);
      if (isError(chosen)) return chosen;
      if (truthy(chosen)) return this.evaluate(yes);
      return no === undefined ? false : this.evaluate(no);
    }
    if (name === 'IFERROR') {
      const [attempt, fallback] = args;
      if (attempt === undefined || fallback === undefined) return { error: '#VALUE!', detail: 'IFERROR needs two' };
      const value = this.evaluate(attempt);
      return isError(value) ? this.evaluate(fallback) : value;
    }
    const handler = FUNCTIONS[name];
    if (handler === undefined) return { error: '#NAME?', detail: `${name} is not a function` };
    const values: CellValue[] = [];
    for (const arg of args) {
      if (arg.kind === 'range') {
        for (const key of keysIn(arg.from, arg.to)) values.push(this.get(key));
      } else {
        values.push(this.evaluate(arg));
      }
    }
    const failed = values.find(isError);
    if (failed !== undefined && !TOLERANT.has(name)) return failed;
    return handler(values);
  }

  private cellAt(key: string): Cell {
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = { key, source: '', formula: undefined, value: null, format: DEFAULT_FORMAT };
      this.cells.set(key, cell);
    }
    return cell;
  }

  private notify(changed: ReadonlySet<string>): void {
    for (const listener of this.listeners) listener(changed);
  }
}

const TOLERANT = new Set(['COUNT', 'COUNTA']);

/** Blank cells and texts are left out by the functions over ranges, as people expect of a column with a heading. */
const FUNCTIONS: Readonly<Record<string, (values: CellValue[]) => CellValue>> = {
  SUM: (values) => numbers(values).reduce((sum, value) => sum + value, 0),
  AVERAGE: (values) => {
    const list = numbers(values);
    if (list.length === 0) return { error: '#DIV/0!', detail: 'no numbers to average' };
    return list.reduce((sum, value) => sum + value, 0) / list.length;
  },
  MIN: (values) => numbers(values).reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  MAX: (values) => numbers(values).reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  COUNT: (values) => numbers(values).length,
  COUNTA: (values) => values.filter((value) => value !== null && value !== '').length,
  ROUND: ([value, digits]) => {
    const number = toNumber(value ?? null);
    const places = toNumber(digits ?? 0);
    if (typeof number !== 'number') return number;
    if (typeof places !== 'number') return places;
    const factor = 10 ** places;
    return (Math.sign(number) * Math.round(Math.abs(number) * factor)) / factor;
  },
  ABS: ([value]) => {
    const number = toNumber(value ?? null);
    return typeof number === 'number' ? Math.abs(number) : number;
  },
  CONCAT: (values) => values.map(toText).join(''),
  UPPER: ([value]) => toText(value ?? null).toUpperCase(),
  LOWER: ([value]) => toText(value ?? null).toLowerCase(),
  LEN: ([value]) => [...toText(value ?? null)].length,
  AND: (values) => values.every(truthy),
  OR: (values) => values.some(truthy),
  NOT: ([value]) => !truthy(value ?? null),
};

class Parser {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  parse(): Node {
    const node = this.comparison();
    this.space();
    if (this.at < this.text.length) throw new SyntaxError(`unexpected ${this.text[this.at]} at ${this.at + 1}`);
    return node;
  }

  private comparison(): Node {
    let left = this.concatenation();
    for (;;) {
      const op = this.take(['<>', '<=', '>=', '=', '<', '>']);
      if (op === undefined) return left;
      left = { kind: 'binary', op, left, right: this.concatenation() };
    }
  }

  private concatenation(): Node {
    let left = this.sum();
    while (this.take(['&']) !== undefined) left = { kind: 'binary', op: '&', left, right: this.sum() };
    return left;
  }

  private sum(): Node {
    let left = this.product();
    for (;;) {
      const op = this.take(['+', '-']);
      if (op === undefined) return left;
      left = { kind: 'binary', op, left, right: this.product() };
    }
  }

  private product(): Node {
    let left = this.power();
    for (;;) {
      const op = this.take(['*', '/']);
      if (op === undefined) return left;
      left = { kind: 'binary', op, left, right: this.power() };
    }
  }

  private power(): Node {
    const base = this.prefix();
    // To the right: 2^3^2 is 2^9.
    if (this.take(['^']) !== undefined) return { kind: 'binary', op: '^', left: base, right: this.power() };
    return base;
  }

  private prefix(): Node {
    if (this.take(['-']) !== undefined) return { kind: 'unary', op: '-', operand: this.prefix() };
    if (this.take(['+']) !== undefined) return this.prefix();
    let node = this.primary();
    while (this.take(['%']) !== undefined) node = { kind: 'unary', op: '%', operand: node };
    return node;
  }

  private primary(): Node {
    this.space();
    const char = this.text[this.at];
    if (char === undefined) throw new SyntaxError('formula ends too early');
    if (char === '(') {
      if (this.depth >= 100) throw new SyntaxError('too many brackets');
      this.at += 1;
      this.depth += 1;
      const inner = this.comparison();
      this.expect(')');
      this.depth -= 1;
      return inner;
    }
    if (char === '"') return this.quoted();
    if (isDigit(char) || char === '.') return this.numeral();
    if (isLetter(char) || char === '$') return this.nameOrRef();
    throw new SyntaxError(`unexpected ${char} at ${this.at + 1}`);
  }

  private quoted(): Node {
    let value = '';
    this.at += 1;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) throw new SyntaxError('text without a closing quote');
      this.at += 1;
      if (char !== '"') value += char;
      else if (this.text[this.at] === '"') {
        value += '"';
        this.at += 1;
      } else return { kind: 'text', value };
    }
  }

  private numeral(): Node {
    const start = this.at;
    while (isDigit(this.text[this.at] ?? '') || this.text[this.at] === '.') this.at += 1;
    const value = Number(this.text.slice(start, this.at));
    if (Number.isNaN(value)) throw new SyntaxError(`${this.text.slice(start, this.at)} is no number`);
    return { kind: 'number', value };
  }

  private nameOrRef(): Node {
    const start = this.at;
    while (isLetter(this.text[this.at] ?? '') || isDigit(this.text[this.at] ?? '') || this.text[this.at] === '$') {
      this.at += 1;
    }
    const word = this.text.slice(start, this.at).toUpperCase();
    this.space();
    if (this.text[this.at] === '(') return this.call(word);
    if (word === 'TRUE' || word === 'FALSE') return { kind: 'boolean', value: word === 'TRUE' };
    const from = parseKey(word.replaceAll('$', ''));
    if (from === undefined) throw new SyntaxError(`${word} is neither a cell nor a function`);
    if (this.take([':']) === undefined) return { kind: 'ref', key: formatKey(from) };
    const end = this.at;
    while (/[A-Za-z0-9$]/.test(this.text[this.at] ?? '')) this.at += 1;
    const to = parseKey(this.text.slice(end, this.at).toUpperCase().replaceAll('$', ''));
    if (to === undefined) throw new SyntaxError('range without an end');
    return { kind: 'range', from, to };
  }

  private call(name: string): Node {
    const args: Node[] = [];
    this.expect('(');
    this.space();
    if (this.text[this.at] !== ')') {
      do args.push(this.comparison());
      while (this.take([',', ';']) !== undefined);
    }
    this.expect(')');
    return { kind: 'call', name, args };
  }

  private take(options: readonly string[]): string | undefined {
    this.space();
    for (const option of options) {
      if (this.text.startsWith(option, this.at)) {
        this.at += option.length;
        return option;
      }
    }
    return undefined;
  }

  private expect(char: string): void {
    if (this.take([char]) === undefined) throw new SyntaxError(`expected ${char} at ${this.at + 1}`);
  }

  private space(): void {
    while (this.text[this.at] === ' ') this.at += 1;
  }
}

function* readsOf(node: Node | undefined): Generator<string> {
  if (node === undefined) return;
  if (node.kind === 'ref') yield node.key;
  else if (node.kind === 'range') yield* keysIn(node.from, node.to);
  else if (node.kind === 'unary') yield* readsOf(node.operand);
  else if (node.kind === 'binary') {
    yield* readsOf(node.left);
    yield* readsOf(node.right);
  } else if (node.kind === 'call') for (const arg of node.args) yield* readsOf(arg);
}

function* keysIn(from: Position, to: Position): Generator<string> {
  const [left, right] = [Math.min(from.column, to.column), Math.max(from.column, to.column)];
  const [top, bottom] = [Math.min(from.row, to.row), Math.max(from.row, to.row)];
  if ((right - left + 1) * (bottom - top + 1) > MAX_RANGE_CELLS) throw new RangeError('range is too large');
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) yield formatKey({ column, row });
  }
}

export function parseKey(key: string): Position | undefined {
  let column = 0;
  let at = 0;
  while (at < key.length && isLetter(key[at] ?? '')) {
    column = column * 26 + key.charCodeAt(at) - 64;
    at += 1;
  }
  const row = Number(key.slice(at));
  if (at === 0 || !Number.isInteger(row) || row < 1 || row > MAX_ROW || column > MAX_COLUMN) return undefined;
  return { column, row };
}

export function formatKey({ column, row }: Position): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row}`;
}

/** What a person typed, as a value: numbers with either decimal sign, percentages, yes and no, everything else text. */
export function literal(source: string): CellValue {
  const text = source.trim();
  if (text === '') return null;
  if (text.startsWith("'")) return text.slice(1);
  if (/^(?:true|yes|ja|oui)$/i.test(text)) return true;
  if (/^(?:false|no|nein|non)$/i.test(text)) return false;
  const percent = text.endsWith('%');
  const digits = (percent ? text.slice(0, -1) : text).replaceAll(' ', '').replaceAll('\u202f', '');
  const plain = digits.includes(',') && !digits.includes('.') ? digits.replace(',', '.') : digits.replaceAll(',', '');
  const number = Number(plain);
  if (plain === '' || Number.isNaN(number)) return text;
  return percent ? number / 100 : number;
}

export function formatValue(value: CellValue, format: NumberFormat): string {
  if (value === null) return '';
  if (isError(value)) return value.error;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return value;
  if (!Number.isFinite(value)) return '#VALUE!';
  const scaled = format.unit === 'percent' ? value * 100 : value;
  const text = scaled.toLocaleString('en-IE', {
    minimumFractionDigits: Number.isInteger(scaled) ? 0 : format.decimals,
    maximumFractionDigits: format.decimals,
    useGrouping: format.thousands,
  });
  if (format.unit === 'percent') return `${text}%`;
  return format.unit === 'currency' ? `€${text}` : text;
}

function numbers(values: readonly CellValue[]): number[] {
  return values.filter((value): value is number => typeof value === 'number');
}

function toNumber(value: CellValue): number | CellError {
  if (isError(value)) return value;
  if (value === null) return 0;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const parsed = literal(value);
  return typeof parsed === 'number' ? parsed : { error: '#VALUE!', detail: `"${value}" is not a number` };
}

function toText(value: CellValue): string {
  if (value === null) return '';
  if (isError(value)) return value.error;
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}

function truthy(value: CellValue): boolean {
  if (value === null || isError(value)) return false;
  return typeof value === 'string' ? value !== '' : Boolean(value);
}

function compare(left: CellValue, right: CellValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return toText(left).localeCompare(toText(right), undefined, { sensitivity: 'base' });
}

function isError(value: CellValue): value is CellError {
  return typeof value === 'object' && value !== null;
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

function isLetter(char: string): boolean {
  return (char >= 'A' && char <= 'Z') || (char >= 'a' && char <= 'z');
}

function csvField(text: string, separator: string): string {
  return text.includes(separator) || text.includes('"') || text.includes('\n') ? `"${text.replaceAll('"', '""')}"` : text;
}

function parseCsv(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '"' && text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else if (char === '"') quoted = false;
      else field += char;
    } else if (char === '"') quoted = true;
    else if (char === separator) {
      row.push(field);
      field = '';
    } else if (char === '\n') {
      row.push(field.endsWith('\r') ? field.slice(0, -1) : field);
      rows.push(row);
      row = [];
      field = '';
    } else field += char;
  }
  if (field !== '' || row.length > 0) rows.push([...row, field]);
  return rows;
}
