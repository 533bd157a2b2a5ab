import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './error-code.ts';

/** Who holds a lock, as its file says. */
export interface Holder {
  /** 0 when the file could not be understood. */
  readonly pid: number;
  /** When the process started, in the system's own unit: a number that is given again later is another process. */
  readonly started?: string;
  /** Where the process number means anything. */
  readonly machine: string;
  /** Differs with every time a lock is taken. */
  readonly token: string;
}

/** The part of a Holder that is the same for every lock of this process. */
export function thisProcess(): Omit<Holder, 'token'> {
  const started = processStart(process.pid);
  return { pid: process.pid, machine: thisMachine(), ...(typeof started === 'string' && { started }) };
}

/** Whether the holder's process lives; `unknown` when it is another machine's, or nothing tells one process from another. */
export function stateOf(holder: Holder): 'alive' | 'gone' | 'unknown' {
  if (holder.pid === 0 || holder.machine !== thisMachine()) return 'unknown';
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    if (errorCode(error) === 'ESRCH') return 'gone';
  }
  if (holder.started === undefined) return 'unknown';
  const started = processStart(holder.pid);
  if (started === undefined) return 'unknown';
  return started === holder.started ? 'alive' : 'gone';
}

/** The Holder in a lock file's text. One that says nothing gets a token from `fallback`, which stands for the file itself. */
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

/** A process that has ended but was not fetched by its parent yet: it holds nothing any more. */
const ended = Symbol('ended');

/** The start of a process, in ticks since the machine's; undefined where the system does not tell (only Linux does). */
function processStart(pid: number): string | typeof ended | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses can hold anything; what counts stands behind the last one.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? ended : fields[19];
  } catch {
    return undefined;
  }
}

let machine: string | undefined;

/** A run of a system and the part of it that numbers processes (containers share directories, not process numbers). */
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
