/** The sort orders of a list; the first is the default (decisions, section 4). */
export const sorts = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;

export type Sort = (typeof sorts)[number];

/** A position in a list, between two pages. */
export interface Cursor {
  /** The list that the position belongs to. */
  readonly list: string;
  readonly sort: Sort;
  /** The key of the row: its id, or its stamp if the list is sorted by updated_at. */
  readonly at: string;
  /** The last stamp when the iteration began: rows with a greater one were changed since. */
  readonly since: number;
  /** Whether the iteration has reached its end and now returns what was changed since it began. */
  readonly catchingUp: boolean;
}

/** An opaque text for a position; it includes the list and its sort order. */
export function writeCursor({ list, sort, at, since, catchingUp }: Cursor): string {
  return Buffer.from(`${list}|${sort}|${at}|${since}|${catchingUp ? 1 : 0}`).toString('base64url');
}

const WRITTEN = /^([a-z_]+ \d{1,19})\|(-?[a-z_]+)\|(\d{1,19})\|(\d{1,16})\|([01])$/;

/** Parses a cursor; undefined for any text that `writeCursor` did not write. */
export function readCursor(text: string): Cursor | undefined {
  const written = WRITTEN.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const [, list = '', sort = '', at = '', since = '', catchingUp] = written;
  const known = sorts.find((name) => name === sort);
  if (known === undefined || at === '') return undefined;
  const cursor = { list, sort: known, at, since: Number(since), catchingUp: catchingUp === '1' };
  return writeCursor(cursor) === text ? cursor : undefined;
}
