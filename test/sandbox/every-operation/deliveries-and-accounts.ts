import { expect } from 'vitest';
import type { Caller } from '../../support/callers.ts';
import { places, twoStops } from '../../support/shipnow.ts';
import { idOf, named, type RefusedRequest, type Row } from './row.ts';

/** A delivery with the first service that is offered for it. */
async function newDelivery(caller: Caller, changes: object = {}) {
  const [{ code, fee }] = (await caller.made('shop.Shipnow/GetShipnowServices', twoStops)).services;
  return { ...twoStops, shipping_service_code: code, shipping_service_fee: fee, ...changes };
}

const delivery = async (caller: Caller) =>
  caller.made('shop.Shipnow/CreateShipnowFulfillment', await newDelivery(caller));

const wrongDelivery = (because: string, changes: object, field: string): RefusedRequest => ({
  because,
  request: (caller) => newDelivery(caller, changes),
  code: 'invalid_argument',
  meta: { field },
});

const hook = { url: 'http://127.0.0.1:9/hook?token=1', entities: ['order', 'fulfillment'], metadata: 'mine' };

/** The webhook operations of a family differ in nothing but the key. */
function webhookRows<Family extends 'shop' | 'partner'>(family: Family) {
  const create = `${family}.Webhook/CreateWebhook` as const;
  const webhook = (caller: Caller) => caller.made(create, hook);
  const wrong = (because: string, changes: object, field: string): RefusedRequest => ({
    because,
    request: () => ({ ...hook, ...changes }),
    code: 'invalid_argument',
    meta: { field },
  });
  return {
    CreateWebhook: {
      request: () => hook,
      answers: { ...hook, fields: [], states: { state: 'ok', last_sent_at: null, last_error: null } },
      needs: ['url', 'entities'],
      namesRecord: false,
      refuses: [
        wrong('a url that is none', { url: 'here' }, 'url'),
        wrong('a url of another scheme', { url: 'ftp://127.0.0.1/hook' }, 'url'),
        wrong('a url that leads outside', { url: 'https://shop.example/hook' }, 'url'),
        wrong('no entity', { entities: [] }, 'entities'),
        wrong('an unknown entity', { entities: ['order', 'shop'] }, 'entities[1]'),
        wrong('a repeated entity', { entities: ['order', 'order'] }, 'entities[1]'),
        wrong('fields', { fields: ['id'] }, 'fields'),
        {
          because: 'a sixth one',
          async request(caller) {
            for (let made = 0; made < 5; made += 1) await webhook(caller);
            return hook;
          },
          code: 'failed_precondition',
        },
      ],
    },
    DeleteWebhook: { ...named, request: idOf(webhook), answers: { webhooks: [] } },
    GetWebhooks: {
      async request(caller) {
        await webhook(caller);
        return {};
      },
      answers: { webhooks: [hook] },
      needs: [],
      namesRecord: false,
      refuses: [],
    },
  } satisfies Record<string, Row>;
}

const shopWebhooks = webhookRows('shop');
const partnerWebhooks = webhookRows('partner');

const orderOfStop = ['customer create', 'customer_address create', 'order create'];

export const deliveryRows = {
  'shop.Shipnow/GetShipnowServices': {
    request: () => twoStops,
    answers: { services: expect.arrayContaining([expect.objectContaining({ name: 'Instant', fee: 46000 })]) },
    needs: ['pickup_address', 'delivery_points', 'delivery_points[0].shipping_address'],
    namesRecord: false,
    refuses: [
      {
        because: 'no stops',
        request: () => ({ ...twoStops, delivery_points: [] }),
        code: 'invalid_argument',
        meta: { field: 'delivery_points' },
      },
    ],
  },
  'shop.Shipnow/CreateShipnowFulfillment': {
    changes: [...orderOfStop, ...orderOfStop, 'shipnow_fulfillment create', 'order update', 'order update'],
    request: (caller) => newDelivery(caller),
    answers: { shipping_state: 'created', shipping_status: 'Z', status: 'S', shipping_service_fee: 46000 },
    needs: [
      'pickup_address',
      ...['full_name', 'phone', 'province', 'district', 'address', 'coordinates'].flatMap((field) => [
        `pickup_address.${field}`,
        `delivery_points[1].shipping_address.${field}`,
      ]),
      'delivery_points',
      'delivery_points[0].shipping_address',
      'shipping_service_code',
      'shipping_service_fee',
    ],
    namesRecord: false,
    refuses: [
      wrongDelivery(
        'more than 10 stops',
        { delivery_points: Array(11).fill({ shipping_address: places.lake }) },
        'delivery_points',
      ),
      wrongDelivery('a service that was not offered', { shipping_service_code: 'X' }, 'shipping_service_code'),
      wrongDelivery('a fee that was not offered', { shipping_service_fee: 1 }, 'shipping_service_fee'),
    ],
  },
  'shop.Shipnow/GetShipnowFulfillment': { ...named, request: idOf(delivery), answers: { shipping_state: 'created' } },
  'shop.Shipnow/CancelShipnowFulfillment': {
    changes: ['order update', 'order update', 'shipnow_fulfillment update'],
    ...named,
    request: async (caller) => ({ id: (await delivery(caller)).id, cancel_reason: 'No longer needed' }),
    answers: { updated: 1 },
    refuses: [
      {
        because: 'a delivery whose driver is on the way',
        async request(caller) {
          const { id } = await delivery(caller);
          await caller.sandbox.control.advance(id, { to: 'delivering' });
          return { id, cancel_reason: 'Too late' };
        },
        code: 'failed_precondition',
      },
    ],
  },
} satisfies Record<string, Row>;

export const accountRows = {
  'partner.Shop/AuthorizeShop': {
    request: (caller) => ({ shop_id: caller.shopId }),
    answers: { code: 'ok', type: 'shop_key', expires_in: -1 },
    needs: [],
    namesRecord: false,
    refuses: [
      {
        because: 'shop_id with email',
        request: (caller) => ({ shop_id: caller.shopId, email: 'a@shop.example' }),
        code: 'invalid_argument',
        meta: { field: 'shop_id' },
      },
      {
        because: 'shop_id with phone',
        request: (caller) => ({ shop_id: caller.shopId, phone: '0901234567' }),
        code: 'invalid_argument',
        meta: { field: 'shop_id' },
      },
      {
        because: 'a shop that never signed in',
        request: () => ({ shop_id: '1' }),
        code: 'permission_denied',
        meta: { reason: expect.stringContaining('never signed in') },
      },
      {
        because: 'a redirect_url outside this machine',
        request: () => ({ redirect_url: 'https://shop.example/' }),
        code: 'invalid_argument',
        meta: { field: 'redirect_url' },
      },
    ],
  },
  'partner.Webhook/CreateWebhook': partnerWebhooks.CreateWebhook,
  'partner.Webhook/DeleteWebhook': partnerWebhooks.DeleteWebhook,
  'partner.Webhook/GetWebhooks': partnerWebhooks.GetWebhooks,
  'shop.Webhook/CreateWebhook': shopWebhooks.CreateWebhook,
  'shop.Webhook/DeleteWebhook': shopWebhooks.DeleteWebhook,
  'shop.Webhook/GetWebhooks': shopWebhooks.GetWebhooks,
  'shop.Misc/CurrentAccount': {
    request: () => ({}),
    answers: { name: expect.stringMatching(/^(Tea House|Book Shop)$/), type: 'shop' },
    needs: [],
    namesRecord: false,
    refuses: [],
  },
  'shop.Misc/GetLocationList': {
    request: () => ({}),
    answers: { provinces: expect.objectContaining({ length: 63 }) },
    needs: [],
    namesRecord: false,
    refuses: [],
  },
  'shop.Misc/VersionInfo': {
    request: () => ({}),
    answers: { service: 'shop', version: 'v1' },
    needs: [],
    namesRecord: false,
    refuses: [],
  },
} satisfies Record<string, Row>;
