/** What a POST is answered with: a status, and plain text. */
export interface PostReply {
  readonly status: number;
  readonly body: string;
}

/** A server of POSTs. */
export interface PostServerOptions {
  /** An address of this machine, for example `127.0.0.1`. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The size at which a body is given up. */
  readonly mostBodyBytes: number;
  /** How long a request may take to arrive, body included. */
  readonly mostArrivalMs: number;
  /** Whether something is at this path, before anything of the body is read; whoever asks elsewhere gets 404. */
  isThere(path: string): boolean;
  /** Answers one request. What it throws becomes 500, and its words stay inside. */
  answer(path: string, body: Buffer): Promise<PostReply>;
}

/** A server that listens. */
export interface PostServer {
  /** `http://HOST:PORT`. */
  readonly origin: string;
  /** Takes no more requests, waits for the answers under way, and ends. */
  close(): Promise<void>;
}

/** Listens for POSTs. Throws a PortError where the address cannot be had. */
export type ListenForPosts = (options: PostServerOptions) => Promise<PostServer>;

/** Thrown when an address cannot be listened at; `code` is the system's (`EADDRINUSE`, `EACCES`, …). */
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
