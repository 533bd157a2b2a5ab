import { shopOf } from '../../accounts/account.ts';
import type { Handlers } from '../../call.ts';
import { cancelDelivery } from '../../shipnow/cancel-delivery.ts';
import { createDelivery } from '../../shipnow/create-delivery.ts';
import { findDelivery } from '../../shipnow/find-delivery.ts';
import { priceDelivery, shipnowServiceOf } from '../../shipnow/price.ts';

/** shop.Shipnow: on-demand deliveries (contract, "ShipnowFulfillment"; decisions, section 7). */
export const handlers = {
  async GetShipnowServices(input, call) {
    const offers = await priceDelivery(call, shopOf(call.account).shopId, input);
    return { services: offers.map(shipnowServiceOf) };
  },
  async CreateShipnowFulfillment(input, call) {
    return (await createDelivery(call, shopOf(call.account), input)).record;
  },
  async GetShipnowFulfillment(input, call) {
    return (await findDelivery(call, shopOf(call.account).shopId, input)).record;
  },
  async CancelShipnowFulfillment(input, call) {
    const delivery = await findDelivery(call, shopOf(call.account).shopId, input);
    await cancelDelivery(call, delivery, input.cancel_reason);
    return { updated: 1 };
  },
} satisfies Handlers<typeof import('../../../contract/shop/shipnow.ts')>;
