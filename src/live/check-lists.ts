import { fieldNames } from '../contract/needs.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, fieldsIn, recordsIn } from '../domain/json/values.ts';
import type { Verdict, Wrong } from './notebook.ts';
import { answered, isSuccess, type Probe, type Reported, whyUnreached } from './probe.ts';

/** How many records the checks of pages walk: enough for several pages of 2, and few calls in a large shop. */
const WINDOW = 12;
const SMALL = 2;
const LARGE = 100;

const recordsOf = (reported: Reported): readonly Fields[] =>
  recordsIn(answered(reported)[reported.operation.page?.items ?? '']);
const pagingOf = (reported: Reported) => fieldsIn(answered(reported).paging);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What tells a record from the others of its list: its id, or the ids that it relates. */
function nameOf(record: Fields): string {
  if (record.id !== undefined && record.id !== null) return String(record.id);
  return Object.entries(record)
    .filter(([field]) => field.endsWith('_id'))
    .map(([field, value]) => `${field} ${value}`)
    .join(' ');
}

const wrong = (path: string, expected: string, seen: string): Wrong => ({ path, kind: 'breaks', expected, seen });

/** How records that were met differ from those that should have been; undefined if they are the same. */
function difference(conflict: readonly string[], expected: readonly string[]): string | undefined {
  if (conflict.join('\n') === expected.join('\n')) return undefined;
  if (new Set(conflict).size < conflict.length) return 'a record comes twice';
  if (expected.some((name) => !conflict.includes(name))) return 'a record is left out';
  return conflict.some((name) => !expected.includes(name)) ? 'a record that is not in the large page' : 'another order';
}

/** The checks of one list. Its pages are read by number of records, never by what they hold. */
export class ListChecks {
  readonly #probe: Probe;
  readonly #operation: Operation;
  /** What every request of the list needs, such as a filter that the list refuses to do without. */
  readonly #base: Fields;

  constructor(probe: Probe, operation: Operation, base: Fields) {
    this.#probe = probe;
    this.#operation = operation;
    this.#base = base;
  }

  #page(paging: Fields, more: Fields = {}): Promise<Reported> {
    const isPaged = this.#operation.page?.cursors === true;
    return this.#probe.ask(this.#operation, { ...this.#base, ...more, ...(isPaged ? { paging } : {}) });
  }

  /** The first page as large as the service gives it. */
  first(): Promise<Reported> {
    return this.#page({ limit: LARGE });
  }

  /** Whether ids beyond the exact numbers of JavaScript were rounded to such numbers. */
  ids(first: Reported): Verdict {
    const long = recordsOf(first).flatMap(({ id }) => (typeof id === 'string' && /^\d{17,19}$/.test(id) ? [id] : []));
    const isRounded = (id: string) => BigInt(Number(id)) === BigInt(id);
    if (long.length < 2 || !long.every(isRounded)) return [];
    return [wrong(`${this.#items}[].id`, 'all digits of the ids', `${long.length} ids, all rounded`)];
  }

  get #items(): string {
    return this.#operation.page?.items ?? '';
  }

  /** Whether `next` and `prev` are what their names say. */
  async cursors(first: Reported): Promise<Verdict> {
    if (recordsOf(first).length < 3) return { unchecked: 'the list has fewer than 3 records' };
    const page = await this.#page({ limit: SMALL });
    const { next, prev } = pagingOf(page);
    const [forward, back] = [textOf(next), textOf(prev)];
    if (forward === undefined) return { unchecked: 'the page has no cursor' };
    if (back === undefined) return [wrong('paging.prev', 'a cursor', 'nothing')];
    const names = recordsOf(page).map(nameOf);
    const overlaps = (reported: Reported) =>
      recordsOf(reported)
        .map(nameOf)
        .some((name) => names.includes(name));
    const after = await this.#page({ limit: SMALL, after: forward });
    if (!isSuccess(after) || !overlaps(after)) return [];
    const exchanged = await this.#page({ limit: SMALL, after: back });
    const isExchanged = recordsOf(exchanged).length > 0 && !overlaps(exchanged);
    return isExchanged
      ? [wrong('paging', 'next after the last record, prev before the first', 'next and prev exchanged')]
      : [];
  }

  /** Records in small pages from the start, up to the window; the last page, for its cursor; what ended the walk. */
  async #walk(): Promise<{ names: string[]; last: Reported | undefined; failed?: string }> {
    const names: string[] = [];
    let after: string | undefined;
    let last: Reported | undefined;
    while (names.length < WINDOW) {
      const page = await this.#page({ limit: SMALL, ...(after === undefined ? {} : { after }) });
      if (!isSuccess(page))
        return { names, last, failed: whyUnreached(page) ?? `a page was answered with ${page.response?.status}` };
      const found = recordsOf(page).map(nameOf);
      if (found.length === 0) break;
      names.push(...found);
      last = page;
      const next = textOf(pagingOf(page).next);
      if (next === undefined || next === after) break;
      after = next;
    }
    return { names, last };
  }

  /** Whether small pages hold what a large one holds, forwards and backwards, and no more than asked for. */
  async pages(
    first: Reported,
  ): Promise<{ readonly forward: Verdict; readonly backward: Verdict; readonly size: Verdict }> {
    const large = recordsOf(first).map(nameOf);
    if (large.length < 3) {
      const none = { unchecked: 'the list has fewer than 3 records' };
      return { forward: none, backward: none, size: none };
    }
    const { names, last, failed } = await this.#walk();
    if (failed !== undefined)
      return { forward: { unchecked: failed }, backward: { unchecked: failed }, size: { unchecked: failed } };
    const one = await this.#page({ limit: SMALL });
    const count = recordsOf(one).length;
    const size = count <= SMALL ? [] : [wrong('paging.limit', `at most ${SMALL} records`, `${count} records`)];
    const seen = difference(names, large.slice(0, names.length < WINDOW ? large.length : names.length));
    const forward = seen === undefined ? [] : [wrong(this.#items, 'the same records as in a large page', seen)];
    return { forward, size, backward: await this.#backward(large, last) };
  }

  /** From the last page of the walk back to the start, by `before`. */
  async #backward(large: readonly string[], last: Reported | undefined): Promise<Verdict> {
    const end = last === undefined ? undefined : recordsOf(last).map(nameOf).at(-1);
    let before = last === undefined ? undefined : textOf(pagingOf(last).next);
    if (end === undefined || before === undefined || !large.includes(end))
      return { unchecked: 'no cursor to go back from' };
    const expected = large.slice(0, large.indexOf(end));
    const names: string[] = [];
    while (before !== undefined && names.length < expected.length + SMALL) {
      const page: Reported = await this.#page({ limit: SMALL, before });
      if (!isSuccess(page))
        return { unchecked: whyUnreached(page) ?? `before was answered with ${page.response?.status}` };
      const found = recordsOf(page).map(nameOf);
      names.unshift(...found);
      if (found.length === 0) break;
      const prev = textOf(pagingOf(page).prev);
      if (prev === before) break;
      before = prev;
    }
    const seen = difference(names, expected);
    return seen === undefined ? [] : [wrong('paging.before', 'the records before the cursor', seen)];
  }

  /** Whether each order that the contract knows is kept. */
  async sort(first: Reported): Promise<Verdict> {
    if (recordsOf(first).length < 2) return { unchecked: 'the list has fewer than 2 records' };
    const declared = fieldNames(this.#operation.response.shape[this.#items]);
    const found: Wrong[] = [];
    for (const field of ['created_at', 'updated_at']) {
      if (!declared.includes(field) && field === 'updated_at') continue;
      const [up, down] = [
        await this.#page({ limit: LARGE, sort: field }),
        await this.#page({ limit: LARGE, sort: `-${field}` }),
      ];
      for (const page of [up, down]) {
        const why = whyUnreached(page);
        if (why !== undefined) return { unchecked: why };
        if (!isSuccess(page)) found.push(wrong('paging.sort', `${field}, and -${field}`, `${page.response?.status}`));
      }
      if (!isSuccess(up) || !isSuccess(down)) continue;
      if (!isOrdered(up, down, field))
        found.push(wrong('paging.sort', `records by ${field}, and by -${field}`, 'another order'));
    }
    return found;
  }

  /** Whether each filter leaves out what does not match, by a value that only some of the records have. */
  async filter(first: Reported): Promise<Verdict> {
    const given = fieldsIn(fieldsIn(this.#base).filter);
    const found: Wrong[] = [];
    const unchecked: string[] = [];
    for (const field of fieldNames(this.#operation.request.shape.filter)) {
      const values = recordsOf(first).map((record) => textOf(record[field]));
      const value = values.find((one) => one !== undefined && values.some((other) => other !== one));
      const wanted = textOf(given[field]) ?? value;
      if (wanted === undefined) {
        unchecked.push(`no value of ${field} tells records apart`);
        continue;
      }
      const only = Object.keys(given).length > 0 && given[field] === undefined;
      if (only) continue;
      const page = await this.#page({ limit: LARGE }, { filter: { [field]: wanted } });
      if (!isSuccess(page)) {
        const why = whyUnreached(page);
        if (why !== undefined) return { unchecked: why };
        found.push(wrong(`filter.${field}`, 'the matching records', `${page.response?.status}`));
        continue;
      }
      const matching = recordsOf(page).map((record) => String(record[field]));
      if (matching.length === 0) found.push(wrong(`filter.${field}`, 'the matching records', 'none'));
      else if (matching.some((one) => one !== wanted))
        found.push(wrong(`filter.${field}`, 'the matching records', 'others too'));
    }
    if (found.length > 0) return found;
    return unchecked.length > 0 ? { unchecked: unchecked.join('; ') } : [];
  }

  /** Whether deleted records are left out, unless asked for. */
  async deleted(first: Reported): Promise<Verdict> {
    const isDeleted = ({ deleted }: Fields) => deleted === true;
    if (recordsOf(first).some(isDeleted))
      return [wrong(`${this.#items}[].deleted`, 'no deleted records', 'a deleted record')];
    const all = await this.#page({ limit: LARGE }, { include_deleted: true });
    if (!isSuccess(all))
      return { unchecked: whyUnreached(all) ?? `include_deleted was answered with ${all.response?.status}` };
    return [];
  }
}

/** Whether two pages are ordered by a time, one up and one down; where all have one time, one is the reverse of the other. */
function isOrdered(up: Reported, down: Reported, field: string): boolean {
  const timesOf = (reported: Reported) => recordsOf(reported).map((record) => Date.parse(String(record[field])));
  const [rising, falling] = [timesOf(up), timesOf(down)];
  const times = [...rising, ...falling];
  if (times.every(Number.isFinite) && new Set(times).size > 1) {
    const isSorted = (list: readonly number[]) => list.every((time, at) => at === 0 || time >= (list[at - 1] ?? time));
    return isSorted(rising) && isSorted([...falling].reverse());
  }
  if (recordsOf(up).length >= LARGE) return true;
  return recordsOf(up).map(nameOf).join('\n') === recordsOf(down).map(nameOf).reverse().join('\n');
}
