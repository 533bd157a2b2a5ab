import { fstatSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Whether a descriptor is a terminal. Asking Node's tty, or opening the stream, loads all of net: what is certainly no
 * terminal is recognized by its kind.
 */
export function isTerminalAt(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    if (status.isFIFO() || status.isSocket() || status.isFile()) return false;
    if (status.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // A closed descriptor says nothing, and Windows has no such device.
  }
  return isatty(descriptor);
}
