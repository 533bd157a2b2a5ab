import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { hearThreads } from '../process/node-warnings.ts';
import { say } from '../terminal/texts.ts';
import { parseYamlHere, type YamlDocument, type YamlFault, type YamlRead } from './yaml-here.ts';

/** Texts that are parsed in this thread: the slowest one takes less than a second. */
const MOST_HERE = 16 * 1024;
const MOST_MS = 60_000;
const MOST_MEBIBYTES = 1024;

/** The thread's program, which the build puts beside this one. */
const built = new URL('./yaml-thread.cjs', import.meta.url);

/** The documents of a YAML text; or why it cannot be read, and where, in the language of the run. */
export type YamlResult =
  | { readonly ok: true; readonly documents: readonly YamlDocument[] }
  | { readonly ok: false; readonly message: string };

function messageOf({ words = '', fact, at }: YamlFault): string {
  const { yaml, settings } = say();
  const fault = fact === undefined ? yaml.library({ words }) : yaml[fact];
  return at === undefined ? fault : settings.at({ fault, ...at });
}

const inWords = (read: YamlRead): YamlResult => (read.ok ? read : { ok: false, message: messageOf(read.fault) });

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
  if (text.length <= MOST_HERE || !existsSync(program)) return inWords(parseYamlHere(text));
  hearThreads();
  const worker = new Worker(program, {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEBIBYTES },
  });
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    const read = await new Promise<YamlRead>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      timer = setTimeout(() => resolve({ ok: false, fault: { fact: 'time' } }), mostMs);
      worker.once('message', resolve);
      worker.once('error', () => resolve({ ok: false, fault: { fact: 'memory' } }));
    });
    return inWords(read);
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
