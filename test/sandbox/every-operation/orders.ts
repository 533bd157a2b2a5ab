import { expect } from 'vitest';
import type { KnownOperationId } from '../../../src/contract/areas.ts';
import type { Caller } from '../../support/callers.ts';
import { orderFields, quoteFields, shippingFields } from '../../support/sandbox-order.ts';
import { idOf, named, pagedList, type RefusedRequest, type Row } from './row.ts';

/** Makes an order's request from a caller's quote; `changes` are of its own fields, `shipping` of its shipping part. */
type MakeOrder = (caller: Caller, changes?: object, shipping?: object) => Promise<object>;

const plainOrder: MakeOrder = async (_, changes = {}) => ({ ...orderFields, ...changes });

/** An order that is shipped, with the first service that is quoted to the caller. */
const shippedBy =
  (family: 'shop' | 'partner'): MakeOrder =>
  async (caller, changes = {}, shipping = {}) => {
    const [{ code, fee }] = (await caller.made(`${family}.Shipping/GetShippingServices`, quoteFields)).services;
    const service = { shipping_service_code: code, shipping_service_fee: fee };
    return { ...orderFields, ...changes, shipping: { ...shippingFields, ...service, ...shipping } };
  };

async function plain(caller: Caller) {
  return caller.made('shop.Order/CreateOrder', await plainOrder(caller));
}

const shipped =
  (family: 'shop' | 'partner') =>
  async (caller: Caller): Promise<{ id: string; fulfillment: string }> => {
    const operation = `${family}.Shipping/CreateAndConfirmOrder` as const;
    const { order, fulfillments } = await caller.made(operation, await shippedBy(family)(caller));
    return { id: order.id, fulfillment: fulfillments[0].id };
  };

async function fulfillment(caller: Caller) {
  return { id: (await shipped('shop')(caller)).fulfillment };
}

const line = orderFields.lines[0];
const lineOf = (changes: object) => ({ lines: [{ ...line, ...changes }] });

/** What every way to make an order refuses (decisions, sections 2 and 7; contract, "Errors"). */
function refusedOrders(operation: KnownOperationId, make: MakeOrder): readonly RefusedRequest[] {
  const wrong = (because: string, changes: object, meta: object): RefusedRequest => ({
    because,
    request: (caller) => make(caller, changes),
    code: 'invalid_argument',
    meta: { ...meta },
  });
  const sum = (field: string, expected: number) =>
    wrong(`a wrong ${field}`, { [field]: expected + 1 }, { field, expected: String(expected) });
  const taken = (field: string): RefusedRequest => ({
    because: `an ${field} that is taken`,
    async request(caller) {
      await caller.made(operation, await make(caller, { [field]: 'WEB-1' }));
      return make(caller, { [field]: 'WEB-1' });
    },
    code: 'already_exists',
    meta: { duplicated: field },
  });
  return [
    sum('total_fee', orderFields.total_fee),
    sum('total_discount', orderFields.total_discount),
    sum('basket_value', orderFields.basket_value),
    sum('total_amount', orderFields.total_amount),
    sum('total_items', orderFields.total_items),
    wrong(
      'a line that is paid dearer than its price',
      {
        lines: [{ ...line, payment_price: 450001 }, orderFields.lines[1]],
        total_discount: -2,
        total_amount: 1380002,
      },
      { field: 'lines[0].payment_price' },
    ),
    wrong('more than 40 lines', { lines: Array(41).fill(line) }, { field: 'lines' }),
    wrong('no lines', { lines: [] }, { field: 'lines' }),
    wrong('a product name of one character', lineOf({ product_name: 'Á' }), { field: 'lines[0].product_name' }),
    wrong('a quantity of 0', lineOf({ quantity: 0 }), { field: 'lines[0].quantity' }),
    wrong('a quantity over 999999', lineOf({ quantity: 1000000 }), { field: 'lines[0].quantity' }),
    ...['a', 'a b', 'é1', 'x'.repeat(101)].map((external_id) =>
      wrong(`the external_id ${external_id.slice(0, 5)}`, { external_id }, { field: 'external_id' }),
    ),
    wrong(
      'a place that is not known',
      { shipping_address: { ...orderFields.shipping_address, province: 'Atlantis' } },
      { field: 'shipping_address.province' },
    ),
    taken('external_id'),
    taken('external_code'),
  ];
}

/** What an order that is shipped at once refuses beside that. */
function refusedShipping(make: MakeOrder): readonly RefusedRequest[] {
  const wrong = (because: string, shipping: object, meta: object): RefusedRequest => ({
    because,
    request: (caller) => make(caller, {}, shipping),
    code: 'invalid_argument',
    meta: { ...meta },
  });
  return [
    wrong('a service that was not quoted', { shipping_service_code: 'X' }, { field: 'shipping.shipping_service_code' }),
    wrong('a fee that was not quoted', { shipping_service_fee: 1 }, { field: 'shipping.shipping_service_fee' }),
    wrong('a carrier that does not fit', { carrier: 'nobody' }, { field: 'shipping.carrier' }),
    wrong('a connection that does not fit', { connection_id: '1' }, { field: 'shipping.connection_id' }),
    wrong('try_on unknown', { try_on: 'unknown' }, { field: 'shipping.try_on' }),
    // 30 * 25 * 20 / 5 is 3000 g, more than the gross weight.
    wrong(
      'a chargeable weight that is too small',
      { chargeable_weight: 2999 },
      { field: 'shipping.chargeable_weight', expected: '3000', given: '2999' },
    ),
  ];
}

const addressNeeds = ['full_name', 'phone', 'province', 'district', 'ward', 'address1'];
const below = (path: string) => [path, ...addressNeeds.map((field) => `${path}.${field}`)];
const lineNeeds = ['lines', 'lines[0].product_name', 'lines[0].quantity'];
const shippedNeeds = [
  ...lineNeeds,
  ...below('customer_address'),
  ...below('shipping_address'),
  'shipping',
  ...below('shipping.pickup_address'),
  'shipping.shipping_service_code',
  'shipping.shipping_service_fee',
  'shipping.try_on',
];

const cancellation = (make: (caller: Caller) => Promise<{ id: string }>) => async (caller: Caller) => ({
  id: (await make(caller)).id,
  cancel_reason: 'Changed their mind',
});

/** Cancels an order and answers the request that does so once more. */
const cancelledBy = (operation: KnownOperationId, make: (caller: Caller) => Promise<{ id: string }>) => {
  const request = cancellation(make);
  return async (caller: Caller) => {
    const { id, cancel_reason } = await request(caller);
    await caller.made(operation, { id, cancel_reason });
    return { id, cancel_reason };
  };
};

function cancelRow(
  operation: KnownOperationId,
  make: (caller: Caller) => Promise<{ id: string }>,
  changes: readonly string[],
): Row {
  const request = cancellation(make);
  return {
    request,
    changes,
    answers: { order: { status: 'N', cancel_reason: 'Changed their mind' } },
    needs: ['id', 'cancel_reason'],
    namesRecord: true,
    refuses: [
      {
        because: 'two names',
        request: async (caller) => ({ ...(await request(caller)), code: 'DH000001' }),
        code: 'invalid_argument',
        meta: { field: 'code' },
      },
      {
        because: 'a blank reason',
        request: async (caller) => ({ ...(await request(caller)), cancel_reason: ' ' }),
        code: 'invalid_argument',
        meta: { field: 'cancel_reason' },
      },
      {
        because: 'an order that is cancelled already',
        request: cancelledBy(operation, make),
        code: 'failed_precondition',
        meta: { status: 'N' },
      },
      {
        because: 'an order that has returned',
        async request(caller) {
          const { id } = await shipped(operation.startsWith('partner') ? 'partner' : 'shop')(caller);
          await caller.sandbox.control.advance(id, { to: 'returned' });
          return { id, cancel_reason: 'Too late' };
        },
        code: 'failed_precondition',
        meta: { status: 'NS' },
      },
    ],
  };
}

function createAndConfirmRow(family: 'shop' | 'partner'): Row {
  const make = shippedBy(family);
  return {
    request: (caller) => make(caller),
    changes: ['customer create', 'customer_address create', 'order create', 'fulfillment create', 'order update'],
    answers: {
      order: { status: 'S', confirm_status: 'P', platform_payment_status: 'Z', fulfillment_shipping_status: 'Z' },
      fulfillments: [{ shipping_state: 'created', shipping_status: 'Z' }],
      fulfillment_errors: [],
    },
    needs: shippedNeeds,
    namesRecord: false,
    refuses: [...refusedOrders(`${family}.Shipping/CreateAndConfirmOrder`, make), ...refusedShipping(make)],
  };
}

function quoteRow(): Row {
  const wrong = (because: string, changes: object, field: string): RefusedRequest => ({
    because,
    request: () => ({ ...quoteFields, ...changes }),
    code: 'invalid_argument',
    meta: { field },
  });
  return {
    request: () => quoteFields,
    // 31000 across the country, 5 more steps of 500 g at 3500, and 4 ‰ of the basket for its insurance.
    answers: { services: expect.arrayContaining([expect.objectContaining({ name: 'Standard', fee: 53900 })]) },
    needs: ['pickup_address', 'pickup_address.province', 'shipping_address', 'shipping_address.district'],
    namesRecord: false,
    refuses: [
      wrong('a negative basket_value', { basket_value: -1 }, 'basket_value'),
      wrong('a negative cod_amount', { cod_amount: -1 }, 'cod_amount'),
      wrong('a chargeable weight that is too small', { chargeable_weight: 1 }, 'chargeable_weight'),
    ],
  };
}

const getOrderRow = (make: (caller: Caller) => Promise<{ id: string }>): Row => ({
  ...named,
  request: idOf(make),
  answers: { order: { total_amount: orderFields.total_amount }, fulfillment_errors: [] },
  refuses: [
    {
      because: 'names that do not all fit',
      request: async (caller) => ({ id: (await make(caller)).id, code: 'DH999999' }),
      code: 'not_found',
    },
  ],
});

const getFulfillmentRow: Row = {
  ...named,
  request: fulfillment,
  answers: { shipping_state: 'created', shipping_status: 'Z', status: 'S' },
};

async function confirmation(caller: Caller) {
  return { order_id: (await plain(caller)).id };
}

/** An order of more than there is of a variant, and the wish to take it. */
async function tooMuch(caller: Caller) {
  const { id: product_id } = await caller.made('shop.Product/CreateProduct', { name: 'Trà' });
  const { id: variant_id } = await caller.made('shop.Variant/CreateVariant', { product_id });
  const lines = orderFields.lines.map((each) => ({ ...each, variant_id }));
  const { id: order_id } = await caller.made('shop.Order/CreateOrder', await plainOrder(caller, { lines }));
  return { order_id, inventory_policy: 'obey', auto_inventory_voucher: 'create' };
}

export const orderRows = {
  'shop.Order/CreateOrder': {
    changes: ['customer create', 'customer_address create', 'order create'],
    request: (caller) => plainOrder(caller),
    answers: { status: 'Z', confirm_status: 'Z', total_amount: 1280000, code: 'DH000001' },
    needs: lineNeeds,
    namesRecord: false,
    refuses: [
      ...refusedOrders('shop.Order/CreateOrder', plainOrder),
      {
        because: 'an unknown payment_method',
        request: (caller) => plainOrder(caller, { payment_method: 'shells' }),
        code: 'invalid_argument',
        meta: { field: 'payment_method' },
      },
    ],
  },
  'shop.Order/ConfirmOrder': {
    changes: ['order update'],
    request: confirmation,
    answers: {},
    needs: ['order_id'],
    namesRecord: true,
    refuses: [
      {
        because: 'an order that is cancelled',
        async request(caller) {
          const { order_id } = await confirmation(caller);
          await caller.made('shop.Order/CancelOrder', { id: order_id, cancel_reason: 'Changed their mind' });
          return { order_id };
        },
        code: 'failed_precondition',
        meta: { status: 'N' },
      },
      {
        because: 'an order of more than there is',
        request: tooMuch,
        code: 'invalid_argument',
        meta: { available: '0', needed: '3' },
      },
    ],
  },
  'shop.Order/CancelOrder': cancelRow('shop.Order/CancelOrder', plain, ['order update']),
  'shop.Order/GetOrder': getOrderRow(plain),
  'shop.Order/ListOrders': pagedList({ make: plain, answers: { orders: [{ total_amount: 1280000 }] } }, 'id'),

  'shop.Shipping/GetShippingServices': quoteRow(),
  'shop.Shipping/CreateAndConfirmOrder': createAndConfirmRow('shop'),
  'shop.Shipping/GetOrder': getOrderRow(shipped('shop')),
  'shop.Shipping/CancelOrder': cancelRow('shop.Shipping/CancelOrder', shipped('shop'), [
    'order update',
    'fulfillment update',
  ]),
  'shop.Shipping/GetFulfillment': getFulfillmentRow,
  'shop.Fulfillment/GetFulfillment': getFulfillmentRow,
  'shop.Fulfillment/ListFulfillments': pagedList(
    { make: fulfillment, answers: { fulfillments: [{ shipping_state: 'created' }] } },
    'order_id',
  ),

  'partner.Shipping/GetShippingServices': quoteRow(),
  'partner.Shipping/CreateAndConfirmOrder': createAndConfirmRow('partner'),
  'partner.Shipping/GetOrder': getOrderRow(shipped('partner')),
  'partner.Shipping/CancelOrder': cancelRow('partner.Shipping/CancelOrder', shipped('partner'), [
    'order update',
    'fulfillment update',
  ]),
} satisfies Record<string, Row>;
