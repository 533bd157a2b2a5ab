import { hash } from 'node:crypto';
import type { Account } from '../client/account.ts';
import { comparable } from '../client/settle/compare.ts';
import { recordIn, textIn } from '../client/settle/found-record.ts';
import { canonicalText } from '../domain/canonical-text.ts';
import { type Fields, fieldsIn, readFields } from '../domain/json/values.ts';
import { nationalDigits } from '../domain/likeness.ts';
import { foldedName } from '../domain/places/place-name.ts';
import type { LocationTree } from '../domain/places/places.ts';
import { numberOf, pieces, placeholders, type Sql, type SqlRow, textOf, textOrNull } from '../store/sql.ts';
import { ledgerAccount, recipientDigest } from './identity.ts';
import { completeOrder, type OrderDraft } from './order-draft.ts';
import type { Equality } from './store/keys.ts';
import { say } from './texts.ts';

/** The order with everything that can be computed, whoever computed it; unchanged if that fails. */
export function completed(order: OrderDraft): object {
  try {
    return completeOrder(order);
  } catch {
    return order;
  }
}

/**
 * What an order is recognised by, whichever command, person or sheet it comes from: the digest of its content in the form
 * in which requests are compared, without its name and service. The 24-hour rule compares them.
 */
export function equalOrder(order: OrderDraft, tree: LocationTree): Equality & { readonly equal: string } {
  const { external_id: _, ...content }: OrderDraft = completed(order);
  const text = `["e2",${canonicalText(comparable(content, tree))}]`;
  return { equal: hash('sha256', text, 'hex').slice(0, 32) };
}

/** `equalOrder` where the places are not loaded yet. */
export async function recognisedOrder(order: OrderDraft): Promise<ReturnType<typeof equalOrder>> {
  const { locationTree } = await import('../domain/places/place-data.ts');
  return equalOrder(order, locationTree);
}

/** An order that was sent. */
export interface SentOrder {
  readonly request: OrderDraft;
  /** Its code, else its id. */
  readonly code: string;
  /** The id of the batch that sent it, if one did. */
  readonly batch?: string;
  /** When it was sent, ISO 8601. */
  readonly at: string;
}

/** The phone that an order goes to, in its national digits; empty if it names none. */
export const phoneOfOrder = ({ shipping_address }: OrderDraft): string => nationalDigits(shipping_address?.phone ?? '');

/** What the carrier collects for an order, for a person. */
export const cashWords = ({ shipping }: OrderDraft): string =>
  shipping?.cod_amount ? say().cash.toCollect({ amount: shipping.cod_amount }) : say().cash.nothing;

const PHONES_A_STATEMENT = 400;
const families = ['shop', 'partner'] as const;

/** Whether an account has sent any order since a time, in milliseconds since 1970. */
export async function anySent(sql: Sql, account: Account, since: number): Promise<boolean> {
  const sent = "account = ? and resource = 'order' and state = 'done'";
  const own = ledgerAccount(account);
  const found = await sql(
    `select 1 as found where exists (select 1 from intents where ${sent} and updated_at >= ?)
      or exists (select 1 from ledger_keys where ${sent} and local_at >= ?)`,
    [own, since, own, since],
  );
  return found.length > 0;
}

/** The orders that an account has sent to these phones since a time, in milliseconds since 1970; the latest first. */
export async function sentTo(
  sql: Sql,
  account: Account,
  phones: ReadonlySet<string>,
  since: number,
): Promise<readonly SentOrder[]> {
  const own = ledgerAccount(account);
  const singles = await sql(
    "select record_id, updated_at, body from intents where account = ? and resource = 'order' and state = 'done' and updated_at >= ?",
    [own, since],
  );
  const rows: SqlRow[] = [];
  for (const piece of pieces([...phones], PHONES_A_STATEMENT)) {
    const digests = piece.flatMap((phone) => families.map((family) => recipientDigest({ ...account, family }, phone)));
    const found = await sql(
      `select r.id, r.code, b.id as batch, k.local_at, c.payload from batch_rows r
        join ledger_keys k on k.account = ? and k.resource = 'order' and k.identity = r.identity
        join batch_contents c on c.batch = r.batch and c.row = r.row
        join batches b on b.number = r.batch
        where r.recipient in ${placeholders(1, digests.length)} and r.state = 'done' and k.state = 'done' and k.local_at >= ?`,
      [own, ...digests, since],
    );
    rows.push(...found);
  }
  const orderIn = (fields: Fields): OrderDraft => fields;
  const iso = (row: SqlRow, column: string) => new Date(numberOf(row, column)).toISOString();
  const sent = [
    ...singles.map((row) => {
      const { request, answer } = readFields(textOf(row, 'body'));
      const code = textIn(recordIn(answer)?.code) || (textOrNull(row, 'record_id') ?? '');
      return { request: orderIn(fieldsIn(request)), code, at: iso(row, 'updated_at') };
    }),
    ...rows.map((row) => {
      const code = textOrNull(row, 'code') ?? textOrNull(row, 'id') ?? '';
      const request = orderIn(readFields(textOf(row, 'payload')));
      return { request, code, batch: textOf(row, 'batch'), at: iso(row, 'local_at') };
    }),
  ];
  return sent
    .filter(({ request }) => phones.has(phoneOfOrder(request)))
    .sort((one, other) => other.at.localeCompare(one.at));
}

/** The digest of what a parcel brings: the goods and the cash. */
const broughtBy = ({ lines, shipping }: OrderDraft, tree: LocationTree): string =>
  equalOrder({ lines: lines ?? [], shipping: { cod_amount: shipping?.cod_amount ?? 0 } }, tree).equal;

/**
 * The last of the sent orders that took the same goods for the same cash to the same phone, under another name. One of the
 * same name is recognised when it is sent.
 */
export function sentAgain(order: OrderDraft, sent: readonly SentOrder[], tree: LocationTree): SentOrder | undefined {
  const phone = phoneOfOrder(order);
  const same = sent.filter(
    ({ request }) => phone !== '' && phoneOfOrder(request) === phone && request.external_id !== order.external_id,
  );
  const brought = same.length === 0 ? '' : broughtBy(order, tree);
  return same.find(({ request }) => broughtBy(request, tree) === brought);
}

const streetOf = ({ shipping_address: to }: OrderDraft) => foldedName([to?.address1, to?.ward].join(' '));

/**
 * The last of the sent orders that may be the same parcel, with other words for its goods: to the same phone, with the same
 * cash or to the same street. An equal order is none: it is recognised when it is sent.
 */
export function sentLike(order: OrderDraft, sent: readonly SentOrder[], tree: LocationTree): SentOrder | undefined {
  const phone = phoneOfOrder(order);
  const cash = order.shipping?.cod_amount ?? 0;
  const { equal } = equalOrder(order, tree);
  return sent.find(
    ({ request }) =>
      phone !== '' &&
      phoneOfOrder(request) === phone &&
      ((request.shipping?.cod_amount ?? 0) === cash || streetOf(request) === streetOf(order)) &&
      equalOrder(request, tree).equal !== equal,
  );
}
