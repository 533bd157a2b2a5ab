import type { Clock } from '../../../platform/process/clock.ts';
import type { ListenForPosts, PostReply, PostServer } from '../../../platform/server/post-server.ts';
import { sameSecret } from '../../../platform/settings/secret.ts';
import { readCallback } from './read-callback.ts';
import type { Recorder } from './recorder.ts';

/** Where and for whom callbacks are received. */
export interface Receiving {
  readonly host: string;
  readonly port: number;
  /** The first part of the path; a request without it gets 404. */
  readonly secret: string;
  /**
   * The listener's name, by which its webhooks are named in the workspace, so that the secret is not stored in every
   * row.
   */
  readonly name: string;
  readonly clock: Clock;
  readonly recorder: Pick<Recorder, 'keep'>;
  readonly listen: ListenForPosts;
  /** Called with the reason when a callback was answered 503. */
  readonly onFailure?: (error: unknown) => void;
}

/** Far more than a callback of 1000 changes. */
const MOST_BODY_BYTES = 8 * 1024 * 1024;
/** The service's timeout is 60 s in total. */
const MOST_ARRIVAL_MS = 30_000;
/** How many bytes may wait for the disk; beyond that callbacks are answered 503, and the service retries them. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;

const ok: PostReply = { status: 200, body: 'ok' };

/**
 * Receives callbacks: each is on disk before it is acknowledged, and one that cannot be stored is answered 503, so that
 * the service retries it (contract, "Events"). The service does not sign its requests: knowledge of the path is the
 * only authentication. The part of the path after the secret identifies the webhook.
 */
export async function receiveCallbacks({
  host,
  port,
  secret,
  name,
  clock,
  recorder,
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
        await recorder.keep(callback);
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

/** The secret part of a path. */
function secretOf(path: string): string {
  return /^\/([^/?]*)/.exec(path)?.[1] ?? '';
}

/** The workspace's name for the webhook with this url, if the listener's secret is in it. */
export function hookInUrl(name: string, secret: string, url: string): string {
  const { pathname } = new URL(url);
  return hookOf(name, pathname.slice(pathname.indexOf(`/${secret}`)));
}

/** The workspace's name for a webhook: the listener's name, and the path after the secret. */
export function hookOf(name: string, path: string): string {
  return `${name}${path.slice(1 + secretOf(path).length, 1000)}`;
}
