import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderFields, shippingFields } from './sandbox-order.ts';

/** Writes an order file without a service; returns its path. */
export function plainOrder({ directory }: { readonly directory: string }, changes: object = {}, name = 'order.json') {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify({ ...orderFields, shipping: shippingFields, ...changes }));
  return path;
}
