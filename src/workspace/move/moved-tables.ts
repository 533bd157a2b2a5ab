/** A table with numbers of its own, which are others in another workspace. */
export type Numbered = 'batches' | 'events' | 'cod_files' | 'event_gaps';

/** How a table goes to another workspace. */
export interface MovedTable {
  readonly name: string;
  /** Its primary key: rows are read in this order. */
  readonly key: readonly string[];
  /** Columns that hold the number of a row of a numbered table, or such a number as a position. */
  readonly numbers?: Readonly<Record<string, Numbered>>;
  /** The column that holds a holder, whose batch has a number. */
  readonly holder?: string;
  /** The column with JSON that may hold such a number under a name. */
  readonly within?: { readonly column: string; readonly name: string; readonly of: Numbered };
  /** When a row takes the place of the target's own with the same key; the target's stays otherwise. */
  readonly replaces?: string;
}

/** Where each numbered table has its numbers. */
export const numberColumns = {
  batches: 'number',
  events: 'seq',
  cod_files: 'number',
  event_gaps: 'number',
} as const satisfies Readonly<Record<Numbered, string>>;

/** The ledger and the batches: they join those that are there. */
const ledger: readonly MovedTable[] = [
  {
    name: 'batches',
    key: ['number'],
    numbers: { number: 'batches' },
    // Which batch an undo undoes.
    within: { column: 'source', name: 'undoes', of: 'batches' },
  },
  { name: 'batch_rows', key: ['batch', 'row'], numbers: { batch: 'batches' }, holder: 'made_by' },
  { name: 'batch_contents', key: ['batch', 'row'], numbers: { batch: 'batches' } },
  {
    name: 'ledger_keys',
    key: ['account', 'resource', 'identity'],
    holder: 'holder',
    // Otherwise nobody would know of the record, or when the last one was made, and it would be made again.
    replaces: `excluded.state = 'done' and (ledger_keys.state = 'undone'
      or ledger_keys.state = 'done' and ledger_keys.at < excluded.at)`,
  },
  { name: 'intents', key: ['id'] },
  { name: 'printed_slips', key: ['account', 'order_id'] },
];

const payments: readonly MovedTable[] = [
  { name: 'cod_files', key: ['number'], numbers: { number: 'cod_files' } },
  { name: 'cod_lines', key: ['file', 'line'], numbers: { file: 'cod_files' } },
  { name: 'cod_sessions', key: ['shop_id', 'session'] },
];

const events: readonly MovedTable[] = [
  { name: 'event_facts', key: ['name'] },
  { name: 'events', key: ['seq'], numbers: { seq: 'events' } },
  { name: 'event_contents', key: ['seq'], numbers: { seq: 'events' } },
  { name: 'event_hooks', key: ['account', 'hook'] },
  { name: 'event_sightings', key: ['account', 'content', 'hook'] },
  { name: 'event_listeners', key: ['account', 'name'] },
  { name: 'event_targets', key: ['account', 'name'], numbers: { cursor: 'events' } },
  { name: 'event_handoffs', key: ['account', 'target', 'seq'], numbers: { seq: 'events' } },
  { name: 'event_gaps', key: ['number'], numbers: { number: 'event_gaps' } },
  { name: 'event_polls', key: ['account', 'record_id', 'entity', 'state'] },
];

/**
 * All tables that move, in groups: `whole` ones only to a workspace that has nothing of the kind, since their rows are
 * numbered by when they came.
 */
export const movedGroups: readonly {
  readonly what: string;
  readonly whole: boolean;
  readonly tables: readonly MovedTable[];
}[] = [
  { what: 'batches', whole: false, tables: ledger },
  { what: 'payments', whole: true, tables: payments },
  { what: 'events', whole: true, tables: events },
];

/** What stays behind: what describes the workspace itself, and who was at work. */
export const leftBehind: readonly string[] = ['meta', 'schema_steps', 'write_marks', 'batch_workers', 'event_namings'];
