import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { cancelOrder } from '../../orders/cancel-order.ts';
import { createOrder } from '../../orders/create-order.ts';
import { readOrder, shippedAnswer } from '../../orders/find-order.ts';
import { findShipment } from '../../orders/find-shipment.ts';
import { quote, shipOrder } from '../../orders/ship-order.ts';
import { shippingServiceOf } from '../../shipments/tariff.ts';

/** shop.Shipping: quotes, and orders that are created and shipped at once (decisions, section 7). */
export const handlers = {
  GetShippingServices({ connection_ids: connections = [], ...parcel }, call) {
    const offers = quote(call, shopOf(call.account).shopId, parcel);
    const asked = offers.filter(
      ({ carrier }) => connections.length === 0 || connections.includes(carrier.connectionId),
    );
    return { services: asked.map(shippingServiceOf) };
  },
  CreateAndConfirmOrder(input, call) {
    const order = createOrder(call, shopOf(call.account), input, { ships: true });
    return shippedAnswer(shipOrder(call, order));
  },
  GetOrder(input, call) {
    return readOrder(call, shopOf(call.account), input);
  },
  CancelOrder: (input, call) => cancelOrder(call, shopOf(call.account), input),
  GetFulfillment(input, call) {
    return findShipment(call, shopOf(call.account), input).shown;
  },
} satisfies Handlers<typeof import('../../../../contract/shop/shipping.ts')>;
