import type { Clock } from '../../platform/clock.ts';
import type { ListenForPosts, PostReply, PostServer } from '../../platform/post-server.ts';
import { sameSecret } from '../../platform/secret.ts';
import type { Keeper } from './keeper.ts';
import { readCallback } from './read-callback.ts';

/** Where and for whom callbacks are received. */
export interface Receiving {
  readonly host: string;
  readonly port: number;
  /** The first part of the path; whoever does not know it gets 404. */
  readonly secret: string;
  /** The listener's name, which webhooks are named after in the workspace: a secret is not to stand in every row. */
  readonly name: string;
  readonly clock: Clock;
  readonly keeper: Pick<Keeper, 'keep'>;
  readonly listen: ListenForPosts;
  /** Hears why a callback was answered 503. */
  readonly onFailure?: (error: unknown) => void;
}

/** Far more than a callback of 1000 changes. */
const MOST_BODY_BYTES = 8 * 1024 * 1024;
/** The service waits for 60 s in all. */
const MOST_ARRIVAL_MS = 30_000;
/** How much may wait for the disk; more is answered 503, and comes again. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;

const ok: PostReply = { status: 200, body: 'ok' };

/**
 * Receives callbacks: each is on disk before it is acknowledged, and what cannot be kept is answered 503, so that the
 * service sends it again (contract, "Events"). The service signs nothing: that the path is known is all that tells it
 * from anybody else. What follows the secret in a path tells one webhook from another.
 */
export async function receiveCallbacks({
  host,
  port,
  secret,
  name,
  clock,
  keeper,
  listen,
  onFailure = () => {},
}: Receiving): Promise<PostServer> {
  let waitingBytes = 0;
  return listen({
    host,
    port,
    mostBodyBytes: MOST_BODY_BYTES,
    mostArrivalMs: MOST_ARRIVAL_MS,
    isThere: (path) => sameSecret(secretOf(path), secret),
    async answer(path, body) {
      const callback = readCallback(hookOf(name, path), body, new Date(clock.now()).toISOString());
      if (callback === undefined) return { status: 400, body: 'not a callback' };
      if (waitingBytes + body.length > MOST_WAITING_BYTES) return { status: 503, body: 'too much at once' };
      waitingBytes += body.length;
      try {
        await keeper.keep(callback);
        return ok;
      } catch (error) {
        onFailure(error);
        return { status: 503, body: 'not kept' };
      } finally {
        waitingBytes -= body.length;
      }
    },
  });
}

/** The part of a path that must be known. */
function secretOf(path: string): string {
  return /^\/([^/?]*)/.exec(path)?.[1] ?? '';
}

/** The name in the workspace of the webhook that has this url, by the listener whose secret is in it. */
export function hookInUrl(name: string, secret: string, url: string): string {
  const { pathname } = new URL(url);
  return hookOf(name, pathname.slice(pathname.indexOf(`/${secret}`)));
}

/** A webhook's name in the workspace: the listener's, and what follows the secret in the path. */
export function hookOf(name: string, path: string): string {
  return `${name}${path.slice(1 + secretOf(path).length, 1000)}`;
}
