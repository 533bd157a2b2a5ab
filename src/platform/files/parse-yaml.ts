import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { hearThreads } from '../process/node-warnings.ts';
import { parseYamlHere, type YamlResult } from './yaml-here.ts';

/** Texts that are parsed in this thread: the slowest one takes less than a second. */
const MOST_HERE = 16 * 1024;
const MOST_MS = 60_000;
const MOST_MEBIBYTES = 1024;

/** The thread's program, which the build puts beside this one. */
const built = new URL('./yaml-thread.cjs', import.meta.url);

/** What to do about a text that cannot be parsed in the time or memory that there is. */
const tooMuch = (what: string): YamlResult => ({
  ok: false,
  message: `takes too much ${what} to read: save it as JSON`,
});

/**
 * Parses YAML, a large text in a thread of its own, which is ended when the signal is aborted or the parser takes too
 * long; rejects with the signal's reason. Where the thread's program is not built, as beside the sources, this thread
 * parses.
 */
export async function parseYaml(
  text: string,
  {
    signal,
    program = built,
    mostMs = MOST_MS,
  }: { signal?: AbortSignal | undefined; program?: URL; mostMs?: number } = {},
): Promise<YamlResult> {
  signal?.throwIfAborted();
  if (text.length <= MOST_HERE || !existsSync(program)) return parseYamlHere(text);
  hearThreads();
  const worker = new Worker(program, {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEBIBYTES },
  });
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    return await new Promise<YamlResult>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      timer = setTimeout(() => resolve(tooMuch('time')), mostMs);
      worker.once('message', resolve);
      worker.once('error', () => resolve(tooMuch('memory')));
    });
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
