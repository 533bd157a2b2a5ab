import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRunning, processStart } from './files.ts';

/** The holder of a lock, as recorded in its file. */
export interface Holder {
  /** 0 when the file could not be parsed. */
  readonly pid: number;
  /** When the process started, in the system's own unit: distinguishes processes when a number is reused. */
  readonly started?: string;
  /** The machine on which the process number is valid. */
  readonly machine: string;
  /** Unique to each acquisition. */
  readonly token: string;
}

let itself: Omit<Holder, 'token'> | undefined;

/** The part of a Holder that all locks of this process share; the system is asked for it once. */
export function thisProcess(): Omit<Holder, 'token'> {
  if (itself === undefined) {
    const started = processStart(process.pid);
    itself = { pid: process.pid, machine: thisMachine(), ...(started !== undefined && { started }) };
  }
  return itself;
}

/** What is known of the holder of a lock. */
export type HolderState = 'alive' | 'gone' | 'unknown';

/**
 * Whether the holder's process is alive; `unknown` if it is on another machine, or if processes cannot be told apart.
 * Where no other machine reaches the lock, `isLocal`, one that was taken before this machine started is nobody's.
 */
export function stateOf(holder: Holder, isLocal = false): HolderState {
  if (isLocal && isOfEarlierStart(holder)) return 'gone';
  if (holder.pid === 0 || holder.machine !== thisMachine()) return 'unknown';
  if (!isRunning(holder.pid)) return 'gone';
  if (holder.started === undefined) return 'unknown';
  const started = processStart(holder.pid);
  if (started === undefined) return 'unknown';
  return started === holder.started ? 'alive' : 'gone';
}

/**
 * Parses a Holder from a lock file's text. Without a readable token it gets one from `fallback`, which identifies the
 * file itself.
 */
export function holderFrom(text: string, fallback: string): Holder {
  const unreadable: Holder = { pid: 0, machine: '', token: fallback };
  let content: Partial<Holder> | null;
  try {
    content = JSON.parse(text);
  } catch {
    return unreadable;
  }
  const { pid, started, machine, token } = content ?? {};
  // The token becomes part of a file name.
  if (!Number.isSafeInteger(pid) || typeof machine !== 'string' || !/^[0-9a-f]{16}$/.test(String(token))) {
    return unreadable;
  }
  return { pid: Number(pid), machine, token: String(token), ...(typeof started === 'string' && { started }) };
}

const START = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?= pid:)/;

function isOfEarlierStart({ machine }: Holder): boolean {
  const [then, now] = [START.exec(machine)?.[0], START.exec(thisMachine())?.[0]];
  return then !== undefined && now !== undefined && then !== now;
}

export let machine: string | undefined;

/** Identifies the boot and the PID namespace of this system (containers share directories, not process numbers). */
function thisMachine(): string {
  if (machine === undefined) {
    try {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
      machine = `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
    } catch {
      machine = hostname();
    }
  }
  return machine;
}
