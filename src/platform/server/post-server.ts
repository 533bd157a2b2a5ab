/** The response to a POST: a status, and plain text. */
export interface PostReply {
  readonly status: number;
  readonly body: string;
}

/** Options of a server for POSTs. */
export interface PostServerOptions {
  /** An address of this machine, for example `127.0.0.1`. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Maximum size of a body. */
  readonly mostBodyBytes: number;
  /** Maximum time for a request to arrive, body included. */
  readonly mostArrivalMs: number;
  /** Whether the path exists, checked before the body is read; other paths get 404. */
  isThere(path: string): boolean;
  /** Answers one request. An exception becomes a 500 without its message. */
  answer(path: string, body: Buffer): Promise<PostReply>;
}

/** A listening server. */
export interface PostServer {
  /** `http://HOST:PORT`. */
  readonly origin: string;
  /** Stops accepting requests, waits for pending responses, and closes. */
  close(): Promise<void>;
}

/** Listens for POSTs. Throws a PortError if the address cannot be bound. */
export type ListenForPosts = (options: PostServerOptions) => Promise<PostServer>;

/** Thrown when an address cannot be bound; `code` is the system's (`EADDRINUSE`, `EACCES`, …). */
export class PortError extends Error {
  readonly kind = 'configuration';
  readonly code: string;

  constructor(host: string, port: number, code: string) {
    const reason = code === 'EADDRINUSE' ? 'another program listens there' : code;
    super(`cannot listen at ${host}:${port}: ${reason}`);
    this.name = 'PortError';
    this.code = code;
  }
}
