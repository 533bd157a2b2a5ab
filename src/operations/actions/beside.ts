import type { Rows } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { LARGEST_PAGE, listRecords } from '../../client/pages.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Beside, Joined } from '../../contract/view.ts';
import { type Fields, valueAt } from '../../domain/json/values.ts';
import { filterOf } from './list-filters.ts';
import { say } from './texts.ts';
import { viewOf } from './views.ts';

type Row = Fields;

function keyOf(row: Row, path: string): string | undefined {
  const value = valueAt(row, path);
  return typeof value === 'string' && value !== '' && value !== '0' ? value : undefined;
}

/** The records of another list that have one of these keys. */
async function foundBy({ list, filter, beside = [] }: Joined, keys: readonly string[], connection: Connection) {
  const operation = await loadOperation(list);
  const found: Row[] = [];
  for (let start = 0; start < keys.length; start += LARGEST_PAGE) {
    const request = { filter: { [filter]: keys.slice(start, start + LARGEST_PAGE).join(',') } };
    for await (const row of listRecords(operation, request, connection)) found.push(row);
  }
  return beside.length === 0 ? found : withBeside(found, beside, connection);
}

async function joined(rows: readonly Row[], join: Joined, connection: Connection): Promise<readonly Row[]> {
  const { as, key, on, isOne, unless } = join;
  const isMissing = (row: Row) => unless === undefined || keyOf(row, unless) === undefined;
  const keys = [...new Set(rows.filter(isMissing).flatMap((row) => keyOf(row, key) ?? []))];
  if (keys.length === 0) return rows;
  const of = new Map<string, Row[]>(keys.map((each) => [each, []]));
  for (const other of await foundBy(join, keys, connection)) of.get(keyOf(other, on) ?? '')?.push(other);
  return rows.map((row) => {
    const others = of.get(keyOf(row, key) ?? '') ?? [];
    return { ...row, [as]: isOne === true ? (others[0] ?? null) : others };
  });
}

/** The records, each joined with its related data. Throws what the calls throw. */
async function withBeside(
  rows: readonly Row[],
  beside: readonly Beside[],
  connection: Connection,
): Promise<readonly Row[]> {
  let complete = rows;
  for (const each of beside) {
    complete =
      'of' in each
        ? complete.map((row) => ({ ...row, [each.as]: each.of(row) ?? null }))
        : await joined(complete, each, connection);
  }
  return complete;
}

/** The joins that one of the paths shows. */
export function shownBeside(beside: readonly Beside[] = [], paths: readonly string[]): readonly Beside[] {
  return beside.filter(({ as }) => paths.some((path) => path === as || path.startsWith(`${as}.`)));
}

/** Records joined with related data; if that cannot be read, they are returned unchanged with a notice. */
export async function besideRecords(
  rows: readonly unknown[],
  beside: readonly Beside[],
  { connection, report, signal }: Ports,
): Promise<readonly unknown[]> {
  try {
    return await withBeside(rows as readonly Row[], beside, connection());
  } catch (error) {
    if (!(error instanceof CallError) || signal.aborted) throw error;
    report.notice(say().notReadBeside({ names: beside.map(({ as }) => as), why: error.message }));
    return rows;
  }
}

/** The rows of a list joined with related data, one page at a time. */
export async function* besideRows(
  rows: Rows<unknown>,
  beside: readonly Beside[],
  ports: Ports,
): AsyncGenerator<unknown> {
  let page: unknown[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < LARGEST_PAGE) continue;
    yield* await besideRecords(page, beside, ports);
    page = [];
  }
  if (page.length > 0) yield* await besideRecords(page, beside, ports);
}

/** Whether a record has a related one with the words that are looked for, such as an order its parcel's code. */
export type LinkedMatch = (row: Row) => Promise<boolean>;

const nothing: LinkedMatch = async () => false;

/** The joins that are worth reading another list for: of several records only codes and phones are looked for. */
function joinsFor(operation: Operation, match: string): readonly Joined[] {
  const joins = (viewOf(operation).beside ?? []).filter((beside) => 'list' in beside);
  return joins.filter(({ isOne }) => isOne === true || /\d/.test(match));
}

/** The keys of a list's records that fit. */
async function keysIn(
  { list, on }: Joined,
  match: string,
  { connection, clock, settings }: Ports,
): Promise<ReadonlySet<unknown>> {
  const operation = await loadOperation(list);
  const filter = filterOf(operation, { match }, { now: clock.now(), timeZone: settings.tz.value });
  const keys = new Set<unknown>();
  for await (const row of listRecords(operation, {}, connection())) {
    if (filter?.fits(row) === true) keys.add(valueAt(row, on));
  }
  return keys;
}

/** Looks for words in the related records of a list's own; those are read once, when the first record asks. */
export function linkedMatch(operation: Operation, match: unknown, ports: Ports): LinkedMatch {
  const joins = typeof match === 'string' ? joinsFor(operation, match) : [];
  if (joins.length === 0) return nothing;
  let asked: Promise<(readonly [string, ReadonlySet<unknown>])[]> | undefined;
  return async (row) => {
    asked ??= Promise.all(joins.map(async (join) => [join.key, await keysIn(join, String(match), ports)] as const));
    return (await asked).some(([key, keys]) => keys.has(valueAt(row, key)));
  };
}
