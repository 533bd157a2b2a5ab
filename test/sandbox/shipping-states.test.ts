import { describe, expect, it } from 'vitest';
import { shippingState } from '../../src/contract/enums.ts';
import {
  nextSteps,
  orderShippingStatus,
  orderStatus,
  type ShippingState,
  type Status5,
  shipmentStatus,
  shippingStates,
  stepsTo,
} from '../../src/sandbox/service/shipments/shipping-states.ts';

const at = (state: ShippingState) => ({ state, substate: '' }) as const;
const pathTo = (from: ShippingState, target: ShippingState) => stepsTo(at(from), target)?.map(({ state }) => state);

describe('the states of a shipment', () => {
  it('are all of the contract, each with its shipping status', () => {
    const statuses = Object.fromEntries(shippingState.map((state) => [state, shippingStates[state].shipping]));
    expect(statuses).toMatchObject({
      default: 'Z',
      created: 'Z',
      picking: 'S',
      holding: 'S',
      delivering: 'S',
      returning: 'NS',
      undeliverable: 'NS',
      delivered: 'P',
      returned: 'NS',
      cancelled: 'N',
    });
  });

  it('lead to the delivery step by step', () => {
    expect(pathTo('default', 'delivered')).toEqual(['created', 'picking', 'holding', 'delivering', 'delivered']);
  });

  it('lead back only after a delivery has failed', () => {
    expect(nextSteps(at('holding')).map(({ state }) => state)).not.toContain('returning');
    expect(nextSteps({ state: 'holding', substate: 'delivery_fail' })).toContainEqual({
      state: 'returning',
      substate: 'delivery_fail',
    });
    expect(pathTo('holding', 'returned')).toEqual(['delivering', 'holding', 'returning', 'returned']);
  });

  it('allow a cancellation only before the pickup', () => {
    const cancellable = shippingState.filter((state) =>
      nextSteps(at(state)).some((step) => step.state === 'cancelled'),
    );
    expect(cancellable).toEqual(['default', 'created', 'picking']);
    for (const state of cancellable) expect(shippingStates[state].cancellable).toBe(true);
    expect(pathTo('holding', 'cancelled')).toBeUndefined();
  });

  it.each(['delivered', 'returned', 'cancelled', 'undeliverable'] as const)('end with %s', (state) => {
    expect(nextSteps(at(state))).toEqual([]);
    expect(shippingStates[state].final).toBe(true);
  });
});

describe('statuses', () => {
  it('of a shipment: delivered is done only when it is settled', () => {
    expect(shipmentStatus('delivered', 'Z')).toBe('S');
    expect(shipmentStatus('delivered', 'P')).toBe('P');
    expect(shipmentStatus('cancelled', 'P')).toBe('N');
    expect(shipmentStatus('returned', 'Z')).toBe('NS');
    expect(shipmentStatus('created', 'Z')).toBe('S');
  });

  it.each<[ShippingState[], Status5]>([
    [[], 'Z'],
    [['default', 'created'], 'Z'],
    [['cancelled', 'cancelled'], 'N'],
    [['cancelled', 'returned'], 'NS'],
    [['returned'], 'NS'],
    [['returning', 'undeliverable'], 'NS'],
    [['cancelled', 'returning', 'returned', 'delivered'], 'P'],
    [['delivered'], 'P'],
    [['delivered', 'undeliverable'], 'S'],
    [['delivered', 'created'], 'S'],
    [['cancelled', 'created'], 'S'],
    [['holding'], 'S'],
  ])('of the shipping of an order: %j is %s', (shipments, status) => {
    expect(orderShippingStatus(shipments)).toBe(status);
  });

  it('of an order', () => {
    const order = { cancelled: false, confirmed: true, shipping: 'Z', payment: 'Z' } as const;
    expect(orderStatus(order)).toBe('S');
    expect(orderStatus({ ...order, confirmed: false })).toBe('Z');
    expect(orderStatus({ ...order, shipping: 'P' })).toBe('S');
    expect(orderStatus({ ...order, shipping: 'P', payment: 'P' })).toBe('P');
    expect(orderStatus({ ...order, shipping: 'NS' })).toBe('NS');
    expect(orderStatus({ ...order, shipping: 'P', payment: 'P', cancelled: true })).toBe('N');
  });
});
