import type { Generated, Kysely } from 'kysely';
import type { EventTables } from './events/tables.ts';

/** Where a batch stands: it is being read and judged, rows of it are open, or none is. */
export type BatchState = 'planning' | 'open' | 'finished';

/** What became of one row. `planned` and `sending` are open; a row in `sending` may have been sent. */
export type RowState = 'planned' | 'sending' | 'done' | 'existed' | 'failed' | 'unclear' | 'skipped' | 'undone';

/** A batch: the rows of one file times one command. Times are ISO 8601, UTC. */
export interface BatchTable {
  number: Generated<number>;
  /** The name that a person uses. */
  id: string;
  /** Who acts, as `accountText` writes it. */
  account: string;
  /** The command's words, for example `orders create`. */
  do: string;
  /** Id of the operation that each row calls. */
  operation: string;
  state: BatchState;
  /** Same rows, whatever their order, command and account have the same one. */
  content: string;
  /** The source as JSON: its name, format, columns and how it is written. */
  source: string;
  /** The options that every run of it keeps, as JSON. */
  options: string;
  /** Sum of the fees of what was or may have been sent. */
  reserved: number;
  /** The most that `reserved` may come to; null where nobody said. */
  max_total: number | null;
  created_at: string;
  finished_at: string | null;
}

/** What is known of one row; its texts stand in `RowContentTable`, so that a row that moves on is a short write. */
export interface RowTable {
  batch: number;
  /** Its place among the file's records, from 1. */
  row: number;
  /** Where a person finds it in the file, for example `line 12`. */
  cell: string;
  /** Its name, fixed before anything is sent. */
  name: string;
  /** 1 where the user gave the name, 0 where it was derived. */
  named: 0 | 1;
  /** Hash of the values as they were read. */
  content: string;
  /** Hash of the recipient's phone; null where there is none. */
  recipient: string | null;
  /** Hash of phone and lines; null where there are none. */
  goods: string | null;
  /** The service that the row itself asks for; null where the policy chooses. */
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
  /** Who sends it, or sent it last; null where nobody did. Never given with a new row. */
  worker: Generated<string | null>;
}

/** Who is at a batch. */
export interface WorkerTable {
  id: string;
  batch: number;
  /** Until when its claims hold: milliseconds since 1970 by the server's clock. */
  lease_until: number;
}

/** The texts of a row. */
export interface RowContentTable {
  batch: number;
  row: number;
  /** The original cells, a list for each line of the sheet, as JSON. */
  cells: string;
  /** The request, as the very JSON text that is sent. */
  payload: string;
}

/** The steps of the schema that a workspace has taken. */
export interface SchemaStepTable {
  name: string;
}

/** That a transaction was committed, where a server may answer nothing. */
export interface WriteMarkTable {
  id: string;
  /** Which attempt at the write it was, from 1. */
  attempt: number;
  written_at: string;
}

/** That a slip of an order was printed. */
export interface PrintedSlipTable {
  /** Who acts, as `accountText` writes it. */
  account: string;
  order_id: string;
  printed_at: string;
}

/** All tables of a workspace. */
export interface Tables extends EventTables {
  batches: BatchTable;
  batch_rows: RowTable;
  batch_contents: RowContentTable;
  schema_steps: SchemaStepTable;
  batch_workers: WorkerTable;
  write_marks: WriteMarkTable;
  printed_slips: PrintedSlipTable;
}

export type WorkspaceTables = Kysely<Tables>;
