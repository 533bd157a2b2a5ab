import { shopOf } from '../../../../engine/account.ts';
import type { Handlers } from '../../../../engine/call.ts';
import { cancelDelivery } from '../../../shipnow/cancel-delivery.ts';
import { createDelivery } from '../../../shipnow/create-delivery.ts';
import { findDelivery } from '../../../shipnow/find-delivery.ts';
import { priceDelivery, shipnowServiceOf } from '../../../shipnow/offers/price.ts';

/** shop.Shipnow: on-demand deliveries (contract, "ShipnowFulfillment"; decisions, section 7). */
export const handlers = {
  GetShipnowServices(input, call) {
    const offers = priceDelivery(call, shopOf(call.account).shopId, input);
    return { services: offers.map(shipnowServiceOf) };
  },
  CreateShipnowFulfillment(input, call) {
    return createDelivery(call, shopOf(call.account), input).record;
  },
  GetShipnowFulfillment(input, call) {
    return findDelivery(call, shopOf(call.account).shopId, input).shown;
  },
  CancelShipnowFulfillment(input, call) {
    const delivery = findDelivery(call, shopOf(call.account).shopId, input);
    cancelDelivery(call, delivery, input.cancel_reason);
    return { updated: 1 };
  },
} satisfies Handlers<typeof import('../../../../../contract/shop/orders/shipnow.ts')>;
