// Stands in for node:crypto in the program: its randomness is that of the process whose turn it is.
import { simulatedBytes } from './globals.ts';

export * from 'node:crypto';

export const randomBytes = (length: number): Buffer => simulatedBytes(length);

export function randomUUID(): string {
  const digits = simulatedBytes(16).toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
