declare module 'node:zlib' {
  /** Of Node 20.15 and later; the types of 20 lack it. */
  function crc32(data: Uint8Array): number;
}

/** A loaded program, and a way to cache what V8 compiled of it for the next start. */
export interface LoadedProgram<Exports> {
  readonly exports: Exports;
  readonly keep: () => void;
}

type Load = (specifier: string) => Promise<unknown>;
type Require = (name: string) => unknown;
type Body = (exports: unknown, require: Require, module: ProgramModule, load: Load) => void;

interface ProgramModule {
  readonly exports: object;
  /** What `import.meta.url` is to an ES module. */
  readonly url: string;
}

export interface ProgramOptions {
  /** Imports a module that lies beside the program. */
  readonly load: Load;
  /** Loads a program that lies beside this one, at once: what it requires by a name such as `./texts.cjs`. */
  readonly open?: Require;
  /** Absolute path of this user's cache directory; without one nothing is cached. */
  readonly cache?: string | undefined;
  /** The kind of run: other kinds compile other parts of the program. */
  readonly kind: string;
}

/** Upper bound for the compiled code of any of our programs, in bytes. */
const LARGEST_ENTRY = 32 * 1024 * 1024;

/** Most entries kept; the oldest is removed when another is added, so those of uninstalled programs go too. */
const MOST_ENTRIES = 150;

/** Bytes of the checksum before the code. */
const CHECKSUM_BYTES = 4;

type Status = { readonly uid: number; readonly mode: number; isFile(): boolean; isDirectory(): boolean };

/** Whether it belongs to the user whose keys the code will have access to. */
function isOwn({ uid }: Status): boolean {
  const user = process.geteuid?.();
  return user === undefined || uid === user;
}

/** Whether only this user can open it: whoever can write it decides what is run. Windows has no such modes. */
function isPrivate(status: Status): boolean {
  return isOwn(status) && (process.geteuid === undefined || (status.mode & 0o077) === 0);
}

/** This user's own cache directory: never a relative path, which could be in anyone's working directory. */
export function cacheOfUser(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = env;
  const place = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
  return place && process.getBuiltinModule('node:path').isAbsolute(place) ? place : undefined;
}

/** What is kept in the cache, each in a directory of its own: compiled code, and programs that were unpacked. */
type Kept = 'kept-code' | 'programs';

/** The directories from the cache root down to what is kept. */
function directoriesIn(cache: string, kept: Kept): readonly [string, string, string] {
  return [cache, `${cache}/shopctl`, `${cache}/shopctl/${kept}`];
}

/** Whether the directories are this user's own, and ours closed to others. Links are not followed. */
function isSafe(cache: string, kept: Kept): boolean {
  const { lstatSync } = process.getBuiltinModule('node:fs');
  return directoriesIn(cache, kept).every((directory, depth) => {
    const status = lstatSync(directory, { throwIfNoEntry: false });
    return status?.isDirectory() === true && (depth === 0 ? isOwn(status) : isPrivate(status));
  });
}

/** Creates missing directories, each inside one of this user's own, and closes ours to others. */
export function makeSafePlace(cache: string, kept: Kept): boolean {
  const { chmodSync, lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
  const { dirname } = process.getBuiltinModule('node:path');
  for (const [depth, directory] of directoriesIn(cache, kept).entries()) {
    if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
      if (!isOwn(lstatSync(dirname(directory)))) return false;
      mkdirSync(directory, { mode: 0o700 });
      // A umask may have removed permissions that the user needs.
      chmodSync(directory, 0o700);
    }
    const status = lstatSync(directory);
    if (!status.isDirectory() || !isOwn(status)) return false;
    if (depth > 0 && !isPrivate(status)) chmodSync(directory, 0o700);
  }
  return isSafe(cache, kept);
}

function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

/** The name of an entry: V8 tells one program from another by its length alone. */
function nameOf(source: Uint8Array, kind: string): string {
  const digits = checksum(source).toString(16).padStart(8, '0');
  return `${kind}-${digits}-${source.length}-${process.version}-${process.arch}`;
}

/** The cached code of that name, if complete and written by this user; V8 itself does not check that. */
function readKept(cache: string, name: string): Buffer | undefined {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
  let descriptor: number | undefined;
  try {
    if (!isSafe(cache, 'kept-code')) return undefined;
    descriptor = openSync(`${directoriesIn(cache, 'kept-code')[2]}/${name}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile() || !isPrivate(status) || status.size > LARGEST_ENTRY) return undefined;
    const entry = readFileSync(descriptor);
    const code = entry.subarray(CHECKSUM_BYTES);
    return entry.length > CHECKSUM_BYTES && entry.readUInt32LE() === checksum(code) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Writes atomically; failing to cache is not an error. */
function writeKept(cache: string, name: string, code: Buffer): void {
  const { closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const path = `${directoriesIn(cache, 'kept-code')[2]}/${name}`;
  const draft = `${path}.${process.pid}`;
  const head = Buffer.alloc(CHECKSUM_BYTES);
  head.writeUInt32LE(checksum(code));
  try {
    if (!makeSafePlace(cache, 'kept-code')) return;
  } catch {
    return;
  }
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      fchmodSync(descriptor, 0o600);
      writeFileSync(descriptor, Buffer.concat([head, code]));
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
    prune(directoriesIn(cache, 'kept-code')[2]);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** Removes the oldest entries, and temporary files that killed processes left. */
function prune(directory: string): void {
  const { lstatSync, readdirSync, rmSync } = process.getBuiltinModule('node:fs');
  const paths = readdirSync(directory).map((name) => `${directory}/${name}`);
  const times = paths.map((path) => ({ path, time: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const oldest = times.sort((one, other) => other.time - one.time).slice(MOST_ENTRIES);
  for (const { path } of oldest) rmSync(path, { force: true });
}

/**
 * The code that the build compiled for this Node, if it did: for this kind of run, or else for all. It lies beside the
 * program, and is trusted as the program is.
 */
function readBuilt(path: string, kind: string): Buffer | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { basename, dirname } = process.getBuiltinModule('node:path');
  for (const directory of [`code/${kind}`, 'code']) {
    try {
      return readFileSync(`${dirname(path)}/${directory}/${basename(path)}-${process.version}-${process.arch}`);
    } catch {
      // Not compiled ahead.
    }
  }
  return undefined;
}

/**
 * Loads a file that is one function, `(exports, require, module, load)`, with the code that V8 compiled of it during the
 * build, or else in an earlier run (docs/decisions/014). Code of an earlier run is unchecked, with access to the user's
 * keys: it is used only if the file, and the directories up to the user's cache, belong to this user, if its checksum
 * matches, and if the checksum of the program matches the one in its name.
 */
export function loadProgram<Exports extends object>(path: string, options: ProgramOptions): LoadedProgram<Exports> {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { Script } = process.getBuiltinModule('node:vm');
  const { load, open, cache, kind } = options;
  const source = readFileSync(path);
  const text = source.toString('latin1');
  const compile = (cachedData?: Buffer) =>
    new Script(text, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  const built = readBuilt(path, kind);
  let script = built && compile(built);
  let keep = () => {};
  // V8 refuses code that was compiled under other flags, as those of NODE_OPTIONS.
  if (script === undefined || script.cachedDataRejected === true) {
    const name = cache && nameOf(source, kind);
    const kept = cache && name && readKept(cache, name);
    const compiled = compile(kept || undefined);
    script = compiled;
    keep = () => {
      if (!(cache && name) || (kept && compiled.cachedDataRejected !== true)) return;
      writeKept(cache, name, compiled.createCachedData());
    };
  }
  const module: ProgramModule = {
    exports: {},
    get url() {
      return process.getBuiltinModule('node:url').pathToFileURL(path).href;
    },
  };
  const body: Body = script.runInThisContext();
  const require: Require = (name) => {
    // Loading node:process reads all of its properties, which opens the three streams.
    if (name === 'node:process') return process;
    if (open !== undefined && name.startsWith('./')) return open(name);
    // Making a `require` loads node:module, which most runs do not need.
    return process.getBuiltinModule(name) ?? process.getBuiltinModule('node:module').createRequire(path)(name);
  };
  body(module.exports, require, module, load);
  return { exports: module.exports as Exports, keep };
}
