import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { programOfThisRun } from '../once/made-once.ts';

/** The program as installed: built, in its own directory. */
export interface BuiltProgram {
  /** The directory with `shopctl`, for PATH. */
  readonly bin: string;
  /** A directory for settings and files of the test. */
  readonly home: string;
  /** What starts it with these words. */
  line(...words: string[]): [file: string, words: string[]];
  remove(): void;
}

/**
 * The executable of a build that is to be tested in its place: one that was made of it, or the one that
 * `SHOPCTL_TEST_PROGRAM=release/shopctl-linux-x64` names.
 */
function executableOf(dist: string): string | undefined {
  const { SHOPCTL_TEST_PROGRAM: named } = process.env;
  if (named === undefined) return undefined;
  return existsSync(`${dist}.executable`) ? `${dist}.executable` : resolve(named);
}

/** A program of this run, which is built once, in a place of the caller's own that it may change. */
export async function buildProgram(built = programOfThisRun('program')): Promise<BuiltProgram> {
  const place = mkdtempSync(join(tmpdir(), 'shopctl-built-'));
  const executable = executableOf(await built);
  cpSync(await built, join(place, 'dist'), { recursive: true });
  cpSync('bin', join(place, 'bin'), { recursive: true });
  const command = join(place, 'bin', 'shopctl');
  symlinkSync(executable ?? 'shopctl.js', command);
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  const home = mkdtempSync(join(tmpdir(), 'shopctl-home-'));
  return {
    bin: join(place, 'bin'),
    home,
    line: (...words) => (executable === undefined ? [process.execPath, [command, ...words]] : [command, words]),
    remove() {
      for (const directory of [place, home]) rmSync(directory, { recursive: true, force: true });
    },
  };
}
