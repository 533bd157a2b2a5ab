import { freeMemory } from '../../platform/process/free-memory.ts';
import type { Sink } from '../../platform/terminal/streams.ts';

/** A buffering sink. */
export interface Gathering extends Sink {
  /** Writes what is buffered; rejects if a write failed. */
  flush(): Promise<void>;
  /** Collects what written rows were made of, once there were many. */
  free(): void;
}

/**
 * The limits of the buffer, in texts and in characters. A pipe holds 64 KiB: filling it at once would make reader and
 * writer wait for each other in turns.
 */
const MOST_TEXTS = 50;
const MOST_CHARACTERS = 16 * 1024;

/**
 * The rows of one page arrive together, and one write per row costs as much as producing the row. They are buffered
 * until the program waits for something else, and written before the next page is requested (`flushGathered`). An error
 * is reported by a later write or by the flush.
 */
export function gather(stdout: Sink): Gathering {
  const gathering = gathered(stdout);
  waitingFor.set(stdout, gathering);
  return gathering;
}

const waitingFor = new WeakMap<Sink, Gathering>();

/** What an export may have in memory between two pages, and after how many characters that is looked at. */
const MOST_BETWEEN_PAGES = 29 * 1024 * 1024;
const CHARACTERS_BETWEEN = 1024 * 1024;

/**
 * Writes buffered rows before waiting for something; an error is reported by a later write. What they were made of goes: in
 * an hour of pages V8 lets the heap grow.
 */
export async function flushGathered(stdout: Sink): Promise<void> {
  const gathering = waitingFor.get(stdout);
  if (gathering === undefined) return;
  await gathering.flush().catch(() => {});
  gathering.free();
}

function gathered(stdout: Sink): Gathering {
  let waiting = '';
  let texts = 0;
  let sinceFreed = 0;
  let writing: Promise<void> = Promise.resolve();
  let planned: NodeJS.Immediate | undefined;

  const flush = (): Promise<void> => {
    clearImmediate(planned);
    planned = undefined;
    if (waiting === '') return writing;
    const text = waiting;
    waiting = '';
    texts = 0;
    writing = writing.then(() => stdout.write(text));
    writing.catch(() => {});
    return writing;
  };

  return {
    isTerminal: stdout.isTerminal,
    columns: stdout.columns,
    get closed() {
      return stdout.closed;
    },
    write(text) {
      waiting += text;
      texts += 1;
      sinceFreed += text.length;
      if (texts >= MOST_TEXTS || waiting.length >= MOST_CHARACTERS) return flush();
      planned ??= setImmediate(flush);
      return Promise.resolve();
    },
    flush,
    free() {
      if (sinceFreed < CHARACTERS_BETWEEN) return;
      sinceFreed = 0;
      freeMemory(MOST_BETWEEN_PAGES);
    },
  };
}
