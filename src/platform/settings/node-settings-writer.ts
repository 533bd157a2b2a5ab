import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { acquireLock, type FileLock, LockError } from '../files/file-lock.ts';
import { makePrivateDirectory, replaceFile } from '../files/files.ts';
import { errorCode } from '../process/error-code.ts';
import { makeSafe } from '../terminal/text-safety.ts';
import { say } from '../terminal/texts.ts';
import { keepingUnknown, type Migration, settingsFrom } from './node-settings-content.ts';
import { checkDirectory, readOwn, withOwn } from './node-settings-guard.ts';
import { type Settings, SettingsError } from './settings.ts';

/** Where a settings file is and how it is parsed. */
interface SettingsPlace {
  readonly directory: string;
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly lockTimeoutMs: number;
  readonly read: () => Settings;
}

/** Reads, changes and publishes under the lock. If `change` returns the same object, nothing is written. */
export function updateSettings(place: SettingsPlace, change: (settings: Settings) => Settings): Promise<Settings> {
  return underLock(place, async (lock) => {
    const before = place.read();
    const wanted = change(before);
    if (wanted === before) return before;
    const after = settingsFrom(place.path, keepingUnknown(before, wanted), place.migrations);
    await publish(place, after, lock);
    return after;
  });
}

/**
 * Publishes empty settings; a file that cannot be parsed is first copied to the first free `config.json.corrupt-<n>`.
 */
export function resetSettings(place: SettingsPlace): Promise<string | undefined> {
  return underLock(place, async (lock) => {
    let kept: string | undefined;
    try {
      place.read();
    } catch {
      const bytes = readOwn(place.directory, place.path);
      if (bytes !== undefined) kept = storeCopy(place.path, bytes);
    }
    const empty = settingsFrom(place.path, { version: place.migrations.length + 1, profiles: {} }, place.migrations);
    await publish(place, empty, lock);
    return kept;
  });
}

/** Removes other users' permissions from the directory and the file. */
export function mendSettings({ directory, path }: SettingsPlace): void {
  try {
    if (checkDirectory(directory) === undefined) return;
    chmodSync(directory, 0o700);
    withOwn(directory, path, (descriptor) => fchmodSync(descriptor, 0o600));
  } catch (error) {
    throw asSettingsError(path, error);
  }
}

async function underLock<Result>(place: SettingsPlace, work: (lock: FileLock) => Promise<Result>): Promise<Result> {
  try {
    prepareDirectory(place.directory);
    const lock = await acquireLock(`${place.path}.lock`, { timeoutMs: place.lockTimeoutMs });
    try {
      sweepDrafts(place);
      return await work(lock);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw asSettingsError(place.path, error);
  }
}

function prepareDirectory(directory: string): void {
  if (checkDirectory(directory) !== undefined) return;
  makePrivateDirectory(directory);
  checkDirectory(directory);
}

/**
 * conf writes a draft, which replaces the file only when every byte of it is on the disk. conf's own replacement is not
 * used: it takes a truncated write (a full disk) for success, follows a link, and with SNAP set overwrites the file in
 * place.
 */
async function publish({ directory, path }: SettingsPlace, settings: Settings, lock: FileLock): Promise<void> {
  const Conf = await loadConf();
  const draft = `${path}${draftMark}${randomBytes(8).toString('hex')}`;
  const text = `${JSON.stringify(settings, undefined, 2)}\n`;
  try {
    const conf = new Conf<Record<string, unknown>>({
      cwd: directory,
      configName: basename(draft),
      fileExtension: '',
      configFileMode: 0o600,
      serialize: () => text,
    });
    conf.store = { ...settings };
    const written = withOwn(directory, draft, (descriptor) => {
      fsyncSync(descriptor);
      return readFileSync(descriptor);
    });
    if (written === undefined || !Buffer.from(text).equals(written)) {
      throw new SettingsError(path, say().settings.cut({ path: makeSafe(path) }), say().settings.isFull, {
        isFull: true,
      });
    }
    lock.verify();
    replaceFile(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const draftMark = '.draft-';

/**
 * Removes drafts, and conf's own drafts of them, that a killed process left. Nobody else writes one while the lock is
 * held.
 */
function sweepDrafts({ directory, path }: SettingsPlace): void {
  const prefix = basename(path) + draftMark;
  for (const name of readdirSync(directory)) {
    if (name.startsWith(prefix)) rmSync(join(directory, name), { force: true });
  }
}

function storeCopy(path: string, bytes: Uint8Array): string {
  for (let number = 1; ; number += 1) {
    const copy = `${path}.corrupt-${number}`;
    try {
      const descriptor = openSync(copy, 'wx', 0o600);
      try {
        writeFileSync(descriptor, bytes);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      return copy;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

let loading: Promise<typeof import('conf').default> | undefined;

function loadConf(): Promise<typeof import('conf').default> {
  loading ??= importConf();
  return loading;
}

/**
 * conf's writer answers every signal by raising it again, for temporary files that `sweepDrafts` cleans up anyway: one
 * Ctrl-C would reach our own handlers as two. So the listeners that its import adds are removed.
 */
async function importConf(): Promise<typeof import('conf').default> {
  const before = new Map(signalNames().map((signal) => [signal, process.listeners(signal)]));
  const { default: Conf } = await import('conf');
  for (const signal of signalNames()) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.removeListener(signal, listener);
    }
  }
  return Conf;
}

function signalNames(): NodeJS.Signals[] {
  return process.eventNames().filter((name): name is NodeJS.Signals => String(name).startsWith('SIG'));
}

function asSettingsError(path: string, error: unknown): unknown {
  if (error instanceof LockError) {
    const message = say().settings.inUse({ path: makeSafe(path), why: error.message });
    return new SettingsError(path, message, undefined, { cause: error });
  }
  const code = errorCode(error);
  // An error with its own code that is not a system failure comes from the caller's change.
  if (error instanceof SettingsError || code === undefined || !('errno' in Object(error))) return error;
  const { settings, file } = say();
  const reasons: Record<string, string> = {
    EACCES: settings.noPermission,
    EPERM: settings.noPermission,
    EROFS: settings.readOnly,
    ENOSPC: file.noSpace,
    EDQUOT: file.noSpace,
    EFBIG: settings.limit,
  };
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  const message = settings.unwritten({ path: makeSafe(path), why: reasons[code] ?? code });
  const hint = isFull ? undefined : settings.makeWritable;
  return new SettingsError(path, message, hint, { cause: error, isFull });
}
