/** Whether a host name is this machine's own: 127.0.0.0/8, ::1 (with brackets, as `URL` writes it, or without) or localhost. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
