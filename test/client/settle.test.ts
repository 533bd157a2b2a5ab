import { expect, test } from 'vitest';
import { call } from '../../src/client/call.ts';
import { WriteLedger } from '../../src/client/ledger.ts';
import { changesInWords, differences } from '../../src/client/settle/compare.ts';
import { createNamed } from '../../src/client/settle/create-named.ts';
import { UpdateCustomer } from '../../src/contract/shop/customer.ts';
import { CreateOrder, GetOrder } from '../../src/contract/shop/order.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { orderUnder } from '../support/named-create.ts';
import { madeOrder, shippedOrder } from '../support/order-request.ts';
import { errorAnswer, json, type Step, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

const lost = new TransportError('closed', 'maybe', 'the connection closed');
const refused = new TransportError('refused', 'no', 'no connection');
const none = errorAnswer(404, 'not_found');
const answer = { order: madeOrder, fulfillments: [{ id: '7' }], fulfillment_errors: [] };
const found = json(200, answer);
const clash = errorAnswer(409, 'already_exists', { duplicated: 'external_id' });
const cancelled = json(200, { ...answer, order: { ...madeOrder, status: 'N' } });
const create = 'partner.Shipping/CreateAndConfirmOrder';
const lookup = 'partner.Shipping/GetOrder';

function attempt(steps: readonly Step[], changes = {}) {
  const script = scripted(...steps);
  const result = createNamed(orderUnder(testConnection(script.transport, changes)));
  return { script, result };
}

test('an order that was answered is not looked up', async () => {
  const { script, result } = attempt([found]);
  expect(await result).toEqual({ response: answer, how: 'sent', different: [] });
  expect(script.calls()).toEqual([create]);
});

test('an order whose answer was lost is found under its external id, and not sent again', async () => {
  for (const unclear of [
    lost,
    json(504, null),
    { ...json(200, null), body: '{"order":{' },
    errorAnswer(500, 'internal'),
  ]) {
    const { script, result } = attempt([unclear, found]);
    expect(await result).toEqual({ response: answer, how: 'settled', different: [] });
    expect(script.calls()).toEqual([create, lookup]);
    expect(JSON.parse(script.requests[1]?.body ?? '')).toEqual({ external_id: 'WEB-7' });
  }
});

test('an operation that answers the record alone gets the record alone', async () => {
  const script = scripted(lost, json(200, { order: { ...madeOrder, id: '5' }, fulfillments: [] }));
  const { shipping: _, ...order } = shippedOrder;
  const under = { ...orderUnder(testConnection(script.transport)), operation: CreateOrder, request: order };
  expect(await createNamed({ ...under, lookup: GetOrder })).toMatchObject({
    how: 'settled',
    response: { id: '5', external_id: 'WEB-7' },
  });
  expect(script.calls()).toEqual(['shop.Order/CreateOrder', 'shop.Order/GetOrder']);
});

test('an order that is not there is sent again, the very same', async () => {
  const { script, result } = attempt([lost, none, found]);
  expect(await result).toEqual({ response: answer, how: 'settled', different: [] });
  expect(script.calls()).toEqual([create, lookup, create]);
  expect(script.requests[2]?.body).toBe(script.requests[0]?.body);
});

test('a first request that arrives late is recognised when the second one is refused', async () => {
  const { script, result } = attempt([lost, none, clash, found]);
  expect(await result).toEqual({ response: answer, how: 'settled', different: [] });
  expect(script.calls()).toEqual([create, lookup, create, lookup]);
});

test('a record that the service took back is not taken for the order', async () => {
  const refusal = errorAnswer(400, 'invalid_argument', { expected: '35' });
  const { script, result } = attempt([lost, cancelled, refusal, cancelled]);
  await expect(result).rejects.toMatchObject({ code: 'invalid_argument', outcome: 'not_applied' });
  expect(script.calls()).toEqual([create, lookup, create, lookup]);
});

test('an order that was cancelled while its parcel travels is never sent again', async () => {
  const order = { ...madeOrder, status: 'N', fulfillment_shipping_status: 'S', created_at: '2026-01-31T07:59:00Z' };
  const travelling = json(200, { ...answer, order });
  const { script, result } = attempt([lost, travelling]);
  await expect(result).rejects.toMatchObject({ code: 'outcome_unknown', meta: { id: madeOrder.id } });
  expect(script.calls()).toEqual([create, lookup]);
  const derived = scripted(lost, travelling);
  const made = await createNamed({ ...orderUnder(testConnection(derived.transport)), derived: true });
  expect(made).toMatchObject({ how: 'settled', response: { order: { id: madeOrder.id } } });
  expect(derived.calls()).toEqual([create, lookup]);
  // The name of an older order that ended is free.
  const old = json(200, { ...answer, order: { ...order, created_at: '2026-01-30T07:59:00Z' } });
  const again = attempt([lost, old, found]);
  expect(await again.result).toMatchObject({ how: 'settled' });
  expect(again.script.calls()).toEqual([create, lookup, create]);
});

test('an id that belongs to another order is never taken for success', async () => {
  const other = { ...answer, order: { ...madeOrder, lines: [{ ...shippedOrder.lines[0], quantity: 3 }] } };
  const { script, result } = attempt([lost, json(200, other)]);
  await expect(result).rejects.toMatchObject({
    code: 'outcome_unknown',
    meta: { external_id: 'WEB-7', lookup, difference: 'lines[0].quantity', id: madeOrder.id },
  });
  expect(script.calls()).toEqual([create, lookup]);
});

test('an order that is still in the making is looked at again, never sent again', async () => {
  const half = json(200, { ...answer, order: { ...madeOrder, confirm_status: 'Z' }, fulfillments: [] });
  const soon = attempt([lost, half, half, found]);
  expect(await soon.result).toEqual({ response: answer, how: 'settled', different: [] });
  expect(soon.script.calls()).toEqual([create, lookup, lookup, lookup]);
  const never = attempt([lost, half, half, half, half]);
  await expect(never.result).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(never.script.calls().filter((path) => path === create)).toHaveLength(1);
});

test('what was sent and comes back as null differs, unless it asked for nothing', () => {
  const sent = { order_note: 'only to Mrs Hoa', lines: [{ product_name: 'Áo' }], shipping: { length: 10 } };
  const nothing = { order_note: null, lines: null, shipping: null };
  expect(differences(sent, nothing, locationTree)).toEqual(['order_note', 'lines', 'shipping']);
  const blank = { order_note: ' ', lines: [], shipping: { length: 0, include_insurance: false } };
  expect(differences(blank, nothing, locationTree)).toEqual([]);
});

test('an order that was applied but cannot be read is not a refusal', async () => {
  const unreadable = json(200, { order: { id: '5', external_id: 'WEB-7', status: false } });
  const { result } = attempt([lost, none, unreadable]);
  await expect(result).rejects.toMatchObject({ code: 'contract_broken', outcome: 'applied', path: 'order.status' });
});

test('a 409 on a given name is looked up: an equal record existed, another or an unseen one is a conflict', async () => {
  const there = attempt([clash, found]);
  expect(await there.result).toEqual({ response: answer, how: 'existed', different: [] });
  const gone = attempt([clash, none]);
  await expect(gone.result).rejects.toMatchObject({ code: 'already_exists', outcome: 'not_applied' });
  const other = json(200, { ...answer, order: { ...madeOrder, total_amount: 5 } });
  await expect(attempt([clash, other]).result).rejects.toMatchObject({
    code: 'already_exists',
    outcome: 'not_applied',
    meta: { difference: expect.stringContaining('total_amount'), id: madeOrder.id },
  });
});

test('an order that was created and not shipped is no shipped one', async () => {
  const half = json(200, { ...answer, order: { ...madeOrder, confirm_status: 'Z' }, fulfillments: [] });
  await expect(attempt([clash, half]).result).rejects.toMatchObject({ code: 'not_shipped', outcome: 'not_applied' });
});

test('it stays open where a 409 cannot be looked up: the gateway may have delivered the request twice', async () => {
  await expect(attempt([clash, refused, refused, refused, refused]).result).rejects.toMatchObject({
    outcome: 'unknown',
  });
});

test('an id that is taken by what cannot be found leaves it open', async () => {
  const { result } = attempt([lost, none, clash, none]);
  await expect(result).rejects.toMatchObject({ code: 'outcome_unknown', meta: { external_id: 'WEB-7' } });
});

test('another name that is taken is a refusal of the request itself', async () => {
  const { result } = attempt([lost, none, errorAnswer(409, 'already_exists', { duplicated: 'external_code' }), none]);
  await expect(result).rejects.toMatchObject({ code: 'already_exists', outcome: 'not_applied' });
});

test('a refusal that may be of the moment leaves the first request open', async () => {
  for (const refusal of [
    errorAnswer(403, 'resource_exhausted'),
    errorAnswer(412, 'failed_precondition'),
    errorAnswer(401, 'unauthenticated'),
  ]) {
    const open = attempt([lost, none, refusal, none]);
    await expect(open.result).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(await attempt([lost, none, refusal, found]).result).toMatchObject({ how: 'settled' });
  }
});

test('it stays open when the lookup fails too, with what settles it later', async () => {
  const { script, result } = attempt([lost, refused, refused, refused, refused]);
  await expect(result).rejects.toMatchObject({
    code: 'outcome_unknown',
    meta: { external_id: 'WEB-7', lookup },
  });
  expect(script.calls().filter((call) => call === create)).toHaveLength(1);
});

test('attempts are limited by maxRetries, and without any there is a lookup only', async () => {
  const endless = attempt([lost, none, lost, none, lost, none], { maxRetries: 2 });
  await expect(endless.result).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(endless.script.calls()).toEqual([create, lookup, create, lookup, create, lookup]);
  const single = attempt([lost, none], { maxRetries: 0 });
  await expect(single.result).rejects.toMatchObject({ code: 'outcome_unknown' });
});

test('an abort while it is sent leaves it open, and nothing more is asked', async () => {
  const controller = new AbortController();
  const aborted = new TransportError('aborted', 'maybe', 'given up');
  const { script, result } = attempt(
    [
      () => {
        controller.abort();
        return aborted;
      },
    ],
    { signal: controller.signal },
  );
  await expect(result).rejects.toMatchObject({ code: 'outcome_unknown', meta: { external_id: 'WEB-7' } });
  expect(script.calls()).toEqual([create]);
});

test('an abort before anything is sent changes nothing', async () => {
  const { script, result } = attempt([], { signal: AbortSignal.abort() });
  await expect(result).rejects.toMatchObject({ code: 'network', failure: 'aborted', outcome: 'not_applied' });
  expect(script.requests).toEqual([]);
});

test('a record without a unique name is looked up, and never sent again by itself', async () => {
  const { script, result } = attempt([lost, none, none, none, none]);
  await expect(result).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(script.calls().filter((path) => path === create).length).toBeGreaterThan(1);
  const plain = scripted(lost, none, none, none, none);
  const other = createNamed(orderUnder(testConnection(plain.transport), { unique: false }));
  await expect(other).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(plain.calls()).toEqual([create, lookup, lookup, lookup, lookup]);
});

test('what differs is told by its path, and text as it is written does not differ', () => {
  const tree = locationTree;
  expect(differences(shippedOrder, madeOrder, tree)).toEqual([]);
  expect(differences({ total_amount: 5 }, {}, tree)).toEqual([]);
  expect(differences({ total_amount: 5 }, { total_amount: 6 }, tree)).toEqual(['total_amount']);
  expect(
    differences({ shipping_address: { full_name: ' LAN  Anh' } }, { shipping_address: { full_name: 'Lan Anh' } }, tree),
  ).toEqual([]);
  expect(
    differences({ shipping_address: { phone: '0901234567' } }, { shipping_address: { phone: '+84901234568' } }, tree),
  ).toEqual(['shipping_address.phone']);
  expect(differences({ lines: [{}, {}] }, { lines: [{}] }, tree)).toEqual(['lines']);
  // A place that is known on one side alone, which has the same text.
  const typed = { province: 'ha noi', district: 'cau giay', ward: 'dich vong' };
  expect(differences(typed, { province: 'ha noi' }, locationTree)).toEqual([]);
  expect(differences({ province: 'ha noi' }, { ...typed, province: 'Hà Nam' }, locationTree)).toEqual(['province']);
});

test('what changed is told with both values, within lists too, and a list by its path alone', () => {
  const one = { note: 'a', lines: [{ quantity: 1 }], image_urls: ['https://a.example/1'], total_amount: 120_000 };
  const other = { lines: [{ quantity: 2 }], image_urls: ['https://a.example/2'], total_amount: 5 };
  expect(changesInWords(['note', 'lines[0].quantity', 'image_urls[0]', 'total_amount', 'lines'], one, other)).toEqual([
    'note (a → nothing)',
    'lines[0].quantity (1 → 2)',
    'image_urls[0] (https://a.example/1 → https://a.example/2)',
    'total_amount (120,000 → 5)',
    'lines',
  ]);
});

const recording = (steps: readonly Step[], options: { readonly derived?: boolean } = {}) => {
  const ledger = new WriteLedger();
  const script = scripted(...steps);
  const connection = testConnection(script.transport, { ledger });
  const result = createNamed(orderUnder(connection, options));
  return { ledger, script, result };
};

test('under a derived name text that comes back changed is no other order, and is told', async () => {
  const cut = json(200, { ...answer, order: { ...madeOrder, shipping_address: { full_name: 'Nguyễn' } } });
  const { result, ledger } = recording([lost, cut], { derived: true });
  expect(await result).toMatchObject({ how: 'settled', different: ['shipping_address.full_name'] });
  expect(ledger.gravest).toMatchObject({ outcome: 'applied', names: { external_id: 'WEB-7' } });
  await expect(recording([lost, cut]).result).rejects.toMatchObject({ outcome: 'unknown' });
});

test('so it is after a 503 or 429 of this very call, for they may come after the commit', async () => {
  for (const passing of [errorAnswer(503, 'unavailable', {}, { 'retry-after': '0' }), errorAnswer(429, 'throttled')]) {
    const { script, result } = recording([passing, clash, found]);
    expect(await result).toEqual({ response: answer, how: 'settled', different: [] });
    expect(script.calls()).toEqual([create, create, lookup]);
  }
});

test('a 409 after an attempt that may have been applied stays open where another order stands there', async () => {
  const other = json(200, { ...answer, order: { ...madeOrder, total_amount: 5 } });
  const throttled = recording([errorAnswer(429, 'throttled'), clash, other]);
  await expect(throttled.result).rejects.toMatchObject({ code: 'outcome_unknown' });
});

test('the ledger knows no less than the failure says, and what a lookup has proved', async () => {
  const open = recording([lost, refused, refused, refused, refused]);
  await expect(open.result).rejects.toMatchObject({ outcome: 'unknown' });
  expect(open.ledger.gravest).toMatchObject({ operation: create, outcome: 'unknown' });
  const settled = recording([lost, found]);
  await settled.result;
  expect(settled.ledger.gravest).toMatchObject({ outcome: 'applied' });
  const never = recording([errorAnswer(400, 'invalid_argument')]);
  await expect(never.result).rejects.toMatchObject({ outcome: 'not_applied' });
  expect(never.ledger.gravest).toBeUndefined();
});

test('whatever breaks between the first byte and the end of the reading leaves a write unknown', async () => {
  const broken = () => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  const answered = {
    ...found,
    get body(): string {
      return broken();
    },
  };
  for (const steps of [
    [new RangeError('a bug of the transport'), found],
    [answered, found],
  ]) {
    const { ledger, result } = recording(steps);
    expect(await result).toEqual({ response: answer, how: 'settled', different: [] });
    expect(ledger.gravest?.outcome).toBe('applied');
  }
});

test.each([429, 503])(
  'an order that was refused with %i after the deed, and not sent again, is looked up',
  async (status) => {
    const code = status === 429 ? 'resource_exhausted' : 'unavailable';
    const later = errorAnswer(status, code, {}, { 'retry-after': '1' });
    const { script, result } = attempt([later, refused, refused, refused, found]);
    expect(await result).toMatchObject({ how: 'settled' });
    expect(script.calls().at(-1)).toBe(lookup);
  },
);

test('an order that was refused for the moment after the deed is unknown when Ctrl-C ends the wait', async () => {
  const abort = new AbortController();
  const throttled = () => {
    abort.abort();
    return errorAnswer(429, 'resource_exhausted');
  };
  const { result } = attempt([throttled], { signal: abort.signal });
  await expect(result).rejects.toMatchObject({ outcome: 'unknown' });
});

test.each([503, 429])(
  'a change that was answered with %i is unknown, however a copy of it is refused',
  async (status) => {
    const first = errorAnswer(status, 'unavailable', {}, { 'retry-after': '0' });
    for (const [code, of] of [
      [400, 'invalid_argument'],
      [404, 'not_found'],
      [403, 'permission_denied'],
    ] as const) {
      const { transport } = scripted(first, errorAnswer(code, of));
      const failure = call(UpdateCustomer, { id: '1', note: 'new' }, testConnection(transport));
      await expect(failure).rejects.toMatchObject({ code: of, outcome: 'unknown' });
    }
  },
);
