import { isAbsolute } from 'node:path';
import type { Offer } from '../../contract/hint.ts';
import type { StoredProfile } from '../../platform/settings.ts';
import { isPostgresAddress, withoutPassword } from '../../workspace/postgres-address.ts';

/** What a front can do, as far as the value of a setting depends on it. */
export interface Known {
  /** The formats that it can write. */
  readonly formats: readonly string[];
}

/** How a setting's value is read from the text that a flag, a variable or `config` gives, and what it may be. */
export interface SettingType<Value> {
  /** What it must be, as it stands after "must be". */
  expected(known: Known): string;
  /** The value, or undefined for a text that is not one. */
  read(text: string, known: Known): Value | undefined;
  /** The value as a person reads and writes it. */
  write(value: Value): string;
  /** The names it takes, where it takes names. */
  values?(known: Known): readonly string[];
  /** What is in force where nothing says otherwise, where the front decides it. */
  first?(known: Known): Value | undefined;
  /** Whether a flag switches it on by its presence. */
  readonly isSwitch?: boolean;
  /** Why a value may stand in the environment and nowhere else; undefined where it may be kept. */
  whyNotKept?(value: Value): string | undefined;
  /** Whether it is where a service is: keys belong to it. */
  readonly isAddress?: boolean;
}

/** The flag of a setting, which every command honours. */
export interface SettingFlag {
  readonly name: string;
  readonly short?: string;
  /** What stands for its value; absent for a switch. */
  readonly placeholder?: string;
  /** What it takes, where that can be offered to somebody who types it. */
  readonly offers?: Offer;
}

/** One setting: everything that there is to know of it. Whatever lists, reads, keeps or explains settings is made from it. */
export interface Setting<Value = unknown> {
  /** Its name in `config`. */
  readonly name: string;
  /** What it is for, in words that a help can show. */
  readonly description: string;
  readonly type: SettingType<Value>;
  readonly flag?: SettingFlag;
  readonly variable?: string;
  /** The field of a profile that keeps it; `settings` keeps the text under the name of the setting. */
  readonly kept?: Exclude<keyof StoredProfile, 'shops'>;
  /** Whether a profile always has it: it can be changed, and not be taken away. */
  readonly required?: boolean;
  /** Whether it is what the profile is, and not changed by itself. */
  readonly fixed?: boolean;
  /** Whether it says how a run behaves, and nothing of which service or whose key: a run against another service has it too. */
  readonly isManner?: boolean;
  /** What is in force where nothing says otherwise. */
  readonly otherwise?: Value;
}

/** A text of any kind, or one that stands for nothing else. */
export const anyText = (expected: string): SettingType<string> => ({
  expected: () => expected,
  read: (text) => (text === '' ? undefined : text),
  write: (value) => value,
});

/** Where a service is; what it may end in is taken away, so that a path can follow it. */
export const address: SettingType<string> = {
  ...anyText('an http or https url'),
  read: (text) => (text === '' ? undefined : text.replace(/\/+$/, '')),
  isAddress: true,
};

/** Where the workspace is: the whole path of a file, or a server. Shown without a password. */
export const workspaceAddress: SettingType<string> = {
  expected: () => 'the absolute path of a file, or like postgres://user@host:5432/database',
  read(text) {
    if (!isPostgresAddress(text)) return isAbsolute(text) ? text : undefined;
    return URL.canParse(text) && new URL(text).pathname.length > 1 ? text : undefined;
  },
  write: (value) => (isPostgresAddress(value) ? withoutPassword(value) : value),
  whyNotKept: (value) =>
    isPostgresAddress(value) && withoutPassword(value) !== new URL(value).href
      ? 'a password does not belong in it: PGPASSWORD or ~/.pgpass has it'
      : undefined,
};

/** One of some names. */
export const oneOfNames = <const Name extends string>(...names: readonly Name[]): SettingType<Name> => ({
  expected: () => names.join(' or '),
  read: (text) => names.find((name) => name === text),
  write: (value) => value,
  values: () => names,
});

/** One of the formats that the front can write. */
export const format: SettingType<string> = {
  expected: ({ formats }) => `one of ${formats.join(', ')}`,
  read: (text, { formats }) => formats.find((name) => name === text),
  write: (value) => value,
  values: ({ formats }) => formats,
  first: ({ formats }) => formats[0],
};

const LONGEST_SECONDS = 86_400;

/** A time in milliseconds, written in seconds, a day at most. */
export const seconds: SettingType<number> = {
  expected: () => 'a number of seconds',
  read(text) {
    const value = Number(text);
    const isTime = /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= LONGEST_SECONDS;
    return isTime ? Math.round(value * 1000) : undefined;
  },
  write: (milliseconds) => String(milliseconds / 1000),
};

/** A number of times, 999 at most. */
export const count: SettingType<number> = {
  expected: () => 'a whole number',
  read: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined),
  write: String,
};

/** Whether an environment variable switches something on: any text but empty, 0, false and no. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());
}

/** On or off. Of a variable any text but 0, false and no switches it on. */
export const onOrOff: SettingType<boolean> = {
  expected: () => 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  write: String,
  isSwitch: true,
};
