/** A POST with control over how its body is sent, and with the exact bytes that come back. */
export interface Post {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sends the body in that many pieces, with a pause between them; all at once when absent. */
  readonly drip?: { readonly pieces: number; readonly pauseMs: number };
  /** Awaited before the last byte of the body is sent, to act while the request is in progress. */
  readonly meanwhile?: () => Promise<void>;
  /** Time limit for the whole response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** The response. */
export interface PostAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its first 64 KiB if it is larger. */
  readonly body: Uint8Array;
  /** Whether the response arrived before the whole body was sent. */
  readonly early: boolean;
}

/**
 * Sends one POST over its own connection; follows no redirect. Throws a TransportError when no complete response
 * arrived.
 */
export type SendPost = (post: Post) => Promise<PostAnswer>;
