import type { Deviation, Plain } from './deviations.ts';
import type { Fields } from './values.ts';

/** A deviation, and the finding that names it. */
export interface Planted {
  readonly title: string;
  readonly deviation: Deviation;
  readonly found: { readonly operation: string; readonly check: string; readonly path: string; readonly kind: string };
  /** Whether it shows only in a run that writes, in one that ships, or in one of a partner that ships. */
  readonly writes?: boolean | 'shipping' | 'as a partner';
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The successful answers of one operation, bent. */
const answers = (operation: string, bend: (body: Fields) => Partial<Plain> | undefined): Deviation => ({
  answer: (given) => {
    const { operation: called, status, body } = given;
    if (called !== operation || status !== 200 || !isObject(body)) return undefined;
    return { status, body, ...bend(structuredClone(body)) };
  },
});

/** Every record in the list of an operation, bent. */
const rows = (operation: string, items: string, bend: (record: Fields) => Fields): Deviation =>
  answers(operation, (body) => {
    const records = body[items];
    return Array.isArray(records)
      ? { body: { ...body, [items]: records.map((record: Fields) => bend(record)) } }
      : undefined;
  });

const list = (operation: string, bent: NonNullable<ReturnType<NonNullable<Deviation['list']>>>): Deviation => ({
  list: (called) => (called === operation ? bent : undefined),
});

/** The refusals of one operation with one code, bent. */
const refusals = (operation: string, code: string, bent: Partial<Plain>): Deviation => ({
  answer: ({ operation: called, status, body }) =>
    called === operation && isObject(body) && body.code === code ? { status, body, ...bent } : undefined,
});

const rounded = (id: unknown) => BigInt(Number(id)).toString();
const error = (code: string) => ({ code, msg: 'no' });

const CUSTOMERS = 'shop.Customer/ListCustomers';
const ORDERS = 'shop.Order/ListOrders';
const PRODUCTS = 'shop.Product/ListProducts';
const GET_CUSTOMER = 'shop.Customer/GetCustomer';
const CREATE_ORDER = 'shop.Order/CreateOrder';

const at = (operation: string, check: string, path: string, kind = 'breaks') => ({ operation, check, path, kind });

/** Every way in which the second service is made to differ from its interface. */
export const planted: readonly Planted[] = [
  {
    title: 'a type changed: a phone is a number',
    deviation: rows(CUSTOMERS, 'customers', (record) => ({ ...record, phone: 901234567 })),
    found: at(CUSTOMERS, 'answer', 'customers[].phone'),
  },
  {
    title: 'a field gone that a rule needs: the next cursor',
    deviation: answers('shop.Inventory/ListInventoryLevels', (body) => ({ body: { ...body, paging: { limit: 100 } } })),
    found: at('shop.Inventory/ListInventoryLevels', 'answer', 'paging.next'),
  },
  {
    title: 'an error code renamed',
    deviation: refusals(ORDERS, 'unauthenticated', { body: error('unauthorized') }),
    found: at(ORDERS, 'wrong key', 'code'),
  },
  {
    title: 'a cursor that skips a record',
    deviation: list(CUSTOMERS, { skips: 1 }),
    found: at(CUSTOMERS, 'pages', 'customers'),
  },
  {
    title: 'a filter ignored',
    deviation: list(PRODUCTS, { ignoresFilter: true }),
    found: at(PRODUCTS, 'filter', 'filter.id'),
  },
  {
    title: 'limit ignored',
    deviation: list(ORDERS, { ignoresLimit: true }),
    found: at(ORDERS, 'page size', 'paging.limit'),
  },
  {
    title: 'a deletion that stays listed',
    deviation: { keeps: (operation) => operation === 'shop.CustomerGroupRelationship/DeleteRelationship' },
    found: at('shop.CustomerGroupRelationship/DeleteRelationship', 'delete', 'relationship'),
    writes: true,
  },
  {
    title: 'a 409 without meta',
    deviation: refusals(CREATE_ORDER, 'already_exists', { body: error('already_exists') }),
    found: at(CREATE_ORDER, 'duplicate', 'meta.duplicated'),
    writes: true,
  },
  {
    title: 'ids above 2^53 rounded',
    deviation: rows(CUSTOMERS, 'customers', (record) => ({ ...record, id: rounded(record.id) })),
    found: at(CUSTOMERS, 'ids', 'customers[].id'),
  },
  {
    title: 'two records swapped between pages',
    deviation: {
      answer: ({ operation, request, status, body }) => {
        const { paging } = JSON.parse(request.body || '{}') as { paging?: Fields };
        if (operation !== ORDERS || status !== 200 || !isObject(body) || paging?.limit !== 2 || paging.before)
          return undefined;
        const orders = body.orders as Fields[];
        return { status, body: { ...body, orders: [...orders].reverse() } };
      },
    },
    found: at(ORDERS, 'pages', 'orders'),
  },
  {
    title: 'a page twice',
    deviation: list(PRODUCTS, { skips: -2 }),
    found: at(PRODUCTS, 'pages', 'products'),
  },
  {
    title: 'before ignored',
    deviation: list(CUSTOMERS, { ignoresBefore: true }),
    found: at(CUSTOMERS, 'pages backwards', 'paging.before'),
  },
  {
    title: 'sort ignored',
    deviation: list(ORDERS, { ignoresSort: true }),
    found: at(ORDERS, 'sort', 'paging.sort'),
  },
  {
    title: 'times without a zone',
    deviation: rows(ORDERS, 'orders', (record) => ({
      ...record,
      created_at: String(record.created_at).replace('Z', ''),
    })),
    found: at(ORDERS, 'answer', 'orders[].created_at', 'may break others'),
  },
  {
    title: 'an amount as text',
    deviation: rows(PRODUCTS, 'products', (record) => ({ ...record, retail_price: String(record.retail_price) })),
    found: at(PRODUCTS, 'answer', 'products[].retail_price'),
  },
  {
    title: "an enumeration's new value",
    deviation: rows('shop.Fulfillment/ListFulfillments', 'fulfillments', (record) => ({
      ...record,
      shipping_state: 'in_customs',
    })),
    found: at('shop.Fulfillment/ListFulfillments', 'answer', 'fulfillments[].shipping_state', 'unknown value'),
  },
  {
    title: 'an unknown field',
    deviation: answers(GET_CUSTOMER, (body) => ({ body: { ...body, loyalty_points: 5 } })),
    found: at(GET_CUSTOMER, 'answer', 'loyalty_points', 'added'),
  },
  {
    title: 'an empty body with 200',
    deviation: answers('shop.Misc/VersionInfo', () => ({ text: '' })),
    found: at('shop.Misc/VersionInfo', 'answer', ''),
  },
  {
    title: 'HTML with 200',
    deviation: answers('shop.Misc/CurrentAccount', () => ({
      text: '<html>',
      headers: { 'content-type': 'text/html' },
    })),
    found: at('shop.Misc/CurrentAccount', 'answer', ''),
  },
  {
    title: 'a 500 for an unknown id',
    deviation: refusals('shop.Product/GetProduct', 'not_found', { status: 500, body: error('internal') }),
    found: at('shop.Product/GetProduct', 'unknown id', 'code'),
  },
  {
    title: '404 for a bad key',
    deviation: refusals(CUSTOMERS, 'unauthenticated', { status: 404 }),
    found: at(CUSTOMERS, 'wrong key', 'status', 'may break others'),
  },
  {
    title: '200 for a wrong method',
    deviation: {
      answer: ({ operation, request }) =>
        operation === 'shop.Misc/VersionInfo' && request.method === 'GET' ? { status: 200, body: {} } : undefined,
    },
    found: at('shop.Misc/VersionInfo', 'wrong method', 'status'),
  },
  {
    title: 'prev and next exchanged',
    deviation: list(CUSTOMERS, { exchanges: true }),
    found: at(CUSTOMERS, 'cursors', 'paging'),
  },
  {
    title: 'deleted records without include_deleted',
    deviation: list(PRODUCTS, { showsDeleted: true }),
    found: at(PRODUCTS, 'deleted', 'products[].deleted'),
  },
  {
    title: 'an id as a number of 19 digits',
    deviation: answers('shop.CustomerAddress/GetAddress', (body) => ({
      text: JSON.stringify(body).replace(/"customer_id":"(\d+)"/, '"customer_id":$1'),
    })),
    found: at('shop.CustomerAddress/GetAddress', 'answer', 'customer_id', 'may break others'),
  },
  {
    title: 'a body that is no JSON accepted',
    deviation: {
      answer: ({ operation, request }) =>
        operation === 'shop.Webhook/GetWebhooks' && request.body === '{"'
          ? { status: 200, body: { webhooks: [] } }
          : undefined,
    },
    found: at('shop.Webhook/GetWebhooks', 'malformed body', 'status'),
  },
  {
    title: 'a code that leads to another record',
    deviation: {
      answer: ({ operation, request, status, body }) =>
        operation === 'shop.Variant/GetVariant' && status === 200 && request.body.includes('"code"') && isObject(body)
          ? { status, body: { ...body, code: 'another one' } }
          : undefined,
    },
    found: at('shop.Variant/GetVariant', 'by code', 'code'),
  },
  {
    title: 'an external_id that leads nowhere',
    deviation: {
      answer: ({ operation, request }) =>
        operation === 'shop.Shipping/GetOrder' && request.body.includes('external_id')
          ? { status: 404, body: error('not_found') }
          : undefined,
    },
    found: at('shop.Shipping/GetOrder', 'by external_id', 'external_id'),
  },
  {
    title: 'JSON that is called text',
    deviation: answers('shop.Misc/GetLocationList', () => ({ headers: { 'content-type': 'text/plain' } })),
    found: at('shop.Misc/GetLocationList', 'headers', 'content-type', 'may break others'),
  },
  {
    title: 'an unknown operation answered',
    deviation: {
      answer: ({ operation }) =>
        operation.endsWith('Unknown') && operation.startsWith('shop.Order/') ? { status: 200, body: {} } : undefined,
    },
    found: at(ORDERS, 'unknown path', 'status'),
  },
  {
    title: 'another content type accepted',
    deviation: {
      answer: ({ operation, request }) =>
        operation === PRODUCTS && request.headers['content-type'] === 'text/plain'
          ? { status: 400, body: error('invalid_argument') }
          : undefined,
    },
    found: at(PRODUCTS, 'wrong content type', 'code'),
  },
  {
    title: 'null where a list belongs',
    deviation: answers('shop.Shipping/GetShippingServices', () => ({ body: { services: null } })),
    found: at('shop.Shipping/GetShippingServices', 'answer', 'services'),
  },
  {
    title: 'an error without a code',
    deviation: refusals('shop.CustomerGroup/GetGroup', 'not_found', { body: { error: 'none' } }),
    found: at('shop.CustomerGroup/GetGroup', 'unknown id', ''),
  },
  {
    title: 'wrong totals accepted',
    deviation: { takesTotals: true },
    found: at(CREATE_ORDER, 'wrong totals', 'status'),
    writes: true,
  },
  {
    title: 'a second order with the same external_id accepted',
    deviation: { takesDuplicates: true },
    found: at(CREATE_ORDER, 'duplicate', 'status'),
    writes: true,
  },
  {
    title: 'a record that was created and is not there',
    deviation: { loses: (operation) => operation === 'shop.Variant/CreateVariant' },
    found: at('shop.Variant/GetVariant', 'by id', 'id'),
    writes: true,
  },
  {
    title: 'a webhook that stays after its deletion',
    deviation: { keeps: (operation) => operation === 'shop.Webhook/DeleteWebhook' },
    found: at('shop.Webhook/DeleteWebhook', 'delete', 'webhooks'),
    writes: true,
  },
  {
    title: 'a shipment that cannot be read',
    deviation: { loses: (operation) => operation === 'shop.Shipping/CreateAndConfirmOrder' },
    found: at('shop.Shipping/GetFulfillment', 'by id', 'id'),
    writes: 'shipping',
  },
  {
    title: 'a driver who comes although he was cancelled',
    deviation: { keeps: (operation) => operation === 'shop.Shipnow/CancelShipnowFulfillment' },
    found: at('shop.Shipnow/CancelShipnowFulfillment', 'transition', 'status'),
    writes: 'shipping',
  },
  {
    title: 'a parcel that goes on although its order was cancelled, for a partner',
    deviation: { keeps: (operation) => operation === 'partner.Shipping/CancelOrder' },
    found: at('partner.Shipping/CancelOrder', 'transition', 'status'),
    writes: 'as a partner',
  },
  {
    title: "a partner's webhook that stays after its deletion",
    deviation: { keeps: (operation) => operation === 'partner.Webhook/DeleteWebhook' },
    found: at('partner.Webhook/DeleteWebhook', 'delete', 'webhooks'),
    writes: 'as a partner',
  },
];

/** An operation that answers too late is a matter of time, and not of the answer. */
export const slowOperation = 'shop.Misc/VersionInfo';
