import type { Ports } from '../../../action/ports.ts';
import { bothGiven, Refusal } from '../../../client/refusal.ts';
import { labels } from '../../../contract/labels.ts';
import { formatMoney } from '../../../domain/amounts/money.ts';
import type { RowWork } from '../../../ledger/work.ts';
import { readParts } from '../../../platform/files/file-parts.ts';
import { answersOf } from '../../../sheets/account/questions.ts';
import { placeText } from '../../../sheets/formats/sheet.ts';
import type { BatchContext } from '../../batch-context.ts';
import { type MoneyAhead, moneyAhead } from '../../plan/choose-service.ts';
import type { Change, Changes } from '../../plan/compare-rows.ts';
import type { BatchOptions } from '../../plan/new-batch.ts';
import type { ReadRequest } from '../../plan/open-rows.ts';
import type { Planned, PlanRequest } from '../../plan/plan.ts';
import type { ReadFacts } from '../../plan/read-rows.ts';
import { endInWords, endKinds } from '../../plan/what-happened.ts';
import { percentOf } from '../../plan-rows.ts';
import { isComparable } from '../../row-work.ts';
import { batchNamed, requireOwn } from '../../runs.ts';
import type { Batch } from '../../store/batches.ts';
import type { Doubles } from '../../store/repeated-rows.ts';
import { mappingsOf, sourceOf } from '../../stored-source.ts';
import { type BatchSummary, summaryOf } from '../../summary.ts';
import { inWords, say } from '../../texts.ts';
import { restoredValue } from '../../undo-restoring.ts';
import { answersIn } from '../answering.ts';
import { placed } from '../fault-lines.ts';
import type { SheetInput } from '../inputs.ts';
import { mappingNamed, savedMappings } from '../mappings.ts';
import { pathFrom } from './plan-file.ts';
import { type Risk, readingLines, risksIn, sentBefore, warningLines } from './warning-lines.ts';

/** A file, and the options for reading, checking and quoting it. */
export type FileInput = SheetInput & { readonly file: string };

/** The bytes of a file, or of stdin; they can be read again. */
function bytesOf(file: string, ports: Ports): AsyncIterable<Uint8Array> {
  let stdin: Promise<string> | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    if (file !== '-') return yield* readParts(pathFrom(ports.workingDirectory, file));
    stdin ??= ports.readStdin();
    yield Buffer.from(await stdin);
  }
  return { [Symbol.asyncIterator]: read };
}

/** The file of an input, and how to read it. */
export async function readingOf(
  input: FileInput,
  ports: Ports,
): Promise<Omit<ReadRequest, 'work' | 'options' | 'meeting'>> {
  return {
    source: {
      name: input.file,
      path: input.file === '-' ? undefined : pathFrom(ports.workingDirectory, input.file),
      bytes: bytesOf(input.file, ports),
      signal: ports.signal,
    },
    format: input.format ?? undefined,
    answers: answersIn(input),
    said: answersIn(input),
    headerRow: input.header_row ?? undefined,
    mapping: input.map ? await mappingNamed(input.map, ports) : undefined,
    savedMappings: () => savedMappings(ports),
    ignored: input.ignore_columns === true ? ['*'] : [],
    skipBad: input.skip_bad === true,
  };
}

/** A corrected file of a batch: read as the first one was, unless it is said otherwise. */
export async function correctedOf(
  batch: Batch,
  input: FileInput,
  ports: Ports,
): Promise<Awaited<ReturnType<typeof readingOf>>> {
  const reading = await readingOf(input, ports);
  const { mapping, saved } = mappingsOf(batch);
  return {
    ...reading,
    answers: answersOf(reading.answers, sourceOf(batch).answers),
    mapping: reading.mapping ?? mapping,
    savedMappings: async () => [...saved, ...(await savedMappings(ports))],
  };
}

/** The batch of that name; refused if it belongs to another account, or was sent with the shop's other kind of key. */
async function ownBatch(context: BatchContext, name: string): Promise<Batch> {
  const batch = await batchNamed(context, name);
  requireOwn(context, batch);
  return batch;
}

/** The plan request for an input. Throws a BatchError and a Refusal. */
export async function planRequestOf(
  input: FileInput,
  options: BatchOptions,
  context: BatchContext,
  ports: Ports,
  isLookupOnly: boolean,
): Promise<PlanRequest> {
  const { findWork, UNDO } = await import('../../row-work.ts');
  const { continue: other, again } = input;
  if (other && again === true) throw bothGiven('continue', 'again');
  if (input.do?.trim().startsWith(UNDO)) throw new Refusal('undo_by_file', say().undo.fromFile);
  return {
    ...(await readingOf(input, ports)),
    work: await findWork(input.do ?? 'ship', context.account.family),
    options,
    meeting: { again: again === true, continues: other ? (await ownBatch(context, other)).number : undefined },
    isLookupOnly,
    isReported: !isLookupOnly,
  };
}

type NewPlan = Extract<Planned, { kind: 'planned' }>;

const MOST_LINES = 10;

/** What a file was read as, and what of it was left out, one line each. */
export function fileLines({ recognised, reported, leftOut }: ReadFacts): string[] {
  const columns = leftOut.map(([column, why]) => say().plan.columnLeftOut({ column, why }));
  return [...(recognised === null ? [] : [say().plan.readAs({ title: recognised })]), ...reported, ...columns];
}

type Said = ReturnType<typeof say>['plan'];

/** A line for each of the first groups of rows, and how many more there are. */
function groupLines({ groups, first }: Doubles, line: Said['duplicates'], more: Said['moreDuplicates']): string[] {
  const shown = first.map(({ cells, rows }) => line({ cells: cells.map(placeText), rest: rows - cells.length }));
  return groups === first.length ? shown : [...shown, more({ groups: groups - first.length })];
}

const doubleLines = ({ doubles }: NewPlan) => groupLines(doubles, say().plan.duplicates, say().plan.moreDuplicates);

/** What a question names of parcels that should perhaps not be sent as they are. */
interface Doubts {
  /** How many may be sent a second time. */
  readonly repeats: number;
  readonly risks: readonly Risk[];
}

/** The lines that say which parcels may be sent a second time, or go wrong, and how many: they are told whatever is quiet. */
export function doubtsIn(planned: NewPlan): Doubts & { readonly lines: readonly string[] } {
  const { doubles, facts } = planned;
  const before = sentBefore(facts);
  const { risks, lines } = risksIn(facts);
  return {
    lines: [...doubleLines(planned), ...before.lines, ...lines],
    repeats: doubles.rows - doubles.groups + before.inRows,
    risks,
  };
}

/** What a person should know about a file before it is sent, one line each: first what may cost money or a parcel. */
export function factsToSay(facts: ReadFacts, planned: NewPlan): string[] {
  const lines = fileLines(facts);
  const { plan } = say();
  if (facts.cleared > 0) lines.push(plan.cleared({ fields: facts.cleared }));
  lines.push(...doubleLines(planned), ...groupLines(planned.together, plan.together, plan.moreTogether));
  lines.push(...warningLines(facts), ...readingLines(facts.remarks));
  if (facts.filled.length > 0)
    lines.push(
      plan.filled({ fields: facts.filled.map(([field, count]) => ({ field: labels().heading(field), count })) }),
    );
  return lines;
}

const MOST_ENDED = 20;

/** What has happened to the records of rows since they were made, one line each. */
export function happenedLines({ happened }: NewPlan, { ui }: Pick<Ports, 'ui'>): string[] {
  const { ended, kinds, differing, unread, why } = happened;
  const all = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  const byKind = endKinds.filter((kind) => kinds.has(kind));
  const travelling = ended.find(({ kind }) => kind === 'travelling');
  const { plan } = say();
  const more = (of: readonly unknown[], count: number) => {
    const rest = count - Math.min(of.length, MOST_ENDED);
    return rest > 0 ? [plan.moreRows({ count: rest })] : [];
  };

  return [
    ...ended.slice(0, MOST_ENDED).map((row) => plan.notAgain({ ...placed(row), end: inWords(endInWords(row)) })),
    ...more(ended, all),
    ...(byKind.length === 0 ? [] : [plan.sendsAgain({ way: ui.advise('resend_ended', { kinds: byKind }) })]),
    ...(travelling === undefined
      ? []
      : [plan.travellingAgain({ way: ui.advise('resend_ended', { kinds: [], order: travelling.name }) })]),
    ...differing.slice(0, MOST_ENDED).map((row) => plan.differs(placed(row))),
    ...more(differing, differing.length),
    ...(unread === 0 ? [] : [plan.unread({ count: unread, why: inWords(why ?? '') })]),
  ];
}

/** A price that changes by more than this, in percent, may be a slip of the hand. */
const LARGE_CHANGE = 30;

const isPrice = ({ field }: Change) => /(?:price|amount|cost|fee)$/.test(field);

/** What `batch undo` will not be able to do about the rows, one line each. */
function noUndoOf(changes: Changes, work: RowWork): string[] {
  const { do: words, operation } = work;
  if (operation.effect === 'create') return [];
  if (!isComparable(work)) return [say().plan.noUndo({ command: words })];
  const fields = new Map<string, number>();
  for (const [, all] of changes) {
    for (const { field, old } of all) {
      if (restoredValue(work, field, old) === undefined) fields.set(field, (fields.get(field) ?? 0) + 1);
    }
  }
  return [...fields].map(([field, count]) => say().plan.noUndoOf({ field, count }));
}

/** The numbers of the rows in which a price changes a lot. */
export const largeChanges = (changes: Changes): number[] =>
  [...changes].flatMap(([row, all]) =>
    all.some((change) => isPrice(change) && Math.abs(percentOf(change) ?? 0) > LARGE_CHANGE) ? [row] : [],
  );

/** What a person should know about what rows change before it is sent. */
export function changesToSay({ changes }: Pick<NewPlan, 'changes'>, work: RowWork): string[] {
  const large = largeChanges(changes);
  const shown = large.slice(0, MOST_LINES);
  const about = { percent: LARGE_CHANGE, count: large.length, shown, rest: large.length - shown.length };
  return [...(large.length === 0 ? [] : [say().plan.priceChanges(about)]), ...noUndoOf(changes, work)];
}

/** What would happen, in one sentence to agree to: what is shipped, collected and paid. */
export function questionOf(
  { counts, fees, do: words }: BatchSummary,
  money: MoneyAhead | null,
  { repeats, risks }: Doubts,
): string {
  const sums = sumsOf(fees?.total ?? null, money);
  const { ship, send } = say().question;
  if (words !== 'ship') return send({ rows: counts.left, command: words, risks, sums });
  return ship({ orders: counts.left, repeats: Math.min(repeats, counts.left), risks, sums });
}

/** What a question says is collected and paid; null if nothing is. */
export const sumsOf = (fees: number | null, money: MoneyAhead | null) => (fees === null ? null : { fees, money });

/** What the parcels of a plan collect; null where none are shipped. */
export const moneyOf = async (
  context: BatchContext,
  { batch, money }: Pick<NewPlan, 'batch' | 'money'>,
): Promise<MoneyAhead | null> => (batch.do === 'ship' ? (money ?? moneyAhead(context, batch)) : null);

/** Counts, cash and fees of a plan, one line each. */
export function planLines(
  { counts, fees, do: words }: BatchSummary,
  money: MoneyAhead | null,
  { facts: { read }, happened: { kinds } }: Pick<NewPlan, 'facts' | 'happened'>,
): string[] {
  const ends = [...kinds].map(([kind, count]) => ({ kind, count }));
  const carriers = Object.entries(fees?.by_carrier ?? {}).map(([name, fee]) => `${name} ${formatMoney(fee)}`);
  const { lines, used, leftOutLines: leftOut } = read;
  const { plan, run } = say();
  return [
    ...(leftOut === 0 ? [] : [plan.lines({ lines, used, leftOut })]),
    plan.rows({ ...counts, isShip: words === 'ship', ends }),
    ...(money === null ? [] : [plan.cash(money)]),
    ...(money === null || money.insured === 0
      ? []
      : [plan.insured({ parcels: money.insured, value: money.insured_value })]),
    ...(money === null || money.unweighed === 0 ? [] : [plan.unweighed({ parcels: money.unweighed })]),
    ...(fees === null ? [] : [run.fees({ total: fees.total, carriers })]),
  ];
}

/** The summary of a planned batch. */
export function plannedSummary(context: BatchContext, planned: Planned): Promise<BatchSummary> {
  return summaryOf(context.batches, planned.batch);
}
