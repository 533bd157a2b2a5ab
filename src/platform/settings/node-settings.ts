import { join } from 'node:path';
import { decodeUtf8 } from '../files/files.ts';
import { say } from '../terminal/texts.ts';
import { damagedFor, type Migration, settingsFrom } from './node-settings-content.ts';
import { looseParts, readOwn } from './node-settings-guard.ts';
import type { Settings, SettingsStore } from './settings.ts';

/** A settings file on disk: the store's methods, plus those for maintaining the file. */
export interface SettingsFile extends SettingsStore {
  /** Starts over with empty settings. A file that cannot be parsed is kept beside it; returns its path. */
  reset(): Promise<string | undefined>;
}

/** Options for composition roots and tests. */
export interface SettingsFileOptions {
  /** Finds where a text stops being JSON (`findJsonFault`); without it an error names only the file. */
  readonly findFault?: (text: string) => { readonly fault: string; readonly offset: number };
  readonly migrations?: readonly Migration[];
  /** How long to wait for another process's lock. */
  readonly lockTimeoutMs?: number;
}

/** No migrations yet: this is the first version of the file. */
const noMigrations: readonly Migration[] = [];

/**
 * The settings in `config.json` in a directory. Reading opens one file; what writing needs is loaded on the first
 * write.
 */
export function settingsIn(place: string, options: SettingsFileOptions = {}): SettingsFile {
  // Without a trailing slash, which would make the system follow a link before it can be checked.
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
  if ('badByte' in decoded) throw damagedFor(path, say().settings.notText({ byte: decoded.badByte + 1 }));
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoded.text);
  } catch {
    // The engine's message quotes the text around the fault, which can be a key: it is dropped, even from `cause`.
    const fault = findFault?.(decoded.text);
    throw damagedFor(path, fault ? faultAt(decoded.text, fault) : say().settings.notJson);
  }
  if (isDeeperThan(parsed, mostLevels)) throw damagedFor(path, say().settings.tooDeep({ levels: mostLevels }));
  return settingsFrom(path, parsed, migrations);
}

/** Settings have four levels; a later version may have a few more. */
const mostLevels = 64;

/** Whether a value is nested deeper, checked level by level: recursion could overflow the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels && level.length > 0; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

function faultAt(text: string, { fault, offset }: { readonly fault: string; readonly offset: number }): string {
  const before = text.slice(0, offset).split('\n');
  return say().settings.at({ fault, line: before.length, column: (before.at(-1) ?? '').length + 1 });
}
