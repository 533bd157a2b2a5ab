import type { SendPost } from '../../platform/http/post.ts';
import { TransportError } from '../../platform/http/transport.ts';
import { type Clock, elapsedOn } from '../../platform/process/clock.ts';
import { type Delivery, type Exercise, exercisesAt, restartExercise } from './exercises.ts';
import { faultOf } from './receive.ts';

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
