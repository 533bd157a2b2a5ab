import { describe, expect, it } from 'vitest';
import { NetworkError, OutcomeUnknownError, ServiceError } from '../../src/client/errors.ts';
import { differences } from '../../src/client/settle/compare.ts';
import { isProof, verdictOn } from '../../src/client/settle/settle-lost.ts';
import { CreateAndConfirmOrder } from '../../src/contract/partner/shipping.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { madeOrder, shippedOrder } from '../support/order-request.ts';

const refusal = (status: number, code: string) =>
  new ServiceError('shop.Order/CreateOrder', { code, msg: '', meta: {}, status, outcome: 'not_applied' });

describe('a refusal', () => {
  it.each([
    [400, 'invalid_argument', true],
    [409, 'already_exists', true],
    [409, 'aborted', false],
    [429, 'resource_exhausted', false],
    [429, 'slow_down', false],
    [403, 'unavailable', false],
    [503, 'unavailable', false],
  ])('with %s %s proves that nothing is applied: %s', (status, code, expected) => {
    expect(isProof(refusal(status, code))).toBe(expected);
  });
});

it('proves that nothing is applied where no byte left', () => {
  expect(isProof(new NetworkError('shop.Order/CreateOrder', 'refused', 'no connection'))).toBe(true);
  expect(isProof(new OutcomeUnknownError('shop.Order/CreateOrder', 'cut off'))).toBe(false);
});

describe('a record that is found under the name of a create', () => {
  const asSent = { ...madeOrder, external_id: 'WEB-7' };
  const shipped = { order: asSent, fulfillments: [{ id: '7' }] };
  const another = { ...asSent, total_amount: 1 };
  const longer = { ...asSent, lines: [...asSent.lines, { product_name: 'Mũ', quantity: 1 }] };
  const international = { ...asSent, shipping_address: { ...asSent.shipping_address, phone: '+84 901 234 567' } };
  const over = { ...asSent, status: 'N' };
  const half = { ...asSent, confirm_status: 'Z' };
  const request = { ...shippedOrder, total_amount: 800 };

  it.each([
    ['equal, and sent', asSent, false, true, 'done'],
    ['equal, and not sent', asSent, false, false, 'existed'],
    ['different under a given name, and sent', another, false, true, 'unclear'],
    ['different under a given name, and not sent', another, false, false, 'conflict'],
    ['different under a derived name, and sent', another, true, true, 'done'],
    ['different under a derived name, and not sent', another, true, false, 'existed'],
    ['with one more line under a given name, and not sent', longer, false, false, 'conflict'],
    ['with the country code of its phone, and not sent', international, false, false, 'existed'],
    ['different, and without the derived name', { ...another, external_id: null }, true, true, 'unclear'],
    ['different, and with another name', { ...another, external_id: 'WEB-8' }, true, false, 'conflict'],
    ['cancelled', over, true, true, 'over'],
  ])('%s', (_, record, derived, mayHaveLeft, state) => {
    const write = { operation: CreateAndConfirmOrder, request, derived, mayHaveLeft };
    expect(verdictOn(write, { record, answer: shipped }, locationTree)).toMatchObject({ state });
  });

  it('that was not shipped is half done', () => {
    const write = { operation: CreateAndConfirmOrder, request, derived: true, mayHaveLeft: false };
    const answer = { order: half, fulfillments: [] };
    expect(verdictOn(write, { record: half, answer }, locationTree)).toMatchObject({ state: 'half done' });
    expect(verdictOn(write, undefined, locationTree)).toEqual({ state: 'none' });
  });
});

it('compares neither the service nor its fee, whoever chose them', () => {
  const sent = { shipping: { carrier: 'a', shipping_service_code: 'A', shipping_service_fee: 20_000, cod_amount: 5 } };
  const found = { shipping: { carrier: 'b', shipping_service_code: 'B', shipping_service_fee: 30_000, cod_amount: 6 } };
  expect(differences(sent, found, locationTree)).toEqual(['shipping.cod_amount']);
});
