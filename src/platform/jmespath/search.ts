import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { JSONValue } from '@jmespath-community/jmespath';
import { InterruptedError } from '../process/interruptible.ts';
import { hearThreads } from '../process/node-warnings.ts';
import { say } from '../terminal/texts.ts';
import { TooLongError, withinTime } from './within-time.ts';

/** How long this thread searches: meanwhile no signal is delivered. */
const MOST_HERE_MS = 500;

/** The thread's program, which the build puts beside this one. */
const built = new URL('./search-thread.cjs', import.meta.url);

/** What the thread searches. */
export interface Searched {
  readonly value: JSONValue;
  readonly expression: string;
}

/** What the thread found; or why an expression does not fit the value. */
export type Found = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * Applies a JMESPath expression. One that takes long goes on in a thread of its own, which is ended when the signal is
 * aborted: throws an InterruptedError then. Throws an Error if a value does not fit, or memory does not suffice. Where the
 * thread's program is not built, as beside the sources, this thread searches however long it takes.
 */
export async function searchJson(
  searched: Searched,
  { signal, program = built }: { signal?: AbortSignal | undefined; program?: URL } = {},
): Promise<unknown> {
  const { search } = await import('@jmespath-community/jmespath');
  const here = () => search(searched.value, searched.expression);
  if (!existsSync(program)) return here();
  try {
    return withinTime(here, MOST_HERE_MS);
  } catch (error) {
    if (!(error instanceof TooLongError)) throw error;
  }
  return inThread(searched, signal, program);
}

async function inThread(searched: Searched, signal: AbortSignal | undefined, program: URL): Promise<unknown> {
  // A signal that came while this thread searched is delivered in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  if (signal?.aborted) throw new InterruptedError();
  hearThreads();
  const worker = new Worker(program, { workerData: searched });
  let stop: (() => void) | undefined;
  try {
    const found = await new Promise<Found>((resolve, reject) => {
      stop = () => reject(new InterruptedError());
      signal?.addEventListener('abort', stop, { once: true });
      worker.once('message', resolve);
      worker.once('error', () => resolve({ ok: false, message: say().program.tooMuchMemory }));
    });
    if (!found.ok) throw new Error(found.message);
    return found.value;
  } finally {
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
