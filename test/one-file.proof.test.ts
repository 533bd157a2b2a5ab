/* The program of the executable without Node, run by this Node: what it unpacks, where, and what it does not trust. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { programOfThisRun } from './once/made-once.ts';
import { errorOf } from './support/stderr-lines.ts';

interface Packer {
  packed(dist: string, version: string): { index: { name: string; files: Record<string, unknown> }; bytes: Buffer };
}

let place: string;
let home: string;
let name: string;
let files: readonly string[];

/** What an executable has, from two files. */
const hook = (directory: string) => `
  const { readFileSync } = require('node:fs');
  const load = process.getBuiltinModule;
  const at = (name) => readFileSync(${JSON.stringify(directory)} + '/' + name);
  process.getBuiltinModule = (name) => name === 'node:sea'
    ? { getAsset: (name) => at(name).toString(), getRawAsset: (name) => new Uint8Array(at(name)).buffer }
    : load(name);
  // An executable's name stands in the place of its program.
  Object.defineProperty(process, 'execPath', { value: process.argv[1], writable: true });
`;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'shopctl-one-file-'));
  const outfile = join(place, 'one-file.cjs');
  await build({ entryPoints: ['src/one-file.ts'], outfile, bundle: true, platform: 'node', format: 'cjs' });
  const { packed } = (await import(resolve('scripts/package/executable.mjs'))) as Packer;
  const { index, bytes } = packed(await programOfThisRun('program'), '1.2.3');
  ({ name } = index);
  files = Object.keys(index.files);
  writeFileSync(join(place, 'index'), JSON.stringify(index));
  writeFileSync(join(place, 'files'), bytes);
  writeFileSync(join(place, 'hook.cjs'), hook(place));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));
beforeEach(() => {
  home = mkdtempSync(join(place, 'home-'));
});

/** Runs it in an environment without anything else; its messages go to an open file, if one is given. */
function run(words: readonly string[], env: Readonly<Record<string, string>> = { HOME: home }, messages?: number) {
  const program = ['--require', join(place, 'hook.cjs'), join(place, 'one-file.cjs'), ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    env,
    input: '',
    stdio: ['pipe', 'pipe', messages ?? 'pipe'],
  });
  return { status, stdout, stderr };
}

const programs = () => join(home, '.cache/shopctl/programs');
const unpacked = (...parts: string[]) => join(programs(), name, ...parts);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const group = ['orders', '--help'];

it('unpacks into the cache of the user, for nobody else, and leaves nothing beside it', () => {
  expect(run(['--version'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
  expect(readdirSync(programs())).toEqual([name]);
  for (const directory of [programs(), unpacked(), unpacked('packages')]) expect(modeOf(directory)).toBe('700');
  expect(files.filter((path) => modeOf(unpacked(path)) !== '600')).toEqual([]);
  const before = statSync(unpacked('start.cjs')).mtimeMs;
  expect(run(group)).toMatchObject({ status: 0, stdout: expect.stringContaining('Manage orders') });
  expect(statSync(unpacked('start.cjs')).mtimeMs).toBe(before);
});

it.each([
  ['the first file', 'start.cjs'],
  ['the program', 'process.cjs'],
  ['a package', 'packages/yaml.cjs'],
  ['what help reads', 'commands/orders.json'],
])('runs nothing that is not its own: %s', (_, path) => {
  run(['--version']);
  const right = readFileSync(unpacked(path));
  const canary = join(home, 'canary');
  writeFileSync(unpacked(path), `require('node:fs').writeFileSync(${JSON.stringify(canary)}, '')`);
  expect(run(group)).toMatchObject({ status: 0, stdout: expect.stringContaining('Manage orders') });
  expect(readFileSync(unpacked(path)).equals(right)).toBe(true);
  rmSync(unpacked(path));
  expect(run(['totals', 'check', resolve('examples/order-complete.json')]).status).toBe(0);
  expect(readFileSync(unpacked(path)).equals(right)).toBe(true);
  expect(existsSync(canary)).toBe(false);
  expect(readdirSync(programs())).toEqual([name]);
});

it('does not follow a link to another directory, and closes one that others could write', () => {
  const elsewhere = join(home, 'elsewhere');
  run(['--version']);
  chmodSync(unpacked(), 0o777);
  expect(run(group).status).toBe(0);
  expect(modeOf(unpacked())).toBe('700');
  rmSync(unpacked(), { recursive: true });
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, unpacked());
  expect(run(group).status).toBe(0);
  expect(readdirSync(elsewhere)).toEqual([]);
});

it('runs from a temporary directory where there is no cache, and removes it at its end', () => {
  const directory = join(home, 'tmp');
  mkdirSync(directory);
  expect(run(group, { TMPDIR: directory })).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(directory)).toEqual([]);
  // A path that is not absolute is nobody's cache.
  expect(run(group, { TMPDIR: directory, XDG_CACHE_HOME: 'cache' })).toMatchObject({ status: 0 });
  expect([readdirSync(directory), readdirSync(home)]).toEqual([[], ['tmp']]);
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('removes it when a %s ends a command that waits', async (signal) => {
  const TMPDIR = join(home, 'tmp');
  mkdirSync(TMPDIR);
  const program = ['--require', join(place, 'hook.cjs'), join(place, 'one-file.cjs'), 'totals', 'check', '-'];
  const seen = watch(TMPDIR);
  const child = spawn(process.execPath, program, { env: { TMPDIR }, stdio: ['pipe', 'ignore', 'ignore'] });
  await once(seen, 'change');
  seen.close();
  child.kill(signal);
  const [code, by] = await once(child, 'exit');
  expect([code === null ? by : code, readdirSync(TMPDIR)]).toEqual([expect.toBeOneOf([signal, 129, 130, 143]), []]);
});

it('says so where there is no place at all, as every error is said', () => {
  const env = { TMPDIR: join(home, 'none') };
  const text = run(['--version'], env);
  expect([text.status, text.stdout]).toEqual([14, '']);
  expect(text.stderr).toMatch(/^shopctl: error: .*cannot unpack itself.*\nhint: .*XDG_CACHE_HOME/);
  const json = run(['orders', 'list', '-o', 'json'], env);
  expect(errorOf(json)).toMatchObject({ code: 'configuration', exit_code: 14, outcome: 'not_applied' });
});

it.skipIf(!existsSync('/dev/full'))('ends with the same exit where nothing can be said either', () => {
  const full = openSync('/dev/full', 'w');
  expect(run(['--version'], { TMPDIR: join(home, 'none') }, full).status).toBe(14);
  closeSync(full);
});

it('is unpacked once by many that start together, who remove nothing of each other', async () => {
  const start = () => {
    const program = ['--require', join(place, 'hook.cjs'), join(place, 'one-file.cjs'), ...group];
    return once(spawn(process.execPath, program, { env: { HOME: home }, stdio: 'ignore' }), 'exit');
  };
  const all = Array.from({ length: 9 }, () => start());
  expect(await Promise.all(all)).toEqual(all.map(() => [0, null]));
  expect(readdirSync(programs())).toEqual([name]);
});

it('keeps the programs of before, and removes those that are long out of use', () => {
  mkdirSync(programs(), { recursive: true, mode: 0o700 });
  for (const directory of [join(home, '.cache'), join(home, '.cache/shopctl')]) chmodSync(directory, 0o700);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  const ages = { recent: 1, third: 10, fourth: 20, older: 29, 'new-killed': 1, old: 31, 'very-old': 300, 'new-one': 0 };
  for (const [old, age] of Object.entries(ages)) {
    mkdirSync(join(programs(), old));
    utimesSync(join(programs(), old), days(age), days(age));
  }
  run(['--version']);
  expect(readdirSync(programs()).toSorted()).toEqual([name, 'fourth', 'new-one', 'older', 'recent', 'third']);
});

it('is a part of itself where it is asked for one, and for no other file of that name', () => {
  run(['--version']);
  const other = join(home, 'sqlite-query.cjs');
  const canary = join(home, 'canary');
  writeFileSync(other, `require('node:fs').writeFileSync(${JSON.stringify(canary)}, '')`);
  expect(run([other]).status).toBe(2);
  expect(existsSync(canary)).toBe(false);
});
