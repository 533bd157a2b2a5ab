/** A POST whose manner matters: how its body is sent, and exactly which bytes come back. */
export interface Post {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sends the body in so many pieces, with a pause between two; absent, at once. */
  readonly drip?: { readonly pieces: number; readonly pauseMs: number };
  /** Awaited before the last byte of the body is sent: what happens while the request is under way. */
  readonly meanwhile?: () => Promise<void>;
  /** Time until the whole answer must have arrived. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What came back. */
export interface PostAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or the beginning of one that is larger than 64 KiB. */
  readonly body: Uint8Array;
  /** Whether it came before the body had been sent whole. */
  readonly early: boolean;
}

/** Sends one POST over a connection of its own; follows no redirect. Throws a TransportError when no whole answer came. */
export type SendPost = (post: Post) => Promise<PostAnswer>;
