import { isLoopbackHost } from '../server/loopback-server.ts';
import { say } from '../terminal/texts.ts';
import { readAddress } from './address.ts';

/** The variables that name a proxy; the lower-case spelling takes precedence, as with curl. */
export interface ProxyVariables {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  readonly no?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY from an environment; an empty variable counts as absent. */
export function proxyVariables(environment: Environment): ProxyVariables {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  return { https: read('HTTPS_PROXY'), http: read('HTTP_PROXY'), no: read('NO_PROXY') };
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const withoutDots = (name: string) => name.replace(/^\*?\.+/, '').replace(/\.+$/, '');

/** The host and the port of an entry: an IPv6 address may stand without brackets, and a network has its length. */
function partsOf(entry: string): { readonly host: string; readonly port?: string | undefined } {
  const [, address, length = '', port] = /^\[([^\]]*)\](\/\d+)?(?::(\d+))?$/.exec(entry) ?? [];
  if (address !== undefined) return { host: `${address}${length}`, port };
  const [host = '', ...ports] = entry.split(':');
  return ports.length > 1 ? { host: entry } : { host, port: ports[0] };
}

/** Whether an address is in a network such as `10.0.0.0/8` or `fd00::/8`, or is that address, however it is written. */
function isWithin(address: string, network: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const [start = '', length] = network.split('/');
  const kinds = [isIP(address), isIP(start)];
  if (kinds.includes(0)) return false;
  const [family, familyOfNetwork] = kinds.map((kind) => (kind === 6 ? 'ipv6' : 'ipv4'));
  if (length !== undefined && !/^\d+$/.test(length)) return false;
  const bits = length === undefined ? (familyOfNetwork === 'ipv6' ? 128 : 32) : Number(length);
  try {
    const list = new BlockList();
    list.addSubnet(start, bits, familyOfNetwork);
    return list.check(address, family);
  } catch {
    return false;
  }
}

/**
 * Whether an entry of NO_PROXY covers a url, as curl reads it: a host and its subdomains, with or without a dot before
 * or behind, an address, or a network; and optionally a port.
 */
function covers(entry: string, url: URL): boolean {
  const { host, port } = partsOf(entry.toLowerCase());
  if (port !== undefined && port !== (url.port || DEFAULT_PORTS[url.protocol])) return false;
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isWithin(address, host)) return true;
  const [name, called] = [withoutDots(host), withoutDots(address)];
  return name !== '' && (called === name || called.endsWith(`.${name}`));
}

/** The address of a proxy that can be used; throws an AddressError for any other. */
const readProxy = (proxy: string, variable: string) =>
  readAddress(proxy, {
    name: () => say().address.proxyIn({ variable }),
    schemes: ['http', 'https'],
    example: 'http://host:port',
    otherwise: 'http',
  });

/** The proxy for a request to `url`; undefined for none. Throws an AddressError for one that cannot be used. */
export function proxyFor(url: URL, variables: ProxyVariables): URL | undefined {
  const isHttps = url.protocol === 'https:';
  const proxy = isHttps ? variables.https : variables.http;
  // A proxy would resolve loopback hosts to its own machine.
  if (proxy === undefined || isLoopbackHost(url.hostname)) return undefined;
  const exempt = (variables.no ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  if (exempt.some((entry) => entry === '*' || covers(entry, url))) return undefined;
  return readProxy(proxy, isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY');
}
