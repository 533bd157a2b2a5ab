/** Whether a host name is this machine's own: 127.0.0.0/8, ::1 or localhost. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Whether a text is an http or https url on this machine, without a user name in it. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username + password === '' && isLoopbackHost(hostname);
}

/** Whether a Host header, `name` or `name:port`, names this machine. */
export function isLoopbackAuthority(host: string): boolean {
  const [, name] = /^(\[[\da-f:]+\]|[^:/@\s]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  // A port beyond 65535, or a number beyond 255, names no machine.
  return name !== undefined && isLoopbackHost(name) && URL.canParse(`http://${host}`);
}
