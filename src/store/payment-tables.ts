import type { Generated } from 'kysely';

/** A carrier's payment file that was imported. Times are ISO 8601, UTC. */
export interface CodFileTable {
  number: Generated<number>;
  shop_id: string;
  /** The beginning of the hash of its content. */
  id: string;
  name: string;
  layout: string;
  /** Empty if neither the file nor its layout tells. */
  carrier: string;
  imported_at: string;
  rows: number;
  unread: number;
  /** What was wrong with it, as JSON. */
  problems: string;
  /** Another one whenever its lines change, and never one that a file of its id had: copies of another version are out of date. */
  version: number;
}

/** One amount of one kind for one parcel. */
export interface CodLineTable {
  file: number;
  /** Its position in the file, from 1. */
  line: number;
  session: string;
  /** What lines of one parcel have in common: its code, otherwise `#` and our id. */
  parcel: string;
  shipping_code: string;
  fulfillment_id: string;
  kind: string;
  amount: number;
  cell: string;
  /** The day that the file tells of the parcel; null without one. */
  day: string | null;
  /** A hash of all cells of its row, which tells amounts without a parcel apart; empty for any other. */
  cells: string;
  /** The line that it repeats, as the file's id, a space and the cell: it is not counted. Null for one that counts. */
  repeats: string | null;
  /** 1 if its session was closed when it came. */
  late: number;
}

/** A session that somebody agreed to. */
export interface CodSessionTable {
  shop_id: string;
  session: string;
  closed_at: string;
  closed_by: string;
  note: string;
  /** What was agreed: number of lines that count, and their sum. */
  lines: number;
  amount: number;
}

/** The tables of payments. */
export interface PaymentTables {
  cod_files: CodFileTable;
  cod_lines: CodLineTable;
  cod_sessions: CodSessionTable;
}
