import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBatches } from '../../src/batch/open.ts';
import { shellWord } from '../../src/cli/errors/advice.ts';
import { sqlOf } from '../../src/store/kysely-sql.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { testMachine } from '../support/context.ts';
import { impatientClock } from '../support/impatient-clock.ts';
import { newBatch } from '../support/new-batch.ts';
import { shopWorld } from '../support/shop-world.ts';
import { workspaceKinds } from '../support/workspaces.ts';

for (const kind of workspaceKinds()) {
  it.skipIf(kind.missing !== undefined)(`is shown and checked: ${kind.name}`, async () => {
    onTestFinished(() => kind.end());
    const place = await kind.place();
    const { workspace, batches } = await openBatches(place);
    const { number } = await batches.create(newBatch);
    const { run } = testMachine(() => {
      throw new Error('nothing is to be sent');
    });
    const env = { SHOPCTL_WORKSPACE: place };
    const shown = await run(['workspace', 'show', '--json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      place,
      shared: kind.name === 'PostgreSQL' ? 'yes' : 'no',
      batches: 1,
    });
    const fine = await run(['workspace', 'check', '--json'], { env });
    const found: { check: string; result: string; found: string }[] = JSON.parse(fine.stdout);
    expect([fine.exit, found.filter(({ result }) => result !== 'ok')]).toEqual([0, []]);
    await workspace.write(async (database) => {
      await database.updateTable('batches').set({ reserved: -5, state: 'open' }).execute();
      await database.insertInto('batch_contents').values({ batch: number, row: 7, cells: '', payload: '' }).execute();
      await database.insertInto('event_contents').values({ seq: 3, change: '{}' }).execute();
    });
    const wrong = await run(['workspace', 'check', '--json'], { env });
    const seen: typeof found = JSON.parse(wrong.stdout);
    expect(wrong.exit).not.toBe(0);
    expect(seen.filter(({ result }) => result === 'wrong').map(({ check, found: count }) => [check, count])).toEqual([
      ['texts have their row', '1'],
      ['fees stay within their limit', '1'],
      ['texts have their change', '1'],
    ]);
    await workspace.close();
  });
}

it('is backed up while it is in use, into a new file of its user alone, which is a workspace itself', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-backup-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [place, copy] = [join(directory, 'workspace.db'), join(directory, 'copy.db')];
  const { workspace, batches } = await openBatches(place);
  await batches.create(newBatch);
  const { run } = testMachine(() => {
    throw new Error('nothing is to be sent');
  });
  const env = { SHOPCTL_WORKSPACE: place };
  const { ino } = statSync(place);
  // A file that is opened and closed beside SQLite loses the locks of the whole process.
  // What this process has of them: the list of all processes is not read at one moment.
  const locks = () => {
    if (!existsSync('/proc/self/fdinfo')) return 1;
    const lines = readdirSync('/proc/self/fdinfo').flatMap((descriptor) => {
      const path = `/proc/self/fdinfo/${descriptor}`;
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    });
    const own = lines.filter((line) => line.startsWith('lock:') && line.includes(`:${ino} `));
    return new Set(own.map((line) => line.replace(/^lock:\s*\d+:/, ''))).size;
  };
  for (const words of [['show'], ['check'], ['backup', copy]]) {
    const ran = await run(['workspace', ...words], { env });
    expect([ran.exit, /profiles, keys and the mappings .* not in it/.test(ran.stderr)]).toEqual([
      0,
      words.includes(copy),
    ]);
    if (words.includes(copy)) expect(ran.stderr).toContain(`\`shopctl config set workspace ${copy}`);
    expect([words, locks()]).toEqual([words, 1]);
  }
  await workspace.close();
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const again = await run(['workspace', 'backup', copy], { env });
  expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);
  const restored = await run(['workspace', 'show', '--json'], { env: { SHOPCTL_WORKSPACE: copy } });
  expect(JSON.parse(restored.stdout)).toMatchObject({ place: copy, batches: 1 });
});

it.skipIf(!existsSync('/proc/self/fd'))('is closed again by each command that opens it', async () => {
  const { run, directory } = await shopWorld();
  const open = () =>
    readdirSync('/proc/self/fd').flatMap((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        // The descriptor of the list itself.
        return [];
      }
    });
  for (const words of [['agents', 'stop'], ['agents', 'log'], ['ledger', 'list'], ['doctor']])
    expect([words, (await run(words)).exit, open().filter((path) => path.startsWith(directory))]).toEqual([
      words,
      0,
      [],
    ]);
});

for (const kind of workspaceKinds().filter(({ name }) => name !== 'SQLite in a thread')) {
  const title = `moves what was received where nothing was sent, with its targets and what waits for them: ${kind.name}`;
  it.skipIf(kind.missing !== undefined)(title, async () => {
    onTestFinished(() => kind.end());
    const { run, directory } = await shopWorld();
    const workspace = await openWorkspace(join(directory, 'state', 'workspace.db'));
    await workspace.write(async (database) => {
      const sql = sqlOf(database, false);
      await sql(`insert into events (account, hook, received_at, entity, change_type, record_id, time, content, occurrence)
        values ('', 'h', '2026-01-31T08:00:00Z', 'order', 'create', '1', '2026-01-31T08:00:00Z', 'c', 1)`);
      await sql(`insert into event_contents values (1, '{}')`);
      await sql(`insert into event_targets (account, name, kind, address, accept, give_up_ms, state, cursor, created_at)
        values ('', 'shop-page', 'url', 'http://127.0.0.1:1', 'ok', 1, 'active', 0, '2026-01-31T08:00:00Z')`);
    });
    await workspace.close();
    const env = { SHOPCTL_WORKSPACE: await kind.place() };
    const shop = (...words: string[]) => run([...words, '--profile', 'shop', '--json'], { env });
    const moved = await shop('workspace', 'move', '--yes');
    expect([moved.exit, JSON.parse(moved.stdout)]).toMatchObject([0, [{ writes: 0, events: 1 }]]);
    expect(JSON.parse((await shop('events', 'list')).stdout)).toMatchObject([{ entity: 'order', record_id: '1' }]);
    expect(JSON.parse((await shop('events', 'targets')).stdout)).toMatchObject([{ name: 'shop-page', behind: 1 }]);
    const again = await shop('workspace', 'move', '--yes');
    expect([again.exit, JSON.parse(again.stdout)]).toEqual([0, []]);
  });
}

it('moves back to where it was, knowing what was sent meanwhile, and asks a stranger to it nothing', async () => {
  const { run, directory } = await shopWorld();
  const at = (state: string, ...words: string[]) =>
    run([...words, '--profile', 'shop', '--json'], { env: { SHOPCTL_STATE_DIR: join(directory, state) } });
  const create = (state: string, name: string) =>
    at(state, 'customers', 'create', '--full-name', name, '--external-id', name, '--phone', '0901234567');
  const first = JSON.parse((await create('here', 'Lan')).stdout);
  expect((await at('there', 'workspace', 'move', '--yes')).exit).toBe(0);
  const second = JSON.parse((await create('there', 'Hoa')).stdout);
  expect(await create('here', 'Hoa')).toMatchObject({ exit: 14, stderr: expect.stringContaining('workspace move') });

  const place = join(directory, 'here', 'workspace.db');
  const preview = await at('here', 'workspace', 'move', '--dry-run');
  expect(JSON.parse(preview.stdout)).toMatchObject({ to: place, rename: expect.stringContaining(`${place}.moved-`) });
  expect((await at('here', 'workspace', 'move')).exit).toBe(2);
  const stranger = await run(['workspace', 'move', '--yes', '--json'], {
    env: { SHOPCTL_CONFIG_DIR: join(directory, 'other'), SHOPCTL_STATE_DIR: join(directory, 'here') },
  });
  expect(stranger).toMatchObject({ exit: 14, stderr: expect.stringContaining('know no ledger') });
  expect(await create('here', 'Hoa')).toMatchObject({ exit: 14 });

  const back = await at('here', 'workspace', 'move', '--yes');
  expect([back.exit, JSON.parse(back.stdout)]).toMatchObject([0, [{ to: place, writes: 2 }]]);
  // Both were sent before: neither is sent again.
  expect(JSON.parse((await create('here', 'Lan')).stdout).id).toBe(first.id);
  expect(JSON.parse((await create('here', 'Hoa')).stdout).id).toBe(second.id);
  expect((await create('there', 'Mai')).exit).toBe(14);
  expect((await at('there', 'workspace', 'move', '--yes')).exit).toBe(0);
  expect(JSON.parse((await create('there', 'Hoa')).stdout).id).toBe(second.id);
});

it('moves round by other places and back, and knows in each what was sent in all of them', async () => {
  const { run, directory, service } = await shopWorld();
  const at = (state: string, ...words: string[]) =>
    run([...words, '--profile', 'shop', '--json'], { env: { SHOPCTL_STATE_DIR: join(directory, state) } });
  const create = (state: string, name: string) =>
    at(state, 'customers', 'create', '--full-name', name, '--external-id', name, '--phone', '0901234567');
  const made = new Map<string, string>();
  const states = ['one', 'two', 'three', 'one', 'two', 'one', 'three'];
  for (const [index, state] of states.entries()) {
    const moved = index === 0 ? undefined : await at(state, 'workspace', 'move', '--yes');
    expect([index, moved?.exit ?? 0, moved?.stderr ?? '']).toEqual([index, 0, expect.not.stringContaining('error')]);
    for (const [name, id] of made)
      expect([name, JSON.parse((await create(state, name)).stdout).id]).toEqual([name, id]);
    made.set(`Mai-${index}`, JSON.parse((await create(state, `Mai-${index}`)).stdout).id);
  }
  const { body } = await service.post('shop.Customer/ListCustomers', {}, service.shop.apiKey);
  expect(body.customers).toHaveLength(states.length);
  for (const state of ['one', 'two']) expect((await create(state, 'Hoa')).exit).toBe(14);
});

it.each([
  ['', ['there', 'state']],
  [' by way of another place', ['there', 'further', 'state', 'there']],
])('moves what was only received back to where it was%s, and none of it is there twice', async (_, states) => {
  const { run, directory } = await shopWorld();
  // Where this user's files usually are.
  const workspace = await openWorkspace(join(directory, 'state', 'workspace.db'));
  await workspace.write(async (database) => {
    const sql = sqlOf(database, false);
    await sql(`insert into events (account, hook, received_at, entity, change_type, record_id, time, content, occurrence)
      values ('', 'h', '2026-01-31T08:00:00Z', 'order', 'create', '1', '2026-01-31T08:00:00Z', 'c', 1)`);
    await sql(`insert into event_contents values (1, '{}')`);
  });
  await workspace.close();
  const at = (state: string, ...words: string[]) =>
    run([...words, '--profile', 'shop', '--json'], { env: { SHOPCTL_STATE_DIR: join(directory, state) } });
  for (const state of states) {
    const moved = await at(state, 'workspace', 'move', '--yes');
    expect([state, moved.exit, moved.stderr]).toMatchObject([state, 0, expect.anything()]);
    expect(JSON.parse((await at(state, 'events', 'list')).stdout)).toMatchObject([{ entity: 'order', record_id: '1' }]);
  }
});

it('lists where it has files, and makes none by that', async () => {
  const { run, directory } = testMachine(() => {
    throw new Error('nothing is to be sent');
  });
  const env = { HOME: directory, SHOPCTL_CONFIG_DIR: join(directory, 'c'), SHOPCTL_STATE_DIR: join(directory, 's') };
  const paths = async () => {
    const { exit, stdout } = await run(['workspace', 'show', '--paths', '-o', 'json'], { env });
    expect(exit).toBe(0);
    const shown: { paths: { what: string; path: string; exists: string | null }[] } = JSON.parse(stdout);
    return shown.paths.map(({ what, path, exists }) => [what, path.replace(directory, ''), exists]);
  };
  const before = await paths();
  expect(before).toContainEqual(['settings', '/c', 'no']);
  expect(before).toContainEqual(['state', '/s', 'no']);
  expect(before).toContainEqual(['workspace', '/s/workspace.db', 'no']);
  expect(before).toContainEqual(['usual state', '/c/state', 'no']);
  expect(before).toContainEqual(['cache', '/c/cache', 'no']);
  expect(before).toContainEqual(['program cache', '/.cache/shopctl', 'no']);
  expect(before).toContainEqual(['units', '/.config/systemd/user', 'no']);
  expect(existsSync(join(directory, 's'))).toBe(false);
  await run(['mirror', 'install'], { env });
  await run(['batch', 'list'], { env });
  mkdirSync(join(directory, '.zfunc'));
  writeFileSync(join(directory, '.zfunc/_shopctl'), '');
  const after = await paths();
  for (const name of ['shopctl-mirror-default.service', 'shopctl-mirror-default.timer'])
    expect(after).toContainEqual(['unit', `/.config/systemd/user/${name}`, 'yes']);
  expect(after.filter(([what]) => what === 'units')).toEqual([]);
  expect(after).toContainEqual(['workspace', '/s/workspace.db', 'yes']);
  expect(after).toContainEqual(['completion', '/.zfunc/_shopctl', 'yes']);
  const table = await run(['workspace', 'show', '--paths'], { env });
  expect(table.stdout).toContain('WHAT');
  const server = { ...env, SHOPCTL_WORKSPACE: 'postgres://shop:canary@127.0.0.1:1/shop' };
  const away = await run(['workspace', 'show', '--paths'], { env: server, clock: impatientClock });
  expect(away.stdout + away.stderr).not.toContain('canary');
});

describe('on Windows', () => {
  const env = { APPDATA: 'C:\\Users\\Mai Anh\\AppData\\Roaming', LOCALAPPDATA: 'D:\\Nhà\\Local' };
  const nothing = () => {
    throw new Error('nothing is to be sent');
  };

  it('has files where Windows has those of programs', async () => {
    const { run } = testMachine(nothing);
    const { exit, stdout } = await run(['workspace', 'show', '--paths', '-o', 'json'], { env, platform: 'win32' });
    expect(exit).toBe(0);
    const shown: { paths: { what: string; path: string }[] } = JSON.parse(stdout);
    const places = Object.fromEntries(shown.paths.map(({ what, path }) => [what, path]));
    expect(places).toMatchObject({
      settings: 'C:\\Users\\Mai Anh\\AppData\\Roaming\\shopctl',
      state: 'D:\\Nhà\\Local\\shopctl\\state',
      cache: 'D:\\Nhà\\Local\\shopctl\\cache',
    });
  });

  it('prints a path with blanks and backslashes as one word of PowerShell', () => {
    // Between apostrophes, PowerShell reads every character as it is.
    const path = 'C:\\Users\\Mai Anh\\đơn $1 `a`.xlsx';
    expect(shellWord(path)).toBe(`'${path}'`);
    // Between double quotes it would replace $ and read a backtick; an apostrophe alone needs neither.
    expect(shellWord("Anh's.xlsx")).toBe(`"Anh's.xlsx"`);
  });
});
