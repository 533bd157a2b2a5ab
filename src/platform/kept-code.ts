/** A program that was loaded, and how to keep what V8 compiled of it for the next start. */
export interface LoadedProgram<Exports> {
  readonly exports: Exports;
  readonly keep: () => void;
}

type Load = (specifier: string) => Promise<unknown>;
type Body = (exports: object, require: NodeJS.Require, module: { exports: object }, load: Load) => void;

export interface ProgramOptions {
  /** Imports what lies beside the program. */
  readonly load: Load;
  /** The directory in which code is kept; nothing is kept without one. */
  readonly keepIn?: string | undefined;
  /** What kind of run it is: runs of another kind compile other parts of the program. */
  readonly kind: string;
}

/** Whether nobody but this user can have written it: who writes it decides what is run. */
function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & 0o022) === 0);
}

function readKept(path: string): Buffer | undefined {
  const { closeSync, fstatSync, openSync, readFileSync } = process.getBuiltinModule('node:fs');
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    return isOwn(fstatSync(descriptor)) ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Whole or not at all; that it cannot be kept is no reason to fail. */
function writeKept(path: string, data: Buffer): void {
  const { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const draft = `${path}.${process.pid}`;
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(descriptor, data);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

/**
 * Loads a file that is one function, `(exports, require, module, load)`, with the code that V8 compiled of it in an
 * earlier run (docs/decisions/014). Node's own compile cache holds what is compiled before a module runs, and most of a
 * program is compiled while it runs.
 */
export function loadProgram<Exports extends object>(path: string, options: ProgramOptions): LoadedProgram<Exports> {
  const { createRequire } = process.getBuiltinModule('node:module');
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  const { Script } = process.getBuiltinModule('node:vm');
  const { load, keepIn, kind } = options;
  const { size, mtimeMs } = statSync(path);
  // V8 takes code for that of the file when their lengths agree; the rest is for the name to tell.
  const kept = keepIn === undefined ? undefined : `${keepIn}/shopctl-${kind}-${size}-${mtimeMs}`;
  const cachedData = kept === undefined ? undefined : readKept(kept);
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  (script.runInThisContext() as Body)(module.exports, createRequire(path), module, load);
  return {
    exports: module.exports as Exports,
    keep: () => {
      if (kept === undefined || (cachedData !== undefined && script.cachedDataRejected !== true)) return;
      writeKept(kept, script.createCachedData());
    },
  };
}
