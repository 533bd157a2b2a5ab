/** A request as far as its headers go; names of headers are in lower case. */
export interface PageHead {
  readonly method: string;
  /** The path and the query as they were sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A whole answer. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** An answer that goes on until it is ended, or its reader leaves. */
export interface PageStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once with a way to write and one to end; returns what to call when either has happened. */
  open(write: (text: string) => void, end: () => void): () => void;
}

/** Options of a server for the pages of this machine's own browser. */
export interface PageServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** Maximum size of a body in bytes. */
  readonly mostBodyBytes: number;
  /** Refuses a request by its headers, before its body is read; undefined admits it. */
  admit(head: PageHead): PageAnswer | undefined;
  /** Answers an admitted request; `left` is aborted when its sender disconnects. An exception becomes a 500 without its message. */
  answer(head: PageHead, body: string, left: AbortSignal): Promise<PageAnswer | PageStream>;
}

/** A listening server. */
export interface PageServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Ends its streams, waits shortly for pending answers, and closes. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Throws a PortError if the port cannot be bound. */
export type ListenForPages = (options: PageServerOptions) => Promise<PageServer>;
