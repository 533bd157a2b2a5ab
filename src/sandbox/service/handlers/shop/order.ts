import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import { cancelOrder } from '../../orders/cancel-order.ts';
import { confirmOrder } from '../../orders/confirm-order.ts';
import { createOrder } from '../../orders/create-order.ts';
import { readOrder } from '../../orders/find-order.ts';

/**
 * shop.Order: the orders of a shop, including those that a partner made on its behalf (decisions, sections 5 and 7).
 */
export const handlers = {
  CreateOrder(input, call) {
    const { record } = createOrder(call, shopOf(call.account), input, { ships: false });
    return record;
  },
  ConfirmOrder(input, call) {
    confirmOrder(call, shopOf(call.account).shopId, input);
    return {};
  },
  CancelOrder: (input, call) => cancelOrder(call, shopOf(call.account), input),
  GetOrder(input, call) {
    return readOrder(call, shopOf(call.account), input);
  },
  ListOrders({ filter, paging }, call) {
    const orders = call.records('order', shopOf(call.account).shopId);
    return orders.page('orders', { where: { id: idsOf(filter?.id) }, paging });
  },
} satisfies Handlers<typeof import('../../../../contract/shop/order.ts')>;
