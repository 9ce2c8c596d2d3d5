/** What ranking looks at in a tool. Everything but the name may be missing or malformed: it comes from others. */
export interface Rankable {
  readonly server: string;
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** The texts of a tool by how much they say about what it is for. */
export interface ToolTexts {
  readonly name: string;
  readonly title: string;
  readonly server: string;
  /** The first sentence or so of the description. */
  readonly lead: string;
  readonly rest: string;
  readonly parameters: string;
  readonly parameterTexts: string;
}

export type FieldName = keyof ToolTexts;

const MAX_LEAD = 240;
const MAX_REST = 4000;
const MAX_PARAMETERS = 200;
const MAX_DEPTH = 4;

export function textsOf({ server, name, definition }: Rankable): ToolTexts {
  const { lead, rest } = leadOf(textOf(definition['description']));
  const annotations = objectOf(definition['annotations']);
  const title = textOf(definition['title']) || textOf(annotations['title']);
  const names: string[] = [];
  const texts: string[] = [];
  collect(definition['inputSchema'], { names, texts }, 0);
  return {
    name,
    title,
    server,
    lead,
    rest: rest.slice(0, MAX_REST),
    parameters: names.join(' '),
    parameterTexts: texts.join(' ').slice(0, MAX_REST),
  };
}

/** Descriptions start with what the tool does; what follows is for whoever calls it. Headings and markers come first in some. */
function leadOf(description: string): { lead: string; rest: string } {
  const text = description.slice(0, MAX_REST + MAX_LEAD).trim();
  const end = text.slice(0, MAX_LEAD).search(/[.!?](?:\s|$)|\n\s*\n/);
  // A first sentence of a word or two is a heading.
  const at = end < 24 ? Math.min(text.length, MAX_LEAD) : end + 1;
  return { lead: text.slice(0, at), rest: text.slice(at) };
}

function collect(schema: unknown, found: { names: string[]; texts: string[] }, depth: number): void {
  if (depth > MAX_DEPTH) return;
  for (const [name, property] of Object.entries(objectOf(objectOf(schema)['properties']))) {
    if (found.names.length >= MAX_PARAMETERS) return;
    found.names.push(name);
    const { description, enum: values, items } = objectOf(property);
    if (typeof description === 'string') found.texts.push(description.slice(0, MAX_LEAD));
    if (Array.isArray(values)) found.texts.push(values.filter(isText).slice(0, 20).join(' '));
    collect(property, found, depth + 1);
    collect(items, found, depth + 1);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
