import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { cancelOrder } from '../../orders/cancel-order.ts';
import { createOrder } from '../../orders/create-order.ts';
import { readOrder, shippedAnswer } from '../../orders/find-order.ts';
import { quote, shipOrder } from '../../orders/ship-order.ts';
import { shippingServiceOf } from '../../shipments/tariff.ts';

/** partner.Shipping: quotes and orders of a shop, made by a partner on its behalf (decisions, section 7). */
export const handlers = {
  GetShippingServices(input, call) {
    const offers = quote(call, shopOf(call.account).shopId, input);
    return { services: offers.map(shippingServiceOf) };
  },
  CreateAndConfirmOrder(input, call) {
    const order = createOrder(call, shopOf(call.account), input, { ships: true });
    return shippedAnswer(shipOrder(call, order));
  },
  GetOrder(input, call) {
    return readOrder(call, shopOf(call.account), input);
  },
  CancelOrder: (input, call) => cancelOrder(call, shopOf(call.account), input),
} satisfies Handlers<typeof import('../../../../contract/partner/shipping.ts')>;
