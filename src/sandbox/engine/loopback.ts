import { isLoopbackHost } from '../../platform/server/loopback-server.ts';

/** Whether a text is an http or https url on this machine, without a user name. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username + password === '' && isLoopbackHost(hostname);
}

/** The last Host header that referred to this machine: nearly all requests have the same one. */
let lastLoopback: string | undefined;

/** Whether a Host header, `name` or `name:port`, refers to this machine. */
export function isLoopbackAuthority(host: string): boolean {
  if (host === lastLoopback) return true;
  if (!namesLoopback(host)) return false;
  lastLoopback = host;
  return true;
}

function namesLoopback(host: string): boolean {
  const [, name] = /^(\[[\da-f:]+\]|[^:/@\s]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  // A port above 65535, or an octet above 255, is not a valid host.
  return name !== undefined && isLoopbackHost(name) && URL.canParse(`http://${host}`);
}
