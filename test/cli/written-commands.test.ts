import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groups } from '../../src/cli/tree/groups.ts';
import { writtenFields, writtenHelp } from '../../src/cli/tree/written-answer.ts';
import { commandsToWrite, type WrittenCommand } from '../../src/cli/tree/written-commands.ts';
import { run } from '../../src/main.ts';
import { localCommands } from '../../src/start.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { offlineContext } from '../support/offline-context.ts';
import { errorOf } from '../support/stderr-lines.ts';

let program: BuiltProgram;
let live: ReadonlyMap<string, readonly WrittenCommand[]>;
beforeAll(async () => {
  program = await buildProgram();
  // What the build has written down needs nothing of the program: without it, whatever else asked for it would fail.
  rmSync(join(program.bin, '../dist/process.cjs'));
  live = new Map(await Promise.all(groups.map(async (group) => [group.name, await commandsToWrite(group)] as const)));
});
afterAll(() => program.remove());

it.each([
  [['--version'], ['bin/shopctl.js', 'dist/start.cjs']],
  [['--help'], ['bin/shopctl.js', 'dist/start.cjs']],
  [
    ['orders', '--help'],
    ['bin/shopctl.js', 'dist/start.cjs', 'dist/written-answer.cjs'],
  ],
])('%s loads files that are no ES modules, and these alone', (words, files) => {
  const root = realpathSync(join(program.bin, '..'));
  const hook = join(program.home, 'loaded.cjs');
  writeFileSync(
    hook,
    `const vm = require('node:vm');
     const functions = [];
     vm.Script = class extends vm.Script {
       constructor(text, options) {
         super(text, options);
         functions.push(options.filename);
       }
     };
     process.on('exit', () => process.getBuiltinModule('node:fs').writeSync(2, JSON.stringify([...Object.keys(require.cache), ...functions])));`,
  );
  const argv = ['--require', hook, join(program.bin, 'shopctl'), ...words];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  const loaded = (JSON.parse(stderr) as string[]).filter((path) => !path.endsWith('loaded.cjs'));
  expect([status, loaded.map((path) => path.replace(`${root}/`, ''))]).toEqual([0, files]);
});

it('tells an older Node in one line which one it needs', () => {
  const { node: needed = '' } = JSON.parse(readFileSync('package.json', 'utf8')).engines;
  const least = needed.replace('>=', '');
  const hook = join(program.home, 'older.cjs');
  const endOf = (version: string, words = ['--version']) => {
    const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
    writeFileSync(hook, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
    const argv = ['--require', hook, join(program.bin, 'shopctl'), ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    return [status, stdout, stderr];
  };
  for (const version of ['16.20.2', '20.18.0']) {
    expect(endOf(version)).toEqual([14, '', `shopctl needs Node.js ${least} or newer; this is ${version}\n`]);
  }
  const [code, , stderr] = endOf('18.20.8', ['orders', 'list', '-o', 'json']);
  expect([code, errorOf(`${stderr}`)]).toMatchObject([14, { exit_code: 14, message: expect.stringContaining(least) }]);
  for (const version of [least, '30.1.0']) expect([version, endOf(version)[0]]).toEqual([version, 0]);
});

it('ends with a failure where nothing will ever settle what it waits for', () => {
  const stuck = join(program.bin, '../dist/process.cjs');
  writeFileSync(stuck, '(function (exports) { exports.runProcess = () => new Promise(() => {}); })');
  try {
    const env = { PATH: process.env.PATH };
    const { status } = spawnSync(process.execPath, [join(program.bin, 'shopctl'), 'account', 'show'], { env });
    expect(status).toBe(1);
  } finally {
    rmSync(stuck);
  }
});

/** The unit in which a pipe's room is given, in bytes. */
const PAGE = 4096;

/** Fills a pipe that does not block, and returns with how many bytes. */
function fill(writer: number): number {
  for (let filled = 0; ; )
    try {
      filled += writeSync(writer, Buffer.alloc(PAGE, '.'));
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' });
      return filled;
    }
}

it.runIf(process.platform === 'linux').each([0, 1, 3])(
  'gives a reader the whole help once, though only %i pages of the pipe are free when it is written',
  async (free) => {
    const argv = ['shipping', 'create', '--help'];
    const help = (await writtenHelp(argv, read)) ?? '';
    expect(Buffer.byteLength(help)).toBeGreaterThan(PAGE);
    const pipe = join(program.home, `pipe-${free}`);
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    const filled = fill(writer) - (free === 0 ? 0 : readSync(reader, Buffer.alloc(free * PAGE)));
    const hook = join(program.home, 'into-the-pipe.cjs');
    // Node starts every child with blocking streams: the child opens the pipe itself, as its stdout.
    writeFileSync(
      hook,
      `const fs = process.getBuiltinModule('node:fs');
       fs.closeSync(1);
       if (fs.openSync(process.env.PIPE, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK) !== 1) throw new Error();
       const { writeSync } = fs;
       fs.writeSync = (...how) => { try { return writeSync(...how); } finally { writeSync(2, 'tried'); } };`,
    );
    const words = ['--require', hook, join(program.bin, 'shopctl'), ...argv];
    const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH, PIPE: pipe } });
    const ended = once(child, 'close');
    // Only once the program has come upon the full pipe is anything taken out.
    await once(child.stderr, 'data');
    closeSync(writer);
    let said = '';
    for await (const piece of new Socket({ fd: reader, writable: false }).setEncoding('utf8')) said += piece;
    expect((await ended)[0]).toBe(0);
    expect(said.slice(0, filled)).toBe('.'.repeat(filled));
    expect(said.slice(filled)).toBe(help);
  },
);

const place = () => join(program.bin, '../dist/commands');
const read = (name: string): readonly WrittenCommand[] =>
  JSON.parse(readFileSync(join(place(), `${name}.json`), 'utf8'));

/** What the commands themselves say to a line, from the sources. */
async function said(argv: readonly string[]): Promise<string> {
  const clock = { now: () => 0, wait: () => new Promise<void>(() => {}) };
  const context = offlineContext(argv, { clock });
  expect({ exit: await run(context), stderr: context.stderr.text }).toEqual({ exit: 0, stderr: '' });
  return context.stdout.text;
}

/** What the built program answers, which has nothing but what was written down. */
function answered(argv: readonly string[]): { status: number | null; stdout: string } {
  const env = { PATH: process.env.PATH, HOME: program.home };
  const { status, stdout } = spawnSync(process.execPath, [join(program.bin, 'shopctl'), ...argv], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout };
}

/** Every place of the tree: the groups, the words that only lead further, the commands. */
function places(): string[][] {
  const all = [...live].flatMap(([group, commands]) =>
    commands
      .flatMap(({ words }) => [0, ...words.keys()].map((_, depth) => [group, ...words.slice(0, depth)]))
      .concat(commands.map(({ words }) => [group, ...words])),
  );
  return [...new Map(all.map((words) => [words.join(' '), words])).values()];
}

it('takes for local only commands that exist and need neither a key nor a service', async () => {
  for (const [name, word] of localCommands) {
    const { commands } = await (groups.find((group) => group.name === name)?.load() ?? { commands: [] });
    const command = commands.find(({ words }) => words.join(' ') === word);
    expect(
      command?.actions.flatMap(({ needs }) => needs).filter((need) => need !== 'workspace'),
      name,
    ).toEqual([]);
  }
});

describe('what the build writes down of the commands', () => {
  it('is what they say themselves, of every group', () => {
    expect(readdirSync(place()).sort()).toEqual([...live.keys()].map((name) => `${name}.json`).sort());
    for (const [name, commands] of live) expect(read(name), name).toEqual(commands);
  });

  // Of what is the same in every group, as the test above shows, the same is made: a third of it tells.
  const some = (_: unknown, at: number) => at % 3 === 0;

  it('gives the same help as they do, at places of the tree of every depth', async () => {
    const all = places();
    expect(all.length).toBeGreaterThan(100);
    const tried = all.filter(some);
    expect([...new Set(tried.map(({ length }) => length))].sort()).toEqual([1, 2, 3]);
    for (const words of tried) {
      const argv = [...words, '--help'];
      expect(await writtenHelp(argv, read), argv.join(' ')).toBe(await said(argv));
    }
  });

  it('gives the same help wherever in a line it is asked for', async () => {
    const lines = [
      '-h orders',
      'orders --help get',
      'orders get 123 -o json -h',
      'orders --help=x',
      'orders bogus -h',
      'orders --bogus -h',
    ];
    for (const line of lines) {
      const argv = line.split(' ');
      const context = offlineContext(argv);
      const exit = await run(context);
      expect(await writtenHelp(argv, read), line).toBe(exit === 0 ? context.stdout.text : undefined);
    }
  });

  it('gives the same fields to complete, of commands of every group', async () => {
    let withFields = 0;
    for (const [group, commands] of live) {
      for (const { words, fields } of commands.filter(some)) {
        const argv = ['__complete', 'fields', '--', '-o', 'json', group, ...words, '--fields'];
        expect(writtenFields(argv, read), argv.join(' ')).toBe(await said(argv));
        withFields += fields.length > 0 ? 1 : 0;
      }
    }
    expect(withFields).toBeGreaterThan(25);
    expect(writtenFields(['__complete', 'fields', '--', 'no-such-command'], read)).toBe('');
  });

  it('is all that help and completion of a group load', async () => {
    for (const argv of [
      ['orders', '--help'],
      ['orders', 'create', '-h'],
      ['__complete', 'fields', '--', 'orders', 'get'],
    ]) {
      expect(answered(argv), argv.join(' ')).toEqual({ status: 0, stdout: await said(argv) });
    }
  });

  it('answers nothing that is to be run, and nothing that is wrong', async () => {
    expect(await writtenHelp(['orders', 'get', '1'], read)).toBeUndefined();
    expect(await writtenHelp(['orders', 'get', '--code', '--help'], read)).toBeUndefined();
  });
});
