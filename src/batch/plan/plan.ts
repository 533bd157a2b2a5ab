import { createHash } from 'node:crypto';
import { DAY_MS } from '../../domain/calendar.ts';
import { readFields } from '../../domain/json/values.ts';
import { englishOf } from '../../domain/language.ts';
import { isDerivedName } from '../../domain/named-by.ts';
import { cashWords, phoneOfOrder, type SentOrder, sentAgain, sentLike } from '../../ledger/equal-order.ts';
import type { OrderDraft } from '../../ledger/order-draft.ts';
import type { RowWork } from '../../ledger/work.ts';
import { questionOf } from '../../sheets/account/questions.ts';
import { QuestionsOpen } from '../../sheets/account/questions-open.ts';
import { placeText } from '../../sheets/formats/sheet.ts';
import type { BatchContext } from '../batch-context.ts';
import { BatchError } from '../batch-error.ts';
import { isComparable } from '../row-work.ts';
import { madeBefore } from '../send/claimed-rows.ts';
import { paced, workOff } from '../send/in-flight.ts';
import { type Batch, lockOf } from '../store/batches.ts';
import type { Doubles, RepeatedRow } from '../store/repeated-rows.ts';
import type { WholeRow } from '../store/row.ts';
import { notShipped } from '../store/row-keys.ts';
import type { RequestOfRow } from '../store/rows.ts';
import { sourceOf } from '../stored-source.ts';
import { asStored, say } from '../texts.ts';
import { type AgreedServices, useAgreed } from './agreed-services.ts';
import { type MoneyAhead, MoneySum } from './choose-service.ts';
import { type Changes, compareRows } from './compare-rows.ts';
import { newBatch, optionsText, sweepPlanning } from './new-batch.ts';
import type { ReadRequest } from './open-rows.ts';
import { quoteRows, type Unquoted } from './quote-rows.ts';
import { BAD_CELLS, MOST_FAULTS, type ReadFacts, type RowFault, readRows } from './read-rows.ts';
import { SENT_TO_PHONE } from './remarks.ts';
import { senderNamed } from './row-names.ts';
import { endKinds, type Happened, nothing as nothingHappened, whatHappened } from './what-happened.ts';

const ROWS_AT_ONCE = 4_000;

/** The name as it is in the file; a name that was derived from it is in no cell. */
function nameInFile({ named, name, payload }: RepeatedRow): string {
  if (named === 1 && !isDerivedName(name)) return name;
  const { external_code } = readFields(payload);
  return typeof external_code === 'string' ? external_code : '';
}

/**
 * The rows of a file that repeat another one: the same name, of which each may be a part of one order, or another write to the same
 * record, where it would be unclear which of them is applied last. `nameCellOf` names the cell with the name of the row at a place.
 */
export async function* repeatedRows(
  { rows }: BatchContext,
  batch: Batch,
  { targets }: RowWork,
  nameCellOf: (place: string) => string,
): AsyncGenerator<RowFault[], void, undefined> {
  const faultOf = (repeated: RepeatedRow): RowFault => {
    const { row, cell, first } = repeated;
    if (targets.length > 0) return { row, cell, value: '', message: say().cell.aboutSame({ first: placeText(first) }) };
    const message = say().cell.sameAs({ first: placeText(nameCellOf(first)) });
    return { row, cell: nameCellOf(cell), value: nameInFile(repeated), message };
  };
  for (let after = 0; ; ) {
    const by = targets.length > 0 ? 'goods' : 'name';
    const same = await rows.repeated(batch.number, by, after, ROWS_AT_ONCE);
    if (same.length > 0) yield same.map(faultOf);
    if (same.length < ROWS_AT_ONCE) return;
    after = same.at(-1)?.row ?? after;
  }
}

/** Leaves repeated rows out, like rows with bad cells. */
export async function leaveOut({ rows }: BatchContext, batch: Batch, repeated: readonly RowFault[]): Promise<void> {
  const left: WholeRow[] = [];
  for (const { row, cell, message } of repeated) {
    const whole = await rows.one(batch.number, row);
    if (whole === undefined || whole.state === 'skipped') continue;
    const error_message = asStored(`${cell}: ${message}`, `${cell}: ${englishOf(message)}`);
    left.push({ ...whole, state: 'skipped', error_code: BAD_CELLS, error_message });
  }
  await rows.replace(left);
}

/** A file that was read, checked and quoted into a batch that is not opened yet, or a batch that ran before. */
export type Planned =
  | {
      readonly kind: 'planned';
      readonly batch: Batch;
      readonly facts: ReadFacts;
      readonly unquoted: readonly Unquoted[];
      readonly doubles: Doubles;
      /** Rows of different goods to one phone, which could be one parcel. */
      readonly together: Doubles;
      /** When the parcels are delivered, as estimated, in milliseconds since 1970, by row number. */
      readonly deliveries: readonly (number | undefined)[];
      /** What its parcels collect, and are insured for; undefined where they were not quoted. */
      readonly money?: MoneyAhead | undefined;
      /** What each row of an update changes, where the records were read. */
      readonly changes: Changes;
      /** What has happened to the records of rows that were made before. */
      readonly happened: Happened;
      /** Releases the lock on this content. */
      readonly release: () => void;
    }
  | { readonly kind: 'known'; readonly batch: Batch; readonly release: () => void };

/** A request to plan a file. */
export interface PlanRequest extends ReadRequest {
  /** Whether a person is asked about rows whose records have ended since; otherwise they are left out. */
  readonly asksEnded?: boolean;
  /** Whether rows of earlier batches are only reported, as for a plan that sends nothing. */
  readonly isLookupOnly: boolean;
  /** For a saved plan: the services agreed to; otherwise the rows are quoted. Throws if the plan is stale. */
  readonly agreed?: (batch: Batch) => AgreedServices;
  /** Called before the first quote of rows that can be sent; may throw, where nobody could agree to them. */
  readonly beforeQuotes?: (() => Promise<void>) | undefined;
}

const MOST_DOUBLES = 10;
const NO_DOUBLES: Doubles = { groups: 0, rows: 0, first: [] };
/** So many places of rows are told in a question. */
const MOST_PLACES = 10;

/** The name of the lock for one content, its rows, command and account: only one process plans it at a time. */
function contentLockOf({ account, operation, do: words, content }: Batch): string {
  const text = JSON.stringify([account, operation, words, content]);
  return `content-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}

/** Throws if rows were sent by an earlier batch. */
function requireNew({ isLookupOnly }: PlanRequest, facts: ReadFacts): void {
  if (facts.shared === 0 || isLookupOnly) return;
  const [[sender, most] = ['', 0]] = [...facts.sharedWith].sort(([, one], [, another]) => another - one);
  const meta = {
    ...(sender ? { batch: sender } : {}),
    same: String(facts.shared),
    new: String(facts.rows - facts.shared),
    similar: String(facts.similar),
  };
  const { shared, rows, similar } = facts;
  const about = { shared, rows, most, by: senderNamed(sender), fresh: rows - shared, similar };
  throw new BatchError('rows_shared', say().refused.shared(about), { meta });
}

/** Looks at the records that other work has made, and may not have shipped. */
async function lookAtMade(context: BatchContext, batch: Batch, { work }: PlanRequest): Promise<void> {
  if (work.shippers === undefined) return;
  for await (const rows of context.rows.pages({ batch: batch.number, states: ['failed'] })) {
    const waiting = rows.filter(({ error_code }) => error_code === notShipped('').error_code);
    await paced(context, (pace) =>
      workOff(
        pace,
        async (room) => waiting.splice(0, room),
        async (row) => {
          const seen = await pace.through(() => madeBefore(work, row, context));
          await context.rows.replace([seen]);
        },
      ),
    );
  }
}

function requireTotal(batch: Batch, total: number): void {
  if (batch.max_total === null || total <= batch.max_total) return;
  throw new BatchError('over_max_total', say().refused.overTotal({ sum: total, most: batch.max_total }));
}

/**
 * Why a planned file cannot be sent: every bad cell and every row without a service, in the order of the file.
 * Undefined if nothing is wrong with it.
 */
export function refusalOf(facts: ReadFacts, unquoted: readonly Unquoted[]): BatchError | undefined {
  if (facts.faultCount === 0 && unquoted.length === 0) return undefined;
  const faults = [...facts.faults, ...unquoted].sort((one, other) => one.row - other.row);
  const isOfCells = facts.faultCount > 0 || unquoted.some(({ code }) => code === 'invalid_argument');
  if (!isOfCells) {
    return new BatchError('no_fitting_offer', say().refused.noOffer({ count: unquoted.length }), { faults });
  }
  const message = say().refused.cells({ count: facts.faultCount + unquoted.length });
  return new BatchError('cells_wrong', message, { faults, rows: facts.rows });
}

/** The facts with the rows that repeat an earlier one, which are left out if bad rows are. */
async function withRepeated(
  context: BatchContext,
  batch: Batch,
  request: PlanRequest,
  read: ReadFacts,
): Promise<ReadFacts> {
  const reported = new Set(read.faults.map(({ row, cell }) => `${row} ${cell}`));
  const faults = [...read.faults];
  let { faultCount } = read;
  for await (const found of repeatedRows(context, batch, request.work, read.nameCellOf)) {
    // A sheet of the service has told of it itself, by what its cell says.
    const repeated = found.filter(({ row, cell }) => !reported.has(`${row} ${cell}`));
    await leaveOut(context, batch, repeated);
    faults.push(...repeated.slice(0, Math.max(0, MOST_FAULTS - faults.length)));
    faultCount += repeated.length;
  }
  return { ...read, faults: faults.sort((one, other) => one.row - other.row), faultCount };
}

/**
 * Merges unknown places into the report: for a row that the service refuses, the unknown place's cell is the reason;
 * other unknown places are only reported.
 */
function withPlaces(facts: ReadFacts, unquoted: readonly Unquoted[]): Unquoted[] {
  const refused = new Set(unquoted.filter(({ code }) => code === 'invalid_argument').map(({ row }) => row));
  for (const [row, cells] of facts.places) if (!refused.has(row)) facts.remarks.add(row, cells);
  return unquoted.flatMap((one) => {
    const cells = refused.has(one.row) ? (facts.places.get(one.row) ?? []) : [];
    return cells.length === 0 ? [one] : cells.map((cell): Unquoted => ({ ...one, ...cell, code: one.code }));
  });
}

/** So long ago may an order be of which a row is said to repeat it, and one of which it may be another wording. */
const REPEATED_MS = 7 * DAY_MS;
const REWORDED_MS = DAY_MS;

/** What is said of a row that may be a parcel which went to its phone before; undefined if none did. */
function sentBefore(
  { named }: RequestOfRow,
  order: OrderDraft,
  sent: readonly SentOrder[],
  { tree, connection }: BatchContext,
): string | undefined {
  // An equal order without a name of its own is recognised when it is sent.
  const repeated = named === 1 ? sentAgain(order, sent, tree) : undefined;
  if (repeated !== undefined) {
    const { at, code, batch, request } = repeated;
    const about = { at, code, cash: cashWords(request) };
    return batch === undefined ? say().plan.sameGoods(about) : say().plan.sameGoodsOf({ ...about, batch });
  }
  const since = new Date(connection.clock.now() - REWORDED_MS).toISOString();
  const recent = sent.filter(({ at }) => at >= since);
  const like = sentLike(order, recent, tree);
  return like && say().plan.gotParcel({ ...like, cash: cashWords(like.request) });
}

/** Says of the rows to send which may be a parcel that went to the same phone before. */
async function addSentBefore(context: BatchContext, batch: Batch, { remarks }: ReadFacts): Promise<void> {
  const since = context.connection.clock.now() - REPEATED_MS;
  if (!(await context.rows.anySent(context.account, since))) return;
  for await (const rows of context.rows.requests({ batch: batch.number, states: ['planned'] })) {
    const orders = rows.map((row): { row: RequestOfRow; order: OrderDraft } => ({
      row,
      order: readFields(row.payload),
    }));
    const phones = new Set(orders.map(({ order }) => phoneOfOrder(order)).filter((phone) => phone !== ''));
    const sent = phones.size === 0 ? [] : await context.rows.sentTo(context.account, phones, since);
    for (const { row, order } of sent.length === 0 ? [] : orders) {
      const message = sentBefore(row, order, sent, context);
      if (message === undefined) continue;
      const value = order.shipping_address?.phone ?? '';
      remarks.add(row.row, [{ cell: row.cell, value, message, code: SENT_TO_PHONE }]);
    }
  }
}

/** What is known of the rows of a batch once they were checked and quoted. */
type Checked = Pick<
  Extract<Planned, { kind: 'planned' }>,
  'facts' | 'unquoted' | 'doubles' | 'together' | 'deliveries' | 'money' | 'changes' | 'happened'
>;

/** What has happened to the records of a batch since they were made. Throws QuestionsOpen where a person is to be asked. */
async function happenedTo(
  context: BatchContext,
  batch: Batch,
  { work, answers, asksEnded }: PlanRequest,
  { source }: ReadFacts,
): Promise<Happened> {
  const resent = { ...source.answers?.resend_ended, ...answers?.resend_ended };
  const happened = await whatHappened(context, { batch, work, resent });
  const kinds = endKinds.filter((kind) => happened.kinds.has(kind) && !Object.hasOwn(resent, kind));
  if (asksEnded !== true || kinds.length === 0) return happened;
  const subjects = kinds.map((kind) => {
    const rows = happened.ended.flatMap((one) => (one.kind === kind ? [one.cell] : []));
    return { name: kind, rows: rows.slice(0, MOST_PLACES), count: happened.kinds.get(kind) ?? 0 };
  });
  throw new QuestionsOpen([questionOf('resend_ended', subjects)]);
}

/** Checks and quotes the rows that were read into a batch. Throws a BatchError if they cannot be sent as they are. */
async function checkedRows(
  context: BatchContext,
  batch: Batch,
  request: PlanRequest,
  read: ReadFacts,
): Promise<Checked> {
  const checked = await withRepeated(context, batch, request, read);
  const isBad = checked.faultCount > 0 && !request.skipBad && !request.isLookupOnly;
  if (!isBad) requireNew(request, checked);
  const happened = isBad ? nothingHappened : await happenedTo(context, batch, request, checked);
  if (!isBad) await lookAtMade(context, batch, request);
  let refused: Unquoted[] = [];
  const deliveries: number[] = [];
  let money: MoneyAhead | undefined;
  if (request.agreed !== undefined) {
    const agreed = { batch, work: request.work, leavesOut: request.skipBad };
    await useAgreed(context, agreed, request.agreed(batch), deliveries);
  } else if (request.work.quote !== undefined) {
    // Also beside bad cells: everything that is wrong with a file is reported at once.
    if (!isBad && (await context.rows.any(batch.number, ['planned']))) await request.beforeQuotes?.();
    const sum = new MoneySum();
    refused = await quoteRows(context, batch, request.work, request.options, 'skipped', (row, chosen) => {
      if (chosen.delivery !== null) deliveries[row] = chosen.delivery;
      sum.add({ ...chosen.payload });
    });
    money = sum;
  }
  const compares = isComparable(request.work) && (!isBad || request.isLookupOnly);
  const changes: Changes = compares ? await compareRows(context, batch, request.work) : new Map();
  const facts = checked;
  const unquoted = withPlaces(facts, refused);
  const refusal = request.skipBad || request.isLookupOnly ? undefined : refusalOf(facts, unquoted);
  if (refusal !== undefined) throw refusal;
  const shares = await context.batches.shares(batch.number);
  const planned = shares.filter(({ state }) => state === 'planned');
  if (!request.isLookupOnly)
    requireTotal(
      batch,
      planned.reduce((sum, { fees }) => sum + (fees ?? 0), 0),
    );
  const { rows } = context;
  const creates = request.work.targets.length === 0;
  if (creates && request.work.resource === 'order') await addSentBefore(context, batch, facts);
  const doubles = creates ? await rows.possibleDoubles(batch.number, MOST_DOUBLES) : NO_DOUBLES;
  const together = creates ? await rows.ofOneRecipient(batch.number, MOST_DOUBLES) : NO_DOUBLES;
  return { facts, unquoted, doubles, together, deliveries, changes, happened, money };
}

/**
 * The batch that whoever wants all its rows once more is to hear of first: it has not ended, nobody was told of its end, or
 * nobody knows what became of a row of it.
 */
async function unended({ rows }: BatchContext, alike: readonly Batch[]): Promise<Batch | undefined> {
  for (const one of alike) {
    if (one.state === 'open' || sourceOf(one).isUntold === true) return one;
    if (await rows.any(one.number, ['unclear'])) return one;
  }
  return undefined;
}

/**
 * Reads, checks and quotes a file into a batch in `planning`, and locks its content against every other run; if the
 * same rows, in any order, ran before, that batch is returned instead. The caller removes or opens the batch. Throws a
 * BatchError, a SheetError, a CallError or a WorkspaceError, and then leaves no batch behind.
 */
export async function planBatch(context: BatchContext, request: PlanRequest): Promise<Planned> {
  const { batches, workspace, tell } = context;
  await sweepPlanning(context);
  const { work, options } = request;
  const fields = { do: work.do, operation: work.operation.id, max_total: options.maxTotal ?? null };
  const made = await newBatch(context, { ...fields, options: optionsText(options) });
  const { id } = made.batch;
  const releases = [made.release];
  let hasBegun = false;
  const begin = () => {
    if (!hasBegun && !request.isLookupOnly) tell({ event: 'began', batch: id, resumed: false });
    hasBegun = true;
  };
  // Quotes of many rows take long: whoever reads a log has the name before, unless a limit of their sum may drop the batch.
  const beforeQuotes = async () => {
    await request.beforeQuotes?.();
    if (options.maxTotal === undefined) begin();
  };
  const release = () => {
    for (const free of releases.splice(0).reverse()) free();
  };
  try {
    const read = await readRows(context, made.batch, request);
    const batch = { ...made.batch, ...read.described };
    const waiting = { signal: context.signal, onWait: () => tell({ event: 'waiting', batch: id }) };
    if (!request.isLookupOnly) releases.push(await workspace.hold(contentLockOf(batch), waiting));
    // Nothing is the same rows as nothing of another file.
    const alike = read.rows === 0 ? [] : await batches.same(batch);
    const isMore = request.meeting.again || Object.values(request.answers?.resend_ended ?? {}).includes('send');
    const same = isMore ? await unended(context, alike) : alike[0];
    // Undone rows count as not made: the file can be sent again.
    if (same !== undefined && !(await context.rows.any(same.number, ['undone']))) {
      await batches.remove(batch.number);
      // A retry may be at it, by another file.
      if (!request.isLookupOnly) releases.push(await workspace.hold(lockOf(same), waiting));
      return { kind: 'known', batch: same, release };
    }
    const checked = await checkedRows(context, batch, { ...request, beforeQuotes }, read);
    if (!request.isLookupOnly) releases.push(await workspace.hold(lockOf(batch), waiting));
    begin();
    return { kind: 'planned', batch, ...checked, release };
  } catch (error) {
    await batches.remove(made.batch.number).catch(() => {});
    if (hasBegun && !request.isLookupOnly) tell({ event: 'dropped', batch: id });
    release();
    throw error;
  }
}
