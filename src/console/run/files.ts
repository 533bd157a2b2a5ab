import { appendFile, link, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivateDirectory } from '../../platform/files/files.ts';
import type { FileAnswer, UploadPiece } from '../wire.ts';

/** The largest file that a page may send. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Files that are kept at once in either direction; the oldest go. */
const MOST_FILES = 64;

const PICTURE = 'image/svg+xml';

/** A name that is one of a file in any directory, for people to recognise. */
const plainName = (name: string) => {
  const plain = basename(name.replaceAll('\\', '/'))
    .replaceAll(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(-100);
  return plain === '' ? 'file' : plain;
};

interface Kept {
  readonly path: string;
  readonly picture?: string;
}

/**
 * The files that pass through a console: those that a page sends, and those that are written for it. Each lies in a
 * directory of its own that only this user can read; all of them go when the console ends.
 */
export interface StoredFiles {
  /** Adds bytes to the end of a file, a new one without an id; undefined if there is none of that id, or it is too large. */
  receive(piece: UploadPiece): Promise<string | undefined>;
  /** Places files that were sent beside each other under their names; undefined if one of them is not there. */
  gather(ids: readonly string[]): Promise<Gathered | undefined>;
  /** The name of a file that was sent. */
  name(id: string): string | undefined;
  /** Room for a file that an action writes, and the id by which the page fetches it. */
  room(name: string): Promise<{ readonly id: string; readonly path: string }>;
  /** Keeps a drawing; returns the id by which the page fetches it. */
  picture(svg: string): string;
  /** A drawing, or a file that was written, which goes with that; undefined if there is none. */
  take(id: string): Promise<FileAnswer | undefined>;
  /** Removes everything. */
  end(): Promise<void>;
}

/** Files in a directory, by their ids. */
export interface Gathered {
  readonly directory: string;
  readonly names: ReadonlyMap<string, string>;
}

/** Links files into one directory, each under a name of its own. */
async function gathered(files: readonly (readonly [id: string, path: string])[], directory: string): Promise<Gathered> {
  const names = new Map<string, string>();
  for (const [index, [id, path]] of files.entries()) {
    const own = basename(path);
    const name = [...names.values()].includes(own) ? `${index + 1}-${own}` : own;
    await link(path, join(directory, name));
    names.set(id, name);
  }
  return { directory, names };
}

/** The kept files of one direction; the oldest go. */
function limited() {
  const files = new Map<string, Kept>();
  return {
    get: (id: string) => files.get(id),
    remove: (id: string) => files.delete(id),
    add(id: string, kept: Kept) {
      files.set(id, kept);
      const [oldest] = files.keys();
      if (files.size <= MOST_FILES || oldest === undefined) return;
      const { path = '' } = files.get(oldest) ?? {};
      files.delete(oldest);
      if (path !== '') void rm(path, { force: true });
    },
  };
}

/** Keeps files below a directory, which is emptied first. */
export function storedFiles(directory: string, randomBytes: (length: number) => Uint8Array): StoredFiles {
  const sent = limited();
  const written = limited();
  let emptied: Promise<void> | undefined;
  const empty = () => rm(directory, { recursive: true, force: true });
  const newId = () => Buffer.from(randomBytes(16)).toString('hex');
  const place = async (name: string) => {
    emptied ??= empty();
    await emptied;
    const id = newId();
    makePrivateDirectory(join(directory, id));
    return { id, path: join(directory, id, plainName(name)) };
  };
  return {
    async receive({ id, name, bytes }) {
      const known = id === undefined ? undefined : sent.get(id);
      if (id !== undefined && known === undefined) return undefined;
      const at = known === undefined || id === undefined ? await place(name) : { id, path: known.path };
      const before = known === undefined ? 0 : (await stat(at.path)).size;
      const piece = Buffer.from(bytes, 'base64');
      if (before + piece.length > MOST_BYTES) return undefined;
      await appendFile(at.path, piece, { mode: 0o600 });
      if (known === undefined) sent.add(at.id, { path: at.path });
      return at.id;
    },
    async gather(ids) {
      const files = ids.map((id) => [id, sent.get(id)?.path ?? ''] as const);
      if (files.some(([, path]) => path === '')) return undefined;
      return gathered(files, dirname((await place('here')).path));
    },
    name(id) {
      const path = sent.get(id)?.path;
      return path === undefined ? undefined : basename(path);
    },
    async room(name) {
      const at = await place(name);
      written.add(at.id, { path: at.path });
      return at;
    },
    picture(svg) {
      const id = newId();
      written.add(id, { path: '', picture: svg });
      return id;
    },
    async take(id) {
      const found = written.get(id);
      if (found === undefined) return undefined;
      if (found.picture !== undefined) return { name: 'chart.svg', type: PICTURE, body: found.picture };
      written.remove(id);
      const body = await readFile(found.path).catch(() => undefined);
      await rm(found.path, { force: true });
      return body === undefined ? undefined : { name: basename(found.path), type: 'application/octet-stream', body };
    },
    end: empty,
  };
}
