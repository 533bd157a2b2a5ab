import { isLoopbackHost } from '../server/loopback-server.ts';
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

/**
 * Whether an entry of NO_PROXY covers a url: a host and its subdomains, with or without a leading dot or `*.`, and
 * optionally a port.
 */
function covers(entry: string, url: URL): boolean {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (port !== undefined && port !== (url.port || DEFAULT_PORTS[url.protocol])) return false;
  const name = host.replace(/^\*?\./, '');
  return name !== '' && (url.hostname === name || url.hostname.endsWith(`.${name}`));
}

/** The proxy for a request to `url`; undefined for none. */
export function proxyFor(url: URL, variables: ProxyVariables): string | undefined {
  const proxy = url.protocol === 'https:' ? variables.https : variables.http;
  // A proxy would resolve loopback hosts to its own machine.
  if (proxy === undefined || isLoopbackHost(url.hostname)) return undefined;
  const exempt = (variables.no ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return exempt.some((entry) => entry === '*' || covers(entry, url)) ? undefined : proxy;
}
