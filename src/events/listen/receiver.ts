import { createHash } from 'node:crypto';
import { parseJson } from '../../domain/json/json.ts';
import { type Fields, fieldsIn, isRecord, isTooDeep } from '../../domain/json/values.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { HttpServer, ListenForPosts, PostReply } from '../../platform/server/http-server.ts';
import { sameSecret } from '../../platform/settings/secret.ts';
import type { IncomingCallback, IncomingChange } from '../store/store-changes.ts';
import { stateOf } from './record-state.ts';
import type { Recorder } from './recorder.ts';

/** Records without an id of their own, and the ids that identify them. */
const idsOf: Readonly<Record<string, readonly string[]>> = {
  inventory_level: ['variant_id'],
  customer_group_relationship: ['customer_id', 'group_id'],
  product_collection_relationship: ['collection_id', 'product_id'],
};

/** Ten times what a service sends at once (decisions, section 8). */
const MOST_CHANGES = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A delivery's body in the form to be stored, or undefined if it is not a Callback (contract, "Change (event
 * payload)"). Unknown entities and fields are let through.
 */
export function readCallback(hook: string, body: Uint8Array, receivedAt: string): IncomingCallback | undefined {
  let callback: unknown;
  try {
    const text = utf8.decode(body);
    if (isTooDeep(text)) return undefined;
    callback = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isRecord(callback) || !Array.isArray(callback.changes)) return undefined;
  if (callback.changes.length > MOST_CHANGES) return undefined;
  const changes: IncomingChange[] = [];
  for (const change of callback.changes) {
    const read = readChange(change, receivedAt);
    if (read === undefined) return undefined;
    changes.push(read);
  }
  return { hook, sequence: hash(changes.map(({ text }) => text)), changes, receivedAt };
}

function readChange(change: unknown, receivedAt: string): IncomingChange | undefined {
  if (!isRecord(change)) return undefined;
  const { entity, change_type: changeType, time } = change;
  if (typeof entity !== 'string' || typeof changeType !== 'string') return undefined;
  const record = recordOf(change, entity);
  const own = Object.hasOwn(idsOf, entity) ? idsOf[entity] : undefined;
  const ids = (own ?? ['id']).map((name) => textOf(record[name]));
  const recordId = ids.join('-');
  const text = JSON.stringify(change);
  const when = typeof time === 'string' ? time : receivedAt;
  // A relationship can be created and deleted repeatedly, so neither happens only once.
  const once = (changeType === 'create' || changeType === 'delete') && ids.length === 1 && recordId !== '';
  const content = once ? hash([entity, changeType, recordId, when]) : hash([text]);
  const state = () => stateOf(fieldsIn(fieldsIn(change.latest)[entity]), changeType === 'delete');
  const shopId = textOf(record.shop_id) || null;
  return { entity, changeType, recordId, shopId, time: when, content, once, text, state };
}

/** The record of a change: the complete one if it was sent, otherwise the changed fields. */
function recordOf({ latest, changed }: Fields, entity: string): Fields {
  const in_ = (holder: unknown) => fieldsIn(fieldsIn(holder)[entity]);
  return { ...in_(changed), ...in_(latest) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function hash(parts: readonly string[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('base64url').slice(0, 32);
}

/** Where and for whom callbacks are received. */
export interface Receiving {
  readonly host: string;
  readonly port: number;
  /**
   * A part of the path, the first one unless a proxy before the listener keeps its own prefix; a request without it gets
   * 404.
   */
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
}: Receiving): Promise<HttpServer> {
  let waitingBytes = 0;
  return listen({
    host,
    port,
    mostBodyBytes: MOST_BODY_BYTES,
    mostArrivalMs: MOST_ARRIVAL_MS,
    isThere: (path) => fromSecret(path, secret) !== undefined,
    async answer(path, body) {
      const callback = readCallback(
        hookOf(name, fromSecret(path, secret) ?? ''),
        body,
        new Date(clock.now()).toISOString(),
      );
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

/** How many parts of a path may stand before the secret. */
const MOST_PREFIX = 16;

/** A path from its secret on; undefined if that is not among the first parts. */
function fromSecret(path: string, secret: string): string | undefined {
  const [bare = ''] = path.split(/[?#]/, 1);
  const parts = bare.split('/').slice(1, MOST_PREFIX + 2);
  const at = parts.findIndex((part) => sameSecret(part, secret));
  return at < 0 ? undefined : path.slice(parts.slice(0, at).reduce((length, part) => length + 1 + part.length, 0));
}

/** The workspace's name for the webhook with this url, if the listener's secret is in it. */
export function hookInUrl(name: string, secret: string, url: string): string {
  return hookOf(name, fromSecret(new URL(url).pathname, secret) ?? '');
}

/** The workspace's name for a webhook: the listener's name, and the path after the secret. */
export function hookOf(name: string, path: string): string {
  const secret = /^\/([^/?]*)/.exec(path)?.[1] ?? '';
  return `${name}${path.slice(1 + secret.length, 1000)}`;
}
