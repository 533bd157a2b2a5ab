import { join } from 'node:path';
import * as z from 'zod';
import { FileError, type Files } from '../platform/files/files.ts';

const intent = z.object({
  /** Number of the write within its run. */
  write: z.number(),
  operation: z.string(),
  mark: z.string(),
  request: z.record(z.string(), z.unknown()),
  service: z.string(),
  shop: z.string(),
});

/** A write that is about to be sent: enough to find what it made, whatever happens after. */
export type Intent = z.output<typeof intent>;

const outcome = z.object({ write: z.number(), id: z.optional(z.string()), state: z.enum(['made', 'refused', 'gone']) });

/** A record that a run made, or may have made, and that is still there as far as is known. */
export interface Remaining extends Intent {
  /** Its id, if the answer to its creation arrived. */
  readonly id?: string | undefined;
}

/** The directory of the journals of runs that write. */
export const journalDirectory = (state: string) => join(state, 'conformance');

/** The journal of one run: each record is on disk before its creation is sent, so that a kill leaves nothing unknown. */
export class WriteJournal {
  readonly #files: Files;
  readonly #path: string;
  #count = 0;

  constructor(files: Files, state: string, run: string) {
    this.#files = files;
    this.#path = join(journalDirectory(state), `${run}.jsonl`);
  }

  /** Records a write before it is sent; returns its number. */
  async intend(what: Omit<Intent, 'write'>): Promise<number> {
    this.#count += 1;
    await this.#files.append(this.#path, `${JSON.stringify({ write: this.#count, ...what })}\n`);
    return this.#count;
  }

  /** Records what became of a write. */
  async settle(write: number, state: 'made' | 'refused' | 'gone', id?: string): Promise<void> {
    await this.#files.append(this.#path, `${JSON.stringify({ write, state, ...(id === undefined ? {} : { id }) })}\n`);
  }

  /** What is not known to be gone, the latest first; nothing if there is no journal. */
  async remaining(): Promise<readonly Remaining[]> {
    try {
      return readJournal(await this.#files.read(this.#path));
    } catch (error) {
      if (error instanceof FileError && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Forgets the journal, when nothing of it is left at the service. */
  async close(): Promise<void> {
    await this.#files.remove(this.#path);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readJournal(text: string): readonly Remaining[] {
  const found = new Map<number, Remaining>();
  for (const line of text.split('\n')) {
    const value = parsed(line);
    const begun = intent.safeParse(value);
    if (begun.success) found.set(begun.data.write, begun.data);
    const ended = outcome.safeParse(value);
    const known = ended.success && !begun.success ? found.get(ended.data.write) : undefined;
    if (!ended.success || known === undefined) continue;
    if (ended.data.state === 'made') found.set(known.write, { ...known, id: ended.data.id });
    else found.delete(known.write);
  }
  return [...found.values()].reverse();
}

/** The runs of which a journal is left. */
export async function openRuns(files: Files, state: string): Promise<readonly string[]> {
  const names = await files.list(journalDirectory(state));
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length));
}
