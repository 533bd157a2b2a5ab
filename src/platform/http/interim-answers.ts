import type { Socket } from 'node:net';

/** `HTTP/1.1 100` and the character that ends the number. */
const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/;
const CONTINUE_LENGTH = 13;

/** Where the status starts, and how an interim one starts: this byte rules out nearly every response. */
const CLASS_AT = 'HTTP/1.1 '.length;
const INTERIM = '1'.charCodeAt(0);

/** An interim response with longer headers is left to the parser, which refuses it. */
const LONGEST_BYTES = 16 * 1024;

/** Whether a prefix too short to decide may still become such a response. */
function mayBecomeContinue(beginning: string): boolean {
  return ['HTTP/1.1 100 ', 'HTTP/1.0 100 '].some((line) => line.startsWith(beginning));
}

/** What follows the interim responses at the start of some bytes; undefined while more bytes are needed. */
function behindContinue(bytes: Buffer): Buffer | undefined {
  let rest = bytes;
  for (;;) {
    const beginning = rest.toString('latin1', 0, CONTINUE_LENGTH);
    if (beginning.length < CONTINUE_LENGTH) return mayBecomeContinue(beginning) ? undefined : rest;
    if (!CONTINUE.test(beginning)) return rest;
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest.length > LONGEST_BYTES ? rest : undefined;
    rest = rest.subarray(end + 4);
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * Hides `100 Continue` from a socket's reader. A server may send one at any time, and a client has to ignore it (RFC
 * 9110, 15.2); undici closes the connection, since it did not ask for one.
 */
export function passOverContinue(socket: Socket): void {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket);
  const { write } = socket;
  let held: Buffer | undefined;
  // The last request sent is answered next: a response begins with the first bytes after it.
  const noticing = (...given: Parameters<Socket['write']>) => {
    held ??= NOTHING;
    return Reflect.apply(write, socket, given);
  };
  Object.assign(socket, { write: noticing });
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size);
      if (held === undefined || chunk === null) return chunk;
      if (held.length === 0 && chunk.length >= CONTINUE_LENGTH && chunk[CLASS_AT] !== INTERIM) {
        held = undefined;
        return chunk;
      }
      held = Buffer.concat([held, chunk]);
      const rest = behindContinue(held);
      if (rest === undefined) continue;
      held = undefined;
      return rest;
    }
  };
}
