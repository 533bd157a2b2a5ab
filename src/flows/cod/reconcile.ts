import type { AnyRow, Mirror, MirrorSession } from '../../workspace/mirror/store/mirror.ts';
import { alsoOf, differsSql } from './classes.ts';
import { createListed, createParcels, dropParcels, LISTED, PARCELS, type ReconcileSpan } from './parcels-sql.ts';

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

/** The result of a reconciliation. */
export interface Reconciled {
  readonly parcels: readonly ReconciledParcel[];
  readonly sums: readonly GroupSums[];
  /** Parcels about which something differs, whether they are listed or not. */
  readonly differing: number;
}

const numberOr = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
const textOr = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  return value instanceof Date ? value.toISOString().replace('.000Z', 'Z') : String(value);
};

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

/**
 * The lines of the parcels that are listed, by the key of the parcel. SQLite takes tables in the order of a cross join:
 * the lines are read once, and each looks for its parcel.
 */
async function evidenceOf(session: MirrorSession, mirror: Mirror, shopId: string): Promise<Map<string, Evidence[]>> {
  const { table } = mirror.dialect;
  const rows = await session.run(
    `select k.parcel, f.name, l.cell, l.kind, l.amount, l.session, l.repeats
     from ${table('payment_lines')} as l
     cross join ${LISTED} as k
     join ${table('payment_files')} as f on f.id = l.file_id and f.shop_id = l.shop_id
     where l.shop_id = ? and l.deleted_at is null
       and k.shipping_code = l.shipping_code and k.fulfillment_id = l.fulfillment_id
     order by f.imported_at, l.file_id, l.line`,
    [shopId],
  );
  const found = new Map<string, Evidence[]>();
  for (const { parcel, name, cell, kind, amount, session: of, repeats } of rows) {
    const lines = found.get(String(parcel)) ?? [];
    if (lines.length === 0) found.set(String(parcel), lines);
    lines.push({
      file: String(name),
      cell: String(cell),
      kind: String(kind),
      amount: Number(amount),
      session: String(of),
      repeated: repeats !== null,
    });
  }
  return found;
}

/**
 * Puts every parcel of a span into one class, and adds up what is due and what was paid. `all` lists every parcel,
 * otherwise those about which something differs. Throws a WorkspaceError.
 */
export function reconcile(
  mirror: Mirror,
  span: ReconcileSpan,
  { all }: { readonly all: boolean },
): Promise<Reconciled> {
  return mirror.write(async (session) => {
    await createParcels(session, mirror, span);
    try {
      const groups = await session.run(
        `select carrier, session, class, count(*) as parcels, sum(due) as due, sum(paid) as paid,
           sum(difference) as difference, sum(amount) as amount, sum(case when ${differsSql} then 1 else 0 end) as differing
         from ${PARCELS} group by carrier, session, class order by coalesce(carrier, ''), coalesce(session, ''), class`,
      );
      const where = all ? '1 = 1' : `(${differsSql})`;
      const rows = await session.run(
        `select * from ${PARCELS} as p where ${where} order by coalesce(p.carrier, ''), coalesce(p.session, ''), p.shipping_code, p.parcel`,
      );
      if (rows.length > 0) await createListed(session, where);
      const lines = rows.length === 0 ? new Map<string, Evidence[]>() : await evidenceOf(session, mirror, span.shopId);
      return {
        parcels: rows.map((row) => parcelFrom(row, lines.get(String(row.parcel)) ?? [])),
        differing: groups.reduce((sum, { differing }) => sum + Number(differing), 0),
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
