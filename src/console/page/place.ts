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
const OWN = new Set(['do', 'page', 'columns']);

/** The name in the query of an action's field: those of a screen's list have no prefix. */
export const nameIn = (of: string, path: string) => (of === '' ? path : `${of}:${path}`);

/** The texts of the filters, by the paths of their fields: those of the screen's list, or of another action on it. */
export const filtersIn = (query: URLSearchParams, of = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...query].flatMap(([name, text]) => {
      const [first = '', path] = name.split(':');
      const isOwn = of === '' ? path === undefined && !OWN.has(name) : path !== undefined && first === of;
      return isOwn && text !== '' ? [[path ?? first, text]] : [];
    }),
  );

/** The columns that were chosen; none for those of the action. */
export const columnsIn = (query: URLSearchParams): readonly string[] =>
  (query.get('columns') ?? '').split(',').filter((path) => path !== '');

/** The address of the same screen with some values of its query changed; its list begins at the first page. */
export function addressWith(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(place.value.query);
  query.delete('page');
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
}

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
