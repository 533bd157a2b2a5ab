import { CallError } from '../../client/errors.ts';
import { changesInWords, differences } from '../../client/settle/compare.ts';
import { type End, endOf, textIn } from '../../client/settle/found-record.ts';
import { type Fields, readFields } from '../../domain/json/values.ts';
import { isDerivedName } from '../../domain/named-by.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import { rowRuleOf } from '../row-rule.ts';
import { makesRecords } from '../row-work.ts';
import type { Batch } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';
import { resending, undoneAsEnded } from '../store/undone.ts';
import { batchTexts, say } from '../texts.ts';
import { isDeletable, MOST_LOOKED_UP, newestOf, type Read, RecordReader, requireAnyThere } from './read-records.ts';
import { numbered } from './row-identity.ts';

/** How a row has ended: by an undo, or as its record says. */
export type EndKind = 'undone' | End;

/** The kinds that are sent again by their name; of the last one only an order is, by its own. */
export const endKinds = ['undone', 'cancelled', 'returned', 'undeliverable'] as const satisfies readonly EndKind[];

/** A row that is not sent, since its record has ended. */
export interface EndedRow {
  readonly row: number;
  readonly cell: string;
  readonly name: string;
  readonly kind: EndKind;
  /** When and why, as far as it is known. */
  readonly at: string | null;
  readonly why: string | null;
}

/** A row whose record differs from it, and where. */
export interface DifferingRow {
  readonly row: number;
  readonly cell: string;
  readonly name: string;
  readonly fields: readonly string[];
  /** These fields with the value of the record and that of the row. */
  readonly changes: readonly string[];
  /** Whether the row is refused, since it was sent otherwise. */
  readonly isRefused: boolean;
}

/** What has happened to the records of rows since they were made. */
export interface Happened {
  /** The first rows that have ended and are not sent, and how many there are of each kind. */
  readonly ended: readonly EndedRow[];
  readonly kinds: ReadonlyMap<EndKind, number>;
  /** The first rows whose records differ from them. */
  readonly differing: readonly DifferingRow[];
  /** How many records were not read again, and the reason why one of them was not. */
  readonly unread: number;
  readonly why: string | undefined;
}

/** What is sent again, by kinds and by names of orders. */
export type Resent = Readonly<Record<string, 'send' | 'skip'>>;

/** Rows of a batch that were read into it, what is done with them, and what is sent again. */
interface Asked {
  readonly batch: Batch;
  readonly work: RowWork;
  readonly resent: Resent;
}

const MOST_REPORTED = 10_000;
const stored = () => batchTexts.row;
/** Rows that have a record, or have had one. */
const MADE = ['existed', 'ended', 'failed'] as const;

/** Whether a row has, or has had, a record that somebody has made. */
const isMade = ({ state, error_code, made_by }: WholeRow) =>
  state !== 'failed' || (made_by !== null && (error_code === 'differs' || error_code === 'not_shipped'));

/** What a row is told whose record was not read. */
const notRead = (why: string) => ({ error_code: 'not_read_again', error_message: stored().notRead({ why }) });

/** Whether a record has the name of its row, or one that it got where it was sent again. */
function isNamedAs({ named, name }: WholeRow, { external_id }: Fields): boolean {
  const found = textIn(external_id);
  return (
    named === 0 || isDerivedName(name) || found === '' || found === name || /^-\d+$/.test(found.slice(name.length))
  );
}

/** When and why a row has ended, in words, as they are stored(). */
export function endInWords({ kind, at, why }: Pick<EndedRow, 'kind' | 'at' | 'why'>): string {
  const end = at === null ? stored()[kind] : stored().endedOn({ end: stored()[kind], at });
  return why === null ? end : stored().endedSince({ end, why });
}

/** When a record has ended, and why, as far as it says; null for one that is not there any more. */
function whenAndWhy(record: Fields | undefined): Pick<EndedRow, 'at' | 'why'> {
  const { cancelled_at, deleted_at, closed_at, cancel_reason, deleted } = record ?? { deleted: true };
  const at = textIn(cancelled_at) || textIn(deleted_at) || textIn(closed_at);
  const why = textIn(cancel_reason) || (deleted === true ? stored().deleted : '');
  return { at: at || null, why: why || null };
}

/** Collects what has happened, one page of rows after another. */
class Judging {
  readonly ended: EndedRow[] = [];
  readonly kinds = new Map<EndKind, number>();
  readonly differing: DifferingRow[] = [];
  unread = 0;
  why: string | undefined;
  /** Whether the service has shown any record, and the first rows that count as made and whose records it does not find. */
  isAnyThere = false;
  readonly missing: WholeRow[] = [];
  /** What has ended and counts as made still. */
  readonly ids: string[] = [];
  readonly makers: string[] = [];
  /** The names that somebody gave, and that are those of rows. */
  readonly known = new Set<string>();
  readonly #context: BatchContext;
  readonly #asked: Asked;
  readonly #isDeletable: boolean;

  constructor(context: BatchContext, asked: Asked, isDeletableKind: boolean) {
    this.#context = context;
    this.#asked = asked;
    this.#isDeletable = isDeletableKind;
  }

  /** The row as it is from now on; undefined if it stays as it was read. */
  judge(row: WholeRow, found: Read, undoneBy: ReadonlyMap<string, string>): WholeRow | undefined {
    const { record, answer = {} } = found.state === 'there' ? found : {};
    this.#note(row, found);
    const names = [row.name, row.id, record?.external_id, record?.code].map(textIn).filter((name) => name !== '');
    for (const name of names) if (Object.hasOwn(this.#asked.resent, name)) this.known.add(name);
    const byLedger = undoneBy.has(row.made_by ?? '') ? 'undone' : 'cancelled';
    const unread = this.#whyUnread(row, found);
    if (unread !== undefined) return this.#unread(row, unread, byLedger);
    const end = record === undefined ? 'cancelled' : endOf(record, answer);
    if (end === undefined) return this.#alive(row, record ?? {});
    if (end === 'cancelled' && row.state !== 'ended') {
      if (row.id !== null) this.ids.push(row.id);
      else if (row.made_by !== null) this.makers.push(row.made_by);
    }
    const kind = end === 'cancelled' ? byLedger : end;
    return this.#isResent(kind, names) ? this.#again(row, record) : this.#left(row, { kind, ...whenAndWhy(record) });
  }

  #note(row: WholeRow, { state }: Read): void {
    if (state === 'there') this.isAnyThere = true;
    const isMissing = state === 'none' && row.state === 'existed';
    if (isMissing && this.missing.length < MOST_LOOKED_UP) this.missing.push(row);
  }

  /** Why nobody knows what has become of the record of a row; undefined if somebody does. */
  #whyUnread(row: WholeRow, found: Read): string | undefined {
    if (found.state === 'unread') return found.why;
    if (found.state === 'there') return isNamedAs(row, found.record) ? undefined : stored().recordRenamed;
    return row.state === 'ended' || this.#isDeletable ? undefined : stored().notFound;
  }

  #isResent(kind: EndKind, names: readonly string[]): boolean {
    const { resent } = this.#asked;
    const said = names.flatMap((name) => (Object.hasOwn(resent, name) ? [resent[name]] : []));
    if (said.length > 0) return said.includes('send');
    return kind !== 'travelling' && resent[kind] === 'send';
  }

  #left(row: WholeRow, end: Pick<EndedRow, 'kind' | 'at' | 'why'>): WholeRow {
    const { kind } = end;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    const { row: number, cell } = row;
    if (this.ended.length < MOST_REPORTED) this.ended.push({ row: number, cell, name: shownName(row), ...end });
    const error = { error_code: kind, error_message: endInWords(end) };
    return { ...row, ...error, state: 'ended' };
  }

  #unread(row: WholeRow, why: string, byLedger: EndKind): WholeRow | undefined {
    this.unread += 1;
    this.why ??= why;
    if (row.state === 'ended') return this.#left(row, { kind: byLedger, at: null, why: stored().notRead({ why }) });
    return row.state === 'existed' ? { ...row, ...notRead(why) } : undefined;
  }

  #alive(row: WholeRow, record: Fields): WholeRow | undefined {
    const wanted = readFields(row.payload);
    const fields = differences(wanted, record, this.#context.tree).filter((path) => path !== 'external_id');
    const changes = changesInWords(fields, record, wanted);
    const { row: number, cell, state } = row;
    if (fields.length > 0 && this.differing.length < MOST_REPORTED)
      this.differing.push({ row: number, cell, name: shownName(row), fields, changes, isRefused: state === 'failed' });
    // The ledger has taken it for undone, and it is there.
    return row.state === 'ended' ? { ...row, state: 'existed', made_by: null } : undefined;
  }

  /** The row as it is sent again, as a record of its own. */
  #again(row: WholeRow, record: Fields | undefined): WholeRow {
    const none = { id: null, code: null, shipping_code: null, carrier: null, fee: null, made_by: null };
    const error = { error_code: null, error_message: null, error_fields: null };
    const old_values = resending(row.made_by ?? '');
    const again = { ...row, ...none, ...error, old_values, state: 'planned' as const };
    // Over all shops of a partner the name of what came back stays taken (decisions, section 7).
    const isTaken = row.named === 1 && this.#context.account.family === 'partner' && record?.status === 'NS';
    if (!isTaken) return again;
    const number = Number(/-(\d+)$/.exec(textIn(record?.external_id).slice(row.name.length))?.[1] ?? 1);
    const name = numbered(row.name, number + 1);
    return { ...again, name, payload: JSON.stringify({ ...readFields(row.payload), external_id: name }) };
  }
}

/** What a person knows a row by. */
const shownName = ({ named, name, code, id }: WholeRow) => (named === 1 ? name : (code ?? id ?? name));

/** Refuses names that are neither a kind nor that of a row. */
async function requireKnown(
  { rows }: BatchContext,
  { batch, resent }: Asked,
  known: ReadonlySet<string>,
): Promise<void> {
  const kinds: readonly string[] = endKinds;
  const unknown = new Set(Object.keys(resent).filter((name) => !kinds.includes(name) && !known.has(name)));
  if (unknown.size === 0) return;
  for await (const { name } of rows.each({ batch: batch.number })) unknown.delete(name);
  const [first] = unknown;
  if (first === undefined) return;
  const message = say().refused.resendUnknown({ quoted: JSON.stringify(first), kinds });
  throw new BatchError('resend_unknown', message, { meta: { field: 'resend_ended' } });
}

/** Whether the service that has made the records knows of them; where it does not answer, nothing is guessed. */
async function requireSameRecords(
  context: BatchContext,
  { batch, work }: Asked,
  rows: readonly WholeRow[],
): Promise<void> {
  try {
    await requireAnyThere(context, work, batch, rows);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof CallError) || error.code === 'unauthenticated') throw error;
  }
}

/** Nothing was read. */
export const nothing: Happened = { ended: [], kinds: new Map(), differing: [], unread: 0, why: undefined };

/** How many rows there are that were made before. */
async function countOf({ batches }: BatchContext, { number }: Batch): Promise<number> {
  const made = (await batches.shares(number)).filter(({ state }) => state === 'existed' || state === 'ended');
  return made.reduce((sum, { rows }) => sum + rows, 0);
}

async function judgePages(context: BatchContext, asked: Asked, judging: Judging): Promise<void> {
  const { batch, work } = asked;
  const all = await countOf(context, batch);
  const reader = new RecordReader(context, work);
  async function* pages() {
    for await (const rows of context.rows.pages({ batch: batch.number, states: MADE })) yield rows.filter(isMade);
  }
  const newest = await newestOf(work, pages());
  let done = 0;
  for await (const rows of pages()) {
    const asking = rows.filter(({ row }) => newest === undefined || newest.has(row));
    const found = await reader.read(asking);
    const undoneBy = await context.rows.undoneBy(rows.flatMap(({ made_by }) => made_by ?? []));
    const changed = rows.flatMap((row) => {
      const read = found.get(row.row) ?? { state: 'unread', why: stored().newestOnly({ count: String(newest?.size) }) };
      return judging.judge(row, read, undoneBy) ?? [];
    });
    await context.rows.replace(changed);
    done += rows.length;
    context.tell({ event: 'reading', done, failed: 0, all: Math.max(all, done) });
    context.signal.throwIfAborted();
  }
}

/**
 * Reads the records of the rows that were made before, as the service has them now. Those that have ended are left out,
 * unless somebody said that they are sent again; what made them counts as undone. What cannot be read stays as it is, and is
 * not sent. Throws a BatchError, and a CallError if the key is refused.
 */
export async function whatHappened(context: BatchContext, asked: Asked): Promise<Happened> {
  const { batch, work } = asked;
  if (!makesRecords(work)) return nothing;
  const judging = new Judging(context, asked, await isDeletable(work));
  if (await context.rows.any(batch.number, MADE)) {
    await judgePages(context, asked, judging);
    if (!judging.isAnyThere) await requireSameRecords(context, asked, judging.missing);
  }
  await requireKnown(context, asked, judging.known);
  const { ids, makers } = judging;
  if (ids.length + makers.length > 0) {
    const { account, resource } = rowRuleOf(context, batch, work);
    await undoneAsEnded(context.workspace, { account, resource, at: context.time.now() }, { ids, makers });
  }
  return judging;
}
