/* The package of npm, as a person gets it who runs no scripts and has no network: packed, installed, used. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { programOfThisRun } from './once/made-once.ts';
import { isOfSqliteHere } from './support/sqlite-drivers.ts';
import { errorOf } from './support/stderr-lines.ts';

const MEBIBYTE = 1024 * 1024;

let place: string;
/** A copy of what the project packs, which may change its manifest. */
let project: string;
let prefix: string;

const inPlace = (...parts: string[]) => join(place, ...parts);

/** npm, without the network and without what the person at this machine has set. */
const npm = (...words: string[]) =>
  execFileSync(
    'npm',
    [...words, '--offline', '--ignore-scripts', '--no-update-notifier', '--cache', inPlace('cache')],
    {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: inPlace('home') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );

function shopctl(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(join(prefix, 'bin', 'shopctl'), words, {
    cwd: inPlace('home'),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: inPlace('home') },
    input: '',
  });
  return { status, stdout, stderr };
}

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'shopctl-packed-'));
  project = inPlace('project');
  prefix = inPlace('prefix');
  for (const directory of ['project/scripts', 'prefix', 'home']) mkdirSync(inPlace(directory), { recursive: true });
  for (const part of [
    'bin',
    'completions',
    'man',
    'examples',
    'package.json',
    'LICENSE',
    'README.md',
    'scripts/packed.mjs',
  ])
    cpSync(part, join(project, part), { recursive: true });
  cpSync(await programOfThisRun('program'), join(project, 'dist'), { recursive: true });
  execFileSync(process.execPath, ['scripts/packed.mjs', 'begin'], { cwd: project });
  npm('pack');
  execFileSync(process.execPath, ['scripts/packed.mjs', 'end'], { cwd: project });
  npm('install', '--global', '--prefix', prefix, archive());
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

const archive = () =>
  join(project, readdirSync(project).find((name) => /^shopctl-[\d.]+\.tgz$/.test(name)) ?? 'none.tgz');
const installed = () => join(prefix, 'lib', 'node_modules');

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** A better-sqlite3 of that version beside the program, whose main file does that. */
function driver(version: string, code: string): void {
  const directory = join(installed(), 'better-sqlite3');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'better-sqlite3', version, main: 'index.js' }));
  writeFileSync(join(directory, 'index.js'), code);
}

const withoutDriver = () => rmSync(join(installed(), 'better-sqlite3'), { recursive: true, force: true });

describe('the package', () => {
  it('is one package that names no other, at most 3 MiB packed and 10 MiB installed', () => {
    const manifest = JSON.parse(readFileSync(join(installed(), 'shopctl', 'package.json'), 'utf8'));
    for (const field of ['dependencies', 'devDependencies', 'optionalDependencies', 'scripts', 'allowScripts'])
      expect(manifest).not.toHaveProperty(field);
    expect(manifest.man).toContain('./man/shopctl-ship.1');
    expect(manifest.peerDependenciesMeta).toEqual({ 'better-sqlite3': { optional: true } });
    expect(readdirSync(installed()).filter((name) => !name.startsWith('.'))).toEqual(['shopctl']);
    expect(statSync(archive()).size).toBeLessThanOrEqual(3 * MEBIBYTE);
    expect(sizeOf(prefix)).toBeLessThanOrEqual(10 * MEBIBYTE);
  });

  it('contains no source map, and the licence of each package that the project depends on', () => {
    const files = readdirSync(join(installed(), 'shopctl'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
    const licences = readFileSync(join(installed(), 'shopctl', 'dist', 'LICENSES.txt'), 'utf8');
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const unnamed = Object.keys(dependencies).filter((name) => !new RegExp(`^${name} \\d`, 'm').test(licences));
    expect(unnamed).toEqual([]);
  });

  it('leaves the manifest of the project as it was', () => {
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toBe(readFileSync('package.json', 'utf8'));
    expect(existsSync(join(project, 'package.json.kept'))).toBe(false);
  });

  it('has its source maps in an archive of their own, which --debug names where it lacks them', () => {
    const hook = inPlace('hook.cjs');
    writeFileSync(
      hook,
      'const known = Number.isSafeInteger; Number.isSafeInteger = (n) => { if (n === 450000) throw new TypeError("planted"); return known(n); };',
    );
    const dist = join(installed(), 'shopctl', 'dist');
    const order = join(installed(), 'shopctl', 'examples', 'order.json');
    const fail = () =>
      spawnSync(
        process.execPath,
        ['--require', hook, join(dist, '..', 'bin', 'shopctl.js'), 'totals', 'check', order, '--debug'],
        {
          encoding: 'utf8',
          env: { HOME: inPlace('home') },
        },
      ).stderr;
    const [, maps = 'none'] = /(shopctl-[\d.]+-maps\.tgz) of the release, unpacked in (?:.*)\/dist,/.exec(fail()) ?? [];
    execFileSync('tar', ['-xzf', join(project, maps), '-C', dist]);
    const reported = fail();
    expect(reported).toContain('at reviewTotals (src/domain/amounts/totals.ts:');
    expect(reported).not.toContain(maps);
  });
});

describe('the installed program', () => {
  it('answers, completes and explains itself without a driver', () => {
    expect(shopctl('--version')).toMatchObject({ status: 0, stderr: '' });
    expect(shopctl('orders', 'create', '--help')).toMatchObject({ status: 0, stderr: '' });
    expect(shopctl('completion', 'bash')).toMatchObject({ status: 0, stderr: '' });
    expect(shopctl('totals', 'fill', join(installed(), 'shopctl', 'examples', 'order.json'))).toMatchObject({
      status: 0,
    });
  });

  it.each([
    ['which is not installed', undefined, '', 'better-sqlite3 is not installed', 'npm install --no-save'],
    [
      'which has no native part',
      '12.11.1',
      'throw new Error("Could not locate the bindings file")',
      'not built for this Node',
      'npm rebuild',
    ],
    [
      'which would crash this Node',
      '13.2.0',
      'process.kill(process.pid, "SIGSEGV")',
      'that this Node cannot run',
      'npm install --no-save',
    ],
  ])('does without a driver %s, or says what helps', (_, version, code, fault, cure) => {
    if (version === undefined) withoutDriver();
    else driver(version, code);
    // From Node 22 on, version 13 is loaded like any other.
    if (version?.startsWith('13') && Number.parseInt(process.versions.node, 10) >= 22) return;
    const list = shopctl('batch', 'list', '--output', 'json');
    const doctor = shopctl('doctor');
    if (isOfSqliteHere) {
      expect(list).toMatchObject({ status: 0 });
      if (Number.parseInt(process.versions.node, 10) < 24) expect(doctor.stdout).toContain(fault);
      return;
    }
    expect(list.status).toBe(14);
    const error = errorOf(list);
    expect(error).toMatchObject({ code: 'sqlite_unavailable', outcome: 'not_applied' });
    expect(error.message).toContain(fault);
    expect(error.hint).toContain(cure);
    expect(shopctl('sandbox', 'start', '--detach')).toMatchObject({
      status: 14,
      stderr: expect.stringContaining(cure),
    });
    expect(doctor.status).toBe(14);
    expect(doctor.stdout).toContain(fault);
  });
});

describe('the jobs of examples/ci', () => {
  interface Job {
    readonly steps?: readonly { readonly run?: string }[];
    readonly script?: readonly string[];
  }

  /** The commands of the one job of a file, as its service runs them. */
  function commandsOf(file: string): string[] {
    const { jobs, orders }: { jobs?: { orders: Job }; orders?: Job } = parse(
      readFileSync(join('examples/ci', file), 'utf8'),
    );
    const { steps = [], script = [] } = jobs?.orders ?? orders ?? {};
    return [...steps.flatMap(({ run }) => (run === undefined ? [] : [run])), ...script];
  }

  it.each(['github.yml', 'gitlab.yml'])('install the archive, and ship in a sandbox: %s', (file) => {
    const checkout = mkdtempSync(inPlace('checkout-'));
    const modules = join(checkout, 'prefix', 'lib', 'node_modules');
    mkdirSync(modules, { recursive: true });
    cpSync(project, checkout, { recursive: true, filter: (path) => !/\/(?:dist|man|bin)$/.test(path) });
    // What a Node without SQLite needs besides.
    symlinkSync(resolve('node_modules/better-sqlite3'), join(modules, 'better-sqlite3'));
    const env = {
      PATH: `${join(checkout, 'prefix', 'bin')}:${process.env.PATH}`,
      HOME: inPlace('home'),
      npm_config_prefix: join(checkout, 'prefix'),
      npm_config_offline: 'true',
      npm_config_cache: inPlace('cache'),
      npm_config_update_notifier: 'false',
    };
    const commands = commandsOf(file);
    expect(commands).toHaveLength(2);
    const ran = commands.map((command) =>
      spawnSync('bash', ['-ec', command], { cwd: checkout, encoding: 'utf8', env }),
    );
    expect(ran.map(({ status, stderr }) => (status === 0 ? 0 : stderr))).toEqual([0, 0]);
    expect(ran[1]?.stdout).toMatch(/^order \d+ was shipped once and delivered$/m);
    // An error in the script fails the job.
    rmSync(join(checkout, 'examples', 'order-complete.json'));
    expect(spawnSync('bash', ['-ec', commands[1] ?? ''], { cwd: checkout, env }).status).toBe(2);
  });
});
