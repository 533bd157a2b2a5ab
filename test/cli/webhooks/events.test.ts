import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNames } from '../../../src/cli/print/formats.ts';
import { systemClock } from '../../../src/platform/process/clock.ts';
import { noteChange } from '../../events/changes.ts';
import { testMachine } from '../../support/context.ts';
import { fetchTransport } from '../../support/fetch-transport.ts';
import { machineWithEvents, one, other } from './events-machine.ts';

const types = (rows: readonly { change_type: string; record_id: string }[]) =>
  rows.map(({ change_type, record_id }) => `${change_type} ${record_id}`);

describe('events list', () => {
  it('has the same changes in the same order in every format', async () => {
    const { run, json } = await machineWithEvents();
    const ids = (await json('events', 'list', '--limit', '3')).value.map(({ id }: { id: string }) => id);
    const received = (await json('events', 'list', '--no-newest-first')).value.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(received.toReversed().slice(0, 3));
    for (const format of formatNames) {
      const { stdout } = await run(['events', 'list', '--limit', '3', '--fields', 'id', '-o', format]);
      expect([format, stdout.match(/\d{15,}/g)]).toEqual([format, ids]);
    }
  });

  it('has what came in its order, a record with its whole history, and how it stands with a target', async () => {
    const { json, run } = await machineWithEvents();
    const all = await json('events', 'list', '--no-newest-first');
    expect(types(all.value)).toEqual([`create ${one}`, `update ${one}`, `create ${other}`, `update ${one}`]);
    expect(types((await json('events', 'list', '--record', one)).value)).toEqual([
      `update ${one}`,
      `update ${one}`,
      `create ${one}`,
    ]);
    expect(types((await json('events', 'list', '--change-type', 'create')).value)).toEqual([
      `create ${other}`,
      `create ${one}`,
    ]);
    expect(types((await json('events', 'list', '--limit', '1')).value)).toEqual([`update ${one}`]);
    expect((await json('events', 'list', '--since', '2999-01-01')).value).toEqual([]);
    expect((await json('events', 'list', '--target', 'there', '--state', 'waiting')).value).toHaveLength(4);
    expect((await json('events', 'list', '--target', 'there', '--state', 'accepted')).value).toEqual([]);
    expect((await json('events', 'list', '--target', '127.0.0.1:1/')).value).toHaveLength(4);
    expect((await json('events', 'list', '--shop', '42')).value).toEqual([]);
    expect((await json('events', 'list', '--shop', all.value[0].shop_id)).value).toHaveLength(4);
    expect((await json('events', 'list', '--state', 'dead')).exit).toBe(2);
    const table = await run(['events', 'list']);
    expect(
      table.stdout
        .split('\n')
        .slice(1, 5)
        .map((line) => line.split(/\s{2,}/)[3]),
    ).toEqual(['update', 'create', 'update', 'create']);
    const shown = await json('events', 'show', all.value[3].id);
    expect(shown.value.change.latest.order.order_note).toBe('B\u202e');
    expect((await run(['events', 'show', all.value[3].id])).stdout).not.toContain('\u202e');
  });

  it('names a target that is not there, and the id of a change that is not', async () => {
    const { json, run } = await machineWithEvents();
    const listed = await json('events', 'list', '--target', 'nobody');
    expect([listed.exit, listed.value]).toEqual([3, undefined]);
    expect(listed.stderr).toContain('no target has the name or the address nobody; there are away, there');
    for (const words of [
      ['show', '999'],
      ['replay', '999'],
    ]) {
      const { exit, stdout, stderr } = await run(['events', ...words]);
      expect([exit, stdout, stderr]).toEqual([
        3,
        '',
        expect.stringContaining('there is no change 999 in this workspace'),
      ]);
    }
  });
});

describe('events tail', () => {
  it('shows the last ones, goes on with each as it comes, and ends with Ctrl-C', async () => {
    const { run, keep } = await machineWithEvents();
    const ending = new AbortController();
    let out = '';
    let look = () => {};
    const ended = run(['events', 'tail', '--last', '1', '--record', one, '-o', 'jsonl'], {
      signal: ending.signal,
      clock: systemClock,
      onStdout(text) {
        out += text;
        look();
      },
    });
    const has = (pattern: RegExp) =>
      new Promise<void>((resolve) => {
        look = () => {
          if (pattern.test(out)) resolve();
        };
        look();
      });
    await has(/"B/);
    await keep(noteChange(other, 'not asked for'), noteChange(one, 'C'));
    await has(/"C"/);
    await keep(noteChange(one, 'D'));
    await has(/"D"/);
    ending.abort('SIGINT');
    expect((await ended).exit).toBe(0);
    const notes = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).change.latest.order.order_note);
    expect(notes).toEqual(['B\u202e', 'C', 'D']);
  });
});

describe('events replay', () => {
  it('hands on in order what a target has not accepted, and says who is behind', async () => {
    const { json, target } = await machineWithEvents();
    const { value: all } = await json('events', 'list', '--no-newest-first');
    const replayed = await json('events', 'replay', '--since', '2020-01-01', '--to', 'there');
    expect(replayed).toMatchObject({ exit: 0, value: [{ target: 'there', left: 0, dead: 0 }] });
    const sent = target.requests.map(({ callback }) => callback.id);
    expect(sent.toSorted()).toEqual(all.map(({ id }: { id: string }) => id));
    const again = await json('events', 'replay', all[1].id, all[0].id, '--to', 'there');
    expect(again.value).toEqual([{ target: 'there', changes: 2, left: 0, dead: 0 }]);
    expect(target.requests.slice(4).map(({ callback }) => callback.id)).toEqual([all[0].id, all[1].id]);
    const targets = await json('events', 'targets');
    expect(targets.value).toMatchObject([
      { name: 'away', behind: 4 },
      { name: 'there', behind: 0, address: expect.not.stringContaining('token') },
    ]);
    expect((await json('events', 'replay', '--since', '1h', '--to', 'nobody')).exit).toBe(3);
    expect((await json('events', 'replay')).exit).toBe(2);
  });
});

describe('events targets', () => {
  it('pauses, resumes, retries and removes one by its name', async () => {
    const { json, run } = await machineWithEvents();
    expect((await json('events', 'targets', 'pause', 'away')).value).toMatchObject({ name: 'away', state: 'paused' });
    expect((await json('events', 'targets')).value[0].state).toBe('paused');
    expect((await json('events', 'targets', 'resume', 'away')).value.state).toBe('active');
    expect((await json('events', 'targets', 'retry', 'away')).exit).toBe(0);
    expect((await json('events', 'targets', 'pause', '127.0.0.1:1/')).value).toMatchObject({ name: 'away' });
    expect(await json('events', 'targets', 'pause', 'nobody')).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('no target has the name or the address nobody; there are away, there'),
    });
    expect((await run(['events', 'targets', 'remove', 'away', '--no-input'])).exit).toBe(2);
    expect((await json('events', 'targets', 'remove', 'away', '--yes')).value.state).toBe('removed');
    expect((await json('events', 'targets')).value).toHaveLength(1);
  });
});

describe('events prune', () => {
  it('forgets what every target has accepted, and never what one still needs', async () => {
    const { json } = await machineWithEvents();
    await json('events', 'replay', '--since', '2020-01-01', '--to', 'there');
    expect(await json('events', 'prune', '--before', '2999-01-01', '--yes')).toMatchObject({
      value: { forgotten: 0, kept: 4 },
      stderr: expect.stringContaining('a target has not accepted them'),
    });
    expect((await json('events', 'list')).value).toHaveLength(4);
    await json('events', 'targets', 'remove', 'away', '--yes');
    expect((await json('events', 'prune', '--before', '2020-01-01', '--yes')).value).toEqual({ forgotten: 0, kept: 0 });
    expect((await json('events', 'prune', '--before', '2999-01-01', '--yes')).value).toEqual({ forgotten: 4, kept: 0 });
    expect((await json('events', 'list')).value).toEqual([]);
  });
});

describe('webhooks install', () => {
  it('writes a unit that listens with these flags and leaves its webhook in place, and removes it', async () => {
    const machine = testMachine(fetchTransport);
    const env = { HOME: machine.directory, SHOPCTL_API_KEY: '8:canary-of-its-own' };
    const words = [
      '--register',
      '--forward-to',
      'http://127.0.0.1:3000/hook?a=%20',
      '--exec',
      'notify "$1"',
      '-o',
      'json',
    ];
    const { exit, stdout, stderr } = await machine.run(['webhooks', 'install', ...words], { env });
    expect(exit).toBe(0);
    const { file } = JSON.parse(stdout);
    expect(file).toBe(join(machine.directory, '.config/systemd/user/shopctl-listen-default.service'));
    const unit = readFileSync(file, 'utf8');
    expect(unit).toContain('"webhooks" "listen"');
    expect(unit).toContain(
      '"--forward-to=http://127.0.0.1:3000/hook?a=%%20" "--exec=notify \\"$$1\\"" "--register" "--keep"',
    );
    expect(unit + stdout).not.toContain('canary');
    // A target's url may hold a token.
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(stderr).toContain('not written to the unit');
    expect((await machine.run(['webhooks', 'uninstall'], { env })).exit).toBe(0);
    expect(() => statSync(file)).toThrow('ENOENT');
  });
});

describe('what runs again and again as a service', () => {
  it.each([
    ['mirror', ['--every', '90s', '--area', 'orders'], ['mirror', 'sync', '--area=orders'], 'mirror', '90000ms'],
    [
      'cod',
      ['pay 100%', '--layout', 'ghtk'],
      ['cod', 'import', 'PLACE/pay 100%%', '--layout=ghtk'],
      'payments',
      '900000ms',
    ],
  ])('is a unit and its timer: %s', async (group, given, expected, called, pause) => {
    const machine = testMachine(fetchTransport);
    const env = {
      HOME: machine.directory,
      SHOPCTL_CONFIG_DIR: machine.directory,
      SHOPCTL_WORKSPACE: 'postgres://shop:canary-password@127.0.0.1/shop',
    };
    const looked = await machine.run([group, 'install', ...given, '--dry-run', '-o', 'json'], { env });
    const { exit, stdout, stderr } = await machine.run([group, 'install', ...given, '-o', 'json'], { env });
    expect([exit, looked.exit]).toEqual([0, 0]);
    const { file, timer, next } = JSON.parse(stdout);
    expect([file, timer].map((path) => path.split('/').at(-1))).toEqual([
      `shopctl-${called}-default.service`,
      `shopctl-${called}-default.timer`,
    ]);
    expect(next).toContain(`enable --now shopctl-${called}-default.timer`);
    const [unit, clock] = [file, timer].map((path) => readFileSync(path, 'utf8'));
    // A dry run shows the very units that are written.
    expect(JSON.parse(looked.stdout)).toMatchObject({ unit, timer: clock });
    const words = expected.map((word) => `"${word.replace('PLACE', machine.directory)}"`);
    expect(unit).toContain(`${words.join(' ')}\n`);
    expect(unit).toContain('Type=oneshot\n');
    expect(unit).toContain(`Environment="SHOPCTL_CONFIG_DIR=${machine.directory}"`);
    expect(unit).toContain('Environment="SHOPCTL_WORKSPACE=postgres://shop@127.0.0.1/shop"');
    expect([unit, stdout, stderr, looked.stdout].join()).not.toContain('canary');
    expect(stderr).toContain('~/.pgpass');
    expect(clock).toContain(`OnUnitInactiveSec=${pause}\n`);
    await machine.run([group, 'install', ...given, '--name', 'other'], { env });
    const removed = await machine.run([group, 'uninstall'], { env });
    const left = `left, of other names: shopctl-${called}-other.service, shopctl-${called}-other.timer`;
    expect([removed.exit, removed.stderr]).toEqual([0, expect.stringContaining(left)]);
    expect([file, timer].filter((path) => existsSync(path))).toEqual([]);
    const again = await machine.run([group, 'uninstall'], { env });
    const nothing = `there is no unit shopctl-${called}-default.service: nothing was removed`;
    expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining(nothing)]);
  });
});
