import { computed, signal } from '@preact/signals';
import type { More } from '../wire.ts';

/** Where the page is: the address says everything, so that it can be kept and shared on this machine. */
const address = signal(new URL(location.href));

/** The group of the screen, and the record on it. */
export const place = computed(() => {
  const [group = '', record] = address.value.pathname.split('/').slice(1).map(decodeURIComponent);
  const query = address.value.searchParams;
  return { group, record, action: query.get('do') ?? undefined, query };
});

/** Names in the query that are no fields of an input. */
const OWN = new Set(['do', 'page']);

/** The texts of the filters, by the paths of their fields. */
export const filtersIn = (query: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries([...query].filter(([name, text]) => !OWN.has(name) && text !== ''));

/** The page of a list; undefined for the first. */
export function pageIn(query: URLSearchParams): More | undefined {
  try {
    const text = query.get('page');
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Goes to an address of the console, with a new entry in the history. */
export function go(to: string): void {
  if (to === location.pathname + location.search) return;
  history.pushState(null, '', to);
  address.value = new URL(location.href);
  scrollTo(0, 0);
}

addEventListener('popstate', () => {
  address.value = new URL(location.href);
});

/** The address of a screen, of a record on it, or of one of its lists with its filters; a filter begins at the first page. */
export function addressOf(group: string, { record, action, filters = {}, page }: Target = {}): string {
  const path = `/${[group, ...(record === undefined ? [] : [record])].map(encodeURIComponent).join('/')}`;
  const query = new URLSearchParams({
    ...(action === undefined ? {} : { do: action }),
    ...filters,
    ...(page === undefined ? {} : { page: JSON.stringify(page) }),
  });
  return query.size === 0 ? path : `${path}?${query}`;
}

interface Target {
  readonly record?: string;
  readonly action?: string | undefined;
  readonly filters?: Readonly<Record<string, string>>;
  readonly page?: More;
}
