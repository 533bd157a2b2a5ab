import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { attacker, mayBeOthers, runAs, victim, victimsDirectory } from './other-user.ts';

/** One program and another of the same length: V8 would take the code of the one for the other's. */
const genuine = `(function (exports) { exports.say = () => 'genuine'; })`;
const planted = `(function (exports) { exports.say = () => 'planted'; })`;

let loader: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/platform/process/code-cache.ts'],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  loader = outputFiles[0]?.text ?? '';
});

/** Runs the program with a cache, as one user, and keeps its code. */
function runProgram(user: typeof victim, place: string, source: string, umask = 0o022) {
  const script = `const module = { exports: {} };
    (function (exports, module) { ${loader} })(module.exports, module);
    require('node:fs').writeFileSync(process.argv[1] + '/program.cjs', process.argv[2]);
    const { exports: program, keep } = module.exports.loadProgram(process.argv[1] + '/program.cjs', { cache: process.argv[1] + '/.cache', kind: 'test' });
    process.stdout.write(program.say()); keep();`;
  return runAs(user, script, { umask, words: [place, source] });
}

const codeIn = (place: string) => join(place, '.cache', 'shopctl', 'kept-code');

/** The attacker's own entry: whole, with its checksum, under the name of the genuine program. */
function poison(): { readonly name: string; readonly path: string } {
  const own = victimsDirectory(0o755, attacker);
  expect(runProgram(attacker, own, planted).stdout).toBe('planted');
  const theirs = victimsDirectory(0o755, attacker);
  expect(runProgram(attacker, theirs, genuine).stdout).toBe('genuine');
  const [name = ''] = readdirSync(codeIn(theirs));
  const [entry = ''] = readdirSync(codeIn(own));
  return { name, path: join(codeIn(own), entry) };
}

describe.skipIf(!mayBeOthers)('code that is kept', () => {
  it('would run if it were taken: the attack itself works on whoever plants for himself', () => {
    const { name, path } = poison();
    const place = victimsDirectory();
    expect(runProgram(victim, place, genuine).stdout).toBe('genuine');
    cpSync(path, join(codeIn(place), name));
    chownSync(join(codeIn(place), name), victim.uid, victim.gid);
    expect(runProgram(victim, place, genuine).stdout).toBe('planted');
  });

  it.each(['000', '002', '022', '077', '177'])('lies where nobody else can look, with a umask of %s', (text) => {
    const umask = Number.parseInt(text, 8);
    const place = victimsDirectory();
    expect(runProgram(victim, place, genuine, umask).stdout).toBe('genuine');
    const code = codeIn(place);
    for (const directory of [code, join(code, '..'), join(code, '../..')]) {
      expect(lstatSync(directory)).toMatchObject({ uid: victim.uid, mode: 0o040700 });
    }
    const entries = readdirSync(code);
    expect(entries).toHaveLength(1);
    for (const entry of entries) expect(lstatSync(join(code, entry)).mode).toBe(0o100600);
    const { stdout } = runAs(
      attacker,
      `const fs = require('node:fs'); const [, code] = process.argv;
       const tries = [() => fs.readdirSync(code), () => fs.writeFileSync(code + '/x', ''), () => fs.renameSync(code, code + '2'), () => fs.rmSync(code, { recursive: true })];
       for (const attempt of tries) try { attempt(); process.stdout.write('did it '); } catch (error) { process.stdout.write(error.code + ' '); }`,
      { words: [code] },
    );
    expect(stdout.trim().split(' ')).toEqual(['EACCES', 'EACCES', 'EACCES', 'EACCES']);
  });

  it("is not taken from another user's file, however it came there", () => {
    const { name, path } = poison();
    const place = victimsDirectory();
    runProgram(victim, place, genuine);
    cpSync(path, join(codeIn(place), name));
    chownSync(join(codeIn(place), name), attacker.uid, attacker.gid);
    chmodSync(join(codeIn(place), name), 0o644);
    expect(runProgram(victim, place, genuine).stdout).toBe('genuine');
  });

  it('is not taken from a file of its own that others may write', () => {
    const { name, path } = poison();
    const place = victimsDirectory();
    runProgram(victim, place, genuine);
    cpSync(path, join(codeIn(place), name));
    chownSync(join(codeIn(place), name), victim.uid, victim.gid);
    chmodSync(join(codeIn(place), name), 0o660);
    expect(runProgram(victim, place, genuine).stdout).toBe('genuine');
  });

  it.each(['.cache', '.cache/shopctl', '.cache/shopctl/kept-code'])(
    "is not taken below another user's %s, nor kept there",
    (level) => {
      const { name, path } = poison();
      const place = victimsDirectory(0o777);
      mkdirSync(codeIn(place), { recursive: true });
      cpSync(path, join(codeIn(place), name));
      for (const part of [
        '.cache',
        '.cache/shopctl',
        '.cache/shopctl/kept-code',
        join('.cache/shopctl/kept-code', name),
      ]) {
        const owner = part === level ? attacker : victim;
        chownSync(join(place, part), owner.uid, owner.gid);
        chmodSync(join(place, part), part.endsWith(name) ? 0o600 : part === level ? 0o755 : 0o700);
      }
      expect(runProgram(victim, place, genuine).stdout).toBe('genuine');
      expect(readdirSync(codeIn(place))).toEqual([name]);
    },
  );

  it('is not taken through a link', () => {
    const { name, path } = poison();
    const place = victimsDirectory();
    const elsewhere = victimsDirectory();
    mkdirSync(join(elsewhere, 'shopctl', 'kept-code'), { recursive: true, mode: 0o700 });
    cpSync(path, join(elsewhere, 'shopctl', 'kept-code', name));
    for (const part of ['shopctl', 'shopctl/kept-code', join('shopctl/kept-code', name)]) {
      chownSync(join(elsewhere, part), victim.uid, victim.gid);
      chmodSync(join(elsewhere, part), part.endsWith(name) ? 0o600 : 0o700);
    }
    runProgram(victim, place, genuine);
    renameSync(join(place, '.cache', 'shopctl'), join(place, 'moved'));
    symlinkSync(join(elsewhere, 'shopctl'), join(place, '.cache', 'shopctl'));
    expect(runProgram(victim, place, genuine).stdout).toBe('genuine');
  });

  it("is not made in another user's home", () => {
    const place = victimsDirectory(0o777);
    expect(runProgram(attacker, place, genuine).stdout).toBe('genuine');
    expect(readdirSync(place)).toEqual(['program.cjs']);
  });
});

const keepsCode = Number.parseInt(process.versions.node, 10) >= 22;

describe('the built program', () => {
  let program: BuiltProgram;
  beforeAll(async () => {
    program = await buildProgram();
    chmodSync(join(program.bin, '..'), 0o755);
    // A package has none, since it is for any Node.
    for (const code of ['code', 'packages/code']) rmSync(join(program.bin, '../dist', code), { recursive: true });
  });
  afterAll(() => program.remove());

  const words = (env: Record<string, string>, umask: number, place: string) =>
    runAs(
      victim,
      `process.chdir(${JSON.stringify(place)}); process.argv = ['node', 'shopctl', 'commands', '-o', 'name']; import(${JSON.stringify(join(program.bin, '../dist/start.cjs'))}).then(({ start }) => start())`,
      {
        umask,
        env,
      },
    );

  it.skipIf(!mayBeOthers || !keepsCode)('keeps nothing that others can open, with a umask of 000', () => {
    const home = victimsDirectory();
    expect(words({ HOME: home }, 0, home)).toMatchObject({ status: 0, stderr: '' });
    const all = readdirSync(home, { recursive: true, encoding: 'utf8' });
    expect(all.length).toBeGreaterThan(3);
    for (const path of all) expect(lstatSync(join(home, path)).mode & 0o077).toBe(0);
  });

  it('keeps what the start of a sandbox compiled, of both its programs and on every Node, and takes it again', () => {
    const home = mkdtempSync(join(program.home, 'sandbox-'));
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(program.bin, 'shopctl'), ...args], {
        env: { HOME: home, PATH: process.env.PATH },
        encoding: 'utf8',
      });
    const start = () => run('sandbox', 'exec', '--', process.execPath, '-e', '0');
    const kept = () => {
      const place = join(home, '.cache', 'shopctl', 'kept-code');
      return readdirSync(place)
        .filter((name) => name.startsWith('sandbox-start-'))
        .map((name) => lstatSync(join(place, name)))
        .map(({ ino, mode }) => ({ ino, mode: mode & 0o777 }));
    };
    expect(start()).toMatchObject({ status: 0, stderr: '' });
    const first = kept();
    expect(first.length).toBeGreaterThan(1);
    for (const { mode } of first) expect(mode).toBe(0o600);
    expect(start()).toMatchObject({ status: 0, stderr: '' });
    expect(kept()).toEqual(first);
    // A run of another kind has entries of its own, where it has any.
    expect(run('sandbox', 'status').status).toBe(0);
    expect(kept()).toEqual(first);
  });

  it('keeps nothing where the build compiled it, unless V8 runs with other flags', async () => {
    const built = await buildProgram();
    onTestFinished(() => built.remove());
    const start = (...flags: string[]) =>
      spawnSync(
        process.execPath,
        [...flags, join(built.bin, 'shopctl'), 'sandbox', 'exec', '--', process.execPath, '-e', '0'],
        { env: { HOME: built.home, PATH: process.env.PATH }, encoding: 'utf8' },
      ).status;
    const cached = () =>
      readdirSync(built.home, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/sandbox-start-'));
    expect([start(), cached()]).toEqual([0, []]);
    expect(start('--stack-size=900')).toBe(0);
    expect(cached().length).toBeGreaterThan(1);
  });

  it.skipIf(!mayBeOthers).each([
    ['XDG_CACHE_HOME', { XDG_CACHE_HOME: 'cache' }],
    ['HOME', { HOME: 'home' }],
    ['XDG_CACHE_HOME beside a HOME', { XDG_CACHE_HOME: './cache', HOME: '/nonexistent' }],
  ])('keeps nothing for a relative %s', (_, env) => {
    const place = victimsDirectory();
    mkdirSync(join(place, 'cache'));
    mkdirSync(join(place, 'home', '.cache'), { recursive: true });
    for (const part of ['cache', 'home', 'home/.cache']) chownSync(join(place, part), victim.uid, victim.gid);
    words({ SHOPCTL_CONFIG_DIR: join(place, 'config'), ...env } as Record<string, string>, 0o022, place);
    expect(readdirSync(place, { recursive: true, encoding: 'utf8' }).sort()).toEqual(['cache', 'home', 'home/.cache']);
  });
});
