import type { AreaKey } from '../../contract/areas.ts';
import type { AnyHandlers } from '../call.ts';

/** The one list of areas that the sandbox implements, each loaded on its first call; all others return 501. */
export const handlerAreas: { readonly [Key in AreaKey]?: () => Promise<{ readonly handlers: AnyHandlers }> } = {
  'partner.Shop': () => import('./partner/shop.ts'),
  'partner.Shipping': () => import('./partner/shipping.ts'),
  'partner.Webhook': () => import('./partner/webhook.ts'),
  'shop.Customer': () => import('./shop/customer.ts'),
  'shop.CustomerAddress': () => import('./shop/customer-address.ts'),
  'shop.CustomerGroup': () => import('./shop/customer-group.ts'),
  'shop.CustomerGroupRelationship': () => import('./shop/customer-group-relationship.ts'),
  'shop.Product': () => import('./shop/product.ts'),
  'shop.Variant': () => import('./shop/variant.ts'),
  'shop.ProductCollection': () => import('./shop/product-collection.ts'),
  'shop.ProductCollectionRelationship': () => import('./shop/product-collection-relationship.ts'),
  'shop.Inventory': () => import('./shop/inventory.ts'),
  'shop.Order': () => import('./shop/order.ts'),
  'shop.Shipping': () => import('./shop/shipping.ts'),
  'shop.Fulfillment': () => import('./shop/fulfillment.ts'),
  'shop.Shipnow': () => import('./shop/shipnow.ts'),
  'shop.Misc': () => import('./shop/misc.ts'),
  'shop.Webhook': () => import('./shop/webhook.ts'),
  'shop.History': () => import('./shop/history.ts'),
};
