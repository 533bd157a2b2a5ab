import { isAbsolute } from 'node:path';
import { shownBaseUrl } from '../client/base-url.ts';
import type { Offer } from '../contract/schema/hint.ts';
import { isZone, machineZone } from '../domain/calendar.ts';
import { say } from '../domain/texts.ts';
import type { StoredProfile } from '../platform/settings/settings.ts';
import { isPostgresAddress, withoutPassword } from '../store/postgres-address.ts';

/** The front end's capabilities, where the value of a setting depends on them. */
export interface Known {
  /** The output formats it supports. */
  readonly formats: readonly string[];
}

const texts = () => say().setting;

/** How a setting's value is parsed from the text of a flag, a variable or `config`, and which values are valid. */
export interface SettingType<Value> {
  /** A text that is read as a value: tests try each setting with it. */
  readonly example: string;
  /** What it must be, following "must be". */
  expected(known: Known): string;
  /** The value, or undefined for an invalid text. */
  read(text: string, known: Known): Value | undefined;
  /** The value as a person reads and writes it. */
  write(value: Value): string;
  /** The allowed names, if limited. */
  values?(known: Known): readonly string[];
  /** The default, if the front end or this machine decides it; asked for when it is needed. */
  first?(known: Known): Value | undefined;
  /** Whether its flag is a switch without a value. */
  readonly isSwitch?: boolean;
  /** Why a value may be set only in the environment; undefined if it may be saved. */
  whyNotKept?(value: Value): string | undefined;
  /** Whether it is the service's address, to which keys are bound. */
  readonly isAddress?: boolean;
}

/** A setting's flag, which every command accepts. */
export interface SettingFlag {
  readonly name: string;
  readonly short?: string;
  /** Placeholder for its value; absent for a switch. */
  readonly placeholder?: string;
  /** What can be completed for its value. */
  readonly offers?: Offer;
}

/** The complete declaration of one setting. Whatever lists, reads, saves or explains settings is derived from it. */
export interface Setting<Value = unknown> {
  /** Its name in `config`. */
  readonly name: string;
  /** Its purpose, for the help. */
  readonly description: string;
  readonly type: SettingType<Value>;
  readonly flag?: SettingFlag;
  readonly variable?: string;
  /** The profile field that stores it; `settings` stores the text under the name of the setting. */
  readonly kept?: Exclude<keyof StoredProfile, 'shops'>;
  /** Whether it is about the person, not the account: saved once for every profile that has none of its own. */
  readonly isPersonal?: boolean;
  /** Whether a profile always has it: it can be changed but not removed. */
  readonly required?: boolean;
  /** Whether it identifies the profile and cannot be changed alone. */
  readonly fixed?: boolean;
  /**
   * Whether it is about the behaviour of a run, not about the service or the key: it applies to runs against other
   * services too.
   */
  readonly isStyle?: boolean;
  /** The default. */
  readonly otherwise?: Value;
}

/** Any text, without interpretation. */
export const anyText = (expected: () => string): SettingType<string> => ({
  example: 'another',
  expected,
  read: (text) => (text.trim() === '' ? undefined : text),
  write: (value) => value,
});

/** The address of a service, normalised so that a path can be appended. */
export const address: SettingType<string> = {
  ...anyText(() => texts().url),
  example: 'https://another.example',
  read: (text) => (text.trim() === '' ? undefined : text.replace(/\/+$/, '')),
  write: shownBaseUrl,
  isAddress: true,
};

/** The location of the workspace: the absolute path of a file, or a server. Displayed without a password. */
export const workspaceAddress: SettingType<string> = {
  example: '/srv/workspace.db',
  expected: () => texts().workspace,
  read(text) {
    if (!isPostgresAddress(text)) return isAbsolute(text) ? text : undefined;
    return URL.canParse(text) && new URL(text).pathname.length > 1 ? text : undefined;
  },
  write: (value) => (isPostgresAddress(value) ? withoutPassword(value) : value),
  whyNotKept: (value) =>
    isPostgresAddress(value) && withoutPassword(value) !== new URL(value).href ? texts().noPassword : undefined,
};

/** One of a list of names. */
export const oneOfNames = <const Name extends string>(...names: readonly [Name, ...Name[]]): SettingType<Name> => ({
  example: names[0],
  expected: () => texts().oneOf({ names }),
  read: (text) => names.find((name) => name === text),
  write: (value) => value,
  values: () => names,
});

/** One of the output formats of the front end. */
export const format: SettingType<string> = {
  example: 'jsonl',
  expected: ({ formats }) => texts().format({ names: formats }),
  read: (text, { formats }) => formats.find((name) => name === text),
  write: (value) => value,
  values: ({ formats }) => formats,
  first: ({ formats }) => formats[0],
};

const LONGEST_SECONDS = 86_400;

/** A duration in milliseconds, written in seconds, at most a day. */
export const seconds: SettingType<number> = {
  example: '5',
  expected: () => texts().seconds({ most: LONGEST_SECONDS }),
  read(text) {
    const value = Number(text);
    const isTime = /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= LONGEST_SECONDS;
    return isTime ? Math.round(value * 1000) : undefined;
  },
  write: (milliseconds) => String(milliseconds / 1000),
};

/** A count, at most 999. */
export const count: SettingType<number> = {
  example: '2',
  expected: () => texts().count,
  read: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined),
  write: String,
};

/** Whether an environment variable switches something on: any text except empty, 0, false and no. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());
}

const ON = ['true', '1', 'yes', 'on'];
const OFF = ['false', '0', 'no', 'off'];

/** On or off. */
export const onOrOff: SettingType<boolean> = {
  example: 'true',
  expected: () => texts().onOrOff,
  read(text) {
    const word = text.toLowerCase();
    return ON.includes(word) ? true : OFF.includes(word) ? false : undefined;
  },
  write: String,
  isSwitch: true,
};

/** On or off, or on until a person unlocks it. */
export const onOffOrLocked: SettingType<boolean | 'locked'> = {
  ...onOrOff,
  expected: () => texts().orLocked,
  read: (text, known) => (text.toLowerCase() === 'locked' ? 'locked' : onOrOff.read(text, known)),
  write: String,
};

/** On or off, as words. */
export const onOff: SettingType<boolean> = {
  example: 'off',
  expected: () => texts().onOff,
  read: onOrOff.read,
  write: (value) => (value ? 'on' : 'off'),
  values: () => ['off', 'on'],
};

/** A time zone by its name in the IANA database. */
export const timeZone: SettingType<string> = {
  ...anyText(() => texts().zone),
  example: 'Europe/Berlin',
  read: (text) => (isZone(text) ? text : undefined),
  first: machineZone,
};
