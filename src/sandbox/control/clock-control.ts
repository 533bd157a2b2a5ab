import { parseDuration, parseMoment } from '../../domain/duration.ts';
import type { Core } from '../core.ts';
import type { Part } from '../part.ts';
import { invalid } from '../refusal.ts';
import { createTurns } from '../store/turns.ts';
import { type ClockSetting, keepClock, wireTime } from '../time/business-clock.ts';
import type { Schedule } from '../time/schedule.ts';

/** Where the business clock stands. */
export interface ClockStatus {
  /** `real`: with the machine's; `moved`: apart from it, as fast; `frozen`: still. */
  readonly mode: ClockSetting['mode'];
  readonly time: string;
  readonly machine_time: string;
  /** When something next happens by itself, such as a delivery; null when nothing is pending. */
  readonly next_due: string | null;
}

/**
 * The business clock (design of the sandbox: it moves deliveries, expiry and shipments, never a timeout). Kept in the
 * data, so that a restarted sandbox goes on by it. Each answers where the clock stands then.
 */
export interface BusinessClockControl {
  status(): Promise<ClockStatus>;
  /** Stops it where it stands. */
  freeze(): Promise<ClockStatus>;
  /** Sets it to a time like `2026-02-01T08:00:00Z`; a frozen one stays frozen. Refuses other texts with 400. */
  set(time: string): Promise<ClockStatus>;
  /**
   * Moves it on by a duration like `44h1m`. With `untilIdle`, it goes from one moment at which something is due to the
   * next and waits at each until all is done, what fails and comes again included; otherwise it jumps at once.
   */
  advance(by: string, options?: { readonly untilIdle?: boolean }): Promise<ClockStatus>;
  /** Sets it going with the machine's again. */
  real(): Promise<ClockStatus>;
}

/** What can be done with the time. */
export interface ClockControl {
  readonly clock: BusinessClockControl;
}

/** The last moment that a time on the wire can show. */
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59Z');

/** The part that minds the business clock. Whoever moves it waits for whoever does already. */
export function clockPart(core: Core, schedule: Schedule): Part<ClockControl> {
  const { clock, machineClock } = core;
  const inTurn = createTurns();

  const status = async (): Promise<ClockStatus> => {
    const next = await schedule.next();
    return {
      mode: clock.setting().mode,
      time: wireTime(clock.now()),
      machine_time: wireTime(machineClock.now()),
      next_due: next === undefined ? null : wireTime(Math.max(next, clock.now())),
    };
  };
  const keep = (setting: ClockSetting) => core.write(({ database }) => keepClock(database, setting));
  const change = async (setting: ClockSetting) => {
    await keep(setting);
    clock.set(setting);
  };
  const runningFrom = (moment: number): ClockSetting => ({ mode: 'moved', ahead_ms: moment - machineClock.now() });
  const frozenAt = (moment: number): ClockSetting => ({ mode: 'frozen', at_ms: moment });
  /** The present way of going, from another moment. */
  const goingFrom = (moment: number) => (clock.setting().mode === 'frozen' ? frozenAt(moment) : runningFrom(moment));

  /** Holds the clock at each due moment on the way; kept is a clock that goes on, should the sandbox be killed meanwhile. */
  const walkTo = async (target: number) => {
    const frozen = clock.setting().mode === 'frozen';
    const hold = async (moment: number) => {
      clock.set(frozenAt(moment));
      await keep(frozen ? frozenAt(moment) : runningFrom(moment));
      await schedule.settle();
    };
    try {
      await hold(clock.now());
      for (let next = await schedule.next(); next !== undefined && next <= target; next = await schedule.next()) {
        await hold(Math.max(next, clock.now()));
      }
      await hold(target);
    } finally {
      if (!frozen) clock.set(runningFrom(clock.now()));
    }
    if (!frozen) await keep(clock.setting());
  };

  return {
    control: {
      clock: {
        status,
        freeze: () => inTurn(() => change(frozenAt(clock.now()))).then(status),
        set: (time) => inTurn(async () => change(goingFrom(momentOf(time)))).then(status),
        advance: (by, { untilIdle = false } = {}) =>
          inTurn(async () => {
            const target = inRange('by', clock.now() + durationOf(by));
            await (untilIdle ? walkTo(target) : change(goingFrom(target)));
          }).then(status),
        real: () => inTurn(() => change({ mode: 'real' })).then(status),
      },
    },
  };
}

function durationOf(text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined) throw invalid('by', 'must be a duration like 30s, 15m, 44h1m or 2d');
  return duration;
}

function momentOf(text: string): number {
  const moment = parseMoment(text);
  if (moment === undefined) throw invalid('time', 'must be a time with its zone, like 2026-02-01T08:00:00Z, or a day');
  return inRange('time', moment);
}

function inRange(field: string, moment: number): number {
  if (moment < 0 || moment > LAST_MOMENT) throw invalid(field, 'leads out of the years 1970 to 9999');
  return moment;
}
