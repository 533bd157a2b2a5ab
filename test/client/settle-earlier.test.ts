import { expect, test } from 'vitest';
import { RecordOverError, settleEarlier } from '../../src/client/settle/create-named.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { orderUnder } from '../support/named-create.ts';
import { madeOrder } from '../support/order-request.ts';
import { errorAnswer, json, type Step, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

const answer = { order: madeOrder, fulfillments: [{ id: '7' }], fulfillment_errors: [] };
const found = json(200, answer);
const none = errorAnswer(404, 'not_found');
const over = (status: string) => json(200, { ...answer, order: { ...madeOrder, status, cancel_reason: 'changed' } });
const lost = new TransportError('closed', 'maybe', 'the connection closed');
const create = 'partner.Shipping/CreateAndConfirmOrder';
const lookup = 'partner.Shipping/GetOrder';

function settling(steps: readonly Step[], changes = {}) {
  const script = scripted(...steps);
  const result = settleEarlier(orderUnder(testConnection(script.transport, changes))).then(({ response }) => response);
  return { script, result };
}

test('what an earlier run sent is looked up first, and not sent again where it is found', async () => {
  const { script, result } = settling([found]);
  expect(await result).toEqual(answer);
  expect(script.calls()).toEqual([lookup]);
});

test('it is sent again where nothing is found, the same under the same id, also without retries', async () => {
  for (const changes of [{}, { maxRetries: 0 }]) {
    const { script, result } = settling([none, found], changes);
    expect(await result).toEqual(answer);
    expect(script.calls()).toEqual([lookup, create]);
    expect(JSON.parse(script.requests[1]?.body ?? '').external_id).toBe('WEB-7');
  }
});

test('it is not made again where it was made and is over: somebody may have ended it since', async () => {
  for (const status of ['N', 'NS']) {
    const { script, result } = settling([over(status)]);
    const error = await result.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecordOverError);
    expect(error).toMatchObject({
      code: 'already_over',
      outcome: 'not_applied',
      meta: { id: madeOrder.id, status, cancel_reason: 'changed' },
    });
    expect(script.calls()).toEqual([lookup]);
  }
});

test('a request that arrives late after all is found by the clash of the second one', async () => {
  const clash = errorAnswer(409, 'already_exists', { duplicated: 'external_id' });
  const { script, result } = settling([none, clash, found]);
  expect(await result).toEqual(answer);
  expect(script.calls()).toEqual([lookup, create, lookup]);
});

test('it stays unknown where the service cannot be asked, and nothing is sent', async () => {
  const { script, result } = settling([lost, lost, lost, lost]);
  await expect(result).rejects.toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' });
  expect(new Set(script.calls())).toEqual(new Set([lookup]));
});
