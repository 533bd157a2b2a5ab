import { parseDuration, parseMoment } from '../../domain/calendar.ts';
import { type ClockSetting, storeClock, wireTime } from '../engine/business-clock.ts';
import type { Core } from '../engine/core.ts';
import type { Part } from '../engine/part.ts';
import { invalid } from '../engine/refusal.ts';
import type { Schedule } from '../engine/schedule.ts';
import { createTurns } from '../engine/store/group-commit.ts';

/** The state of the business clock. */
export interface ClockStatus {
  /** `real`: equal to the machine's clock; `moved`: offset from it, at the same speed; `frozen`: stopped. */
  readonly mode: ClockSetting['mode'];
  readonly time: string;
  readonly machine_time: string;
  /** When the next scheduled thing, such as a delivery, is due; null if nothing is pending. */
  readonly next_due: string | null;
}

/**
 * Controls the business clock, which determines deliveries, expiry and shipments, but never a timeout. Its setting is
 * stored in the data, so that a restarted sandbox continues with it. Each function returns the resulting state.
 */
export interface BusinessClockControl {
  status(): Promise<ClockStatus>;
  /** Stops it at the current time. */
  freeze(): Promise<ClockStatus>;
  /** Sets it to a time like `2026-02-01T08:00:00Z`; a frozen clock stays frozen. Refuses other texts with 400. */
  set(time: string): Promise<ClockStatus>;
  /**
   * Advances it by a duration like `44h1m`. With `untilIdle`, it goes from one due moment to the next and waits at each
   * until everything is done, including retries of failures; otherwise it jumps at once.
   */
  advance(by: string, options?: { readonly untilIdle?: boolean }): Promise<ClockStatus>;
  /** Makes it follow the machine's clock again. */
  real(): Promise<ClockStatus>;
}

/** Operations on the time. */
export interface ClockControl {
  readonly clock: BusinessClockControl;
}

/** The last moment that the wire's time format can represent. */
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59Z');

/** The part for the business clock. Operations that move it wait for each other. */
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
  const keep = (setting: ClockSetting) => core.write(({ database }) => storeClock(database, setting));
  const change = async (setting: ClockSetting) => {
    await keep(setting);
    clock.set(setting);
  };
  const runningFrom = (moment: number): ClockSetting => ({ mode: 'moved', ahead_ms: moment - machineClock.now() });
  const frozenAt = (moment: number): ClockSetting => ({ mode: 'frozen', at_ms: moment });
  /** The current mode, from another moment on. */
  const goingFrom = (moment: number) => (clock.setting().mode === 'frozen' ? frozenAt(moment) : runningFrom(moment));

  /** Holds the clock at each due moment on the way; stores a running clock, in case the sandbox is killed meanwhile. */
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
