import * as z from 'zod';
import { readOwn } from '../../domain/json/values.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { newId } from '../../platform/process/new-id.ts';
import { type Database, statement, tables } from './store/statement.ts';
import type { SettingRow } from './store/tables.ts';

/** A setting of the sandbox, or undefined if it was never set. The caller has to validate it. */
export function readSetting<Value = unknown>(database: Database, name: string): Value | undefined {
  const row = database.first(settingOf, { name });
  return row && readOwn<Value>(row.value);
}

/** Whether a setting exists, without reading its value, which can be large, such as a seed. */
export function hasSetting(database: Database, name: string): boolean {
  return database.first(nameOf, { name }) !== undefined;
}

/** Writes a setting: any JSON. */
export function writeSetting(database: Database, name: string, value: unknown): void {
  database.run(put, { name, value: JSON.stringify(value) });
}

const INSTANCE = 'instance';

/** The id of the sandbox whose data these are, which gets one now if it has none; or, where one is given, that one from now on. */
export function instanceIn(database: Database, own?: string): string {
  const stored = readSetting<string>(database, INSTANCE);
  const instance = own ?? stored ?? newId();
  if (instance !== stored) writeSetting(database, INSTANCE, instance);
  return instance;
}

const settingOf = statement(({ name }: Pick<SettingRow, 'name'>) =>
  tables.selectFrom('settings').select('value').where('name', '=', name),
);
const nameOf = statement(({ name }: Pick<SettingRow, 'name'>) =>
  tables.selectFrom('settings').select('name').where('name', '=', name),
);
const put = statement(({ name, value }: SettingRow) =>
  tables
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
);

const schema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('real') }),
  z.object({ mode: z.literal('moved'), ahead_ms: z.int() }),
  z.object({ mode: z.literal('frozen'), at_ms: z.int() }),
]);

/** How the business clock runs: with a fixed offset from the machine's clock (ahead or behind), or not at all. */
export type ClockSetting = Readonly<z.output<typeof schema>>;

/**
 * The clock for business time, which sets the timestamps of records and determines expiry and delivery. Separate from
 * the machine's clock, so that a test can stop and move it. Socket timeouts and leases do not use it.
 */
export interface BusinessClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  setting(): ClockSetting;
  /** Sets it for this run; `storeClock` stores the setting for a restarted sandbox. */
  set(setting: ClockSetting): void;
  /** Calls the listener after each `set`. */
  onSet(listener: () => void): void;
  /** The real milliseconds until that time: Infinity if the clock is stopped before it. */
  until(moment: number): number;
}

/** A business clock based on the machine's. */
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

/** The clock setting stored in the data. */
export function storedClock(database: Database): ClockSetting {
  return schema.parse(readSetting(database, CLOCK) ?? { mode: 'real' });
}

/** Stores a setting in the data, so that a restarted sandbox continues with it. */
export function storeClock(database: Database, setting: ClockSetting): void {
  writeSetting(database, CLOCK, setting);
}

/** How many formatted seconds are cached: requests at one time mention few different ones. */
const MOST_SECONDS = 500;
const written = new Map<number, string>();

/** A time in the wire's format: UTC, whole seconds, a trailing Z (decisions, section 2). */
export function wireTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  const known = written.get(second);
  if (known !== undefined) return known;
  const text = `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;
  if (written.size >= MOST_SECONDS) written.clear();
  written.set(second, text);
  return text;
}
