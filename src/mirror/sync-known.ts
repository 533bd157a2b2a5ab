import { call } from '../client/call.ts';
import { ServiceError } from '../client/errors.ts';
import { loadOperation } from '../contract/areas.ts';
import type { OperationId } from '../contract/operation-id.ts';
import { type Fields, fieldsIn, recordsIn } from '../domain/json/values.ts';
import type { ServiceTime } from './service-time.ts';
import { type AreaState, areaState, writeAreaState } from './store/area-states.ts';
import { type MirrorArea, mirrorAreas } from './store/declared-areas.ts';
import { type AreaSummary, type SyncContext, storePage, summaryOf } from './sync-context.ts';

/** What an answer has for an area. */
interface Part {
  readonly area: MirrorArea;
  readonly of: (answer: Fields) => readonly Fields[];
}

/** The records that are read one by one. */
interface Reading {
  readonly get: OperationId;
  readonly ids: readonly string[];
  /** What an answer consists of; the ids are those of the first area. */
  readonly parts: readonly Part[];
  /** The state of an area of which everything that is known was read. */
  readonly read: (before: AreaState, completeUntil: number) => AreaState;
}

/** Reads one record; undefined if the service does not have it. Throws a CallError. */
export async function readOne(get: OperationId, id: string, { connection }: ServiceTime): Promise<Fields | undefined> {
  const operation = await loadOperation(get);
  try {
    return fieldsIn(await call(operation, { id }, connection));
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Reads records one by one, and stores what each answer has. Throws a CallError. */
async function readEach(context: SyncContext, { get, ids, parts, read }: Reading): Promise<AreaSummary[]> {
  const { mirror, shopId, time, service, clock } = context;
  const copied = parts.map((part) => ({ ...part, summary: summaryOf(part.area.name) }));
  const callsBefore = time.calls();
  let began: number | undefined;
  for (const id of ids) {
    const found = await readOne(get, id, time);
    const date = time.last();
    await service.saw(date);
    began ??= date;
    const seen = date ?? clock.now();
    for (const [index, { area, of, summary }] of copied.entries()) {
      const records = found === undefined ? [] : of(found);
      const gone = found === undefined && index === 0 ? [id] : [];
      const page = { area, shopId, seen, source: 'list', records, gone, isPresent: true } as const;
      await storePage(context, summary, { page });
    }
  }
  for (const { area, summary } of copied) {
    const before = await mirror.read((session) => areaState(session, shopId, area.name));
    summary.complete_until = began === undefined ? before.complete_until : began - 1_000;
    if (summary.complete_until === null) continue;
    await writeAreaState(mirror, { ...read(before, summary.complete_until), began_here: clock.now() });
  }
  for (const { summary } of copied.slice(0, 1)) summary.calls = time.calls() - callsBefore;
  return copied.map(({ summary }) => summary);
}

/** The ids of an area's records that the mirror knows; without those that are over, unless all are to be read. */
async function idsOf({ mirror, shopId, isFull }: SyncContext, name: string, over: string): Promise<string[]> {
  const rows = await mirror.read((session) =>
    session.run(
      `select id from ${mirror.dialect.table(name)} where shop_id = ? and deleted_at is null${isFull ? '' : ` and not (${over})`} order by id`,
      [shopId],
    ),
  );
  return rows.map(({ id }) => String(id));
}

/**
 * Copies records that the service does not list: reads those that webhooks have made known, one by one, until they are
 * over. Throws a CallError.
 */
export async function syncKnown(context: SyncContext, area: MirrorArea): Promise<AreaSummary> {
  const { get, name } = area;
  if (get === undefined) throw new TypeError(`${name} can neither be listed nor read`);
  const [summary = summaryOf(name)] = await readEach(context, {
    get,
    ids: await idsOf(context, name, "coalesce(status, '') in ('P', 'N', 'NS')"),
    parts: [{ area, of: (answer) => [answer] }],
    read: (before, complete_until) => ({ ...before, complete_until }),
  });
  return summary;
}

/** Orders about which nothing changes any more: cancelled ones, and those that are settled. */
const ORDER_OVER = "coalesce(status, '') = 'N' or coalesce(platform_payment_status, '') = 'P'";

/** Where the answer about an order has the records of an area. */
const ofOrder: Readonly<Record<string, Part['of']>> = {
  orders: ({ order }) => recordsIn([order]),
  fulfillments: ({ fulfillments }) => recordsIn(fulfillments),
};

/** What the answer about an order consists of; the order itself comes first. */
const orderParts: readonly Part[] = mirrorAreas.flatMap((area) => {
  const of = ofOrder[area.name];
  return of === undefined ? [] : [{ area, of }];
});

/** The areas that a partner's key reaches. */
export const partnerAreas: readonly string[] = orderParts.map(({ area }) => area.name);

/**
 * Copies what a partner's key reaches, which lists nothing: the orders that were made here and those that webhooks have
 * made known, with their shipments. A later sync with the shop's own key reads everything. Throws a CallError.
 */
export async function syncPartner(context: SyncContext, made: readonly string[]): Promise<AreaSummary[]> {
  const known = new Set(await idsOf({ ...context, isFull: true }, 'orders', ORDER_OVER));
  const open = await idsOf(context, 'orders', ORDER_OVER);
  return readEach(context, {
    get: 'partner.Shipping/GetOrder',
    ids: [...open, ...made.filter((id) => !known.has(id))],
    parts: orderParts,
    // What is complete by a walk stays so.
    read: (before, complete_until) =>
      before.complete_until !== null && !before.needs_whole ? before : { ...before, complete_until, needs_whole: true },
  });
}
