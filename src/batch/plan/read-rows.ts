import { accountText } from '../../client/account.ts';
import { PIECES_IN_NAME } from '../../contract/schema/likeness.ts';
import { entryAt } from '../../domain/json/keys-of.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { RowWork } from '../../ledger/work.ts';
import { freeMemory } from '../../platform/process/free-memory.ts';
import type {
  Account,
  DecidedQuestion,
  LeftOut,
  RowQuestion,
  SheetAccount,
  SheetWarning,
} from '../../sheets/account/account.ts';
import type { Answers } from '../../sheets/account/questions.ts';
import { QuestionsOpen } from '../../sheets/account/questions-open.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import type { BatchContext } from '../batch-context.ts';
import { rowRuleOf } from '../row-rule.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';
import { differencesOf, existed, isUnknown, notShipped, type RowRule } from '../store/row-keys.ts';
import type { StoredSource } from '../stored-source.ts';
import { asStored, say } from '../texts.ts';
import { type CheckedRow, checkRow, rowLooker } from './check-row.ts';
import { openRows, type ReadRequest } from './open-rows.ts';
import { RecordFinder } from './record-finder.ts';
import { Remarks } from './remarks.ts';
import { ContentSum, identityOf } from './row-identity.ts';
import { type Conflict, type NamedRow, Names, type Sender } from './row-names.ts';
import { MergedAddresses, withDividedAddresses } from './whole-address.ts';

/** A faulty cell, and the number of its row. */
export interface RowFault extends CellFault {
  readonly row: number;
}

/** What reading a file found, besides its rows. */
export interface ReadFacts {
  readonly source: StoredSource;
  /** What its batch has of it. */
  readonly described: Pick<Batch, 'content' | 'source'>;
  /** The service's sheet that it was recognised as; null for any other. */
  readonly recognised: string | null;
  /** Columns that were ignored, and why. */
  readonly leftOut: readonly (readonly [string, string])[];
  /** Which sheet was read, where the header was found, and how many lines are left out, one sentence each. */
  readonly reported: readonly string[];
  /** Faulty cells in the file's order, the first hundred thousand, and their number. */
  readonly faults: readonly RowFault[];
  readonly faultCount: number;
  /** How cells were read, and what is unusual about them. */
  readonly remarks: Remarks;
  /** Cells with a place that is not in our list, by row number, for the first thousand such rows. */
  readonly places: ReadonlyMap<number, readonly CellFault[]>;
  readonly cleared: number;
  /** Fields that were filled in, and in how many rows. */
  readonly filled: readonly (readonly [string, number])[];
  /** Rows without a name that an earlier batch has too, by batch. */
  readonly shared: number;
  readonly sharedWith: readonly (readonly [Sender, number])[];
  /** New rows whose recipient already received something. */
  readonly similar: number;
  readonly rows: number;
  /** The account of the sheets and their lines. */
  readonly read: ReadAccount;
  /** Names the cell with the name of the row at a place. */
  readonly nameCellOf: (place: string) => string;
}

/** What became of each line of a file: it is in an order, or left out. */
export interface ReadAccount {
  readonly sheets: readonly SheetAccount[];
  readonly lines: number;
  /** How many of them are in records. */
  readonly used: number;
  /** The first of the others, and how many there are. */
  readonly leftOut: readonly LeftOut[];
  readonly leftOutLines: number;
  /** What is unusual about the file as a whole. */
  readonly warnings: readonly SheetWarning[];
  /** What would have been asked, and was answered before. */
  readonly decided: readonly DecidedQuestion[];
}

const ROWS_AT_ONCE = 1_000;
/** So many faults of a file are stored at most. */
export const MOST_FAULTS = 100_000;
const MOST_PLACES = 1_000;
/** A heap that is left to V8 grows to several times of what a thousand rows need. */
const MOST_WHILE_READING = 64 * 2 ** 20;

/** Code of a row with bad cells that was skipped. */
export const BAD_CELLS = 'bad_cells';

function pickOf(value: Readonly<Record<string, unknown>>, work: RowWork): string | null {
  if (work.quote === undefined) return null;
  const code = fieldsIn(value.shipping).shipping_service_code;
  return typeof code === 'string' && code !== '' ? code : null;
}

const empty = {
  attempts: 0,
  id: null,
  code: null,
  shipping_code: null,
  carrier: null,
  fee: null,
  error_code: null,
  error_message: null,
  error_fields: null,
  made_by: null,
} as const;

/** Where a row is stored, and what is known of what has made the records of such rows. */
interface StoredIn {
  readonly batch: number;
  readonly work: RowWork;
  readonly rule: RowRule;
  /** Holders of keys that may not have shipped what they made. */
  readonly unshipped: ReadonlySet<string>;
}

/** A checked row as it is stored. */
function storedRow(
  { batch, work, rule, unshipped }: StoredIn,
  row: number,
  source: SourceRow,
  named: NamedRow,
  judged: CheckedRow,
): WholeRow {
  const { identity, name, key, earlier, ended } = named;
  const { content, recipient, goods } = identity;
  const base: WholeRow = {
    batch,
    row,
    cell: source.place,
    name,
    named: identity.named ? 1 : 0,
    content,
    recipient,
    goods,
    pick: pickOf(source.value, work),
    identity: key,
    generation: 0,
    state: 'planned',
    ...empty,
    cells: JSON.stringify(source.cells),
    payload: judged.kind === 'good' ? JSON.stringify(judged.payload) : '{}',
    old_values: null,
  };
  if (judged.kind === 'bad') {
    const said = judged.faults.map(({ cell: path, message }) => ({ path, message }));
    const stored = said.map(({ path, message }) => ({ path, message: asStored(message) }));
    const error_message = stored.map(({ path, message }) => `${path}: ${message}`).join('; ');
    const error_fields = JSON.stringify(stored);
    return { ...base, state: 'skipped', error_code: BAD_CELLS, error_message, error_fields };
  }
  if (judged.kind === 'nothing-to-change') return { ...base, state: 'skipped' };
  if (ended !== undefined) return { ...base, state: 'ended', id: ended.recordId, made_by: ended.holder };
  if (earlier === undefined || isUnknown(base, earlier, rule)) return base;
  const conflict = existed(base, earlier, rule);
  const lacks = conflict.state === 'existed' && unshipped.has(earlier.holder);
  return lacks ? { ...conflict, ...notShipped(name) } : conflict;
}

/** What the user said about equal rows, as stored. */
function saidOf({ again, continues }: Conflict): Pick<StoredSource, 'equals'> {
  if (again) return { equals: 'again' };
  return continues === undefined ? {} : { equals: 'continue' };
}

/** A row with the codes of others that it must not take; a row that was sent before has made them itself. */
function withTaken(row: SourceRow, { earlier, shared }: NamedRow): SourceRow {
  const { taken = [] } = row;
  if (taken.length === 0 || earlier !== undefined || shared === true) return row;
  return { ...row, faults: [...row.faults, ...taken] };
}

/** A row whose name was derived for other content, as an invalid one: it was copied from another record. */
function withOwnName(judged: CheckedRow, row: SourceRow, { name, derivedBy }: NamedRow, rule: RowRule): CheckedRow {
  if (judged.kind !== 'good' || derivedBy === undefined) return judged;
  if (differencesOf(JSON.stringify(judged.payload), derivedBy, rule) === undefined) return judged;
  return {
    kind: 'bad',
    faults: [{ cell: row.cellOf('external_id'), value: name, message: say().cell.copied, path: 'external_id' }],
  };
}

/** What a person has to say about goods that name other pieces than their quantity. */
const piecesOf = (judged: CheckedRow, answer: Answers['pieces']): readonly RowQuestion[] =>
  judged.kind !== 'good'
    ? []
    : judged.notes
        .filter(({ code }) => code === PIECES_IN_NAME)
        .map(({ value, cell }) => ({ id: 'pieces', name: value, cell, answer }));

/** A row whose goods name other pieces than their quantity: it is invalid where that was said, and no warning is left of what was answered. */
function withPieces(judged: CheckedRow, answer: Answers['pieces']): CheckedRow {
  if (judged.kind !== 'good' || answer === undefined) return judged;
  const own = judged.notes.filter(({ code }) => code === PIECES_IN_NAME);
  if (own.length === 0) return judged;
  const notes = judged.notes.filter((note) => !own.includes(note));
  return answer === 'ask' ? { kind: 'bad', faults: own.map(({ code: _, ...fault }) => fault) } : { ...judged, notes };
}

/** What a person has to say about a row that would be sent, or would be if its cells were mended. */
const asksOf = (asks: readonly RowQuestion[], { kind }: CheckedRow, { state }: WholeRow) =>
  kind === 'bad' || state === 'planned' ? asks : [];

/** The account of the lines; throws an Error where one of them is neither in a record nor left out. */
function accountOf({ sheets, lines, leftOut, leftOutLines, warnings, decided }: Account, used: number): ReadAccount {
  if (lines !== 0 && lines !== used + leftOutLines)
    throw new Error(`of ${lines} lines ${used} are in records and ${leftOutLines} left out`);
  return { sheets, lines: used + leftOutLines, used, leftOut, leftOutLines, warnings, decided };
}

/** Groups items; rejects with the signal's reason. */
async function* chunksOf<Item>(items: AsyncIterable<Item>, size: number, signal: AbortSignal): AsyncGenerator<Item[]> {
  let chunk: Item[] = [];
  for await (const item of items) {
    signal.throwIfAborted();
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** The same items, the next one of which is made while one is used. */
async function* oneAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  const ask = () => {
    const next = items.next();
    // Its failure is that of whoever waits for it.
    next.catch(() => {});
    return next;
  };
  let next = ask();
  try {
    for (let { done, value } = await next; done !== true; { done, value } = await next) {
      next = ask();
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}

/**
 * Reads a whole file into a batch that is not opened yet, checking every row. Throws a SheetError, a WorkspaceError and,
 * where a person has to say what is meant, QuestionsOpen.
 */
export async function readRows(context: BatchContext, batch: Batch, request: ReadRequest): Promise<ReadFacts> {
  const { work, onRow } = request;
  const { read, recognised, kept: source, account, mapping } = await openRows(context, request);
  const { new_wards, pieces } = account.answers;
  const merged = new MergedAddresses(context.tree, new_wards);
  const finder = new RecordFinder(context.lookups, work);
  const names = new Names(context, { id: request.namedAs ?? batch.id, readInto: batch.number }, work, request.meeting);
  const rule = rowRuleOf(context, batch, work);
  const whose = accountText(context.account);
  const sum = new ContentSum();
  const faults: RowFault[] = [];
  const remarks = new Remarks();
  const filled = new Map<string, number>();
  const looker = rowLooker(new Date(context.connection.clock.now()).toISOString().slice(0, 10), context.tree);
  const places = new Map<number, readonly CellFault[]>();
  let [faultCount, cleared, similar, rows, used] = [0, 0, 0, 0, 0];

  /** The rows before, on their way to disk while the next ones are read and checked. */
  let adding: Promise<void> = Promise.resolve();
  const keep = async (read: readonly SourceRow[]) => {
    const chunk = await finder.complete(
      read.map((row) => merged.read(withDividedAddresses(row, context.tree, new_wards))),
    );
    if (onRow !== undefined) chunk.forEach(onRow);
    // Equal rows are numbered by those that are stored.
    await adding;
    const named = await names.assign(
      chunk.map(({ value, asRead }) => identityOf(value, work, context.account, { asRead, by: context.derivation })),
    );
    const makers = named.flatMap(({ earlier }) => earlier ?? []);
    const unshipped = await context.rows.mayLackShipment(makers, rule.shippers);
    const kept = chunk.map((row, index) => {
      const own = entryAt(named, index);
      sum.add(own.identity.content);
      const checked = withOwnName(checkRow(withTaken(row, own), work, own.name, looker), row, own, rule);
      const asks = [...(row.asks ?? []), ...piecesOf(checked, pieces)];
      const judged = withPieces(checked, pieces);
      rows += 1;
      used += row.cells.length;
      const stored = storedRow({ batch: batch.number, work, rule, unshipped }, rows, row, own, judged);
      account.raise(asks);
      account.ask(...asksOf(asks, judged, stored));
      if (judged.kind === 'bad') {
        faultCount += judged.faults.length;
        const room = Math.max(0, MOST_FAULTS - faults.length);
        faults.push(...judged.faults.slice(0, room).map((fault) => ({ ...fault, row: rows })));
      }
      remarks.add(rows, judged.kind === 'good' ? [...row.notes, ...judged.notes] : row.notes);
      cleared += row.cleared;
      if (judged.kind === 'good') {
        for (const field of judged.filled) filled.set(field, (filled.get(field) ?? 0) + 1);
        if (judged.places.length > 0 && places.size < MOST_PLACES) places.set(rows, judged.places);
      }
      return stored;
    });
    const unmet = kept.filter(
      ({ state }, index) => state === 'planned' && named[index]?.earlier === undefined && named[index]?.shared !== true,
    );
    const recipients = [...new Set(unmet.flatMap(({ recipient }) => recipient ?? []))];
    const known = await context.rows.knownRecipients(whose, recipients);
    similar += unmet.filter(({ recipient }) => recipient !== null && known.has(recipient)).length;
    adding = context.rows.add(kept);
    // Its failure is that of whoever waits for it.
    adding.catch(() => {});
    freeMemory(MOST_WHILE_READING);
    context.tell({ event: 'planning', done: rows });
  };

  try {
    for await (const chunk of oneAhead(chunksOf(read.rows, ROWS_AT_ONCE, context.signal))) await keep(chunk);
    await adding;
  } finally {
    // Whoever removes the batch of a bad file must find all its rows.
    await adding.catch(() => {});
  }
  if (account.questions.length > 0) throw new QuestionsOpen(account.questions, { faults, mapping });
  account.warnOfUnused(request.said ?? {});
  const isUntold = request.isReported === true ? { isUntold: true } : {};
  const kept: StoredSource = { ...source, ...saidOf(request.meeting), ...isUntold };
  const described = { content: sum.text, source: JSON.stringify(kept) };
  await context.batches.describe(batch.number, described);
  return {
    source: kept,
    described,
    recognised,
    leftOut: [...read.leftOut],
    reported: [...(read.reported ?? []), ...finder.reported],
    faults,
    faultCount,
    remarks,
    places,
    cleared,
    filled: [...filled],
    shared: names.shared,
    sharedWith: [...names.sharedWith],
    similar,
    rows,
    read: accountOf(account, used),
    nameCellOf: read.nameCellOf ?? ((place) => place),
  };
}
