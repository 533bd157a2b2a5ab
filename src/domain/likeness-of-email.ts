import { editDistance } from './edit-distance.ts';
import { fine, impossible, type Look, unusual } from './likeness.ts';

/** Something, an @, and a host with a dot: all that can be checked without asking the host. */
const ADDRESS =
  /^[^\s@<>(),;:"]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]*[\p{L}][\p{L}\p{N}-]*$/u;

/** The most common mail hosts, whose names are therefore mistyped most often. */
const hosts = ['gmail.com', 'yahoo.com', 'yahoo.com.vn', 'hotmail.com', 'outlook.com', 'icloud.com'];

/** The longest address (RFC 5321, a path of 256 including its angle brackets). */
const LONGEST_ADDRESS = 254;

/**
 * Checks an e-mail address as typed: one that cannot be valid is impossible, a host that nearly matches a known one is
 * unusual.
 */
export function lookAtEmail(text: string): Look {
  const address = text.trim();
  if (address.length > LONGEST_ADDRESS || !ADDRESS.test(address) || address.includes('..')) {
    return impossible('is not an e-mail address: one looks like name@example.com');
  }
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1).toLowerCase();
  const near = hosts.includes(host) ? undefined : hosts.find((known) => editDistance(host, known, 1) <= 1);
  if (near === undefined) return fine;
  return unusual('unusual_email', `is at ${host}`, `${address.slice(0, at)}@${near}`);
}
