import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { errorCode } from '../process/error-code.ts';
import { makeSafe } from '../terminal/text-safety.ts';
import { SettingsError } from './settings.ts';

/** Where other settings can be. */
const ELSEWHERE = 'name another directory for the settings with SHOPCTL_CONFIG_DIR';

/** Many times what thousands of signed-in shops need. */
const largestFile = 16 * 1024 * 1024;

/**
 * The file's bytes; undefined if it does not exist. Throws a SettingsError if it is not this user's own regular file.
 */
export function readOwn(directory: string, path: string): Uint8Array | undefined {
  return withOwn(directory, path, (descriptor) => readFileSync(descriptor));
}

/** Runs a callback on the opened file; the checks apply to the opened file, so it cannot be swapped in between. */
export function withOwn<Result>(
  directory: string,
  path: string,
  work: (descriptor: number) => Result,
): Result | undefined {
  let descriptor: number | undefined;
  try {
    if (checkDirectory(directory) === undefined) return undefined;
    // O_NOFOLLOW does not exist on Windows; there, checking the link itself has to do.
    if (constants.O_NOFOLLOW === undefined && lstatSync(path).isSymbolicLink()) throw asLink(path);
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new SettingsError(path, `${makeSafe(path)} is not a regular file`, ELSEWHERE);
    checkOwner(path, status);
    if (status.size > largestFile) {
      throw new SettingsError(path, `${makeSafe(path)} is larger than ${largestFile / 1024 / 1024} MiB`, ELSEWHERE);
    }
    return work(descriptor);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const code = errorCode(error) ?? 'unknown';
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw asLink(path);
    throw new SettingsError(path, `${makeSafe(path)} could not be read (${code})`, ELSEWHERE, { cause: error });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * The directory's status; undefined if it does not exist. Throws if it is a link, not a directory, or another user's.
 */
export function checkDirectory(directory: string): Stats | undefined {
  const status = statusOf(directory);
  if (status === undefined) return undefined;
  if (status.isSymbolicLink()) throw asLink(directory);
  if (!status.isDirectory()) throw new SettingsError(directory, `${makeSafe(directory)} is not a directory`, ELSEWHERE);
  // root may have created it (a mounted volume), and root could do anything anyway.
  if (status.uid !== 0) checkOwner(directory, status);
  return status;
}

function checkOwner(path: string, status: Stats): void {
  const user = process.geteuid?.();
  if (user === undefined || status.uid === user) return;
  throw new SettingsError(
    path,
    `${makeSafe(path)} belongs to another user (${status.uid}; this is ${user})`,
    'run shopctl as that user, or use a directory of your own with SHOPCTL_CONFIG_DIR',
  );
}

function statusOf(directory: string): Stats | undefined {
  try {
    return lstatSync(directory, { throwIfNoEntry: false });
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    const message = `${makeSafe(directory)} could not be read (${code})`;
    const own = 'a run as another user, with sudo, may have made it: give it back to yourself with chown';
    const hint = code === 'EACCES' ? `${own}, or ${ELSEWHERE}` : ELSEWHERE;
    throw new SettingsError(directory, message, hint, { cause: error });
  }
}

/** One sentence for each path that other users may read, write or enter. */
export function looseParts(directory: string, path: string): string[] {
  if (process.platform === 'win32') return [];
  return [directory, path].flatMap((part) => {
    const mode = lstatSync(part, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) === 0) return [];
    return [`${makeSafe(part)} is open to other users (mode ${(mode & 0o7777).toString(8).padStart(4, '0')})`];
  });
}

function asLink(path: string): SettingsError {
  return new SettingsError(
    path,
    `${makeSafe(path)} is a symbolic link; keys are read and written only at their real path`,
    'put the directory itself there, or name the real one with SHOPCTL_CONFIG_DIR',
  );
}
