import type { WireRequest, WireResponse } from '../../../src/platform/http/transport.ts';
import { type Deviation, faithful, type Plain } from './deviations.ts';
import { operations } from './tables.ts';
import { type Fields, idOf, type Making, recordOf } from './values.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const SHOP = idOf(1);
const KEY = 'Bearer 8:key-of-the-shop';
const PARTNER_KEY = 'Bearer 7:key-of-the-partner';
const SHOP_KEY = 'Bearer shop8:key-for-the-partner';

/** A refusal of the second service. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly meta: Fields | undefined;

  constructor(status: number, code: string, meta?: Fields) {
    super(code);
    this.status = status;
    this.code = code;
    this.meta = meta;
  }
}

const kindOfArea: Readonly<Record<string, string>> = {
  'shop.Customer': 'Customer',
  'shop.CustomerAddress': 'CustomerAddress',
  'shop.CustomerGroup': 'CustomerGroup',
  'shop.CustomerGroupRelationship': 'CustomerGroupRelationship',
  'shop.Product': 'Product',
  'shop.Variant': 'Variant',
  'shop.ProductCollection': 'ProductCollection',
  'shop.ProductCollectionRelationship': 'ProductCollectionRelationship',
  'shop.Inventory': 'InventoryLevel',
  'shop.Order': 'Order',
  'shop.Shipping': 'Order',
  'shop.Fulfillment': 'Fulfillment',
  'shop.Shipnow': 'ShipnowFulfillment',
  'shop.Webhook': 'Webhook',
  'partner.Shipping': 'Order',
  'partner.Webhook': 'Webhook',
};

/** The key that an operation takes. */
const keyFor = (area: string) =>
  area.startsWith('shop.') ? KEY : area === 'partner.Shipping' ? SHOP_KEY : PARTNER_KEY;

/** Seven records of each kind; relations of the first group, collection, product and customer to the others. */
function seed(): Map<string, Fields[]> {
  const making: Making = { turn: 100, start: START };
  const kinds = [...new Set(Object.values(kindOfArea))];
  const made = new Map(kinds.map((kind) => [kind, Array.from({ length: 7 }, () => recordOf(kind, kind, making))]));
  const at = (kind: string, index: number) => made.get(kind)?.[index] ?? {};
  for (const [kind, records] of made) {
    for (const [index, record] of records.entries()) {
      record.deleted = kind === 'Customer' || kind === 'Product' ? index === 6 : false;
      if ('shop_id' in record) record.shop_id = SHOP;
      if ('customer_id' in record) record.customer_id = at('Customer', index % 5).id;
      if ('group_id' in record) record.group_id = at('CustomerGroup', index < 4 ? 0 : 1).id;
      if ('collection_id' in record) record.collection_id = at('ProductCollection', index < 4 ? 0 : 1).id;
      if ('product_id' in record) record.product_id = at('Product', index % 5).id;
      if ('order_id' in record) record.order_id = at('Order', index).id;
      if ('variants' in record) record.variants = [];
      if (kind === 'Order') Object.assign(record, { status: 'Z', confirm_status: 'Z' });
      if (!('deleted' in recordOf(kind, kind, { turn: 0, start: START }))) delete record.deleted;
    }
  }
  return made;
}

/**
 * A second service: it keeps records by the tables beside it, and was written without a look at the sandbox. A deviation
 * bends what it does in one place.
 */
export class SecondService {
  readonly records = seed();
  readonly requests: WireRequest[] = [];
  readonly #making: Making = { turn: 5000, start: START };
  readonly #deviation: Deviation;

  constructor(deviation: Deviation = faithful) {
    this.#deviation = deviation;
  }

  /** The shop's own key, the partner's, and the partner's for the shop. */
  static readonly key = KEY.replace('Bearer ', '');
  static readonly partnerKey = PARTNER_KEY.replace('Bearer ', '');
  static readonly shopKey = SHOP_KEY.replace('Bearer ', '');
  static readonly shop = SHOP;

  /** What every shipment costs, and the shipments that were ordered and not refused. */
  static readonly fee = 21_000;
  shipped = 0;

  /** Answers a request; the signature of a transport. */
  readonly handle = async (request: WireRequest): Promise<WireResponse> => {
    this.requests.push(request);
    const operation = request.url.replace(/^.*\/v1\//, '');
    const plain = this.#plain(operation, request);
    const bent = this.#deviation.answer?.({ operation, request, ...plain }) ?? plain;
    const text = bent.text ?? JSON.stringify(bent.body);
    return { status: bent.status, headers: { 'content-type': 'application/json', ...bent.headers }, body: text };
  };

  #plain(operation: string, request: WireRequest): Plain {
    try {
      return { status: 200, body: this.#answer(operation, request) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, code, meta } = error;
      return { status, body: { code, msg: `it says ${code}`, ...(meta === undefined ? {} : { meta }) } };
    }
  }

  #answer(operation: string, { method, headers, body }: WireRequest): unknown {
    const answering = operations[operation];
    const isJson = headers['content-type'] === 'application/json';
    if (answering === undefined || method !== 'POST' || !isJson) throw new Refused(404, 'bad_route');
    const input = parsed(body);
    const [area = '', name = ''] = operation.split('/');
    if (headers.authorization !== keyFor(area)) throw new Refused(401, 'unauthenticated');
    const kind = kindOfArea[area];
    if (operation.endsWith('Services') || kind === undefined) return this.#fixed(operation, answering.record);
    if (answering.list !== undefined) return this.#list(operation, kind, answering.list, input);
    if (kind === 'Webhook') return this.#webhook(operation, name, input);
    if (name === 'CreateAndConfirmOrder') return this.#ship(operation, input);
    if (name === 'CreateShipnowFulfillment') this.#judgeFee(operation, input);
    if (name.startsWith('Create')) return this.#create(operation, kind, input, answering.record);
    const record = this.#found(name === 'GetFulfillment' ? 'Fulfillment' : kind, input);
    if (name.startsWith('Update') || name === 'ConfirmOrder')
      Object.assign(record, this.#deviation.update?.(input) ?? input);
    if (name === 'ConfirmOrder') Object.assign(record, { confirm_status: 'P', order_id: undefined });
    if (name.startsWith('Delete')) this.#delete(operation, kind, record);
    if (name.startsWith('Cancel') && this.#deviation.keeps?.(operation) !== true) {
      const shipments = this.#of('Fulfillment').filter(({ order_id }) => order_id === record.id);
      for (const one of [record, ...shipments]) Object.assign(one, { status: 'N', cancel_reason: input.cancel_reason });
    }
    if (answering.record === 'Empty') return {};
    if (answering.record === 'Updated') return { updated: 1 };
    return answering.record === 'OrderAndMore' ? { order: record, fulfillments: [], fulfillment_errors: [] } : record;
  }

  #fixed(operation: string, record: string): unknown {
    const answer = recordOf(record, '', { turn: 300, start: START });
    if (operation.endsWith('Services')) {
      const offers = recordOf(record, '', { turn: 300, start: START }).services;
      const [offer] = Array.isArray(offers) ? offers : [];
      return {
        services: [
          { ...offer, code: 'dear', fee: 90_000 },
          { ...offer, code: operation, fee: SecondService.fee },
        ],
      };
    }
    return operation === 'shop.Misc/CurrentAccount' ? { ...answer, id: SHOP, type: 'shop' } : answer;
  }

  #of(kind: string): Fields[] {
    const records = this.records.get(kind) ?? [];
    this.records.set(kind, records);
    return records;
  }

  #found(kind: string, input: Fields): Fields {
    const wanted = Object.entries({ ...input, ...(input.order_id === undefined ? {} : { id: input.order_id }) }).filter(
      ([name, value]) => ['id', 'code', 'external_id', 'shipping_code'].includes(name) && value,
    );
    if (wanted.length === 0 && kind.endsWith('Relationship')) return this.#relation(kind, input);
    const isIt = (record: Fields) => record.deleted !== true && wanted.every(([name, value]) => record[name] === value);
    const record = this.#of(kind).find(isIt);
    if (record === undefined || wanted.length === 0) throw new Refused(404, 'not_found');
    return record;
  }

  #relation(kind: string, input: Fields): Fields {
    const record = this.#of(kind).find((one) => Object.entries(input).every(([name, value]) => one[name] === value));
    if (record === undefined) throw new Refused(404, 'not_found');
    return record;
  }

  #delete(operation: string, kind: string, record: Fields): void {
    if (this.#deviation.keeps?.(operation) === true) return;
    if ('id' in record) record.deleted = true;
    else
      this.records.set(
        kind,
        this.#of(kind).filter((one) => one !== record),
      );
  }

  #create(operation: string, kind: string, input: Fields, answered: string, isJudged = true): unknown {
    if (kind === 'Order' && isJudged) this.#judgeOrder(input);
    const blank = recordOf(kind, kind, this.#making);
    const base = kind.endsWith('Relationship')
      ? {}
      : { ...Object.fromEntries(Object.keys(blank).map((name) => [name, null])), id: blank.id };
    const times = 'created_at' in blank ? { created_at: blank.created_at, updated_at: blank.updated_at } : {};
    const state = kind === 'Order' ? { status: 'Z', confirm_status: 'Z', code: `DH${this.#making.turn}` } : {};
    const record: Fields = { ...base, ...times, ...state, ...input, ...('deleted' in blank ? { deleted: false } : {}) };
    if (this.#deviation.loses?.(operation) !== true) this.#of(kind).push(record);
    if (kind === 'Order') this.#remember(input.shipping_address);
    return answered === 'Empty' ? {} : record;
  }

  /** An order for a phone that no customer has makes one, and puts the address down. */
  #remember(address: unknown): void {
    const { full_name, phone } = (address ?? {}) as Fields;
    if (typeof phone !== 'string' || !('address1' in Object(address))) return;
    const known = this.#of('Customer').find((one) => one.phone === phone && one.deleted !== true);
    const customer = known ?? { ...recordOf('Customer', '', this.#making), full_name, phone, deleted: false };
    if (known === undefined) this.#of('Customer').push(customer);
    const place = { ...recordOf('CustomerAddress', '', this.#making), ...Object(address), deleted: false };
    this.#of('CustomerAddress').push({ ...place, customer_id: customer.id });
  }

  /** A fee other than the one that was quoted is refused, as one without a quote is. */
  #judgeFee(operation: string, given: unknown): void {
    const { shipping_service_code: code, shipping_service_fee: fee } = given as Fields;
    const quote = operation
      .replace(/CreateAndConfirmOrder$/, 'GetShippingServices')
      .replace(/Create.*/, 'GetShipnowServices');
    if (code !== quote || fee !== SecondService.fee) throw new Refused(400, 'invalid_argument');
    this.shipped += 1;
  }

  #ship(operation: string, input: Fields): unknown {
    this.#judgeOrder(input);
    this.#judgeFee(operation, input.shipping);
    const order = this.#create(
      'shop.Order/CreateOrder',
      'Order',
      { ...input, confirm_status: 'P' },
      'Order',
      false,
    ) as Fields;
    const shipment = { ...recordOf('Fulfillment', 'Fulfillment', this.#making), order_id: order.id, status: 'S' };
    if (this.#deviation.loses?.(operation) !== true) this.#of('Fulfillment').push(shipment);
    return { order, fulfillments: [shipment], fulfillment_errors: [] };
  }

  #judgeOrder({ external_id, total_amount, basket_value }: Fields): void {
    if (total_amount !== basket_value && this.#deviation.takesTotals !== true)
      throw new Refused(400, 'invalid_argument');
    const isTaken = this.#of('Order').some((order) => order.external_id === external_id && order.status !== 'N');
    if (isTaken && this.#deviation.takesDuplicates !== true)
      throw new Refused(409, 'already_exists', { duplicated: 'external_id' });
  }

  #webhook(operation: string, name: string, input: Fields): unknown {
    if (name === 'CreateWebhook') {
      const webhook = { ...recordOf('Webhook', '', this.#making), ...input, states: { state: 'ok' } };
      this.#of('Webhook').push(webhook);
      return webhook;
    }
    if (name === 'DeleteWebhook') {
      const gone = this.#of('Webhook').filter(({ id }) => id !== input.id);
      if (gone.length === this.#of('Webhook').length) throw new Refused(404, 'not_found');
      if (this.#deviation.keeps?.(operation) !== true) this.records.set('Webhook', gone);
    }
    return { webhooks: this.#of('Webhook') };
  }

  #list(operation: string, kind: string, items: string, input: Fields): unknown {
    const {
      filter = {},
      include_deleted: all,
      paging = {},
    } = input as { filter?: Fields; include_deleted?: boolean; paging?: Fields };
    const bend = this.#deviation.list?.(operation) ?? {};
    const order = String(paging.sort ?? '');
    if (kind.endsWith('Relationship') && Object.values(filter).filter(Boolean).length !== 1)
      throw new Refused(412, 'failed_precondition');
    const matching = this.#of(kind)
      .filter((record) => all === true || bend.showsDeleted === true || record.deleted !== true)
      .filter(
        (record) =>
          bend.ignoresFilter === true ||
          Object.entries(filter).every(([name, value]) => String(value).split(',').includes(String(record[name]))),
      )
      .map((record) => (record.deleted === true ? { id: record.id, deleted: true } : record));
    const by = order.replace('-', '');
    const sorted =
      by === '' || bend.ignoresSort === true
        ? matching
        : [...matching].sort((one, other) => (String(one[by] ?? '') < String(other[by] ?? '') ? -1 : 1));
    const ordered = order.startsWith('-') && bend.ignoresSort !== true ? [...sorted].reverse() : sorted;
    if (kind === 'ProductCollectionRelationship') return { [items]: ordered };
    return this.#page(ordered, items, paging, bend);
  }

  #page(
    records: readonly Fields[],
    items: string,
    paging: Fields,
    bend: ReturnType<NonNullable<Deviation['list']>>,
  ): unknown {
    const limit = bend?.ignoresLimit === true ? 100 : Number(paging.limit || 100);
    const after = positionOf(paging.after);
    const before = bend?.ignoresBefore === true ? undefined : positionOf(paging.before);
    const start =
      before === undefined
        ? (after ?? -1) + 1 + (after === undefined ? 0 : (bend?.skips ?? 0))
        : Math.max(0, before - limit);
    const end = before === undefined ? start + limit : before;
    const rows = records
      .slice(Math.max(0, start), end)
      .map((record, index) => ({ record, at: Math.max(0, start) + index }));
    const [first, last] = [rows[0]?.at, rows.at(-1)?.at];
    const next = `at ${last ?? after ?? 0}`;
    const prev = `at ${first ?? before ?? 0}`;
    const cursors = bend?.exchanges === true ? { next: prev, prev: next } : { next, prev };
    return { [items]: rows.map(({ record }) => record), paging: { ...paging, ...cursors, limit } };
  }
}

function positionOf(cursor: unknown): number | undefined {
  if (typeof cursor !== 'string' || !cursor.startsWith('at ')) return undefined;
  return Number(cursor.slice(3));
}

function parsed(body: string): Fields {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refused(400, 'invalid_argument');
  }
}
