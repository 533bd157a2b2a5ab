import type { AnyRow, Mirror, MirrorSession } from '../mirror/store/mirror.ts';
import { alsoOf, claimedSql, differsSql, leftOutBySession, RowStore, repeatsSql, settledSql } from './classes.ts';
import {
  createListed,
  createParcels,
  dropLeftOut,
  dropParcels,
  listedLines,
  listedParcels,
  PARCELS,
} from './parcels-sql.ts';
import { say } from './texts.ts';
import type { ReconcileSpan } from './times-sql.ts';

/** Where a payment line stands. */
export interface Evidence {
  readonly file: string;
  readonly cell: string;
  readonly kind: string;
  readonly amount: number;
  readonly session: string;
  readonly repeated: boolean;
}

/** A parcel with its class. Money is an integer of currency units. */
export interface ReconciledParcel {
  readonly shipping_code: string;
  readonly fulfillment_id: string | null;
  /** The shop's own code of its order, else the service's. */
  readonly order: string | null;
  readonly recipient: string | null;
  readonly phone: string | null;
  readonly carrier: string | null;
  readonly session: string | null;
  readonly state: string | null;
  readonly closed_at: string | null;
  readonly class: string;
  readonly also: readonly string[];
  readonly due: number;
  readonly paid: number;
  readonly difference: number;
  readonly fee_quoted: number | null;
  readonly fee_charged: number | null;
  /** Provisional charges that were not given back, below zero. */
  readonly provisional: number;
  readonly lines: readonly Evidence[];
}

/** Sums over parcels. */
export interface CodSums {
  readonly parcels: number;
  readonly due: number;
  readonly paid: number;
  readonly difference: number;
  /** Everything that the lines say: cash, fees and what else there is. */
  readonly amount: number;
}

/** The sums of the parcels of one carrier, session and class. */
export interface GroupSums extends CodSums {
  readonly carrier: string | null;
  readonly session: string | null;
  readonly class: string;
}

/** A parcel that was delivered on or before the last day that a session of its carrier pays, and that neither one nor the platform has paid. */
export interface LeftOutParcel {
  readonly shipping_code: string;
  readonly fulfillment_id: string;
  readonly carrier: string;
  readonly closed_at: string;
  readonly due: number;
  /** The first session that could have paid it. */
  readonly session: string;
}

/** The result of a reconciliation. */
export interface Reconciled {
  /** To be closed once they are read. */
  readonly parcels: RowStore<ReconciledParcel>;
  readonly sums: readonly GroupSums[];
  /** What is claimed of the carriers, if that is asked for: to be closed, too. */
  readonly claims: Claims | undefined;
  /** Parcels about which something differs, whether they are listed or not. */
  readonly differing: number;
  /** Other parcels of which lines are repeated: each counts once. */
  readonly repeated: number;
  /** What of the cash that is due the platform has settled by its own payments. */
  readonly settled: number;
  readonly leftOut: readonly LeftOutParcel[];
}

const numberOr = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
const textOr = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  return value instanceof Date ? value.toISOString().replace('.000Z', 'Z') : String(value);
};

/** The parcels that a dispute sheet has, and how many it has not, since the platform settled them. */
export interface Claims {
  readonly parcels: RowStore<ReconciledParcel>;
  readonly settled: number;
}

/** Gathers what is claimed of the carriers; one that a session has left out says so. */
async function claimsIn(session: MirrorSession, mirror: Mirror, span: ReconcileSpan, claims: Claims): Promise<Claims> {
  const settled = settledSql(span.session === undefined);
  await createListed(session, `${claimedSql} and not ${settled}`);
  await storeParcels(session, mirror, claims.parcels, (row, parcel) =>
    row.left_out === null
      ? parcel
      : {
          ...parcel,
          session: parcel.session ?? String(row.left_out),
          also: [...parcel.also, leftOutBySession.name],
        },
  );
  const [row] = await session.run(`select count(*) as parcels from ${PARCELS} where ${claimedSql} and ${settled}`);
  return { ...claims, settled: Number(row?.parcels) };
}

/** Sums of several groups together. */
export function totalOf(sums: readonly CodSums[]): CodSums {
  const total = { parcels: 0, due: 0, paid: 0, difference: 0, amount: 0 };
  for (const { parcels, due, paid, difference, amount } of sums) {
    total.parcels += parcels;
    total.due += due;
    total.paid += paid;
    total.difference += difference;
    total.amount += amount;
  }
  return total;
}

const parcelFrom = (row: AnyRow, lines: readonly Evidence[]): ReconciledParcel => ({
  shipping_code: String(row.shipping_code ?? ''),
  fulfillment_id: textOr(row.fulfillment_id),
  order: textOr(row.order),
  recipient: textOr(row.recipient),
  phone: textOr(row.phone),
  carrier: textOr(row.carrier),
  session: textOr(row.session),
  state: textOr(row.state),
  closed_at: textOr(row.closed_at),
  class: String(row.class),
  also: alsoOf(Number(row.also_bits)),
  due: Number(row.due),
  paid: Number(row.paid),
  difference: Number(row.difference),
  fee_quoted: numberOr(row.fee_quoted),
  fee_charged: numberOr(row.fee_charged),
  provisional: Number(row.provisional),
  lines,
});

/** As many parcels are read at a time, fewer where they have many lines. */
const PARCELS_A_PAGE = 500;
const LINES_A_PAGE = 2_000;

/** The lines of some parcels, by the places of the parcels. */
function evidenceIn(rows: readonly AnyRow[]): ReadonlyMap<number, readonly Evidence[]> {
  const found = new Map<number, Evidence[]>();
  for (const { place, name, cell, kind, amount, session, repeats } of rows) {
    const lines = found.get(Number(place)) ?? [];
    if (lines.length === 0) found.set(Number(place), lines);
    lines.push({
      file: String(name),
      cell: String(cell),
      kind: String(kind),
      amount: Number(amount),
      session: String(session),
      repeated: repeats !== null,
    });
  }
  return found;
}

/** Adds the parcels that are listed to a spool, some at a time: a page may be read slowly, and nobody waits for it. */
async function storeParcels(
  session: MirrorSession,
  mirror: Mirror,
  into: RowStore<ReconciledParcel>,
  storedAs: (row: AnyRow, parcel: ReconciledParcel) => ReconciledParcel = (_, parcel) => parcel,
): Promise<void> {
  for (let from = 1, size = PARCELS_A_PAGE; ; ) {
    const places = [from, from + size] as const;
    const rows = await listedParcels(session, mirror, places);
    if (rows.length === 0) return;
    const found = await listedLines(session, mirror, places);
    const lines = evidenceIn(found);
    await into.add(rows.map((row) => storedAs(row, parcelFrom(row, lines.get(Number(row.place)) ?? []))));
    from += size;
    size = Math.max(1, Math.min(PARCELS_A_PAGE, Math.floor((size * LINES_A_PAGE) / Math.max(1, found.length))));
  }
}

/** What of a reconciliation is listed besides its sums. */
interface Listing {
  readonly all: boolean;
  readonly only?: string | undefined;
  readonly claims?: boolean;
}

/**
 * Puts every parcel of a span into one class, and adds up what is due and what was paid. `all` lists every parcel,
 * otherwise those about which something differs, or `only` those of one class; with `claims` also what a dispute sheet has. Throws a WorkspaceError.
 */
export function reconcile(
  mirror: Mirror,
  span: ReconcileSpan,
  { all, only, claims: isClaimed = false }: Listing,
): Promise<Reconciled> {
  return mirror.write(async (session) => {
    const parcels = new RowStore<ReconciledParcel>();
    let claims = isClaimed ? { parcels: new RowStore<ReconciledParcel>(), settled: 0 } : undefined;
    try {
      const leftOut = await createParcels(session, mirror, span);
      if (claims !== undefined) claims = await claimsIn(session, mirror, span, claims);
      await dropLeftOut(session, mirror, span);
      const groups = await session.run(
        `select carrier, session, class, count(*) as parcels, sum(due) as due, sum(paid) as paid,
           sum(difference) as difference, sum(amount) as amount, sum(settled) as settled, sum(case when ${differsSql} then 1 else 0 end) as differing,
           sum(case when ${repeatsSql} then 1 else 0 end) as repeated
         from ${PARCELS} group by carrier, session, class order by coalesce(carrier, ''), coalesce(session, ''), class`,
      );
      const differing = groups.reduce((sum, row) => sum + Number(row.differing), 0);
      if (all || only !== undefined || differing > 0) {
        const own = only === undefined ? `(${differsSql})` : `class = '${only.replaceAll("'", "''")}'`;
        await createListed(session, all ? '1 = 1' : own);
        await storeParcels(session, mirror, parcels);
      }
      return {
        parcels,
        claims,
        differing,
        repeated: groups.reduce((sum, row) => sum + Number(row.repeated), 0),
        settled: groups.reduce((sum, row) => sum + Number(row.settled), 0),
        leftOut: leftOut.map((row) => ({
          shipping_code: String(row.shipping_code ?? ''),
          fulfillment_id: String(row.fulfillment_id),
          carrier: String(row.carrier),
          closed_at: textOr(row.closed_at) ?? '',
          due: Number(row.due),
          session: String(row.left_out),
        })),
        sums: groups.map((row) => ({
          carrier: textOr(row.carrier),
          session: textOr(row.session),
          class: String(row.class),
          parcels: Number(row.parcels),
          due: Number(row.due),
          paid: Number(row.paid),
          difference: Number(row.difference),
          amount: Number(row.amount),
        })),
      };
    } catch (error) {
      await parcels.close();
      await claims?.parcels.close();
      throw error;
    } finally {
      await dropParcels(session);
    }
  });
}

/** What the lines of a session add up to, by kind; empty for a session without lines. */
export async function sessionKinds(mirror: Mirror, shopId: string, name: string): Promise<ReadonlyMap<string, number>> {
  const rows = await mirror.read((session) =>
    session.run(
      `select kind, sum(amount) as amount from ${mirror.dialect.table('payment_lines')}
       where shop_id = ? and session = ? and deleted_at is null and repeats is null group by kind`,
      [shopId, name],
    ),
  );
  return new Map(rows.map(({ kind, amount }) => [String(kind), Number(amount)]));
}

/** One part of what a session adds up to, in words. */
interface ReceivedPart {
  readonly what: string;
  readonly amount: number;
}

/** A session compared with what the bank received. Money is an integer of currency units. */
interface Received {
  readonly session: string;
  /** What the lines of the session add up to, except for transfers. */
  readonly expected: number;
  readonly received: number;
  /** Received minus expected. */
  readonly rest: number;
  readonly parts: readonly ReceivedPart[];
}

/** What a session adds up to by kind, beside what the bank received. */
export function explainReceived(session: string, kinds: ReadonlyMap<string, number>, received: number): Received {
  const expected = [...kinds].reduce((sum, [kind, amount]) => (kind === 'transfer' ? sum : sum + amount), 0);
  const parts = [...kinds].map(([kind, amount]) => ({ what: say().part[kind] ?? kind, amount }));
  return { session, expected, received, rest: received - expected, parts };
}
