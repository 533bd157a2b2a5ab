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

/** The address of the record that was left for its list, until its row has the focus. */
let left: string | undefined;

function arrive(): void {
  const before = place.value;
  address.value = new URL(location.href);
  const { group, record } = place.value;
  const isList = record === undefined && before.group === group;
  left = isList && before.record !== undefined ? addressOf(group, { record: before.record }) : undefined;
}

/** Goes to an address of the console, with a new entry in the history, which knows the list that a record was opened from. */
export function go(to: string): void {
  const from = location.pathname + location.search;
  if (to === from) return;
  history.pushState(place.value.record === undefined ? { list: from } : history.state, '', to);
  arrive();
  scrollTo(0, 0);
}

addEventListener('popstate', arrive);

/** The list that a record was opened from, with its filters and its page; the whole list where it was opened by its address. */
export function listBefore(group: string): string {
  const list: unknown = history.state?.list;
  const whole = addressOf(group);
  return typeof list === 'string' && new URL(list, location.origin).pathname === whole ? list : whole;
}

/** Gives the focus back to the row of the record that was left, as soon as it is drawn; not if it is elsewhere meanwhile. */
export function focusLeft(): void {
  if (left === undefined || document.activeElement !== document.body) return;
  const row = [...document.querySelectorAll<HTMLElement>('main tbody a')].find(
    (link) => link.getAttribute('href') === left,
  );
  if (row === undefined) return;
  left = undefined;
  row.focus();
}

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
