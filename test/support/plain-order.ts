import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderFields, shippingFields } from './sandbox-order.ts';

/** An order without a service, as somebody writes it down; its path. */
export function plainOrder({ directory }: { readonly directory: string }, changes: object = {}, name = 'order.json') {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify({ ...orderFields, shipping: shippingFields, ...changes }));
  return path;
}
