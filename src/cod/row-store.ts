import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/** As many characters of JSON are held in memory. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Bytes that are read at a time. */
const PIECE = 64 * 1024;

/**
 * Rows that are written once and read afterwards, as often as needed: the first ones in memory, more in a file without a
 * name, which ends with the process however that ends. Rows are values of JSON.
 */
export class Spool<Row> {
  #waiting: string[] = [];
  #size = 0;
  #file: FileHandle | undefined;

  /** Adds rows after the others. Throws the error of the file system if the disk is full. */
  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      const text = JSON.stringify(row);
      this.#waiting.push(text);
      this.#size += text.length;
    }
    if (this.#file === undefined && this.#size <= MOST_CHARACTERS) return;
    this.#file ??= await fileWithoutName();
    await this.#file.appendFile(`${this.#waiting.join('\n')}\n`);
    this.#waiting = [];
    this.#size = 0;
  }

  /** The rows in their order. */
  async *rows(): AsyncGenerator<Row, void, undefined> {
    if (this.#file !== undefined) for await (const line of linesIn(this.#file)) yield JSON.parse(line);
    for (const text of this.#waiting) yield JSON.parse(text);
  }

  /** Forgets the rows. */
  async close(): Promise<void> {
    this.#waiting = [];
    await this.#file?.close();
    this.#file = undefined;
  }
}

/** The lines of a file, all read into the same bytes: a stream would leave hundreds of megabytes to be collected. */
async function* linesIn(file: FileHandle): AsyncGenerator<string, void, undefined> {
  const bytes = Buffer.allocUnsafe(PIECE);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for (let from = 0; ; ) {
    const { bytesRead } = await file.read(bytes, 0, PIECE, from);
    if (bytesRead === 0) return;
    from += bytesRead;
    const lines = `${rest}${decoder.write(bytes.subarray(0, bytesRead))}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function fileWithoutName(): Promise<FileHandle> {
  // Only this user can read what is in it.
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-'));
  try {
    return await open(join(directory, 'rows'), 'ax+', 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
