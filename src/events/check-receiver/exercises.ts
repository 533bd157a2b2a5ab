import type { Post } from '../../platform/http/post.ts';

/** One Callback as JSON text, and how to send it (contract, "Change (event payload)"). */
export type Delivery = Pick<Post, 'body' | 'drip'>;

/** One thing that a receiver must handle: deliveries in sequence, or all at once. */
export interface Exercise {
  readonly name: string;
  /** What a receiver must do, for the report when it does not. */
  readonly demand: string;
  readonly deliveries: readonly Delivery[];
  readonly atOnce?: boolean;
}

interface Change {
  readonly change_type: string;
  readonly entity: string;
  readonly time: string;
  readonly changed: object;
  readonly latest: object;
}

/** Ids of invented records: 19 digits, like the service's, and beyond JavaScript's safe integers. */
const FIRST_ID = 1_000_000_000_000_000_001n;
const SHOP_ID = '1000000000000000009';
const MEBIBYTE = 1024 * 1024;

/** Generates callbacks with unique ids, and changing orders, starting at a moment. */
function invention(now: number) {
  let callbacks = 0n;
  const timeAfter = (seconds: number) => new Date(now + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    callback: (changes: readonly object[], more: object = {}): string => {
      callbacks += 2n;
      const id = String(FIRST_ID + 1_000_000n + callbacks);
      return JSON.stringify({ id, changes, ...more });
    },
    update(order: number, seconds: number, note = `Giao giờ hành chính, lần ${seconds}`): Change {
      const id = String(FIRST_ID + 2n * BigInt(order));
      const time = timeAfter(seconds);
      const record = { id, shop_id: SHOP_ID, order_note: note, updated_at: time };
      return {
        change_type: 'update',
        entity: 'order',
        time,
        changed: { order: record },
        latest: { order: { ...record, code: `TEST${order}`, status: 'S', total_amount: 350_000, lines: [] } },
      };
    },
    timeAfter,
  };
}

/**
 * All exercises for a receiver, with changes of invented orders from `now` on (milliseconds since 1970); a slow sender
 * pauses for `pauseMs`.
 */
export function exercisesAt(now: number, pauseMs: number): Exercise[] {
  const { callback, update, timeAfter } = invention(now);
  const one = callback([update(1, 0)]);
  const hundred = Array.from({ length: 100 }, (_, index) => update(index % 25, index));
  const repeated = [update(30, 101), update(30, 102)];
  const slow = Array.from({ length: 20 }, (_, index) => update(80 + index, 205));
  const stranger = {
    change_type: 'update',
    entity: 'loyalty_card',
    time: timeAfter(204),
    changed: { loyalty_card: { id: String(FIRST_ID + 500n) } },
    latest: { loyalty_card: { id: String(FIRST_ID + 500n), points: 12 } },
  };
  const known = update(40, 203);
  const extended = { ...known, origin: 'later version', latest: { order: { ...known.latest, gift: { wrap: true } } } };
  return [
    { name: 'one change', demand: 'accept a single change', deliveries: [{ body: one }] },
    {
      name: 'a batch of 100',
      demand: 'accept up to 1000 changes in one callback',
      deliveries: [{ body: callback(hundred) }],
    },
    {
      name: 'the same twice',
      demand: 'accept what comes again: after a failure the service sends the same changes under a new id',
      deliveries: [{ body: callback(repeated) }, { body: callback(repeated) }],
    },
    {
      name: 'out of order',
      demand: 'accept a change that is older than one it has seen',
      deliveries: [{ body: callback([update(31, 160)]) }, { body: callback([update(31, 110)]) }],
    },
    {
      name: 'a body of 1 MiB',
      demand: 'accept large bodies: a callback of 1000 changes is larger than most default limits',
      deliveries: [{ body: callback([update(32, 202, 'x'.repeat(MEBIBYTE))]) }],
    },
    {
      name: 'unknown fields',
      demand: 'accept fields and values that a later version of the service adds',
      deliveries: [{ body: callback([extended], { sent_by: 'later version' }) }],
    },
    {
      name: 'an unknown entity',
      demand: 'accept changes of records it does not know',
      deliveries: [{ body: callback([stranger]) }],
    },
    {
      name: 'a slow sender',
      demand: 'read the whole body before it answers, and wait a few seconds for it',
      deliveries: [{ body: callback(slow), drip: { pieces: 8, pauseMs } }],
    },
    {
      name: 'ten at once',
      demand: 'accept several callbacks at a time: each webhook of an account sends its own',
      deliveries: Array.from({ length: 10 }, (_, index) => ({ body: callback([update(50 + index, 206)]) })),
      atOnce: true,
    },
  ];
}

/** The changes for the restart exercise: sent first during the restart, then again under a new id. */
export function restartExercise(now: number): { readonly under: Delivery; readonly again: () => Delivery } {
  const { callback, update } = invention(now + 300_000);
  const changes = [update(70, 7), update(71, 8)];
  return { under: { body: callback(changes) }, again: () => ({ body: callback(changes) }) };
}
