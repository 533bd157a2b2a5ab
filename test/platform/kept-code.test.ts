import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadProgram } from '../../src/platform/kept-code.ts';

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
const open = (keepIn?: string) => loadProgram<Program>(program, { load, keepIn, kind: 'test' });
const kept = () => readdirSync(directory).filter((name) => name.startsWith('shopctl-'));
const onlyKept = () => join(directory, kept()[0] ?? '');

/** A run that executes the program and keeps what was compiled. */
function runAndKeep(): number {
  const { exports, keep } = open(directory);
  const sum = exports.sum(1, 2, 3);
  keep();
  return sum;
}

describe('a program', () => {
  it('gets what it asks for, and gives what it exports', async () => {
    const { exports } = open();
    expect(exports.sum(1, 2)).toBe(3);
    expect(exports.separator).toBe('/');
    expect(await exports.beside()).toBe('what lies in ./beside.js');
  });

  it('keeps its code in one file that only its user can read or write, and leaves it once it is there', () => {
    expect(runAndKeep()).toBe(6);
    expect(kept()).toHaveLength(1);
    const { ino, mode } = statSync(onlyKept());
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
    expect(runAndKeep()).toBe(6);
    expect(kept()).toHaveLength(1);
    expect(statSync(onlyKept()).ino).toBe(ino);
  });

  it('does not take the code of another version of its file', () => {
    runAndKeep();
    const text = readFileSync(program, 'utf8').replace('one + other', 'one * other').replace(', 0)', ', 1)');
    writeFileSync(program, text);
    expect(runAndKeep()).toBe(6);
    expect(open(directory).exports.sum(2, 3, 4)).toBe(24);
  });

  it('replaces kept code that V8 refuses', () => {
    const { size, mtimeMs } = statSync(program);
    writeFileSync(join(directory, `shopctl-test-${size}-${mtimeMs}`), 'not code', { mode: 0o600 });
    expect(runAndKeep()).toBe(6);
    expect(kept()).toHaveLength(1);
    expect(statSync(onlyKept()).size).toBeGreaterThan(100);
  });

  it.skipIf(process.platform === 'win32')('does not take code that somebody else could have written', () => {
    runAndKeep();
    const { ino } = statSync(onlyKept());
    chmodSync(onlyKept(), 0o666);
    expect(runAndKeep()).toBe(6);
    expect(statSync(onlyKept()).ino).not.toBe(ino);
    expect(statSync(onlyKept()).mode & 0o777).toBe(0o600);
  });

  it('keeps nothing without a directory, and runs where nothing can be kept', () => {
    open().keep();
    expect(kept()).toEqual([]);
    const { exports, keep } = open(join(directory, 'not-there'));
    keep();
    expect(exports.sum(1, 2, 3)).toBe(6);
  });
});
