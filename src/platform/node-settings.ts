import { join } from 'node:path';
import { damagedHint, type Migration, settingsFrom } from './node-settings-content.ts';
import { looseParts, readOwn } from './node-settings-guard.ts';
import { type Settings, SettingsError, type SettingsStore } from './settings.ts';
import { makeSafe } from './text-safety.ts';
import { decodeUtf8 } from './utf8.ts';

/** A settings file of the machine: what every store does, and what only someone who looks after the file needs. */
export interface SettingsFile extends SettingsStore {
  /** Starts over without settings. A file that cannot be understood is kept beside it; its path is the answer. */
  reset(): Promise<string | undefined>;
}

/** What a composition root may add; a test, too. */
export interface SettingsFileOptions {
  /** Finds where a text stops being JSON (`findJsonFault`); without it an error names the file only. */
  readonly findFault?: (text: string) => { readonly fault: string; readonly offset: number };
  readonly migrations?: readonly Migration[];
  /** How long another process may hold the lock. */
  readonly lockTimeoutMs?: number;
}

/** No migration yet: this is the first version of the file. */
const noMigrations: readonly Migration[] = [];

/** The settings in `config.json` of a directory. Reading opens one file; what writing needs is loaded with the first write. */
export function settingsIn(place: string, options: SettingsFileOptions = {}): SettingsFile {
  // Without the slash at its end, which would make the system follow a link before anyone could see it.
  const directory = join(place, '.');
  const path = join(directory, 'config.json');
  const migrations = options.migrations ?? noMigrations;
  const read = () => readSettings(directory, path, migrations, options.findFault);
  const file = { directory, path, migrations, read, lockTimeoutMs: options.lockTimeoutMs ?? 10_000 };
  const writer = () => import('./node-settings-writer.ts');
  return {
    path,
    read: async () => read(),
    update: async (change) => (await writer()).updateSettings(file, change),
    reset: async () => (await writer()).resetSettings(file),
    mend: async () => (await writer()).mendSettings(file),
    warnings: async () => looseParts(directory, path),
  };
}

function readSettings(
  directory: string,
  path: string,
  migrations: readonly Migration[],
  findFault: SettingsFileOptions['findFault'],
): Settings {
  const bytes = readOwn(directory, path);
  if (bytes === undefined) return settingsFrom(path, { version: migrations.length + 1, profiles: {} }, migrations);
  const decoded = decodeUtf8(bytes);
  if ('badByte' in decoded) throw damagedAt(path, `byte ${decoded.badByte + 1} is not UTF-8`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoded.text);
  } catch {
    // The engine's message quotes the text around the fault, and that can be a key: it goes nowhere, not even into `cause`.
    const fault = findFault?.(decoded.text);
    throw damagedAt(path, fault ? `${fault.fault} ${positionOf(decoded.text, fault.offset)}` : 'it is not JSON');
  }
  if (isDeeperThan(parsed, mostLevels)) throw damagedAt(path, `it is nested deeper than ${mostLevels} levels`);
  return settingsFrom(path, parsed, migrations);
}

/** Settings have four levels; a later version may have some more. */
const mostLevels = 64;

/** Whether a value has more levels, found level by level: a walk in depth could run out of stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels && level.length > 0; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

function damagedAt(path: string, fault: string): SettingsError {
  return new SettingsError(path, `${makeSafe(path)} is damaged: ${fault}`, damagedHint);
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
