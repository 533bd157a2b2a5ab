import type { Generated, Kysely } from 'kysely';
import type { EventTables } from './event-tables.ts';

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
interface CodSessionTable {
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
interface PaymentTables {
  cod_files: CodFileTable;
  cod_lines: CodLineTable;
  cod_sessions: CodSessionTable;
}

/** The state of a batch: being read and checked, has open rows, or has none. */
export type BatchState = 'planning' | 'open' | 'finished';

/** The state of a row. `planned` and `sending` are open; a row in `sending` may have been sent. */
export type RowState =
  | 'planned'
  | 'sending'
  | 'done'
  | 'existed'
  /** Made before, and its record has ended since: it is not sent. */
  | 'ended'
  | 'failed'
  | 'unclear'
  | 'skipped'
  | 'undone';

/** A batch: the rows of one file times one command. Times are ISO 8601, UTC. */
export interface BatchTable {
  number: Generated<number>;
  /** The name that a person uses. */
  id: string;
  /** The acting account, as `accountText` writes it. */
  account: string;
  /** The command's words, for example `orders create`. */
  do: string;
  /** Id of the operation that each row calls. */
  operation: string;
  state: BatchState;
  /** Hash of the content: equal for the same rows in any order, with the same command and account. */
  content: string;
  /** The source as JSON: its name, format, columns and how it is written. */
  source: string;
  /** The options that every run of the batch keeps, as JSON. */
  options: string;
  /** Sum of the fees of rows that were or may have been sent. */
  reserved: number;
  /** The limit of `reserved`; null if none was given. */
  max_total: number | null;
  created_at: string;
  finished_at: string | null;
}

/** The state of one row; its texts are in `RowContentTable`, so that updating a row is a short write. */
export interface RowTable {
  batch: number;
  /** Its position among the file's records, from 1. */
  row: number;
  /** Where a person finds it in the file, for example `line 12`. */
  cell: string;
  /** Its name, fixed before anything is sent. */
  name: string;
  /** 1 where the user gave the name, 0 where it was derived. */
  named: 0 | 1;
  /** Hash of the values as read. */
  content: string;
  /** Hash of the recipient's phone; null if there is none. */
  recipient: string | null;
  /** Hash of phone and lines; null if there are none. */
  goods: string | null;
  /** The service that the row itself asks for; null if the policy chooses. */
  pick: string | null;
  state: RowState;
  /** How often it was sent. */
  attempts: number;
  id: string | null;
  code: string | null;
  shipping_code: string | null;
  carrier: string | null;
  fee: number | null;
  error_code: string | null;
  error_message: string | null;
  /** The fields that were refused, each with its path and message, as JSON; null if none is known. */
  error_fields: string | null;
  /** The worker that is sending it, or sent it last; null if none did. Never set on a new row. */
  worker: Generated<string | null>;
  /** Digest of what the ledger knows it by: its key for the record that it makes or changes. */
  identity: string;
  /** Raised when a retry prepares the row again: the holder of a key is a row of one generation. */
  generation: number;
  /** For a row that `existed`: the holder of the key under which its record was made. For an undo: what it undoes. */
  made_by: string | null;
}

/** A worker of a batch. */
export interface WorkerTable {
  id: string;
  batch: number;
  /** When its lease expires: milliseconds since 1970 by the server's clock. */
  lease_until: number;
}

/** The texts of a row. */
export interface RowContentTable {
  batch: number;
  row: number;
  /** The original cells, a list for each line of the sheet, as JSON. */
  cells: string;
  /** The request, exactly as the JSON text that is sent. */
  payload: string;
  /**
   * For an update: the values of the fields that it changes, as the record had them before, as JSON; null if they are not
   * known. For a row that sends again what has ended: who made that, as `resending` writes it.
   */
  old_values: string | null;
}

/** The schema steps applied to a workspace. */
export interface SchemaStepTable {
  name: string;
}

/** Says that a transaction was committed, for servers whose answer may be lost. */
export interface WriteMarkTable {
  id: string;
  /** Which attempt at the write it was, from 1. */
  attempt: number;
  written_at: string;
}

/** Says that the slip of an order was printed. */
export interface PrintedSlipTable {
  /** The acting account, as `accountText` writes it. */
  account: string;
  order_id: string;
  printed_at: string;
}

/** All tables of a workspace. */
export interface Tables extends EventTables, PaymentTables {
  batches: BatchTable;
  batch_rows: RowTable;
  batch_contents: RowContentTable;
  schema_steps: SchemaStepTable;
  batch_workers: WorkerTable;
  write_marks: WriteMarkTable;
  printed_slips: PrintedSlipTable;
}

export type WorkspaceTables = Kysely<Tables>;
