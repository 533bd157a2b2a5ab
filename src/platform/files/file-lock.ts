import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Clock, elapsedOn, systemClock } from '../process/clock.ts';
import { errorCode } from '../process/error-code.ts';
import { pause } from '../process/interruptible.ts';
import { makeSafe } from '../terminal/text-safety.ts';
import { say } from '../terminal/texts.ts';
import { type Holder, type HolderState, holderFrom, stateOf, thisProcess } from './lock-holder.ts';

/** A lock that this process holds. */
export interface FileLock {
  /** Throws a LockError when this process no longer holds the lock: someone removed the file by hand. */
  verify(): void;
  /** Releases the lock for the next holder. */
  release(): void;
}

/** Thrown when the lock did not become free in time, or was lost. */
export class LockError extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'LockError';
    this.path = path;
  }
}

export interface LockOptions {
  /** How long to wait for a live holder. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  /** Ends the wait, with an InterruptedError. */
  readonly signal?: AbortSignal | undefined;
  /**
   * A holder whose state is unknown (on another machine, or no process start time available) counts as gone after this.
   */
  readonly unknownGoneAfterMs?: number;
  /** Whether no other machine reaches the directory: then a holder from before this machine's last start is gone. */
  readonly isLocal?: boolean;
}

const tenMinutes = 600_000;

/**
 * Acquires the lock that is the file `path`, waiting for its current holder. A lock whose process is gone is taken over
 * by exactly one of those who notice: the file may be removed only under a second lock, named after the dead holder's
 * token, and after checking again that the file is still that holder's. Tokens are never reused, so nobody can remove a
 * successor's lock; a process that dies halfway leaves a second lock, which is taken over in the same way.
 */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<FileLock> {
  const { timeoutMs = 10_000, clock = systemClock, unknownGoneAfterMs = tenMinutes, isLocal = false, signal } = options;
  const self = { ...thisProcess(), token: randomBytes(8).toString('hex') };
  const deadline = elapsedOn(clock) + timeoutMs;
  // How old a file is, whoever wrote it, is told by the wall clock alone.
  const gone: IsGone = (at, holder) => isGone(at, stateOf(holder, isLocal), clock.now(), unknownGoneAfterMs);
  for (let attempt = 0; ; attempt += 1) {
    const holder = read(path);
    if (holder === undefined && create(path, self)) break;
    // After removing an abandoned lock there is no holder to wait for, however short the timeout.
    if (holder !== undefined && gone(path, holder) && removeAbandoned(path, holder, self, gone)) continue;
    if (elapsedOn(clock) >= deadline) throw heldBy(path, holder);
    // Back off, with jitter, so that contenders do not keep colliding.
    await pause(clock, Math.random() * Math.min(5 + attempt * 5, 50), signal);
  }
  sweep(path, self, clock.now());
  return {
    verify() {
      if (read(path)?.token !== self.token) {
        throw new LockError(path, say().file.lockRemoved({ path: makeSafe(path) }));
      }
    },
    release() {
      if (read(path)?.token === self.token) unlinkSync(path);
    },
  };
}

type IsGone = (path: string, holder: Holder) => boolean;

/** Removes the lock file of a holder that is gone, unless another contender is doing so; returns whether it did. */
function removeAbandoned(path: string, holder: Holder, self: Holder, gone: IsGone): boolean {
  const claim = `${path}.${holder.token}`;
  if (!create(claim, self)) {
    const claimant = read(claim);
    if (claimant !== undefined && gone(claim, claimant)) return removeAbandoned(claim, claimant, self, gone);
    return false;
  }
  try {
    if (read(path)?.token !== holder.token) return false;
    remove(path);
    return true;
  } finally {
    remove(claim);
  }
}

/** Creates the lock with its whole content at once: a linked file is complete from the start. False if it exists. */
function create(path: string, self: Holder): boolean {
  const draft = `${path}${draftMark}${randomBytes(8).toString('hex')}`;
  const content = JSON.stringify(self);
  writeNew(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    // The draft is missing because this process was paused so long that a sweep removed it: try again.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (code !== undefined && linkless.has(code)) return createWithoutLink(path, content);
    throw error;
  } finally {
    remove(draft);
  }
}

/** Writes a new file; if a full disk truncated it, removes it again, since it would name no holder. */
function writeNew(path: string, content: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    // A power cut would leave an empty lock, whose holder nobody knows.
    fsyncSync(descriptor);
  } catch (error) {
    remove(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

const draftMark = '.new-';

/** Errors of file systems without hard links (FAT, some network and Android ones). */
const linkless = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Exclusive too, but a process killed between the two system calls leaves an empty lock, which must age out. */
function createWithoutLink(path: string, content: string): boolean {
  try {
    writeNew(path, content);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Who holds the lock; undefined when nobody does. */
function read(path: string): Holder | undefined {
  try {
    const { ino, mtimeMs } = lstatSync(path);
    return holderFrom(readFileSync(path, 'utf8'), `${ino}-${Math.floor(mtimeMs)}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isGone(path: string, state: HolderState, now: number, unknownGoneAfterMs: number): boolean {
  if (state !== 'unknown') return state === 'gone';
  const since = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return since !== undefined && now - since > unknownGoneAfterMs;
}

/**
 * Removes what killed processes left: a second lock names a holder that cannot return, unless it names our own lock.
 */
function sweep(path: string, self: Holder, now: number): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix) || name.startsWith(prefix + self.token)) continue;
    const leftover = join(dirname(path), name);
    const isDraft = name.startsWith(basename(path) + draftMark);
    if (!isDraft || isGone(leftover, stateOf(read(leftover) ?? self), now, 60_000)) remove(leftover);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** The id of the process whose lock a file is; undefined if nobody has it, or that cannot be told. */
export const lockHolder = (path: string): number | undefined => read(path)?.pid || undefined;

function heldBy(path: string, holder: Holder | undefined): LockError {
  return new LockError(path, say().file.locked({ path: makeSafe(path), pid: holder?.pid || undefined }));
}
