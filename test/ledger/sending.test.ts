import { expect, it } from 'vitest';
import { call } from '../../src/client/call.ts';
import { ServiceError } from '../../src/client/errors.ts';
import { createNamed } from '../../src/client/settle/create-named.ts';
import { CreateAndConfirmOrder } from '../../src/contract/partner/shipping.ts';
import { CreateCustomer, GetCustomer } from '../../src/contract/shop/customer.ts';
import { ServiceTime } from '../../src/ledger/service-time.ts';
import { Sending } from '../../src/ledger/writing.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { anOwner, orderUnder } from '../support/named-create.ts';
import { shippedOrder } from '../support/order-request.ts';
import { errorAnswer, type Step, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

const lost = new TransportError('closed', 'maybe', 'the connection closed');
const refused = new TransportError('refused', 'no', 'no connection');
const none = errorAnswer(404, 'not_found');

function over(steps: readonly Step[], owner = anOwner) {
  const script = scripted(...steps);
  const sending = new Sending(testConnection(script.transport, { maxRetries: 0 }), owner);
  const failure = (): Promise<unknown> =>
    call(CreateAndConfirmOrder, shippedOrder, sending.connection).then(
      () => undefined,
      (error: unknown) => error,
    );
  return { script, sending, failure };
}

it('sends no byte once what was taken is not owned any more', async () => {
  const { script, sending, failure } = over([none], { ...anOwner, holds: () => false });
  expect(await failure()).toMatchObject({ outcome: 'not_applied' });
  expect([script.requests.length, sending.left]).toEqual([0, 0]);
});

it('counts each time that bytes may have left, and no other', async () => {
  const { sending, failure } = over([lost, refused, none]);
  for (let attempt = 0; attempt < 3; attempt += 1) await failure();
  expect(sending.left).toBe(2);
});

it('takes the time of the service from its answers', async () => {
  const date = 'Mon, 01 Mar 2027 08:00:00 GMT';
  const { sending, failure } = over([errorAnswer(404, 'not_found', {}, { date })]);
  expect(sending.now).toBe(Date.parse('2026-01-31T08:00:00Z'));
  await failure();
  expect(sending.now).toBe(Date.parse(date));
});

it('keeps the time of the service when the clock of this machine is set', () => {
  const machine = { now: 0, elapsed: 1_000 };
  const time = new ServiceTime({
    clock: { now: () => machine.now, elapsed: () => machine.elapsed, wait: async () => {} },
  });
  const served = Date.parse('Mon, 01 Mar 2027 08:00:00 GMT');
  time.hear({ date: new Date(served).toUTCString() });
  machine.now += 34 * 3_600_000;
  machine.elapsed += 5_000;
  expect(time.now()).toBe(served + 5_000);
});

it('takes a refusal after an attempt that may have arrived for no proof', async () => {
  const clash = errorAnswer(409, 'already_exists', { duplicated: 'code' });
  const { sending, failure } = over([lost, clash]);
  await failure();
  const known = sending.known(await failure(), shippedOrder);
  expect(known).toBeInstanceOf(ServiceError);
  expect(known).toMatchObject({ code: 'already_exists', outcome: 'unknown' });
});

it('takes a failure before the first byte for no proof after an attempt that was refused for the moment', async () => {
  const { sending, failure } = over([errorAnswer(429, 'resource_exhausted'), refused]);
  await failure();
  expect(sending.known(await failure(), shippedOrder)).toMatchObject({ outcome: 'unknown' });
});

it('never sends again what is not found, where the service keeps no name unique', async () => {
  const script = scripted(lost, none, none, none, none);
  const create = { ...orderUnder(testConnection(script.transport)), unique: false };
  await expect(createNamed(create)).rejects.toMatchObject({ outcome: 'unknown' });
  expect(script.calls().filter((name) => name.endsWith('CreateAndConfirmOrder'))).toHaveLength(1);
});

it('never sends again what was throttled first and lost then, where the service keeps no name unique', async () => {
  const throttled = errorAnswer(429, 'resource_exhausted');
  const script = scripted(throttled, none, lost, none, none, none);
  const under = {
    ...orderUnder(testConnection(script.transport)),
    operation: CreateCustomer,
    request: { full_name: 'Lan', phone: '0901234567', external_id: 'WEB-7' },
    lookup: GetCustomer,
    unique: false,
  };
  await expect(createNamed(under)).rejects.toMatchObject({ outcome: 'unknown' });
  expect(script.calls().filter((name) => name.endsWith('CreateCustomer'))).toHaveLength(2);
});
