import { copyFile, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePrivateDirectory, replaceFile } from '../../platform/files/files.ts';
import { invalid, Refusal } from '../engine/refusal.ts';

/** A saved snapshot. */
export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  /** By the machine's clock. */
  readonly saved_at: string;
}

/**
 * The snapshot files: in `snapshots` of the data directory, otherwise in a temporary one that is removed with the
 * sandbox.
 */
export interface SnapshotFiles {
  list(): Promise<readonly Snapshot[]>;
  /**
   * Calls `write` with the path of a new file, which becomes the snapshot once it is complete. Refuses with 409 if the
   * name exists.
   */
  save(name: string, replace: boolean, write: (path: string) => void): Promise<Snapshot>;
  /** Calls `read` with a copy of the snapshot's file. Refuses with 404 if there is none. */
  open(name: string, read: (path: string) => Promise<void>): Promise<Snapshot>;
  remove(name: string): Promise<void>;
  /** Removes the temporary directory. */
  close(): Promise<void>;
}

const ENDING = '.sqlite';

/** Snapshots contain API keys: directories are 0700, files 0600 from the first byte. */
export function snapshotFiles(data: string | undefined): SnapshotFiles {
  return new DirectoryOfSnapshots(data);
}

class DirectoryOfSnapshots implements SnapshotFiles {
  readonly #data: string | undefined;
  /** The directory, once it is known to exist. */
  #made: string | undefined;
  #written = 0;

  constructor(data: string | undefined) {
    this.#data = data;
  }

  async list(): Promise<readonly Snapshot[]> {
    // Listing creates no directory that would have to be removed again.
    if (this.#data === undefined && this.#made === undefined) return [];
    const names = (await readdir(await this.#directory())).filter((file) => isSnapshotFile(file));
    const snapshots = await Promise.all(names.sort().map((file) => this.#found(file.slice(0, -ENDING.length))));
    return snapshots.filter((snapshot) => snapshot !== undefined);
  }

  async save(name: string, replace: boolean, write: (path: string) => void): Promise<Snapshot> {
    const path = await this.#pathOf(name);
    if (!replace && (await this.#found(name)) !== undefined) {
      throw new Refusal('already_exists', `the snapshot ${JSON.stringify(name)} already exists`, {
        duplicated: 'name',
      });
    }
    await this.#withFile(async (unfinished) => {
      write(unfinished);
      await flush(unfinished);
      replaceFile(unfinished, path);
    });
    return this.#required(name);
  }

  async open(name: string, read: (path: string) => Promise<void>): Promise<Snapshot> {
    const snapshot = await this.#required(name);
    const path = await this.#pathOf(name);
    await this.#withFile(async (copy) => {
      await copyFile(path, copy);
      await read(copy);
    });
    return snapshot;
  }

  async remove(name: string): Promise<void> {
    await this.#required(name);
    await rm(await this.#pathOf(name), { force: true });
  }

  async close(): Promise<void> {
    if (this.#data === undefined && this.#made !== undefined) await rm(this.#made, { recursive: true, force: true });
  }

  async #directory(): Promise<string> {
    if (this.#made === undefined && this.#data !== undefined) {
      this.#made = join(this.#data, 'snapshots');
      makePrivateDirectory(this.#made);
    }
    this.#made ??= await mkdtemp(join(tmpdir(), 'shopctl-snapshots-'));
    return this.#made;
  }

  async #pathOf(name: string): Promise<string> {
    const file = `${checked(name)}${ENDING}`;
    return join(await this.#directory(), file);
  }

  async #found(name: string): Promise<Snapshot | undefined> {
    const file = await stat(await this.#pathOf(name)).catch(() => undefined);
    return file && { name, bytes: file.size, saved_at: file.mtime.toISOString() };
  }

  async #required(name: string): Promise<Snapshot> {
    const snapshot = await this.#found(name);
    if (snapshot === undefined) throw new Refusal('not_found', `there is no snapshot ${JSON.stringify(name)}`);
    return snapshot;
  }

  /** A file that is not listed, removed after `use` if it still exists. */
  async #withFile(use: (path: string) => Promise<void>): Promise<void> {
    this.#written += 1;
    const path = join(await this.#directory(), `.unfinished-${this.#written}`);
    // A process killed at this point left its files: their journal must not be applied to the new file.
    await removeDatabase(path);
    const file = await open(path, 'wx', 0o600);
    await file.close();
    try {
      await use(path);
    } finally {
      await removeDatabase(path);
    }
  }
}

const NAME = /^\w[\w.-]{0,63}$/;

/** A name that cannot leave the directory, and cannot create a hidden file. */
function checked(name: string): string {
  if (NAME.test(name)) return name;
  throw invalid('name', 'must be at most 64 letters, digits, _, - and ., and begin with none of the last two');
}

function isSnapshotFile(file: string): boolean {
  return file.endsWith(ENDING) && NAME.test(file.slice(0, -ENDING.length));
}

/** Removes a database with all files that SQLite puts beside it. */
async function removeDatabase(path: string): Promise<void> {
  for (const rest of ['', '-journal', '-wal', '-shm']) await rm(path + rest, { force: true });
}

/** SQLite does not flush a copy to disk. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
