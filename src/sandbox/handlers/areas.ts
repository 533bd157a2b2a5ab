import type { AreaKey } from '../../contract/areas.ts';
import type { AnyHandlers } from '../call.ts';

/** The one list of the areas that the sandbox answers, each loaded when it is first called; the others answer 501. */
export const handlerAreas: { readonly [Key in AreaKey]?: () => Promise<{ readonly handlers: AnyHandlers }> } = {
  'partner.Shop': () => import('./partner/shop.ts'),
  'partner.Shipping': () => import('./partner/shipping.ts'),
  'partner.Webhook': () => import('./partner/webhook.ts'),
  'shop.Order': () => import('./shop/order.ts'),
  'shop.Shipping': () => import('./shop/shipping.ts'),
  'shop.Fulfillment': () => import('./shop/fulfillment.ts'),
  'shop.Shipnow': () => import('./shop/shipnow.ts'),
  'shop.Webhook': () => import('./shop/webhook.ts'),
};
