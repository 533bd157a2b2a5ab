import { shopOf } from '../../../engine/account.ts';
import type { Handlers } from '../../../engine/call.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import { findShipment } from '../../orders/find-shipment.ts';

/** shop.Fulfillment: the shipments of a shop's orders (decisions, section 5). */
export const handlers = {
  GetFulfillment(input, call) {
    return findShipment(call, shopOf(call.account), input).shown;
  },
  ListFulfillments({ filter, paging }, call) {
    const shipments = call.records('fulfillment', shopOf(call.account).shopId);
    return shipments.page('fulfillments', { where: { order_id: idsOf(filter?.order_id) }, paging });
  },
} satisfies Handlers<typeof import('../../../../contract/shop/fulfillment.ts')>;
