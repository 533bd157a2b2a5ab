import type { Post, SendPost } from '../../platform/http/post.ts';
import { TransportError } from '../../platform/http/transport.ts';
import { type Clock, elapsedOn } from '../../platform/process/clock.ts';
import { junitReport } from '../../platform/server/junit.ts';
import { faultOf } from './receive.ts';

/** The findings as a JUnit report: a check that was not passed is a failure. */
export function examinationJunit(name: string, findings: readonly Finding[]): string {
  const cases = findings.map(({ check, passed, reason, demand, milliseconds }) => ({
    group: 'webhooks test',
    name: check,
    milliseconds,
    failures: passed ? [] : [{ message: reason ?? '', detail: `it must ${demand}` }],
  }));
  return junitReport(name, cases);
}

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

/** The result of one exercise. */
export interface Finding {
  readonly check: string;
  readonly passed: boolean;
  /** What was wrong; null if nothing was. */
  readonly reason: string | null;
  /** The same, without which of several deliveries it was. */
  readonly fault: string | null;
  /** What a receiver must do here. */
  readonly demand: string;
  /** The longest time that an answer took. */
  readonly milliseconds: number;
  /** How many further checks were not made because of that: the receiver could not be reached at all. */
  readonly notMade?: number;
}

/** What an examination depends on. */
export interface Examination {
  readonly url: string;
  readonly send: SendPost;
  readonly clock: Clock;
  /** An answer that takes longer is a fault. */
  readonly mostMs: number;
  /** How long to wait for an answer, or for a receiver to restart: no longer than the service would. */
  readonly giveUpMs: number;
  /** How long a slow sender pauses between two chunks of its body. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  /** Restarts the receiver and resolves when that is done; if absent, no restart is tried. */
  readonly restart?: (() => Promise<void>) | undefined;
}

/** The result of one delivery. */
interface Try {
  /** What was wrong with it, or undefined. */
  readonly fault: string | undefined;
  readonly tookMs: number;
  /** Whether any answer arrived. */
  readonly answered: boolean;
  /** Whether there was a connection. */
  readonly isReached: boolean;
}

/** How often to retry a receiver that restarts. */
const RETRY_MS = 250;

/**
 * Runs every exercise against a receiver and yields the findings one by one; only the first if there is no connection
 * to it. The changes are invented.
 */
export async function* examineReceiver(examination: Examination): AsyncGenerator<Finding, void> {
  const { clock, pauseMs, restart, signal } = examination;
  const exercises = exercisesAt(clock.now(), pauseMs);
  for (const [index, exercise] of exercises.entries()) {
    signal.throwIfAborted();
    const tries = await carryOut(exercise, examination);
    const found = findingOf(exercise, tries);
    if (index === 0 && tries.every(({ isReached }) => !isReached)) {
      return yield { ...found, notMade: exercises.length - 1 + (restart === undefined ? 0 : 1) };
    }
    yield found;
  }
  if (restart !== undefined) yield await tryRestart(examination, restart);
}

async function carryOut(exercise: Exercise, examination: Examination): Promise<Try[]> {
  const tries: Try[] = [];
  if (exercise.atOnce === true) {
    tries.push(...(await Promise.all(exercise.deliveries.map((delivery) => tryOnce(delivery, examination)))));
  } else {
    for (const delivery of exercise.deliveries) tries.push(await tryOnce(delivery, examination));
  }
  return tries;
}

function findingOf(exercise: Exercise, tries: readonly Try[]): Finding {
  const wrong = tries.findIndex(({ fault }) => fault !== undefined);
  const fault = tries[wrong]?.fault;
  return finding(exercise, fault, tries, fault && placeOf(exercise, wrong, tries));
}

/** Names which of several deliveries went wrong. */
function placeOf({ deliveries, atOnce }: Exercise, index: number, tries: readonly Try[]): string {
  if (deliveries.length === 1) return '';
  if (atOnce !== true) return `the ${index === 0 ? 'first' : 'second'} time it `;
  return `${tries.filter(({ fault }) => fault !== undefined).length} of ${deliveries.length} went wrong: it `;
}

async function tryOnce(
  delivery: Delivery,
  { url, send, clock, mostMs, giveUpMs, signal }: Examination,
  meanwhile?: () => Promise<void>,
): Promise<Try> {
  let began = elapsedOn(clock);
  const restarted =
    meanwhile &&
    (async () => {
      await meanwhile();
      began = elapsedOn(clock);
    });
  const dripMs = delivery.drip ? delivery.drip.pauseMs * (delivery.drip.pieces - 1) : 0;
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'shopctl-webhooks-test' };
    const timeoutMs = giveUpMs + dripMs;
    const answer = await send({
      url,
      headers,
      ...delivery,
      timeoutMs,
      signal,
      ...(restarted && { meanwhile: restarted }),
    });
    const tookMs = Math.max(0, elapsedOn(clock) - began - dripMs);
    return { fault: faultOf({ ...answer, tookMs }, mostMs), tookMs, answered: true, isReached: true };
  } catch (error) {
    if (signal.aborted || !(error instanceof TransportError)) throw error;
    const isReached = error.sent === 'maybe';
    return { fault: `gave no answer: ${error.message}`, tookMs: elapsedOn(clock) - began, answered: false, isReached };
  }
}

/**
 * Restarts the receiver when a delivery is almost completely sent. It may answer correctly or not at all; then the same
 * changes are sent again, and it has to be up and accept them. Whether it stored what it accepted cannot be seen from
 * outside.
 */
async function tryRestart(examination: Examination, restart: () => Promise<void>): Promise<Finding> {
  const exercise = {
    name: 'a restart',
    demand: 'answer a callback in flight correctly or not at all, and accept it when it comes again',
  };
  const { clock, giveUpMs, signal } = examination;
  const { under, again } = restartExercise(clock.now());
  const first = await tryOnce(under, examination, restart);
  if (first.answered && first.fault !== undefined) {
    return finding(exercise, first.fault, [first], 'while it restarted it ');
  }
  const until = elapsedOn(clock) + giveUpMs;
  let next = await tryOnce(again(), examination);
  while (!next.answered && elapsedOn(clock) < until) {
    await clock.wait(RETRY_MS, signal);
    next = await tryOnce(again(), examination);
  }
  return finding(exercise, next.fault, [first, next], 'after the restart it ');
}

function finding(
  { name, demand }: Pick<Exercise, 'name' | 'demand'>,
  fault: string | undefined,
  tries: readonly Try[],
  place = '',
): Finding {
  const milliseconds = Math.max(...tries.map(({ tookMs }) => tookMs));
  const reason = fault === undefined ? null : `${place}${fault}`;
  return { check: name, passed: fault === undefined, reason, fault: fault ?? null, demand, milliseconds };
}
