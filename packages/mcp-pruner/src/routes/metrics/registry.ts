/** Names and values, in the order given: `{route: '/rpc'}`. */
type Labels = Readonly<Record<string, string>>;

/** Numbers as Prometheus reads them. Every metric is declared once; what it is about decides its labels. */
export interface Registry {
  readonly counter: (name: string, help: string) => (labels?: Labels, by?: number) => void;
  readonly histogram: (
    name: string,
    help: string,
    bounds: readonly number[],
  ) => (labels: Labels, value: number) => void;
  /** Asked for when somebody looks. */
  readonly observed: (name: string, help: string, kind: 'counter' | 'gauge', read: () => readonly Sample[]) => void;
  /** The text exposition format, version 0.0.4. */
  readonly expose: () => string;
}

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly lines: () => string[];
}

export function createRegistry(): Registry {
  const metrics: Metric[] = [];
  return {
    counter(name, help) {
      const counts = new Map<string, number>();
      metrics.push({
        name,
        help,
        kind: 'counter',
        lines: () => [...counts].map(([key, value]) => line(name, key, value)),
      });
      return (labels = {}, by = 1) => {
        const key = written(labels);
        counts.set(key, (counts.get(key) ?? 0) + by);
      };
    },
    histogram(name, help, bounds) {
      const series = new Map<string, Buckets>();
      const lines = (): string[] => [...series].flatMap(([key, buckets]) => bucketLines(name, key, bounds, buckets));
      metrics.push({ name, help, kind: 'histogram', lines });
      return (labels, value) => {
        const key = written(labels);
        const found = series.get(key) ?? { counts: bounds.map(() => 0), count: 0, sum: 0 };
        if (found.count === 0) series.set(key, found);
        add(found, bounds, value);
      };
    },
    observed(name, help, kind, read) {
      const lines = (): string[] => read().map(({ labels = {}, value }) => line(name, written(labels), value));
      metrics.push({ name, help, kind, lines });
    },
    expose: () => metrics.map(exposed).join(''),
  };
}

interface Buckets {
  readonly counts: number[];
  count: number;
  sum: number;
}

function add(buckets: Buckets, bounds: readonly number[], value: number): void {
  const at = bounds.findIndex((bound) => value <= bound);
  if (at >= 0) buckets.counts[at] = (buckets.counts[at] ?? 0) + 1;
  buckets.count += 1;
  buckets.sum += value;
}

function bucketLines(name: string, key: string, bounds: readonly number[], buckets: Buckets): string[] {
  let below = 0;
  const labelled = (bound: string): string => (key === '' ? `le="${bound}"` : `${key},le="${bound}"`);
  return [
    ...bounds.map((bound, at) => {
      below += buckets.counts[at] ?? 0;
      return line(`${name}_bucket`, labelled(String(bound)), below);
    }),
    line(`${name}_bucket`, labelled('+Inf'), buckets.count),
    line(`${name}_sum`, key, buckets.sum),
    line(`${name}_count`, key, buckets.count),
  ];
}

function exposed({ name, help, kind, lines }: Metric): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines()].map((text) => `${text}\n`).join('');
}

function line(name: string, key: string, value: number): string {
  return `${name}${key === '' ? '' : `{${key}}`} ${value}`;
}

/** Values are escaped as the format asks, whoever chose them. */
function written(labels: Labels): string {
  return Object.entries(labels)
    .map(
      ([name, value]) => `${name}="${value.replace(/["\\\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))}"`,
    )
    .join(',');
}
