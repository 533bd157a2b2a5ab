import { englishOf } from '../../domain/language.ts';
import type { Post, SendPost } from '../../platform/http/post.ts';
import { TransportError } from '../../platform/http/transport.ts';
import { type Clock, elapsedOn } from '../../platform/process/clock.ts';
import { junitReport } from '../../platform/server/junit.ts';
import { say } from '../actions/texts.ts';
import { faultOf } from './receive.ts';

/** The findings as a JUnit report, in English: a check that was not passed is a failure. */
export function examinationJunit(name: string, findings: readonly Finding[]): string {
  const cases = findings.map(({ check, passed, reason, demand, milliseconds }) => ({
    group: 'webhooks test',
    name: englishOf(check),
    milliseconds,
    failures: passed ? [] : [{ message: englishOf(reason ?? ''), detail: `it must ${englishOf(demand)}` }],
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
  const { tried } = say();
  return [
    { ...tried.one, deliveries: [{ body: one }] },
    { ...tried.hundred, deliveries: [{ body: callback(hundred) }] },
    { ...tried.twice, deliveries: [{ body: callback(repeated) }, { body: callback(repeated) }] },
    { ...tried.unordered, deliveries: [{ body: callback([update(31, 160)]) }, { body: callback([update(31, 110)]) }] },
    { ...tried.large, deliveries: [{ body: callback([update(32, 202, 'x'.repeat(MEBIBYTE))]) }] },
    { ...tried.fields, deliveries: [{ body: callback([extended], { sent_by: 'later version' }) }] },
    { ...tried.entity, deliveries: [{ body: callback([stranger]) }] },
    { ...tried.slow, deliveries: [{ body: callback(slow), drip: { pieces: 8, pauseMs } }] },
    {
      ...tried.together,
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
  return finding(exercise, tries, fault, fault && whichOf(exercise, tries, wrong, fault));
}

/** A fault, and which of several deliveries it was. */
function whichOf({ deliveries, atOnce }: Exercise, tries: readonly Try[], index: number, fault: string): string {
  if (deliveries.length === 1) return fault;
  const { first, second, some } = say().wentWrong;
  if (atOnce !== true) return index === 0 ? first({ fault }) : second({ fault });
  return some({ wrong: tries.filter((each) => each.fault !== undefined).length, of: deliveries.length, fault });
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
    const fault = say().answered.none({ why: error.message });
    return { fault, tookMs: elapsedOn(clock) - began, answered: false, isReached };
  }
}

/**
 * Restarts the receiver when a delivery is almost completely sent. It may answer correctly or not at all; then the same
 * changes are sent again, and it has to be up and accept them. Whether it stored what it accepted cannot be seen from
 * outside.
 */
async function tryRestart(examination: Examination, restart: () => Promise<void>): Promise<Finding> {
  const { tried, wentWrong } = say();
  const { clock, giveUpMs, signal } = examination;
  const { under, again } = restartExercise(clock.now());
  const first = await tryOnce(under, examination, restart);
  if (first.answered && first.fault !== undefined) {
    return finding(tried.restart, [first], first.fault, wentWrong.whileRestarted({ fault: first.fault }));
  }
  const until = elapsedOn(clock) + giveUpMs;
  let next = await tryOnce(again(), examination);
  while (!next.answered && elapsedOn(clock) < until) {
    await clock.wait(RETRY_MS, signal);
    next = await tryOnce(again(), examination);
  }
  const { fault } = next;
  return finding(tried.restart, [first, next], fault, fault && wentWrong.afterRestart({ fault }));
}

function finding(
  { name, demand }: Pick<Exercise, 'name' | 'demand'>,
  tries: readonly Try[],
  fault: string | undefined,
  reason: string | undefined,
): Finding {
  const milliseconds = Math.max(...tries.map(({ tookMs }) => tookMs));
  const wrong = { reason: reason ?? null, fault: fault ?? null };
  return { check: name, passed: fault === undefined, ...wrong, demand, milliseconds };
}
