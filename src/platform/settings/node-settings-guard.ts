import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { errorCode } from '../process/error-code.ts';
import { makeSafe } from '../terminal/text-safety.ts';
import { say } from '../terminal/texts.ts';
import { SettingsError } from './settings.ts';

/** A path as it is shown in a text. */
const shown = (path: string) => ({ path: makeSafe(path) });

/** An error whose cure is another directory. */
const elsewhere = (path: string, message: string, cause?: unknown) =>
  new SettingsError(path, message, say().settings.elsewhere, cause === undefined ? {} : { cause });

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
    if (!status.isFile()) throw elsewhere(path, say().settings.noFile(shown(path)));
    checkOwner(path, status);
    if (status.size > largestFile) {
      throw elsewhere(path, say().file.tooLarge({ ...shown(path), mebibytes: largestFile / 1024 / 1024 }));
    }
    return work(descriptor);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const code = errorCode(error) ?? 'unknown';
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw asLink(path);
    throw elsewhere(path, say().file.unread({ ...shown(path), code }), error);
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
  if (!status.isDirectory()) throw elsewhere(directory, say().settings.noDirectory(shown(directory)));
  // root may have created it (a mounted volume), and root could do anything anyway.
  if (status.uid !== 0) checkOwner(directory, status);
  return status;
}

function checkOwner(path: string, status: Stats): void {
  const user = process.geteuid?.();
  if (user === undefined || status.uid === user) return;
  const { beThatUser, ofOther } = say().settings;
  throw new SettingsError(path, ofOther({ ...shown(path), owner: status.uid, user }), beThatUser);
}

function statusOf(directory: string): Stats | undefined {
  try {
    return lstatSync(directory, { throwIfNoEntry: false });
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    const { elsewhere: otherwise, ownAgain } = say().settings;
    const hint = code === 'EACCES' ? ownAgain({ otherwise }) : otherwise;
    throw new SettingsError(directory, say().file.unread({ ...shown(directory), code }), hint, { cause: error });
  }
}

/** One sentence for each path that other users may read, write or enter. */
export function looseParts(directory: string, path: string): string[] {
  if (process.platform === 'win32') return [];
  return [directory, path].flatMap((part) => {
    const mode = lstatSync(part, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) === 0) return [];
    return [say().settings.open({ ...shown(part), mode: (mode & 0o7777).toString(8).padStart(4, '0') })];
  });
}

function asLink(path: string): SettingsError {
  return new SettingsError(path, say().settings.link(shown(path)), say().settings.realPath);
}
