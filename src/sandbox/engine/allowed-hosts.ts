import { isLoopbackHost } from '../../platform/server/loopback-server.ts';

/** Host names outside this machine that webhook urls may have, in lower case; IPv6 addresses in brackets. */
export type AllowedHosts = ReadonlySet<string>;

/** The hosts that the user allowed. Throws a RangeError for a text that is not a host name, for example a url. */
export function allowedHosts(names: readonly string[] = []): AllowedHosts {
  return new Set(
    names.map((name) => {
      const url = `http://${name}:1/`;
      const { hostname = '', href = '' } = URL.canParse(url) ? new URL(url) : {};
      if (hostname === '' || href !== `http://${hostname}:1/`) throw new RangeError(`not a host name: ${name}`);
      return hostname;
    }),
  );
}

/**
 * What is wrong with a webhook's url, or undefined: it must be on this machine unless its host was allowed (decisions,
 * section 10).
 */
export function refusedTarget(text: string, allowed: AllowedHosts): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (isLoopbackHost(url.hostname) || allowed.has(url.hostname)) return undefined;
  return `must lead to this machine: the sandbox was not started with --allow-host ${url.hostname}`;
}
