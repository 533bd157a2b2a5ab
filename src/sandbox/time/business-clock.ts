import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { readSetting, writeSetting } from '../store/sandbox-settings.ts';
import type { Database } from '../store/tables.ts';

const schema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('real') }),
  z.object({ mode: z.literal('moved'), ahead_ms: z.int() }),
  z.object({ mode: z.literal('frozen'), at_ms: z.int() }),
]);

/** How the business clock goes: with the machine's, so far ahead of it (or behind), or not at all. */
export type ClockSetting = Readonly<z.output<typeof schema>>;

/**
 * The time by which the sandbox does business: what records are stamped with and what expiry and delivery go by. Apart
 * from the machine's clock, so that a test can stop it and move it. Timeouts of sockets and leases do not go by it.
 */
export interface BusinessClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  setting(): ClockSetting;
  /** Sets it for this run; `keepClock` is what a restarted sandbox goes on from. */
  set(setting: ClockSetting): void;
  /** Calls the listener after each `set`. */
  onSet(listener: () => void): void;
  /** How many real milliseconds it takes until then: Infinity while the clock stands before it. */
  until(moment: number): number;
}

/** A business clock on top of the machine's. */
export function followClock(machine: Clock, initial: ClockSetting = { mode: 'real' }): BusinessClock {
  let setting = initial;
  const listeners: (() => void)[] = [];
  const now = () => {
    if (setting.mode === 'frozen') return setting.at_ms;
    return machine.now() + (setting.mode === 'moved' ? setting.ahead_ms : 0);
  };
  return {
    now,
    setting: () => setting,
    set(next) {
      setting = next;
      for (const listener of listeners) listener();
    },
    onSet: (listener) => void listeners.push(listener),
    until(moment) {
      const remaining = Math.max(0, moment - now());
      return remaining > 0 && setting.mode === 'frozen' ? Number.POSITIVE_INFINITY : remaining;
    },
  };
}

const CLOCK = 'clock';

/** The setting with which the clock goes on in this data. */
export function keptClock(database: Database): ClockSetting {
  return schema.parse(readSetting(database, CLOCK) ?? { mode: 'real' });
}

/** Keeps a setting in the data, so that a restarted sandbox goes on by it. */
export function keepClock(database: Database, setting: ClockSetting): void {
  writeSetting(database, CLOCK, setting);
}

/** So many seconds are remembered as they are written: the moments that requests tell of are few at a time. */
const MOST_SECONDS = 500;
const written = new Map<number, string>();

/** A moment as the wire shows it: UTC, whole seconds, a trailing Z (decisions, section 2). */
export function wireTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  const known = written.get(second);
  if (known !== undefined) return known;
  const text = `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;
  if (written.size >= MOST_SECONDS) written.clear();
  written.set(second, text);
  return text;
}
