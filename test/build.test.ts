import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildProgram } from './support/built-program.ts';
import { errorOf, stderrLines } from './support/stderr-lines.ts';

const { changedByEscapes, namesImported } = (await import(resolve('scripts/build.mjs'))) as {
  changedByEscapes: (text: string) => string[];
  namesImported: (source: string, path: string) => Promise<string[] | undefined>;
};

const used = 'void [a, b, all];';

it.each([
  ["import { a, b } from 'node:fs';", ['a', 'b']],
  ["import {\n  a,\n  b,\n} from 'node:fs';", ['a', 'b']],
  ["import { a as b, type Stats } from 'node:fs';", ['a']],
  ['import { a } from \'node:fs\'; import { b } from "node:fs";', ['a', 'b']],
  ["import type { Stats } from 'node:fs';\nimport { a } from 'node:fs';", ['a']],
  ["import * as all from 'node:fs';", undefined],
  ["import all, { a } from 'node:fs';", undefined],
  ["import { a } from 'node:fs';\nexport * from 'node:fs';", undefined],
  ["import 'node:fs';", undefined],
])('the names that are imported, or that it is all, whatever the form: %s', async (statements, names) => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-names-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'source.ts');
  writeFileSync(file, `${statements}\n${used}\n`);
  expect(await namesImported(file, 'node:fs')).toEqual(names);
});

it.each([
  ['/\\đ/', 1],
  ['`\\đ`', 1],
  ['String.raw`đ`', 1],
  ['/\\\\đ/', 0],
  ['/[đĐ]/u', 0],

  ['String.raw`d`', 0],
])('the build refuses letters that an escape would change: %s', (code, count) => {
  expect(changedByEscapes(code)).toHaveLength(count);
});

it('the program reads letters beyond ASCII as they were written, in its regular expressions too', async () => {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const wrong = readFileSync(join(built.bin, '..', 'dist', 'process.cjs')).filter((byte) => byte > 0x7f);
  expect(wrong).toHaveLength(0);
  const words = ['quote', '--input', resolve('examples/quote.json'), '--cod-amount', '1.350.000 ₫', '--dry-run'];
  const env = {
    PATH: process.env.PATH,
    SHOPCTL_CONFIG_DIR: built.home,
    SHOPCTL_BASE_URL: 'http://127.0.0.1:1',
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: '2790128029463001495:secret-of-a-test',
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(built.bin, 'shopctl.js'), ...words], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining('dry run')]);
  expect(stdout).toContain('"cod_amount": 1350000');
});

/** The classes that a source declares, of those that some source tells apart by `instanceof`. */
function classesToldApart() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const texts = files.map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));
  const matched = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, name]) => String(name));
  const checked = new Set(texts.flatMap(({ text }) => matched(text, /\binstanceof\s+([\w$]+)/g)));
  return texts.flatMap(({ path, text }) =>
    matched(text, /^[^'"`*/]*\bclass\s+([\w$]+)/gm)
      .filter((name) => checked.has(name))
      .map((name) => ({ source: `src/${path}`, key: `shopctl ${path}#${name}` })),
  );
}

it('has one class of each that is told apart, where several parts of the build contain it', async () => {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const dist = join(built.bin, '..', 'dist');
  // A thread and the console's page have memory of their own: no class of theirs is met by another part.
  const maps = readdirSync(dist).filter(
    (name) => name.endsWith('.map') && !/^(?:\w+-thread|sqlite-query)\./.test(name),
  );
  const parts = maps.map((name) => ({
    name: name.slice(0, -'.map'.length),
    text: readFileSync(join(dist, name.slice(0, -'.map'.length)), 'utf8'),
    // Relative to the place of the build, which is of this run.
    sources: new Set<string>(
      JSON.parse(readFileSync(join(dist, name), 'utf8')).sources.map((path: string) =>
        path.includes('node_modules/') ? path : path.slice(path.indexOf('src/')),
      ),
    ),
  }));
  const shared = classesToldApart()
    .map((found) => ({ ...found, parts: parts.filter(({ sources }) => sources.has(found.source)) }))
    .filter((found) => found.parts.length > 1);
  const apart = shared.flatMap(({ key, parts: within }) =>
    within.filter(({ text }) => !text.includes(key)).map(({ name }) => `${name}: ${key}`),
  );
  expect(apart).toEqual([]);
  // Those that were not known apart once: what the network did to a mirror was taken for a bug.
  expect(shared.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['shopctl platform/http/transport.ts#TransportError', 'shopctl client/errors.ts#CallError']),
  );
});

it('has each catalogue once, and the contract only where it is asked', async () => {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const dist = join(built.bin, '..', 'dist');
  const readers = (source: RegExp) =>
    readdirSync(dist)
      .filter((name) => name.endsWith('.cjs.map'))
      .filter((name) =>
        JSON.parse(readFileSync(join(dist, name), 'utf8')).sources.some((path: string) => source.test(path)),
      )
      .map((name) => name.slice(0, -'.cjs.map'.length));
  expect(readers(/\/src\/(?:\w+\/)+texts\.ts$/)).toEqual(['texts']);
  expect(readers(/\/src\/(?:\w+\/)+texts\.vi\.ts$/)).toEqual(['vietnamese']);
  // A part that takes the schemas along grows to three times its size, and nobody sees why.
  const ofContract = ['batches', 'listen', 'mirror', 'mirror-query', 'process', 'sandbox'];
  expect(readers(/\/zod\/v4\/core\/schemas\.js$/).sort()).toEqual(ofContract);
});

/**
 * What an English start reads, and at most how many kilobytes of it, which is little more than today. A byte of the main
 * file is read by every command: what few of them need has a file of its own (docs/decisions/014). Texts are one file,
 * read when the first is said; before there were catalogues, `config list` read 2,329 KB (docs/decisions/037).
 */
const starts: Readonly<Record<string, readonly [files: readonly string[], kilobytes: number]>> = {
  '--version': [['start.cjs'], 20],
  '--help': [['start.cjs'], 20],
  'orders create --help': [['start.cjs', 'written-answer.cjs', 'commands/orders.json'], 125],
  'config list -o json': [['start.cjs', 'process.cjs'], 1947],
  'config list': [['start.cjs', 'process.cjs', 'packages/cli-table3.cjs'], 1982],
  'orders list -o json': [['start.cjs', 'process.cjs', 'transport.cjs'], 2125],
  'batch list -o json': [['start.cjs', 'process.cjs', 'batches.cjs'], 2315],
  'batch plan examples/orders.csv -o json': [
    [
      'start.cjs',
      'process.cjs',
      'batches.cjs',
      'packages/csv-parse.cjs',
      'place-data.cjs',
      'texts.cjs',
      'transport.cjs',
    ],
    3110,
  ],
};

it('reads few files and bytes for an English start, and texts only where something is said', async () => {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const place = (name: string) => join(built.home, name);
  writeFileSync(
    place('hook.cjs'),
    `const fs = require('node:fs');
     const { readFileSync, writeFileSync } = fs;
     const dist = ${JSON.stringify(realpathSync(join(built.bin, '..', 'dist')))} + '/';
     const read = {};
     fs.readFileSync = (path, ...options) => {
       const content = readFileSync(path, ...options);
       const name = require('node:path').normalize(String(path)).replace(dist, '');
       if (/^[\\w-]+\\.cjs$|^(?:packages|commands)\\/[\\w-]+\\.\\w+$/.test(name)) read[name] = content.length;
       return content;
     };
     process.once('exit', (code) => writeFileSync(process.env.READ_FILES, JSON.stringify({ code, read })));`,
  );
  const line = (words: string) => [join(built.bin, 'shopctl.js'), ...words.split(' ')];
  writeFileSync(
    place('all.cjs'),
    `for (const [index, words] of ${JSON.stringify(Object.keys(starts).map(line))}.entries()) {
       const env = { ...process.env, SHOPCTL_PROFILE: 'sandbox-shop', READ_FILES: ${JSON.stringify(place('read-'))} + index };
       require('node:child_process').spawnSync(process.execPath, ['--require', ${JSON.stringify(place('hook.cjs'))}, ...words], { env });
     }`,
  );
  const env = { PATH: process.env.PATH, HOME: built.home, SHOPCTL_CONFIG_DIR: built.home };
  spawnSync(process.execPath, [...line('sandbox exec --'), process.execPath, place('all.cjs')], { env });
  for (const [index, [words, [files, kilobytes]]] of Object.entries(starts).entries()) {
    const { code, read } = JSON.parse(readFileSync(place(`read-${index}`), 'utf8'));
    expect([words, code, Object.keys(read).sort()]).toEqual([words, 0, [...files].sort()]);
    const bytes = Object.values<number>(read).reduce((sum, length) => sum + length, 0);
    expect([words, Math.max(bytes, kilobytes * 1000)]).toEqual([words, kilobytes * 1000]);
  }
});

it('reports a service that cannot be reached as that, from a part of the build as well', async () => {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const env = {
    PATH: process.env.PATH,
    SHOPCTL_CONFIG_DIR: built.home,
    SHOPCTL_BASE_URL: 'http://127.0.0.1:1',
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: '2790128029463001495:secret-of-a-test',
  };
  const words = ['mirror', 'sync', '--max-retries', '0', '-o', 'json'];
  const { status, stderr } = spawnSync(process.execPath, [join(built.bin, 'shopctl.js'), ...words], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([7, expect.stringContaining('"code":"network"')]);
  // The parser's errors too: what answers --help has another copy of them.
  const typo = [join(built.bin, 'shopctl.js'), 'orders', 'tim', '--help'];
  const asked = spawnSync(process.execPath, typo, { env, encoding: 'utf8' });
  expect([asked.status, asked.stderr]).toEqual([2, expect.stringContaining('no help for "orders tim"')]);
});

it('every part is one function, which its loader loads: it is no module', async () => {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const dist = join(built.bin, '..', 'dist');
  const parts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.cjs') && !/start|thread|sqlite-query/.test(name),
  );
  expect(parts).toEqual(expect.arrayContaining(['process.cjs', 'sandbox.cjs', 'packages/conf.cjs']));
  for (const name of parts) {
    const text = readFileSync(join(dist, name), 'latin1');
    expect([name, text.includes('(function (exports, require, module, load) {')]).toEqual([name, true]);
    expect([name, /(?<![\w$.])import\([^)]{0,60}\)/.exec(text)?.[0]]).toEqual([name, undefined]);
  }
});

it.each([
  ['orders --help', ['written-answer.cjs'], ['module', 'net', 'tty', 'v8']],
  ['config list', ['process.cjs'], ['perf_hooks', 'tty', 'v8']],
  ['totals check examples/order-complete.json', ['process.cjs'], ['internal/fs/streams', 'perf_hooks', 'tty', 'v8']],
  ['batch list', ['process.cjs', 'batches.cjs'], ['tty', 'v8']],
  ['sandbox exec -- true', ['process.cjs', 'sandbox.cjs', 'conf.cjs'], []],
])(
  'V8 takes the code that the build compiled, and what Node would load in vain stays out: %s',
  async (words, files, not) => {
    const built = await buildProgram();
    onTestFinished(() => built.remove());
    const hook = join(built.home, 'hook.cjs');
    // What Node itself has loaded by then differs between its versions.
    const before = spawnSync(process.execPath, ['-p', 'process.moduleLoadList.join()'], { encoding: 'utf8' }).stdout;
    writeFileSync(
      hook,
      `const vm = require('node:vm');
     process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(join(built.home, 'loaded'))}, process.moduleLoadList.join('\\n')));
     vm.Script = class extends vm.Script {
       constructor(text, options) {
         super(text, options);
         const name = require('node:path').basename(options.filename);
         require('node:fs').appendFileSync(${JSON.stringify(join(built.home, 'scripts'))}, name + ' ' + this.cachedDataRejected + '\\n');
       }
     };`,
    );
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--require', hook, join(built.bin, 'shopctl.js'), ...words.split(' ')],
      { env: { PATH: process.env.PATH, HOME: built.home, SHOPCTL_CONFIG_DIR: built.home }, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
    const reported = readFileSync(join(built.home, 'scripts'), 'utf8').trim().split('\n');
    expect(reported).toEqual(expect.arrayContaining(files.map((name) => `${name} false`)));
    expect(reported.filter((line) => !line.endsWith(' false'))).toEqual([]);
    const loaded = readFileSync(join(built.home, 'loaded'), 'utf8').split('\n');
    const names = not.map((name) => `NativeModule ${name}`).filter((name) => !before.split(',').includes(name));
    expect(loaded.filter((name) => names.includes(name))).toEqual([]);
  },
);

it('prints warnings of Node as notices, however early they come', async () => {
  const program = await buildProgram();
  onTestFinished(() => program.remove());
  const hook = join(program.home, 'warning.cjs');
  writeFileSync(hook, "process.emitWarning('soon gone', 'DeprecationWarning', 'DEP9999');");
  const endOf = (...words: string[]) => {
    const argv = ['--require', hook, join(program.bin, 'shopctl'), ...words];
    const env = { ...process.env, HOME: program.home, SHOPCTL_CONFIG_DIR: program.home, NODE_NO_WARNINGS: '' };
    return spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  };
  const { stderr } = endOf('orders', 'list', '-o', 'json');
  expect(stderrLines(stderr).notices).toMatchObject([
    { code: 'runtime_warning', message: 'soon gone', type: 'DeprecationWarning', warning: 'DEP9999' },
  ]);
  expect(errorOf(stderr).exit_code).toBe(14);
  expect(endOf('orders', 'list').stderr).toMatch(/^shopctl: warning: soon gone\nshopctl: error: /);
  expect(endOf('--version').stderr).toBe('');
});
