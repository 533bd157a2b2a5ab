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

/** How much the state of a key says of its record, in SQL. */
const rankOf = (key: string) => `case ${key}.state when 'sending' then 1 when 'unclear' then 2 else 3 end`;

/**
 * Whether a key that comes (`excluded`) takes the place of one that is there, in SQL: what is known of a record beats what
 * is not, and what became of it later beats what was before.
 */
export const keyReplaces = `${rankOf('excluded')} > ${rankOf('ledger_keys')}
  or ${rankOf('excluded')} = 3 and ${rankOf('ledger_keys')} = 3 and (ledger_keys.at < excluded.at
    or ledger_keys.at = excluded.at and ledger_keys.state = 'undone')`;

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
    replaces: keyReplaces,
  },
  { name: 'intents', key: ['id'] },
  { name: 'printed_slips', key: ['account', 'order_id'] },
  { name: 'separate_services', key: ['one', 'other'] },
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

/** The tables of received changes that say whose they are. */
export const ofAnAccount: readonly string[] = [
  'events',
  'event_hooks',
  'event_listeners',
  'event_targets',
  'event_gaps',
];

/**
 * All tables that move, in groups: those of one whole only to a workspace that has nothing of the kind, or `of an account`
 * nothing of the same accounts, since their rows are numbered by when they came.
 */
export const movedGroups: readonly {
  readonly what: string;
  readonly whole: 'of all' | 'of an account' | undefined;
  readonly tables: readonly MovedTable[];
}[] = [
  { what: 'batches', whole: undefined, tables: ledger },
  { what: 'payments', whole: 'of all', tables: payments },
  { what: 'received changes', whole: 'of an account', tables: events },
];

/** What stays behind: what describes the workspace itself and this machine, and who was at work; and `moveAddresses` moves. */
export const leftBehind: readonly string[] = [
  'meta',
  'schema_steps',
  'write_marks',
  'batch_workers',
  'event_namings',
  'service_clocks',
  'addresses',
];
