/** The orders that a list can have; the first is the default (decisions, section 4). */
export const sorts = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;

export type Sort = (typeof sorts)[number];

/** A place in a list, between two pages. */
export interface Cursor {
  /** The list that it is a place in. */
  readonly list: string;
  readonly sort: Sort;
  /** The key of the row: its id, or its stamp where the list is sorted by updated_at. */
  readonly at: string;
  /** The last stamp when the walk began: rows with a greater one were changed since. */
  readonly since: number;
  /** The walk has passed its end and now shows what was changed since it began. */
  readonly catchingUp: boolean;
}

/** An opaque text for a place; it carries its list and its sort. */
export function writeCursor({ list, sort, at, since, catchingUp }: Cursor): string {
  return Buffer.from(`${list}|${sort}|${at}|${since}|${catchingUp ? 1 : 0}`).toString('base64url');
}

const WRITTEN = /^([a-z_]+ \d{1,19})\|(-?[a-z_]+)\|(\d{1,19})\|(\d{1,16})\|([01])$/;

/** Reads a cursor back; undefined for any text that `writeCursor` did not write. */
export function readCursor(text: string): Cursor | undefined {
  const written = WRITTEN.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const [, list = '', sort = '', at = '', since = '', catchingUp] = written;
  const known = sorts.find((name) => name === sort);
  if (known === undefined || at === '') return undefined;
  const cursor = { list, sort: known, at, since: Number(since), catchingUp: catchingUp === '1' };
  return writeCursor(cursor) === text ? cursor : undefined;
}
