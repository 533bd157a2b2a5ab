import type { Sink } from '../../platform/streams.ts';

/** A sink that writes together what comes together. */
export interface Gathering extends Sink {
  /** Writes what still waits; rejects where a write failed. */
  flush(): Promise<void>;
}

/**
 * So many texts, and so many characters, are gathered at most. A pipe holds 64 KiB: what fills it at once has the reader and
 * the writer wait for each other in turns.
 */
const MOST_TEXTS = 50;
const MOST_CHARACTERS = 16 * 1024;

/**
 * Rows of one page come at once, and a write each costs as much as making the row. They wait for each other until the
 * program waits for something else, and are written before the next page is asked for (`flushGathered`). A failure is told
 * with a later write or the flush.
 */
export function gather(stdout: Sink): Gathering {
  const gathering = gathered(stdout);
  waitingFor.set(stdout, gathering);
  return gathering;
}

const waitingFor = new WeakMap<Sink, Gathering>();

/** Writes what still waits for other rows, before something is waited for; a failure is told with a later write. */
export async function flushGathered(stdout: Sink): Promise<void> {
  await waitingFor
    .get(stdout)
    ?.flush()
    .catch(() => {});
}

function gathered(stdout: Sink): Gathering {
  let waiting = '';
  let texts = 0;
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
      if (texts >= MOST_TEXTS || waiting.length >= MOST_CHARACTERS) return flush();
      planned ??= setImmediate(flush);
      return Promise.resolve();
    },
    flush,
  };
}
