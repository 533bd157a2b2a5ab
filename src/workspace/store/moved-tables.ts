import { keyReplaces } from '../../ledger/store/services.ts';

/** A table with numbers of its own, which are others in another workspace. */
export type Numbered = 'batches' | 'events' | 'cod_files' | 'event_gaps';

/** How a table goes to another workspace. */
export interface MovedTable {
  readonly name: string;
  /** Its primary key: rows are read in this order. */
  readonly key: readonly string[];
  /** Columns that hold the number of a row of a numbered table. */
  readonly numbers?: Readonly<Record<string, Numbered>>;
  /** Columns that hold such a number as a position: all up to there. */
  readonly positions?: Readonly<Record<string, Numbered>>;
  /** The column that holds a holder, whose batch has a number. */
  readonly holder?: string;
  /** The column with JSON that may hold such a number under a name. */
  readonly within?: { readonly column: string; readonly name: string; readonly of: Numbered };
  /** When a row takes the place of the target's own with the same key; the target's stays otherwise. */
  readonly replaces?: string;
  /** Whether its rows come with what they are counted from, and not as they stand. */
  readonly isCounted?: boolean;
}

/** Where each numbered table has its numbers. */
export const numberColumns = {
  batches: 'number',
  events: 'seq',
  cod_files: 'number',
  event_gaps: 'number',
} as const satisfies Readonly<Record<Numbered, string>>;

/** The ledger and the batches. */
export const ledgerTables: readonly MovedTable[] = [
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
  { name: 'agent_plans', key: ['id'] },
  { name: 'agent_facts', key: ['name'] },
  { name: 'agent_log', key: ['id'] },
];

/** Carriers' payment files; `joinPayments` says which are there already. */
const payments: readonly MovedTable[] = [
  { name: 'cod_files', key: ['number'], numbers: { number: 'cod_files' } },
  { name: 'cod_lines', key: ['file', 'line'], numbers: { file: 'cod_files' } },
  { name: 'cod_sessions', key: ['shop_id', 'session'] },
];

/** Received changes, and where they are forwarded to; `joinEvents` says which are there already. */
const events: readonly MovedTable[] = [
  { name: 'event_facts', key: ['name'] },
  { name: 'events', key: ['seq'], numbers: { seq: 'events' } },
  { name: 'event_contents', key: ['seq'], numbers: { seq: 'events' } },
  { name: 'event_hooks', key: ['account', 'hook'], replaces: 'excluded.received_at > event_hooks.received_at' },
  { name: 'event_sightings', key: ['account', 'content', 'hook'], isCounted: true },
  { name: 'event_listeners', key: ['account', 'name'] },
  { name: 'event_targets', key: ['account', 'name'], positions: { cursor: 'events' } },
  {
    name: 'event_handoffs',
    key: ['target', 'seq'],
    numbers: { seq: 'events' },
    replaces: "excluded.state = 'waiting' and event_handoffs.state = 'dead'",
  },
  { name: 'event_gaps', key: ['number'], numbers: { number: 'event_gaps' } },
  {
    name: 'event_polls',
    key: ['account', 'record_id', 'entity', 'state'],
    replaces: 'excluded.told_at > event_polls.told_at',
  },
];

/** The tables of received changes that say whose they are. */
export const ofAnAccount: readonly string[] = [
  'events',
  'event_hooks',
  'event_listeners',
  'event_targets',
  'event_gaps',
];

/** All tables that move: they join those that are there. */
export const movedTables: readonly MovedTable[] = [...ledgerTables, ...payments, ...events];

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
