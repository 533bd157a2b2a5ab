import { BlockList, isIP } from 'node:net';

/** Addresses that hand out credentials to internal clients, or that belong to devices of the local network. */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('0.0.0.0', 32, 'ipv4');
forbidden.addAddress('100.100.100.200', 'ipv4');
forbidden.addAddress('192.0.0.192', 'ipv4');
forbidden.addAddress('168.63.129.16', 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
forbidden.addAddress('fd00:ec2::254', 'ipv6');
forbidden.addAddress('::', 'ipv6');

/** Host names of metadata services, whatever they resolve to. */
const forbiddenNames = new Set(['metadata.google.internal', 'metadata', 'instance-data']);

/** Whether sending to an IP address is forbidden: link-local addresses and metadata services of clouds. */
export function isForbiddenAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  const family = isIP(bare);
  // A list of IPv4 addresses also matches their IPv6-mapped form.
  return family !== 0 && forbidden.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** What is wrong with the url of a target, or undefined. The resolved addresses are checked again when connecting. */
export function faultOfTarget(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isForbiddenAddress(host) || forbiddenNames.has(host)) return 'leads to a link-local or metadata address';
  return undefined;
}
