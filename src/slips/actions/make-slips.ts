import { join } from 'node:path';
import type { Ports } from '../../action/ports.ts';
import { looking } from '../../batch/actions/looking.ts';
import { pathFrom } from '../../batch/actions/plan/plan-file.ts';
import { accountOf, accountText } from '../../client/account.ts';
import { type Answer, call } from '../../client/call.ts';
import { ServiceError } from '../../client/errors.ts';
import { Refusal } from '../../client/refusal.ts';
import type { Family } from '../../contract/operation-id.ts';
import { GetOrder as GetPartnerOrder } from '../../contract/partner/shipping.ts';
import { isPickedUp } from '../../contract/schema/order-rules.ts';
import { GetOrder as GetShopOrder } from '../../contract/shop/shipping.ts';
import { accountKnown } from '../../ledger/known/service.ts';
import { findRecord } from '../../operations/actions/find-record.ts';
import { ChildError } from '../../platform/process/children.ts';
import { storeOf } from '../../store/kysely-sql.ts';
import { pieces } from '../../store/sql.ts';
import type { Workspace } from '../../store/workspace.ts';
import { isUnreadable, lackingIn, paperDay, type Slip, type SlipSize, slipOf } from '../slip.ts';
import { say, type slipsTexts } from '../texts.ts';
import { wantedOrders } from './wanted-orders.ts';

/** An order with its shipments, as the service answers it. */
type OrderWithShipments = Answer<typeof GetShopOrder>;

const AT_ONCE = 6;

/** An id is all digits; anything else is the caller's own name for the order, or the service's code. */
function lookupsOf(name: string) {
  if (/^\d{16,19}$/.test(name)) return [{ id: name }, { external_id: name }];
  return [{ external_id: name }, { code: name }];
}

/** The order with that id, external id, code or parcel code; undefined if there is none. Throws a CallError. */
async function readOrder(name: string, family: Family, ports: Ports): Promise<OrderWithShipments | undefined> {
  const connection = ports.connection();
  const operation = family === 'shop' ? GetShopOrder : GetPartnerOrder;
  for (const lookup of lookupsOf(name)) {
    try {
      return await call(operation, lookup, connection);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    }
  }
  // What a scanner reads from a label is the code of the parcel.
  try {
    const { id } = await findRecord(operation, operation, name, ports);
    return await call(operation, { id }, connection);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'name_unknown') return undefined;
    throw error;
  }
}

/**
 * Reads orders by id or name, a few at a time, and returns them in the given order; undefined stands for an order that
 * the service does not know. Throws the first CallError.
 */
async function readOrders(
  names: readonly string[],
  family: Family,
  ports: Ports,
): Promise<(OrderWithShipments | undefined)[]> {
  const found: (OrderWithShipments | undefined)[] = new Array(names.length).fill(undefined);
  let [next, read, failed] = [0, 0, false];
  const work = async () => {
    while (next < names.length && !failed) {
      const index = next;
      next += 1;
      try {
        found[index] = await readOrder(names[index] ?? '', family, ports);
      } catch (error) {
        failed = true;
        throw error;
      }
      read += 1;
      ports.progress.came(read);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** The orders whose slip was printed. Each function is one read or one transaction; all throw a WorkspaceError. */
interface PrintedSlips {
  /** Those of these orders whose slip was printed. */
  among(account: string, orderIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records that their slips were printed; `at` is ISO 8601, UTC. */
  add(account: string, orderIds: readonly string[], at: string): Promise<void>;
}

const IDS_A_STATEMENT = 2_000;

/** The printed slips of a workspace. */
export function printedSlipsOf({ read, write }: Workspace): PrintedSlips {
  return {
    among: (account, orderIds) =>
      read(async (database) => {
        const printed = new Set<string>();
        for (const piece of pieces(orderIds, IDS_A_STATEMENT)) {
          const rows = await database
            .selectFrom('printed_slips')
            .select('order_id')
            .where('account', '=', account)
            .where('order_id', 'in', piece)
            .execute();
          for (const { order_id } of rows) printed.add(order_id);
        }
        return printed;
      }),
    add: (account, orderIds, printed_at) =>
      write(async (database) => {
        for (const piece of pieces([...new Set(orderIds)], IDS_A_STATEMENT)) {
          await database
            .insertInto('printed_slips')
            .values(piece.map((order_id) => ({ account, order_id, printed_at })))
            .onConflict((conflict) => conflict.columns(['account', 'order_id']).doUpdateSet({ printed_at }))
            .execute();
        }
      }),
  };
}

interface Input {
  readonly orders?: readonly string[] | null | undefined;
  readonly batch?: string | null | undefined;
  readonly today?: boolean | null | undefined;
  readonly to?: string | null | undefined;
  readonly size?: SlipSize | null | undefined;
  readonly pick_list?: boolean | null | undefined;
  readonly unprinted?: boolean | null | undefined;
  readonly print?: string | null | undefined;
}

interface Made {
  readonly file: string | null;
  readonly slips: number;
  readonly printed_before: number;
  readonly left_out: { readonly order: string; readonly reason: string }[];
}

/** Why an order has no slip; undefined if it has one. */
function whyNone(order: OrderWithShipments | undefined, slip: Slip | undefined): string | undefined {
  const { unknown, cancelled, noShipment } = say().why;
  if (order === undefined) return unknown;
  if (order.order?.status === 'N') return cancelled;
  return slip === undefined ? noShipment : undefined;
}

/** Whether a carrier has everything of an order that goes out. */
function isAway(order: OrderWithShipments | undefined): boolean {
  const live = (order?.fulfillments ?? []).filter(({ status }) => status !== 'N');
  return live.length > 0 && live.every(isPickedUp);
}

/** What of a recipient cannot be read on paper at all; undefined if everything can, at least in part. */
function whyUnreadable({ recipient: { name, phone, address } }: Slip): string | undefined {
  const { unreadable, why } = say();
  const parts = [
    [unreadable.name, name],
    [unreadable.phone, phone],
    [unreadable.address, address],
  ] as const;
  const [part] = parts.find(([, text]) => isUnreadable(text)) ?? [];
  return part === undefined ? undefined : why.unreadable({ part });
}

/** The slips of the orders that could be read, and messages about the others. */
function slipsOf(
  orders: readonly { readonly order: OrderWithShipments | undefined; readonly name: string }[],
  { timeZone, isList, wasNamed }: { readonly timeZone: string; readonly isList: boolean; readonly wasNamed: boolean },
) {
  const slips: { readonly id: string; readonly slip: Slip; readonly isShipped: boolean }[] = [];
  const left_out: { order: string; reason: string }[] = [];
  /** Those of them that are no matter of course. */
  const others: typeof left_out = [];
  let unreadable = 0;
  for (const { order, name } of orders) {
    const slip = order === undefined ? undefined : slipOf(order, timeZone);
    const illegible = slip === undefined || isList ? undefined : whyUnreadable(slip);
    const away = !wasNamed && isAway(order) ? say().why.pickedUp : undefined;
    const reason = whyNone(order, slip) ?? away ?? illegible;
    if (slip !== undefined && reason === undefined) {
      slips.push({ id: order?.order?.id ?? name, slip, isShipped: (order?.fulfillments ?? []).length > 0 });
      continue;
    }
    const one = { order: name, reason: reason ?? '' };
    left_out.push(one);
    if (reason !== away) others.push(one);
    if (reason === illegible) unreadable += 1;
  }
  return { slips, left_out, others, unreadable };
}

/** Passes a file to lp, which copies it before it exits. Throws a Refusal. Returns whether it was accepted. */
async function handToPrinter(
  file: string,
  printer: string,
  { children, env, signal, report }: Ports,
): Promise<boolean> {
  const words = ['lp', ...(printer === '' ? [] : ['-d', printer]), file];
  try {
    const { code } = await children.run(words, env, signal, { says: report.ofProgram ?? 'stderr' });
    return code === 0;
  } catch (error) {
    if (!(error instanceof ChildError)) throw error;
    throw new Refusal('printer_missing', say().noPrinter({ why: error.message }));
  }
}

async function written(bytes: Uint8Array, { to, print }: Input, ports: Ports): Promise<boolean> {
  const printer = print ?? undefined;
  if (to) {
    const path = pathFrom(ports.workingDirectory, to);
    await ports.files.write(path, bytes);
    return printer === undefined || (await handToPrinter(path, printer, ports));
  }
  const place = await ports.children.temporaryDirectory();
  try {
    const path = join(place.path, 'slips.pdf');
    await ports.files.write(path, bytes);
    return await handToPrinter(path, printer ?? '', ports);
  } finally {
    await place.remove();
  }
}

const character = (text: string) => `${text} (U+${text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')})`;

/** What is printed of an order, by the words for it. */
const partsOf = ({
  recipient,
  sender,
  lines,
  note,
}: Slip): readonly (readonly [keyof typeof slipsTexts.part, readonly string[]])[] => [
  ['recipient', Object.values(recipient)],
  ['goods', lines.flatMap(({ name, variant }) => [name, variant])],
  ['note', [note]],
  ['sender', Object.values(sender)],
];

/** Names the characters for which a slip has a box, and where. */
function tellOfBoxes(slips: readonly Slip[], { report }: Ports): void {
  let count = 0;
  for (const slip of slips) {
    const found = partsOf(slip).flatMap(([of, texts]) => {
      const lacking = [...new Set(texts.flatMap(lackingIn))];
      return lacking.length === 0 ? [] : [{ of, characters: lacking }];
    });
    if (found.length === 0) continue;
    count += 1;
    if (count > 20) continue;
    const order = slip.code || slip.externalId;
    const { boxes, boxesOn, part } = say();
    const named = found.map(({ of, characters }) =>
      boxes({ characters: characters.map(character).join(', '), part: part[of] }),
    );
    const about = { code: 'font_lacks', order, characters: found };
    report.notice(boxesOn({ order, boxes: named.join('; ') }), about);
  }
  if (count > 20) report.notice(say().moreBoxes({ count: count - 20 }));
}

function tellOfThem(
  { left_out, others }: Pick<ReturnType<typeof slipsOf>, 'left_out' | 'others'>,
  unshipped: readonly Slip[],
  wasNamed: boolean,
  { report }: Ports,
): void {
  const texts = say();
  const away = left_out.length - others.length;
  if (away > 0) report.notice(texts.away({ count: away }));
  for (const { order, reason } of others.slice(0, 20)) report.notice(texts.none({ order, why: reason }));
  if (others.length > 20) report.notice(texts.moreNone({ count: others.length - 20 }));
  // On most days an order is cancelled: that fails only for orders that somebody named.
  if (wasNamed && left_out.length > 0) report.verdict('partial');
  for (const { code, externalId } of unshipped.slice(0, 20)) {
    report.notice(texts.noBarcode({ order: code || externalId }));
  }
}

/**
 * Creates slips or a pick list, writes them, prints them if requested, and then records for which orders. Throws a
 * Refusal, a CallError, a FileError or a WorkspaceError; then nothing is recorded.
 */
export function makeSlips(input: Input, ports: Ports): Promise<Made> {
  const isPrinted = input.print !== undefined && input.print !== null;
  if (!input.to && !isPrinted) throw new Refusal('to_missing', say().noPlace);
  if (input.to && /\.(?:csv|tsv|xlsx?|ods|jsonl?|html?|txt|docx?)$/i.test(input.to))
    throw new Refusal('format_unknown', say().notPdf({ path: input.to }));
  const family = ports.settings.as?.value ?? 'partner';
  return looking(ports, async (open): Promise<Made> => {
    const connection = ports.connection();
    const account = await accountKnown(storeOf(open.workspace), await accountOf(family, connection), connection);
    const printed = printedSlipsOf(open.workspace);
    const { names, since } = await wantedOrders(input, open, account, ports);
    const read = await ports.progress.during(() => readOrders(names, family, ports));
    const wasNamed = (input.orders ?? []).length > 0;
    const current = read
      .map((order, index) => ({ order, name: (wasNamed ? undefined : order?.order?.code) || (names[index] ?? '') }))
      .filter(({ order }) => !(since !== undefined && Date.parse(order?.order?.created_at ?? '') < since));
    const ids = current.flatMap(({ order }) => order?.order?.id ?? []);
    const before = await printed.among(accountText(account), ids);
    const wanted = current.filter(({ order }) => input.unprinted !== true || !before.has(order?.order?.id ?? ''));
    const isList = input.pick_list === true;
    const { slips, left_out, others, unreadable } = slipsOf(wanted, { timeZone: ports.timeZone(), isList, wasNamed });
    if (unreadable > 0) ports.report.verdict('partial');
    tellOfThem(
      { left_out, others },
      slips.filter(({ isShipped }) => !isShipped).map(({ slip }) => slip),
      wasNamed,
      ports,
    );
    const result = { slips: slips.length, printed_before: before.size, left_out };
    if (slips.length === 0) {
      ports.report.notice(say().nothing);
      return { file: null, ...result };
    }
    const { pickListPdf, slipsPdf } = await import('../pdf.ts');
    const papers = slips.map(({ slip }) => slip);
    tellOfBoxes(papers, ports);
    const today = paperDay(ports.clock.now(), ports.timeZone());
    const bytes = await (isList
      ? pickListPdf(papers, today, ports.settings.paperLang.value)
      : slipsPdf(papers, input.size ?? 'a6', ports.settings.paperLang.value));
    ports.intend({ write: input.to ?? null, print: input.print ?? null, slips: slips.length });
    if (!(await written(bytes, input, ports))) {
      ports.report.notice(say().notTaken);
      ports.report.verdict('failure');
    } else if (!isList) {
      const shipped = slips.filter(({ isShipped }) => isShipped).map(({ id }) => id);
      await printed.add(accountText(account), shipped, new Date(ports.clock.now()).toISOString());
    }
    return { file: input.to ?? null, ...result };
  });
}
