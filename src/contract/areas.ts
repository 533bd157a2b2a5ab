import type { Operation } from './operation.ts';

/**
 * The service's areas, each loaded when it is first needed: a command that calls one operation does not pay for loading
 * the declarations of the others.
 */
export const areas = {
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
} as const;

/** `<family>.<Area>`, for example `shop.Customer`. */
export type AreaKey = keyof typeof areas;

/** The operations of one area, by name. */
export type AreaModule<Key extends AreaKey> = Awaited<ReturnType<(typeof areas)[Key]>>;

/** The id of an operation in the contract. */
export type KnownOperationId = { [Key in AreaKey]: `${Key}/${keyof AreaModule<Key> & string}` }[AreaKey];

/** The declaration for an id. */
export type OperationOf<Id extends KnownOperationId> = Id extends `${infer Key extends AreaKey}/${infer Name}`
  ? AreaModule<Key>[Name & keyof AreaModule<Key>]
  : never;

/** Whether a text is the key of an area. */
export function isAreaKey(key: string): key is AreaKey {
  return Object.hasOwn(areas, key);
}

/** The operations of one area, by name. */
export async function loadArea<Key extends AreaKey>(key: Key): Promise<AreaModule<Key>> {
  const loaders: { readonly [K in AreaKey]: () => Promise<AreaModule<K>> } = areas;
  return loaders[key]();
}

/** The operations of any area, by name, without types of their own. */
async function operationsOf(key: AreaKey): Promise<Readonly<Record<string, Operation>>> {
  return { ...(await areas[key]()) };
}

/** The operations of any area, in the contract's order. */
export async function operationsIn(key: AreaKey): Promise<readonly Operation[]> {
  return Object.values(await operationsOf(key));
}

/** The operation with that id; undefined if the contract has none. */
export async function findOperation(id: string): Promise<Operation | undefined> {
  const [key = '', name = '', ...rest] = id.split('/');
  if (!isAreaKey(key) || rest.length > 0) return undefined;
  const module = await operationsOf(key);
  return Object.hasOwn(module, name) ? module[name] : undefined;
}

/**
 * The operation with that id, with its own types if the compiler knows the id; throws a RangeError if there is none.
 */
export function loadOperation<Id extends KnownOperationId>(id: Id): Promise<OperationOf<Id>>;
export function loadOperation(id: string): Promise<Operation>;
export async function loadOperation(id: string): Promise<Operation> {
  const found = await findOperation(id);
  if (found === undefined) throw new RangeError(`the contract has no operation ${id}`);
  return found;
}

/** Every operation, area by area in the order of `areas`, and by name within an area. Loads them all. */
export async function allOperations(): Promise<Operation[]> {
  const modules = await Promise.all(Object.values(areas).map((load) => load()));
  // A module's own order is that of its loader: Node sorts the names, a bundler or a test's runner may not.
  const byName = (one: Operation, other: Operation) => (one.id < other.id ? -1 : 1);
  return modules.flatMap((module): Operation[] => Object.values<Operation>(module).sort(byName));
}
