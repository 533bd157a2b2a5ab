import type { Readable } from 'node:stream';
import { passLines } from './children.ts';

/** A warning of Node or of a library. */
export interface NodeWarning {
  /** Its kind, for example `DeprecationWarning`. */
  readonly name: string;
  readonly message: string;
  /** For example `DEP0040`. */
  readonly code?: string | undefined;
}

/** The warnings of a process or a thread, which Node would print in its own words. */
export interface NodeWarnings {
  /** Passes on those that came before, and all that come. */
  hear(heard: (warning: NodeWarning) => void): void;
  /** Leaves them to Node again. */
  release(): void;
}

const MOST_WAITING = 100;

/**
 * Takes the warnings of this thread from Node, with what libraries print by `console.warn` and `console.error`, and keeps
 * them until somebody hears them. Those that are switched off (`--no-warnings`) stay so.
 */
export function takeWarnings(): NodeWarnings {
  const ofNode = process.listeners('warning').filter(({ name }) => name === 'onWarning');
  const waiting: NodeWarning[] = [];
  let pass = (warning: NodeWarning) => {
    if (waiting.length < MOST_WAITING) waiting.push(warning);
  };
  const note = ({ name, message, code }: Error & { readonly code?: unknown }) =>
    pass({ name, message, ...(typeof code === 'string' ? { code } : {}) });
  for (const listener of ofNode) process.off('warning', listener);
  if (ofNode.length > 0) process.on('warning', note);
  const { warn, error } = console;
  console.warn = (...parts: unknown[]) => {
    const { format } = process.getBuiltinModule('node:util');
    pass({ name: 'Warning', message: format(...parts) });
  };
  console.error = console.warn;
  return {
    hear(heard) {
      pass = heard;
      for (const warning of waiting.splice(0)) heard(warning);
    },
    release() {
      process.off('warning', note);
      for (const listener of ofNode) process.on('warning', listener);
      Object.assign(console, { warn, error });
    },
  };
}

const emit = ({ name, message, code }: NodeWarning) =>
  process.emitWarning(message, { type: name, ...(code === undefined ? {} : { code }) });

/** A warning as another process of Node prints it, and what it adds to that. */
const printed = /^\(node:\d+\) (?:\[(\w+)\] )?(?:(\w+): )?(.*)$/;
const isAdded = (line: string) => /^\(Use `.*` to show where the warning was created\)$/.test(line);

/** Passes on what another process of ours prints on stderr: each line is a warning of this one. */
export function warnAsPrinted(stderr: Readable): void {
  const pass = (line: string) => {
    if (line.trim() === '' || isAdded(line)) return;
    const [, code, name = 'Warning', message = line] = printed.exec(line) ?? [];
    emit({ name, message, code });
  };
  passLines({ stdout: null, stderr }, pass);
}

const CHANNEL = 'shopctl warnings';

/** In a thread: its warnings become those of the thread that has started it. Neither waits for one. */
export function warnInParent(): void {
  const parent = new BroadcastChannel(CHANNEL);
  parent.unref();
  takeWarnings().hear((warning) => parent.postMessage(warning));
}

let isHearing = false;

/** Before a thread is started: hears its warnings. */
export function hearThreads(): void {
  if (isHearing) return;
  isHearing = true;
  const threads = new BroadcastChannel(CHANNEL);
  threads.onmessage = ({ data }: MessageEvent) => emit(data);
  threads.unref();
}
