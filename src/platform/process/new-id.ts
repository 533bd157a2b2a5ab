import { randomUUID } from 'node:crypto';

/** A random id that nobody else has: 32 hexadecimal digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}

/** A random whole number above 0 that nobody else has, as far as 48 bits go. */
export const newNumber = (): number => Number.parseInt(newId().slice(0, 12), 16) + 1;
