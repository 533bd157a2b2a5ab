import { sameSecret } from '../../platform/settings/secret.ts';

type RandomBytes = (length: number) => Uint8Array;

/** Enough for everybody who opens the console at the same time; older ones expire. */
const MOST_OPEN = 16;

/** The secrets of a console: each opens it once, and is exchanged for the cookie of this run. */
export interface Secrets {
  /** A new secret of 128 bits, for one visit. */
  issue(): string;
  /** Whether it was issued and not used before; it is used then. */
  redeem(secret: string): boolean;
  /** The value of the cookie, 256 bits. */
  readonly cookie: string;
  /** The cookie's name, which contains the port: browsers send a host's cookies to all of its ports. */
  cookieName(port: string): string;
  /** Whether a Cookie header has the cookie. */
  isIn(header: string | undefined, port: string): boolean;
}

const inHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Creates the secrets of one run of a console. */
export function createSecrets(randomBytes: RandomBytes): Secrets {
  const open: string[] = [];
  const cookie = inHex(randomBytes(32));
  const cookieName = (port: string) => `shopctl_console_${port}`;
  return {
    cookie,
    cookieName,
    issue() {
      const secret = inHex(randomBytes(16));
      open.push(secret);
      if (open.length > MOST_OPEN) open.shift();
      return secret;
    },
    redeem(secret) {
      // All are compared, so that the time tells nothing.
      const at = open.map((each) => sameSecret(secret, each)).indexOf(true);
      if (at >= 0) open.splice(at, 1);
      return at >= 0;
    },
    isIn(header = '', port) {
      const given = header.split(';').map((part) => part.trim());
      const name = `${cookieName(port)}=`;
      return given.some((part) => part.startsWith(name) && sameSecret(part.slice(name.length), cookie));
    },
  };
}
