import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { programOfThisRun } from '../once/made-once.ts';

/** The program as installed: built, in its own directory. */
export interface BuiltProgram {
  /** The directory with `shopctl`, for PATH. */
  readonly bin: string;
  /** A directory for settings and files of the test. */
  readonly home: string;
  remove(): void;
}

/** A program of this run, which is built once, in a place of the caller's own that it may change. */
export async function buildProgram(built = programOfThisRun('program')): Promise<BuiltProgram> {
  const place = mkdtempSync(join(tmpdir(), 'shopctl-built-'));
  cpSync(await built, join(place, 'dist'), { recursive: true });
  cpSync('bin', join(place, 'bin'), { recursive: true });
  symlinkSync('shopctl.js', join(place, 'bin', 'shopctl'));
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  const home = mkdtempSync(join(tmpdir(), 'shopctl-home-'));
  return {
    bin: join(place, 'bin'),
    home,
    remove() {
      for (const directory of [place, home]) rmSync(directory, { recursive: true, force: true });
    },
  };
}
