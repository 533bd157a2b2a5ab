import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadProgram } from '../../src/platform/process/code-cache.ts';

let directory: string;
let program: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'shopctl-kept-'));
  program = join(directory, 'program.cjs');
  writeFileSync(
    program,
    `// V8 knows again what it compiled in the same process, so each test has a text of its own: ${directory}
     (function (exports, require, module, load) {
       exports.sum = (...numbers) => numbers.reduce((one, other) => one + other, 0);
       exports.separator = require('node:path').posix.sep;
       exports.beside = () => load('./beside.js');
     })`,
  );
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Program {
  readonly sum: (...numbers: number[]) => number;
  readonly separator: string;
  readonly beside: () => Promise<unknown>;
}

const load = async (specifier: string) => `what lies in ${specifier}`;
const open = (cache?: string) => loadProgram<Program>(program, { load, cache, kind: 'test' });
const place = () => join(directory, 'cache', 'shopctl', 'kept-code');
const kept = () => readdirSync(place());
const onlyKept = () => join(place(), kept()[0] ?? '');

/** A run that executes the program and keeps what was compiled. */
function runAndKeep(): number {
  const { exports, keep } = open(join(directory, 'cache'));
  const sum = exports.sum(1, 2, 3);
  keep();
  return sum;
}

describe('a program', () => {
  it('receives what it requires, and returns what it exports', async () => {
    const { exports } = open();
    expect(exports.sum(1, 2)).toBe(3);
    expect(exports.separator).toBe('/');
    expect(await exports.beside()).toBe('what lies in ./beside.js');
  });

  it('keeps its code in one file, and leaves it once it is there', () => {
    expect(runAndKeep()).toBe(6);
    expect(kept()).toHaveLength(1);
    const { ino } = statSync(onlyKept());
    expect(runAndKeep()).toBe(6);
    expect(kept()).toHaveLength(1);
    expect(statSync(onlyKept()).ino).toBe(ino);
  });

  it('takes what the build compiled for this kind of run, or else for all', () => {
    const compile = `const [file] = process.argv.slice(1);
      const { Script } = require('node:vm');
      const script = new Script(require('node:fs').readFileSync(file, 'latin1'), { filename: file });
      process.stdout.write(script.createCachedData());`;
    /** Whether a run takes the code that lies in one of these directories, with bytes that are no code in the others. */
    const isTaken = (where: string, ...others: readonly string[]) => {
      // What this process compiled before, V8 knows without any code.
      writeFileSync(program, `${readFileSync(program, 'latin1')} // ${where} ${others.join()}`);
      const { stdout } = spawnSync(process.execPath, ['-e', compile, program]);
      for (const below of [where, ...others]) {
        mkdirSync(join(directory, below), { recursive: true });
        const bytes = below === where ? stdout : 'not code';
        writeFileSync(join(directory, below, `program.cjs-${process.version}-${process.arch}`), bytes);
      }
      open(join(directory, 'cache')).keep();
      const taken = !existsSync(place());
      rmSync(join(directory, 'code'), { recursive: true });
      rmSync(join(directory, 'cache'), { recursive: true, force: true });
      return taken;
    };
    expect(isTaken('code', 'code/other')).toBe(true);
    expect(isTaken('code/test', 'code')).toBe(true);
    expect(isTaken('code/other', 'code')).toBe(false);
    expect(isTaken('code', 'code/test')).toBe(false);
  });

  it('does not take the code of another program of the same size and time', () => {
    runAndKeep();
    const { atime, mtime, size } = statSync(program);
    writeFileSync(program, readFileSync(program, 'utf8').replace('one + other', 'one * other').replace(', 0)', ', 1)'));
    utimesSync(program, atime, mtime);
    expect(statSync(program)).toMatchObject({ size, mtime });
    expect(runAndKeep()).toBe(6);
    expect(kept()).toHaveLength(2);
    expect(open(join(directory, 'cache')).exports.sum(2, 3, 4)).toBe(24);
  });

  it('passes over an entry that is cut, changed anywhere, or no code, and replaces it', () => {
    runAndKeep();
    const whole = readFileSync(onlyKept());
    const damaged = [
      whole.subarray(0, whole.length / 2),
      whole.subarray(0, 3),
      Buffer.alloc(0),
      Buffer.from('not code'),
    ];
    for (let place = 0; place < whole.length; place += Math.ceil(whole.length / 40)) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 0x40;
      damaged.push(changed);
    }
    for (const bytes of damaged) {
      writeFileSync(onlyKept(), bytes);
      expect(runAndKeep()).toBe(6);
      expect(readFileSync(onlyKept()).equals(bytes)).toBe(false);
    }
  });

  it('removes the oldest entries once there are many, and what a killed process left', () => {
    mkdirSync(place(), { recursive: true, mode: 0o700 });
    for (let number = 0; number < 200; number += 1) {
      const path = join(place(), `old-${number}`);
      writeFileSync(path, 'x');
      utimesSync(path, number + 1, number + 1);
    }
    runAndKeep();
    const names = kept();
    expect(names).toHaveLength(150);
    expect(names).toContain('old-199');
    expect(names).not.toContain('old-0');
    expect(names.some((name) => name.startsWith('test-'))).toBe(true);
  });

  it('keeps nothing without a directory, and runs where nothing can be kept', () => {
    open().keep();
    expect(readdirSync(directory)).toEqual(['program.cjs']);
    const { exports, keep } = open(join(directory, 'program.cjs', 'not-there'));
    keep();
    expect(exports.sum(1, 2, 3)).toBe(6);
  });

  it.skipIf(process.platform === 'win32')('closes directories of ours that are open to others', () => {
    mkdirSync(place(), { recursive: true });
    for (const path of [place(), join(place(), '..')]) chmodSync(path, 0o777);
    runAndKeep();
    for (const path of [place(), join(place(), '..')]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it.skipIf(process.platform === 'win32')('takes no code that others could have written, and replaces it', () => {
    runAndKeep();
    const elsewhere = join(directory, 'elsewhere');
    for (const [what, change] of [
      ['open to others', () => chmodSync(onlyKept(), 0o666)],
      [
        'a link',
        () => {
          const entry = onlyKept();
          renameSync(entry, elsewhere);
          symlinkSync(elsewhere, entry);
        },
      ],
    ] as const) {
      change();
      runAndKeep();
      const status = lstatSync(onlyKept());
      expect([what, status.isFile(), status.mode & 0o777]).toEqual([what, true, 0o600]);
    }
  });

  it.skipIf(process.platform === 'win32')('keeps nothing behind a link that lies in the cache', () => {
    const [cache, elsewhere] = [join(directory, 'cache'), join(directory, 'elsewhere')];
    for (const made of [cache, join(elsewhere, 'kept-code')]) mkdirSync(made, { recursive: true });
    symlinkSync(elsewhere, join(cache, 'shopctl'));
    expect(runAndKeep()).toBe(6);
    expect(readdirSync(elsewhere, { recursive: true })).toEqual(['kept-code']);
  });
});
