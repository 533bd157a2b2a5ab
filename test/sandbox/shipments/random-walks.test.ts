import { describe, expect, it } from 'vitest';
import type { Advanced } from '../../../src/sandbox/service/shipments/shipment-part.ts';
import { fc } from '../../support/fast-check.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { createShipnow } from '../../support/shipnow.ts';
import { shipShopOrder } from '../../support/shop-order.ts';

// Written down again from decisions, section 7, so that it does not agree with the code by being the code.
const shippingStatus: Readonly<Record<string, string>> = {
  default: 'Z',
  created: 'Z',
  assigning: 'S',
  picking: 'S',
  holding: 'S',
  delivering: 'S',
  returning: 'NS',
  undeliverable: 'NS',
  delivered: 'P',
  returned: 'NS',
  cancelled: 'N',
};

const mayFollow: Readonly<Record<string, readonly string[]>> = {
  created: ['picking', 'cancelled', 'assigning'],
  assigning: ['picking', 'cancelled'],
  picking: ['holding', 'cancelled', 'delivering'],
  holding: ['delivering', 'returning', 'undeliverable'],
  delivering: ['delivered', 'holding', 'undeliverable', 'returning'],
  returning: ['returned', 'undeliverable'],
  delivered: ['reconciled'],
};

function statusOf(shipping: string, payment: string): string {
  if (shipping === 'N' || shipping === 'NS') return shipping;
  return shipping === 'P' && payment === 'P' ? 'P' : 'S';
}

function orderStatusOf(cancelled: boolean, shipping: string, payment: string): string {
  if (cancelled) return 'N';
  if (shipping === 'NS') return 'NS';
  return shipping === 'P' && payment === 'P' ? 'P' : 'S';
}

/** What a walk does next: one of the allowed steps, or cancelling the order. */
const moves = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.constant('cancel') }),
  {
    maxLength: 12,
  },
);

async function readOrder(test: TestSandbox, id: string | undefined) {
  return (await test.post('shop.Order/GetOrder', { id }, test.shop.apiKey)).body;
}

describe('the statuses of an order and its shipment', () => {
  it('follow the table at every point of any walk', async () => {
    const test = await openTestSandbox();
    const walk = async (choices: readonly (number | string)[]) => {
      const { body } = await shipShopOrder(test);
      const { id } = body.order;
      let cancelled = false;
      let allowed = [{ state: 'picking', substate: '' }];
      for (const choice of choices) {
        const before = (await readOrder(test, id)).fulfillments[0];
        if (choice === 'cancel') {
          const { status } = await test.post('shop.Order/CancelOrder', { id, cancel_reason: 'x' }, test.shop.apiKey);
          const isOver = cancelled || before.status === 'NS';
          expect(status).toBe(isOver ? 412 : 200);
          cancelled ||= status === 200;
          if (['created', 'picking'].includes(before.shipping_state) && !isOver) allowed = [];
        } else {
          const step = allowed[Number(choice) % Math.max(1, allowed.length)];
          if (step === undefined) break;
          const answer = await test.sandbox.control.advance(id, { to: step.state, substate: step.substate });
          expect(answer.steps).toEqual([step]);
          if (step.state !== before.shipping_state) expect(mayFollow[before.shipping_state]).toContain(step.state);
          if (step.state === 'returning') expect(before.shipping_substate).toMatch(/^(delivery_fail|devivery_giveup)$/);
          allowed = [...answer.allowed];
        }
        const { order, fulfillments } = await readOrder(test, id);
        const [shipment] = fulfillments;
        const { platform_payment_status: payment } = shipment;
        expect(shipment.shipping_status).toBe(shippingStatus[shipment.shipping_state]);
        expect(shipment.status).toBe(statusOf(shipment.shipping_status, payment));
        expect(order.fulfillment_shipping_status).toBe(shipment.shipping_status);
        expect(order.platform_payment_status).toBe(payment);
        expect(order.status).toBe(orderStatusOf(cancelled, shipment.shipping_status, payment));
        if (payment === 'P') expect(shipment.shipping_state).toBe('delivered');
      }
    };
    await fc.assert(fc.asyncProperty(moves, walk), { numRuns: 60, seed: 7 });
  });

  it('follow the table for on-demand deliveries, their stops and their orders', async () => {
    const test = await openTestSandbox();
    const walk = async (choices: readonly number[]) => {
      const { body } = await createShipnow(test);
      let allowed: Advanced['allowed'] = [{ state: 'assigning', substate: '' }];
      let before = 'created';
      for (const choice of choices) {
        const step = allowed[choice % Math.max(1, allowed.length)];
        if (step === undefined) break;
        expect(mayFollow[before]).toContain(step.state);
        const answer = await test.sandbox.control.advance(body.id, { to: step.state });
        allowed = answer.allowed;
        before = step.state;
        const lookup = { id: body.id };
        const { body: delivery } = await test.post('shop.Shipnow/GetShipnowFulfillment', lookup, test.shop.apiKey);
        const payment = step.state === 'reconciled' ? 'P' : 'Z';
        expect(delivery.shipping_status).toBe(shippingStatus[delivery.shipping_state]);
        expect(delivery.status).toBe(statusOf(delivery.shipping_status, payment));
        for (const point of delivery.delivery_points) expect(point.shipping_state).toBe(delivery.shipping_state);
        for (const id of delivery.order_ids) {
          const { order } = await readOrder(test, id);
          expect(order.fulfillment_shipping_status).toBe(delivery.shipping_status);
          expect(order.status).toBe(orderStatusOf(false, delivery.shipping_status, payment));
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 8 }), walk), { numRuns: 40, seed: 7 });
  });
});
