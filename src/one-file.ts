import { cacheOfUser, makeSafePlace } from './platform/process/code-cache.ts';

/*
 * The program of the executable that needs no Node: it holds the build's files, unpacks them into this user's cache, and
 * runs them there, because threads and child processes load theirs from a disk. `npm run package` makes it.
 */

/** Where each file of the build stands in the packed bytes. */
interface PackedIndex {
  /** Names this content and no other. */
  readonly name: string;
  readonly files: Readonly<Record<string, readonly [from: number, to: number]>>;
}

interface Packed extends PackedIndex {
  readonly bytes: Buffer;
}

/** The part of node:sea that we use, which the types of Node 20 lack. */
interface SingleExecutable {
  getAsset(name: string, encoding: 'utf8'): string;
  getRawAsset(name: string): ArrayBuffer;
}

/** Where the program was unpacked, and what is called before more than its first file is read. */
interface Unpacked {
  readonly place: string;
  readonly complete: () => void;
}

/** Programs that are stored, this one among them: a listener that was started before an upgrade still loads its own. */
const MOST_PROGRAMS = 3;

/** Nor is one removed that was unpacked within this time, or what may still be unpacked. */
const RECENT_MS = 30 * 86_400_000;
const DRAFT_MS = 3_600_000;
const DRAFT = 'new-';

const CONFIGURATION = 14;

/** The bytes of one of the files. */
function bytesOf({ files, bytes }: Packed, path: string): Buffer {
  const [from, to] = files[path] ?? [0, 0];
  return bytes.subarray(from, to);
}

function isSame(path: string, bytes: Buffer): boolean {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}

/** What is loaded first, and alone answers `--version` and the first help. */
const ENTRY = 'start.cjs';

/** Whether a directory is a real one, closed to others, with these files as the executable has them. */
function isAsPacked(directory: string, packed: Packed, paths = Object.keys(packed.files)): boolean {
  const { lstatSync } = process.getBuiltinModule('node:fs');
  const status = lstatSync(directory, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (status?.isDirectory() !== true) return false;
  if (user !== undefined && (status.uid !== user || (status.mode & 0o077) !== 0)) return false;
  return paths.every((path) => isSame(`${directory}/${path}`, bytesOf(packed, path)));
}

/** Writes every file into a directory that is empty and this user's own. */
function unpackInto(directory: string, packed: Packed): void {
  const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const { dirname } = process.getBuiltinModule('node:path');
  for (const path of Object.keys(packed.files)) {
    const file = `${directory}/${path}`;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytesOf(packed, path), { flag: 'wx', mode: 0o600 });
  }
}

/** Puts an unpacked program into its place, unless another process was as fast; what is damaged there makes room. */
function putInPlace(draft: string, place: string, packed: Packed): void {
  const { existsSync, renameSync } = process.getBuiltinModule('node:fs');
  if (existsSync(place)) {
    if (isAsPacked(place, packed)) return;
    renameSync(place, `${draft}-damaged`);
  }
  renameSync(draft, place);
}

/** Unpacks into a directory of the user's cache; whether every file is there afterwards. */
function unpackTo(place: string, packed: Packed): boolean {
  const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs');
  const programs = process.getBuiltinModule('node:path').dirname(place);
  let draft: string | undefined;
  try {
    // mkdtemp creates it with mode 0700.
    draft = mkdtempSync(`${programs}/${DRAFT}`);
    unpackInto(draft, packed);
    putInPlace(draft, place, packed);
    removeOldest(programs);
  } catch {
    // The disk is full, or another process has put its own there meanwhile.
  } finally {
    for (const path of draft === undefined ? [] : [draft, `${draft}-damaged`]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
  return isAsPacked(place, packed);
}

/**
 * The directory below the user's cache with the program, and what makes sure that all of it is there: until then, its
 * first file is. Undefined if none can be made.
 */
function inCache(packed: Packed): Unpacked | undefined {
  const cache = cacheOfUser();
  try {
    if (cache === undefined || !makeSafePlace(cache, 'programs')) return undefined;
  } catch {
    return undefined;
  }
  const place = `${cache}/shopctl/programs/${packed.name}`;
  const complete = () => {
    if (isAsPacked(place, packed) || unpackTo(place, packed)) return;
    reportNoPlace();
    process.exit();
  };
  if (isAsPacked(place, packed, [ENTRY])) return { place, complete };
  return unpackTo(place, packed) ? { place, complete: () => {} } : undefined;
}

/** Removes what was unpacked long ago, unless it is among the latest, and what killed processes left. */
function removeOldest(programs: string): void {
  const { lstatSync, readdirSync, rmSync } = process.getBuiltinModule('node:fs');
  const found = readdirSync(programs).map((name) => {
    const path = `${programs}/${name}`;
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    return { path, age, isDraft: name.startsWith(DRAFT) };
  });
  const older = found
    .filter(({ isDraft }) => !isDraft)
    .sort((one, other) => one.age - other.age)
    .slice(MOST_PROGRAMS);
  for (const { path, age, isDraft } of [...older, ...found.filter((one) => one.isDraft)])
    if (age > (isDraft ? DRAFT_MS : RECENT_MS)) rmSync(path, { recursive: true, force: true });
}

/** A directory with the program for this run alone, which it removes at its end; undefined if none can be made. */
function inTemporaryDirectory(packed: Packed): Unpacked | undefined {
  const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs');
  let place: string | undefined;
  const remove = () => place !== undefined && rmSync(place, { recursive: true, force: true });
  process.once('exit', remove);
  // A signal that the program does not hear kills it as by default, once nothing is left.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const end = () => {
      if (process.listenerCount(name) > 1) return;
      remove();
      process.off(name, end);
      process.kill(process.pid, name);
    };
    process.on(name, end);
  }
  try {
    place = mkdtempSync(`${process.getBuiltinModule('node:os').tmpdir()}/shopctl-program-`);
    unpackInto(place, packed);
  } catch {
    remove();
    return undefined;
  }
  return { place, complete: () => {} };
}

/** Says that there is no place to unpack to, as every error is said. */
function reportNoPlace(): void {
  const message = 'shopctl cannot unpack itself: neither a cache directory nor a temporary one can be written';
  const hint = 'set XDG_CACHE_HOME or TMPDIR to a directory of yours';
  const asked = ` ${process.argv.slice(2).join(' ')} `;
  const isForProgram =
    / (?:--json|(?:-o ?|--output[ =])jsonl?) /.test(asked) || /^jsonl?$/.test(process.env.SHOPCTL_OUTPUT ?? '');
  const error = { code: 'configuration', message, hint, exit_code: CONFIGURATION, http_status: null, meta: {} };
  const envelope = {
    error: { ...error, operation: null, field_errors: [], outcome: 'not_applied' },
    schema_version: 1,
  };
  const text = `shopctl: error: ${message}\nhint: ${hint}`;
  // The disk of a log may be full as well: the exit code says it then.
  process.stderr.on('error', () => {});
  process.stderr.write(`${isForProgram ? JSON.stringify(envelope) : text}\n`);
  process.exitCode = CONFIGURATION;
}

/** Whether a process of this program's own is asked for: `shopctl PATH` of a file that the executable has, too. */
function isOwnPart(word: string | undefined, packed: Packed): word is string {
  const { basename, isAbsolute } = process.getBuiltinModule('node:path');
  if (word === undefined || !isAbsolute(word) || !(basename(word) in packed.files)) return false;
  return isSame(word, bytesOf(packed, basename(word)));
}

const isExecutable = (module: unknown): module is SingleExecutable =>
  typeof module === 'object' && module !== null && 'getRawAsset' in module;

function openPacked(): Packed {
  const sea: unknown = process.getBuiltinModule('node:sea');
  if (!isExecutable(sea)) throw new TypeError('this is no executable of its own');
  const index: PackedIndex = JSON.parse(sea.getAsset('index', 'utf8'));
  return { ...index, bytes: Buffer.from(sea.getRawAsset('files')) };
}

/** Runs this process's command line, or a part of the program that is a process of its own. */
function start(): void {
  const packed = openPacked();
  const [, , word, ...others] = process.argv;
  const load = process.getBuiltinModule('node:module').createRequire;
  if (isOwnPart(word, packed)) {
    // As Node itself starts a program.
    process.argv = [process.execPath, word, ...others];
    load(word)(word);
    return;
  }
  process.argv[1] = process.execPath;
  const unpacked = inCache(packed) ?? inTemporaryDirectory(packed);
  if (unpacked === undefined) {
    reportNoPlace();
    return;
  }
  const entry = `${unpacked.place}/${ENTRY}`;
  const { start: startProgram }: typeof import('./start.ts') = load(entry)(entry);
  void startProgram(unpacked.complete);
}

start();
