import { randomUUID } from 'node:crypto';

/** A random id that nobody else has: 32 hexadecimal digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}
