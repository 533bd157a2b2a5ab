import { BlockList, isIP } from 'node:net';
import { say } from '../../actions/texts.ts';

/** Addresses that hand out credentials to internal clients, or that belong to devices of the local network. */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('0.0.0.0', 32, 'ipv4');
forbidden.addAddress('100.100.100.200', 'ipv4');
forbidden.addAddress('192.0.0.192', 'ipv4');
forbidden.addAddress('168.63.129.16', 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
forbidden.addAddress('fd00:ec2::254', 'ipv6');
forbidden.addAddress('fd20:ce::254', 'ipv6');
forbidden.addAddress('::', 'ipv6');

/** Host names of metadata services, whatever they resolve to. */
const forbiddenNames = new Set(['metadata.google.internal', 'metadata', 'instance-data']);

/** Networks whose addresses lead to the IPv4 address in them: NAT64, 6to4, and the old IPv4-compatible form. */
const carriers = [
  { network: ['64:ff9b::', 96], at: 6 },
  { network: ['64:ff9b:1::', 48], at: 6 },
  { network: ['2002::', 16], at: 1 },
  { network: ['::', 96], at: 6 },
] as const;

const carried = carriers.map(({ network: [address, prefix], at }) => {
  const network = new BlockList();
  network.addSubnet(address, prefix, 'ipv6');
  return { network, at };
});

/** The eight groups of an IPv6 address, which may end in an IPv4 address. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** The IPv4 address that an IPv6 address leads to; undefined for most. */
function carriedBy(address: string): string | undefined {
  const found = carried.find(({ network }) => network.check(address, 'ipv6'));
  if (found === undefined) return undefined;
  const [high = 0, low = 0] = groupsOf(address).slice(found.at);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether sending to an IP address is forbidden: link-local addresses and metadata services of clouds. */
export function isForbiddenAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return false;
  const within = family === 6 ? carriedBy(bare) : undefined;
  // A list of IPv4 addresses also matches their IPv6-mapped form. ::1 is no address of IPv4.
  if (within !== undefined && bare !== '::1' && forbidden.check(within, 'ipv4')) return true;
  return forbidden.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** What is wrong with the url of a target, or undefined. The resolved addresses are checked again when connecting. */
export function faultOfTarget(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return say().targets.notHttp;
  if (url.username !== '' || url.password !== '') return say().targets.hasUser;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isForbiddenAddress(host) || forbiddenNames.has(host)) return say().targets.forbidden;
  return undefined;
}
