import type { AreaKey } from '../../contract/areas.ts';
import type { AnyHandlers } from '../engine/call.ts';

/** The one list of areas that the sandbox implements, each loaded on its first call; all others return 501. */
export const handlerAreas: { readonly [Key in AreaKey]?: () => Promise<{ readonly handlers: AnyHandlers }> } = {
  'partner.Shop': () => import('./handlers/partner/shop.ts'),
  'partner.Shipping': () => import('./handlers/partner/shipping.ts'),
  'partner.Webhook': () => import('./handlers/partner/webhook.ts'),
  'shop.Customer': () => import('./handlers/shop/customer.ts'),
  'shop.CustomerAddress': () => import('./handlers/shop/customer-address.ts'),
  'shop.CustomerGroup': () => import('./handlers/shop/customer-group.ts'),
  'shop.CustomerGroupRelationship': () => import('./handlers/shop/customer-group-relationship.ts'),
  'shop.Product': () => import('./handlers/shop/product.ts'),
  'shop.Variant': () => import('./handlers/shop/variant.ts'),
  'shop.ProductCollection': () => import('./handlers/shop/product-collection.ts'),
  'shop.ProductCollectionRelationship': () => import('./handlers/shop/product-collection-relationship.ts'),
  'shop.Inventory': () => import('./handlers/shop/inventory.ts'),
  'shop.Order': () => import('./handlers/shop/order.ts'),
  'shop.Shipping': () => import('./handlers/shop/shipping.ts'),
  'shop.Fulfillment': () => import('./handlers/shop/fulfillment.ts'),
  'shop.Shipnow': () => import('./handlers/shop/shipnow.ts'),
  'shop.Misc': () => import('./handlers/shop/misc.ts'),
  'shop.Webhook': () => import('./handlers/shop/webhook.ts'),
  'shop.History': () => import('./handlers/shop/history.ts'),
};
