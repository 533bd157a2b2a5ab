import { int, record, text } from '../schema/scalars.ts';

const sort = text('Order of the records: created_at or updated_at, with a leading "-" for the newest first');

/** The requested page of a list (contract, CursorPaging; semantics: decisions, section 4). */
export const paging = record({
  after: text('Cursor after which the page begins; "." is the start'),
  before: text('Cursor before which the page ends; "." is the end; not together with after'),
  limit: int('Size of the page at most; absent or 0 means 100', 'records'),
  sort,
});

/** The position of a page (contract, CursorPageInfo). There is no "has more": the page after the last one is empty. */
export const pageInfo = record({
  after: text('The cursor that was asked for'),
  before: text('The cursor that was asked for'),
  next: text('Cursor of the last record, to be sent as after'),
  prev: text('Cursor of the first record, to be sent as before'),
  limit: int('Size of the page at most', 'records'),
  sort,
});
