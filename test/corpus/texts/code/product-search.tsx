import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ChangeEvent, KeyboardEvent, ReactElement } from 'react';
import { api } from '../api/client';
import { useLocale } from '../i18n/locale';
import { track } from '../telemetry';
import { Badge, Button, Chip, EmptyState, Skeleton } from '../ui';
import styles from './product-search.module.css';

interface Product {
  id: string;
  name: string;
  brand: string;
  priceCents: number;
  currency: string;
  stock: number;
  imageUrl: string | null;
  tags: string[];
}

interface Page {
  items: Product[];
  total: number;
  nextCursor: string | null;
}

interface Filters {
  text: string;
  brands: string[];
  inStockOnly: boolean;
  sort: 'relevance' | 'price_asc' | 'price_desc' | 'newest';
}

const EMPTY: Filters = { text: '', brands: [], inStockOnly: false, sort: 'relevance' };
const SORT_LABELS: Record<Filters['sort'], string> = {
  relevance: 'Best match',
  price_asc: 'Price, low to high',
  price_desc: 'Price, high to low',
  newest: 'Newest first',
};

export function ProductSearch({ onOpen }: { onOpen: (product: Product) => void }): ReactElement {
  const { locale } = useLocale();
  const [filters, setFilters] = useState<Filters>(() => fromUrl(window.location.search));
  const [page, setPage] = useState<Page | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [loading, setLoading] = useState(false);
  const [active, setActive] = useState(0);
  const listRef = useRef<HTMLUListElement>(null);
  const debounced = useDebounced(filters, 180);

  useEffect(() => {
    setLoading(true);
    setError(null);
    api
      .get<Page>('/products', { params: toParams(debounced) })
      .then((reply) => {
        setPage(reply.data);
        setActive(0);
      })
      .catch((cause: unknown) => setError(messageOf(cause)))
      .finally(() => setLoading(false));
  }, [debounced]);

  useEffect(() => {
    const query = toParams(filters).toString();
    window.history.replaceState(null, '', query === '' ? window.location.pathname : `?${query}`);
  }, [filters]);

  useEffect(() => {
    if (page === null) return;
    track('search_results', { total: page.total, sort: filters.sort, hasText: filters.text !== '' });
    // Only a new page counts as a view; typing does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [page]);

  const loadMore = useCallback(async () => {
    if (page?.nextCursor == null) return;
    const params = toParams(filters);
    params.set('cursor', page.nextCursor);
    const reply = await api.get<Page>('/products', { params });
    setPage((current) =>
      current === null ? reply.data : { ...reply.data, items: [...current.items, ...reply.data.items] },
    );
  }, [filters, page]);

  const formatter = useMemo(() => {
    const cache = new Map<string, Intl.NumberFormat>();
    return (cents: number, currency: string) => {
      let format = cache.get(currency);
      if (format === undefined) {
        format = new Intl.NumberFormat(locale, { style: 'currency', currency });
        cache.set(currency, format);
      }
      return format.format(cents / 100);
    };
  }, [locale]);

  const brands = useMemo(() => {
    const counts = new Map<string, number>();
    for (const product of page?.items ?? []) counts.set(product.brand, (counts.get(product.brand) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 12);
  }, [page]);

  function onText(event: ChangeEvent<HTMLInputElement>): void {
    setFilters((current) => ({ ...current, text: event.target.value }));
  }

  function toggleBrand(brand: string): void {
    setFilters((current) => ({
      ...current,
      brands: current.brands.includes(brand)
        ? current.brands.filter((other) => other !== brand)
        : [...current.brands, brand],
    }));
  }

  function onKey(event: KeyboardEvent<HTMLInputElement>): void {
    const items = page?.items ?? [];
    if (event.key === 'ArrowDown') setActive((index) => Math.min(index + 1, items.length - 1));
    else if (event.key === 'ArrowUp') setActive((index) => Math.max(index - 1, 0));
    else if (event.key === 'Enter' && items[active] !== undefined) onOpen(items[active]);
    else if (event.key === 'Escape') setFilters(EMPTY);
    else return;
    event.preventDefault();
    listRef.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <section className={styles.root} aria-busy={loading}>
      <header className={styles.bar}>
        <input
          className={styles.input}
          type="search"
          value={filters.text}
          onChange={onText}
          onKeyDown={onKey}
          placeholder="Search 40,000 parts"
          aria-controls="product-results"
          autoFocus
        />
        <select
          value={filters.sort}
          onChange={(event) => setFilters({ ...filters, sort: event.target.value as Filters['sort'] })}
        >
          {Object.entries(SORT_LABELS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={filters.inStockOnly}
            onChange={(event) => setFilters({ ...filters, inStockOnly: event.target.checked })}
          />
          In stock only
        </label>
      </header>

      <div className={styles.brands}>
        {brands.map(([brand, count]) => (
          <Chip key={brand} selected={filters.brands.includes(brand)} onClick={() => toggleBrand(brand)}>
            {brand} <small>{count}</small>
          </Chip>
        ))}
      </div>

      {error !== null && (
        <p role="alert" className={styles.error}>
          {error} <Button onClick={() => setFilters({ ...filters })}>Try again</Button>
        </p>
      )}
      {page === null && loading && <Skeleton rows={8} />}
      {page !== null && page.items.length === 0 && (
        <EmptyState title="Nothing found" hint="Remove a filter or check the spelling." />
      )}

      <ul id="product-results" ref={listRef} className={styles.list}>
        {page?.items.map((product, index) => (
          <li key={product.id} className={index === active ? styles.active : undefined}>
            <button type="button" onClick={() => onOpen(product)}>
              {product.imageUrl !== null && <img src={product.imageUrl} alt="" loading="lazy" width={48} height={48} />}
              <span className={styles.name}>{product.name}</span>
              <span className={styles.brand}>{product.brand}</span>
              {product.stock === 0 && <Badge tone="muted">Sold out</Badge>}
              {product.tags.includes('refurbished') && <Badge tone="info">Refurbished</Badge>}
              <span className={styles.price}>{formatter(product.priceCents, product.currency)}</span>
            </button>
          </li>
        ))}
      </ul>

      {page?.nextCursor != null && <Button onClick={() => void loadMore()}>Load more</Button>}
    </section>
  );
}

function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

function toParams(filters: Filters): URLSearchParams {
  const params = new URLSearchParams();
  if (filters.text !== '') params.set('q', filters.text);
  for (const brand of filters.brands) params.append('brand', brand);
  if (filters.inStockOnly) params.set('stock', '1');
  if (filters.sort !== 'relevance') params.set('sort', filters.sort);
  return params;
}

function fromUrl(search: string): Filters {
  const params = new URLSearchParams(search);
  const sort = params.get('sort') ?? 'relevance';
  return {
    text: params.get('q') ?? '',
    brands: params.getAll('brand'),
    inStockOnly: params.get('stock') === '1',
    sort: sort in SORT_LABELS ? (sort as Filters['sort']) : 'relevance',
  };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'The search failed';
}
