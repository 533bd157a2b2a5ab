import type { AreaKey } from '../../../contract/areas.ts';
import type { AnyHandlers } from '../../engine/call.ts';

/** The one list of areas that the sandbox implements, each loaded on its first call; all others return 501. */
export const handlerAreas: { readonly [Key in AreaKey]?: () => Promise<{ readonly handlers: AnyHandlers }> } = {
  'partner.Shop': () => import('./partner/shop.ts'),
  'partner.Shipping': () => import('./partner/shipping.ts'),
  'partner.Webhook': () => import('./partner/webhook.ts'),
  'shop.Customer': () => import('./shop/customers/customer.ts'),
  'shop.CustomerAddress': () => import('./shop/customers/customer-address.ts'),
  'shop.CustomerGroup': () => import('./shop/customers/customer-group.ts'),
  'shop.CustomerGroupRelationship': () => import('./shop/customers/customer-group-relationship.ts'),
  'shop.Product': () => import('./shop/products/product.ts'),
  'shop.Variant': () => import('./shop/products/variant.ts'),
  'shop.ProductCollection': () => import('./shop/products/product-collection.ts'),
  'shop.ProductCollectionRelationship': () => import('./shop/products/product-collection-relationship.ts'),
  'shop.Inventory': () => import('./shop/products/inventory.ts'),
  'shop.Order': () => import('./shop/orders/order.ts'),
  'shop.Shipping': () => import('./shop/orders/shipping.ts'),
  'shop.Fulfillment': () => import('./shop/orders/fulfillment.ts'),
  'shop.Shipnow': () => import('./shop/orders/shipnow.ts'),
  'shop.Misc': () => import('./shop/account/misc.ts'),
  'shop.Webhook': () => import('./shop/account/webhook.ts'),
  'shop.History': () => import('./shop/account/history.ts'),
};
