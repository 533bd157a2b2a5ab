import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../src/main.ts';
import { takeWarnings, warnAsPrinted } from '../../src/platform/process/node-warnings.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { testMachine } from '../support/context.ts';
import { offlineContext } from '../support/offline-context.ts';
import { json } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { errorOf, stderrLines } from '../support/stderr-lines.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { shapes, someRuns, type Transport, writesObjects } from './every-command/stderr.ts';
import { baseUrl, calling, notFound, settings } from './every-command/walk.ts';

it.each(someRuns)('each line of stderr is one object, the error last, %s: %s', (shape, _, command) =>
  writesObjects(shape, command),
);

it('tells what was sent in objects of their own', async () => {
  const [, command] = calling.find(([name]) => name === 'orders list') ?? [];
  if (command === undefined) throw new TypeError('no command orders list');
  const { stderr } = (await shapes['with jsonl and --debug']?.(command)) ?? { stderr: '' };
  const { debug } = stderrLines(stderr);
  expect(new Set(debug.map(({ event }) => event))).toEqual(new Set(['request', 'response']));
  expect(debug).toContainEqual(expect.objectContaining({ event: 'request', operation: 'shop.Order/ListOrders' }));
});

describe('a batch', () => {
  const sheet = 'full_name,phone\nLan,0901234567\nAn,nobody\n';

  it('tells its rows that failed, its name and its waits in objects', async () => {
    const world = await shopWorld();
    const file = join(world.directory, 'sheet.csv');
    writeFileSync(file, sheet);
    const words = ['batch', 'run', file, '--do', 'customers create', '--profile', 'shop', '--yes'];
    const env = { GITHUB_ACTIONS: 'true' };
    const refused = await world.run([...words, '-o', 'json'], { env });
    expect(stderrLines(refused.stderr)).toMatchObject({
      notices: expect.arrayContaining([
        { code: 'annotation', message: expect.stringMatching(/^::error file=.*,line=3::/) },
      ]),
      errors: [{ exit_code: 2 }],
    });
    const { exit, stdout, stderr } = await world.run([...words, '-o', 'jsonl', '--skip-bad', '--debug'], { env });
    const { batch } = JSON.parse(stdout);
    const { notices, debug, errors } = stderrLines(stderr);
    expect([exit, errors]).toEqual([9, []]);
    expect(notices).toContainEqual({ code: 'batch_began', message: `batch ${batch}`, batch, resumed: false });
    expect(debug).toContainEqual(
      expect.objectContaining({ event: 'request', operation: 'shop.Customer/CreateCustomer' }),
    );
  });

  it('says how far it is every half minute, with numbers', async () => {
    const clock = standingClock();
    let page = 0;
    const machine = testMachine(async () => {
      clock.advance(20_000);
      page += 1;
      const customers = page > 6 ? [] : [{ id: `${page}0` }, { id: `${page}1` }];
      return json(200, { customers, paging: { next: `after-${page}` } });
    });
    await machine.save({ ...settings, current_profile: 'sandbox-shop' });
    const { stderr } = await machine.run(['customers', 'list', '--all', '-o', 'jsonl'], { clock });
    const { progress, notices } = stderrLines(stderr);
    expect(notices).toEqual([]);
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.length).toBeLessThan(6);
    for (const one of progress) {
      expect(one).toEqual({
        what: 'records',
        done: expect.any(Number),
        total: null,
        failed: null,
        message: expect.any(String),
      });
    }
  });
});

describe('a program that a command runs', () => {
  /** A world with an order, and a directory of programs that is searched before all others. */
  async function withPrograms() {
    const world = await shopWorld();
    const orders = join(world.directory, 'orders.csv');
    writeFileSync(orders, manyOrders(1));
    expect((await world.run(['batch', 'run', orders, '--yes', '--json'])).exit).toBe(0);
    const bin = join(world.directory, 'bin');
    mkdirSync(bin);
    const program = (name: string, script: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    return { ...world, program, env: { PATH: `${bin}:${process.env.PATH}` } };
  }

  const said = (...messages: string[]) => messages.map((message) => ({ code: 'program_output', message }));

  it('as a printer, writes nothing on stdout, and a notice for each line of both its streams', async () => {
    const { run, program, env } = await withPrograms();
    program('lp', "echo request 1\nprintf '\\033[31mno paper\\n{}' >&2");
    const printed = await run(['slips', 'SO-1', '--print', '-o', 'json'], { env });
    expect([printed.exit, JSON.parse(printed.stdout)]).toMatchObject([0, { slips: 1 }]);
    const { notices, errors } = stderrLines(printed.stderr);
    expect(errors).toEqual([]);
    expect(notices.filter(({ code }) => code === 'program_output')).toEqual(
      expect.arrayContaining(said('request 1', '\u001b[31mno paper', '{}')),
    );
    // What it says counts as needed, whatever it is: nobody else can tell it.
    program('lp', 'echo no such printer >&2\nexit 1');
    const refused = await run(['slips', 'SO-1', '--print', '-o', 'jsonl', '--quiet'], { env });
    expect([refused.exit, stderrLines(refused.stderr).errors.length]).toEqual([1, refused.stdout === '' ? 1 : 0]);
    expect(stderrLines(refused.stderr).notices).toEqual(expect.arrayContaining(said('no such printer')));
  });
});

it('has what stdout did not take, a record and a list', async () => {
  const world = await shopWorld();
  const onStdout = () => {
    throw Object.assign(new Error('the output could not be written'), { kind: 'output', code: 'ENOSPC' });
  };
  const create = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop'];
  for (const [words, result] of [
    [create, expect.objectContaining({ full_name: 'Lan' })],
    [['webhooks', 'recover', '--all', '--yes', '--profile', 'shop'], []],
  ] as const) {
    const { stderr } = await world.run([...words, '-o', 'json'], { onStdout, clock: steppedClock() });
    expect(stderrLines(stderr).notices).toContainEqual(expect.objectContaining({ code: 'not_printed', result }));
    const prose = await world.run([...words], { onStdout, clock: steppedClock() });
    expect(prose.stderr).toMatch(/could not be printed/);
  }
});

describe('a warning of Node or of a library', () => {
  /** A run in which one is emitted. */
  async function warned(words: readonly string[], transport: Transport) {
    const warnings = takeWarnings();
    onTestFinished(() => warnings.release());
    const context = offlineContext(words, {
      warnings,
      transport: async (request) => {
        process.emitWarning('old for\na long time: https://me:secret@a.example/', 'DeprecationWarning', 'DEP9999');
        console.warn('a library has %s', 'something to say');
        // Node emits it in the next turn.
        await new Promise((resolve) => setImmediate(resolve));
        return transport(request);
      },
      settings: {
        version: 1,
        current_profile: 'shop',
        profiles: { shop: { kind: 'shop', base_url: baseUrl, api_key: '1:a' } },
      },
    });
    await run(context);
    return context.stderr.text;
  }

  const account: Transport = async () => json(200, { id: '1', name: 'Tea House', type: 'shop' });

  it('is a notice, without what is secret in it', async () => {
    const found = stderrLines(await warned(['account', 'show', '-o', 'json'], account));
    expect(found.notices).toEqual([
      { code: 'runtime_warning', message: 'a library has something to say', type: 'Warning', warning: null },
      {
        code: 'runtime_warning',
        message: 'old for a long time: https://***@a.example/',
        type: 'DeprecationWarning',
        warning: 'DEP9999',
      },
    ]);
    expect(found.errors).toEqual([]);
  });

  it('comes before the error', async () => {
    const stderr = await warned(['account', 'show', '-o', 'json'], async () => notFound);
    expect(stderrLines(stderr).notices).toHaveLength(2);
    expect(errorOf(stderr).code).toBe('not_found');
  });

  it('is not printed behind it, nor ever by Node', async () => {
    const warnings = takeWarnings();
    onTestFinished(() => warnings.release());
    expect(process.listeners('warning').map(({ name }) => name)).not.toContain('onWarning');
    const context = offlineContext(['account', 'show', '-o', 'json'], { warnings });
    await run(context);
    const before = context.stderr.text;
    process.emitWarning('too late', 'DeprecationWarning');
    await new Promise((resolve) => setImmediate(resolve));
    expect([errorOf(before).exit_code, context.stderr.text]).toEqual([14, before]);
  });

  it('of another process of ours is one of this process', async () => {
    const warnings = takeWarnings();
    onTestFinished(() => warnings.release());
    const heard: unknown[] = [];
    warnings.hear((warning) => heard.push(warning));
    const printed =
      '(node:7) [DEP0005] DeprecationWarning: Buffer()\n(Use `node --trace-warnings ...` to show where the warning was created)\nFATAL ERROR: out of memory';
    warnAsPrinted(Readable.from([printed.slice(0, 30), printed.slice(30)]));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(heard).toMatchObject([
      { name: 'DeprecationWarning', code: 'DEP0005', message: 'Buffer()' },
      { name: 'Warning', message: 'FATAL ERROR: out of memory' },
    ]);
  });

  it('is a line of ours in prose, and none with --quiet', async () => {
    expect(await warned(['account', 'show'], account)).toBe(
      'shopctl: warning: a library has something to say\nshopctl: warning: old for a long time: https://***@a.example/\n',
    );
    expect(await warned(['account', 'show', '--quiet'], account)).toBe('');
  });
});
