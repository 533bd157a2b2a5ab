import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { putIntent, type StoredIntent } from '../../src/ledger/store/intents.ts';
import { ledgerId, settleKeys, takeKeys } from '../../src/ledger/store/keys.ts';
import { openLedger } from '../../src/ledger/store/open-ledger.ts';
import { sqlOf } from '../../src/store/kysely-sql.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { moveWorkspace } from '../../src/workspace/store/move.ts';
import { leftBehind, movedTables } from '../../src/workspace/store/moved-tables.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { type WorkspaceKind, workspaceKinds } from '../support/workspaces.ts';

const kinds = workspaceKinds().filter(({ name }) => name !== 'SQLite in a thread');
const [file, server] = kinds;
if (file === undefined || server === undefined) throw new Error('a file and a server are tested');
afterAll(() => Promise.all(kinds.map((kind) => kind.end())));

const isServer = ({ serverTime }: Workspace) => serverTime !== undefined;
const account = '["http://127.0.0.1:1","7"]';
const at = Date.parse('2026-01-31T08:00:00Z');

const intent = (id: string): StoredIntent => ({
  id,
  account,
  resource: 'customer',
  identity: `of ${id}`,
  operation: 'shop.Customer/CreateCustomer',
  state: 'done',
  record_id: '9',
  attempts: 1,
  updated_at: at,
  reported_at: null,
  body: '{"text":"Đặng Thị Ánh \'?\'"}',
});

/** Whose changes a server has received. */
const owner = '["http://127.0.0.1:1","shop","7"]';

/** Writes a batch with a row that was made, one that existed because of it, a key of each kind, and a received change that waits. */
async function fill(workspace: Workspace, name: string, withEvents = true): Promise<void> {
  await workspace.write(async (database) => {
    const run = sqlOf(database, isServer(workspace));
    const [batch] = await run(
      `insert into batches (id, account, "do", operation, state, content, source, options, reserved, created_at)
        values (?, ?, 'customers create', 'shop.Customer/CreateCustomer', 'open', ?, '{"name":"g.csv"}', '{}', 0, ?) returning number`,
      [`batch-${name}`, account, `content of ${name}`, '2026-01-31T08:00:00Z'],
    );
    const number = Number(batch?.number);
    for (const [row, state] of [
      [1, 'done'],
      [2, 'existed'],
      [3, 'planned'],
    ] as const) {
      await run(
        `insert into batch_rows (batch, row, cell, name, named, content, state, attempts, identity, generation, made_by)
          values (?, ?, '2', ?, 1, 'c', ?, 1, ?, 0, ?)`,
        [number, row, `${name} ${row}`, state, `${name} ${row}`, state === 'existed' ? `batch ${number} 1 0` : null],
      );
      await run(`insert into batch_contents (batch, row, cells, payload) values (?, ?, '[]', '{}')`, [number, row]);
    }
    const want = {
      account,
      resource: 'customer',
      family: 'shop',
      derived: false,
      name,
      equal: null,
      request: null,
      owner: 'nobody',
      at,
      localAt: at,
    };
    const holders = [`batch ${number} 1 0`, `intent-${name}`];
    const wants = holders.map((holder, index) => ({ ...want, holder, identity: `${name} ${index}` }));
    await takeKeys(run, wants);
    await settleKeys(
      run,
      wants.map((one) => ({ ...one, state: 'done', recordId: '9' })),
    );
    await putIntent(run, intent(`intent-${name}`));
    if (!withEvents) return;
    // A file has the changes of one account, without its name.
    const of = isServer(workspace) ? owner : '';
    await run(
      `insert into events (account, hook, received_at, entity, change_type, record_id, time, content, occurrence)
        values (?, 'h', '2026-01-31', 'order', 'create', '1', '2026-01-31', ?, 1)`,
      [of, name],
    );
    const [change] = await run('select max(seq) as seq from events');
    const seq = Number(change?.seq);
    await run('insert into event_contents (seq, change) values (?, ?)', [seq, '{}']);
    await run(`insert into event_listeners values (?, 'listener', ?, '2026-01-31')`, [of, `secret of ${name}`]);
    await run(
      `insert into event_targets (account, name, kind, address, accept, give_up_ms, state, cursor, created_at)
        values (?, 'target', 'url', 'http://127.0.0.1:1', 'ok', 1, 'active', ?, '2026-01-31')`,
      [of, seq],
    );
    await run(
      `insert into event_handoffs (account, target, seq, record, state, attempts) values (?, 'target', ?, 'order 1', 'waiting', 1)`,
      [of, seq],
    );
  });
}

/** All that tables hold and that does not depend on when it was written. */
async function contentOf(workspace: Workspace) {
  const all = async (text: string) => (await workspace.read((database) => sql.raw(text).execute(database))).rows;
  const keys = await all('select holder, identity, state, name, record_id from ledger_keys order by identity');
  const rows = await all(`select b.id, r.row, r.state, r.made_by, c.payload from batch_rows as r
    join batches as b on b.number = r.batch join batch_contents as c on c.batch = r.batch and c.row = r.row order by b.id, r.row`);
  const intents = await all('select id, state, body, updated_at, reported_at from intents order by id');
  const events = await all(`select e.content, c.change, l.secret, t.cursor - e.seq as behind, h.state from events as e
    join event_contents as c on c.seq = e.seq join event_listeners as l on l.account = e.account
    join event_targets as t on t.account = e.account
    join event_handoffs as h on h.account = e.account and h.target = t.name and h.seq = e.seq`);
  return { keys, rows, intents, events };
}

const idOf = (workspace: Workspace) =>
  workspace.read((database) => ledgerId(sqlOf(database, workspace.serverTime !== undefined)));

/** A new workspace, open until the end of the test. */
async function opened(kind: WorkspaceKind, place: string): Promise<Workspace> {
  const workspace = await kind.open(place);
  onTestFinished(() => workspace.close());
  return workspace;
}

/** A closed workspace that was used, and the ledger in it. */
async function used(kind: WorkspaceKind, name: string, withEvents = true) {
  const place = await kind.place();
  const workspace = await kind.open(place);
  await fill(workspace, name, withEvents);
  const [id, content] = [await idOf(workspace), await contentOf(workspace)];
  await workspace.close();
  return { place, id, content };
}

const pairs = [
  { from: file, to: file },
  { from: file, to: server },
  { from: server, to: file },
];

describe.each(pairs)('from $from.name to $to.name', ({ from, to }) => {
  it.skipIf(from.missing ?? to.missing)('moves everything and the ledger’s id, and refuses the old place', async () => {
    const source = await used(from, 'one');
    const target = await opened(to, await to.place());
    const moved = await moveWorkspace({ ...source, eventsOf: owner }, target, steppedClock(at));
    expect(moved).toMatchObject({
      id: source.id,
      left: [],
      rows: { batches: 1, batch_rows: 3, ledger_keys: 2, events: 1 },
    });
    expect([await idOf(target), await contentOf(target)]).toEqual([source.id, source.content]);
    const refused = { code: 'workspace_moved', message: expect.stringContaining(target.place) };
    await expect(from.open(source.place)).rejects.toMatchObject(refused);
    await expect(openLedger(source.place)).rejects.toMatchObject(refused);
    // As after a crash before the settings were written: nothing is copied twice.
    expect(await moveWorkspace(source, target, steppedClock(at))).toMatchObject({ id: source.id, rows: {} });
    expect(await contentOf(target)).toEqual(source.content);
    const accounts = await target.read((database) => sql`select account from events`.execute(database));
    expect(accounts.rows).toEqual([{ account: isServer(target) ? owner : '' }]);
    // New rows follow those that came.
    await fill(target, 'two', false);
    expect((await contentOf(target)).rows).toHaveLength(6);
  });
});

const present = kinds.filter(({ missing }) => missing === undefined);

it.each(present)('joins a ledger in use in $name: batches get other numbers, and holders follow', async (to) => {
  const source = await used(file, 'one');
  const target = await opened(to, await to.place());
  await fill(target, 'here');
  const own = await idOf(target);
  const left = [{ what: 'the path of the listener listener' }];
  expect(await moveWorkspace({ ...source, eventsOf: owner }, target, steppedClock(at))).toMatchObject({
    id: own,
    left,
  });
  const { keys, rows, intents, events } = await contentOf(target);
  expect(keys).toMatchObject([
    { holder: 'batch 1 1 0', identity: 'here 0' },
    { holder: 'intent-here' },
    { holder: 'batch 2 1 0', identity: 'one 0' },
    { holder: 'intent-one' },
  ]);
  const existed = rows.filter((row) => Object(row).state === 'existed');
  expect(existed).toMatchObject([
    { id: 'batch-here', made_by: 'batch 1 1 0' },
    { id: 'batch-one', made_by: 'batch 2 1 0' },
  ]);
  expect(intents).toHaveLength(2);
  expect(events).toMatchObject([{ content: 'here' }, { content: 'one', state: 'waiting' }]);
});

it.each(present)('joins a ledger in use in $name: an undo undoes the same batch there', async (to) => {
  const source = await used(file, 'one');
  const undo = await file.open(source.place);
  await undo.write((database) =>
    sqlOf(database, false)(
      `insert into batches (id, account, "do", operation, state, content, source, options, reserved, created_at)
        values ('the-undo', ?, 'undo customers create', 'shop.Customer/DeleteCustomer', 'open', 'u', ?, '{}', 0, 'now')`,
      [account, '{"name":"g.csv","undoes":1}'],
    ),
  );
  await undo.close();
  const target = await opened(to, await to.place());
  await fill(target, 'here');
  await moveWorkspace(source, target, steppedClock(at));
  const batches = await target.read((database) => database.selectFrom('batches').selectAll().execute());
  const numberOf = (name: string) => batches.find(({ id }) => id === name)?.number;
  const undoing = batches.find(({ id }) => id === 'the-undo');
  expect(JSON.parse(undoing?.source ?? '')).toEqual({ name: 'g.csv', undoes: Number(numberOf('batch-one')) });
  expect(numberOf('batch-one')).not.toBe(numberOf('batch-here'));
});

it.each(present)(
  'keeps a record that the other ledger made, where the one in $name knows of an undone one',
  async (to) => {
    const source = await used(file, 'one', false);
    const target = await opened(to, await to.place());
    await fill(target, 'one', false);
    await target.write(async (database) => {
      await sql`update batches set id = 'another'`.execute(database);
      await sql`update ledger_keys set state = 'undone', record_id = '8' where identity = 'one 0'`.execute(database);
    });
    await moveWorkspace(source, target, steppedClock(at));
    expect((await contentOf(target)).keys).toMatchObject([
      { identity: 'one 0', state: 'done', record_id: '9', holder: 'batch 2 1 0' },
      { identity: 'one 1', state: 'done', holder: 'intent-one' },
    ]);
  },
);

it.each(present)('knows in $name of the later one of two equal orders, which another one equals today', async (to) => {
  const source = await used(file, 'one', false);
  const target = await opened(to, await to.place());
  await fill(target, 'one', false);
  await target.write(async (database) => {
    await sql`update batches set id = 'another'`.execute(database);
    await sql`update ledger_keys set at = at - 172800000, record_id = '8' where identity = 'one 0'`.execute(database);
    await sql`update ledger_keys set at = at + 172800000, record_id = '8' where identity = 'one 1'`.execute(database);
  });
  await moveWorkspace(source, target, steppedClock(at));
  const made = (await contentOf(target)).keys.map((key) => Object(key).record_id);
  expect(made).toEqual(['9', '8']);
});

it('moves nothing while another process has the workspace open, and leaves it as it was', async () => {
  const source = await used(file, 'one');
  const other = await file.open(source.place);
  const target = await opened(file, await file.place());
  await expect(moveWorkspace(source, target, steppedClock(at))).rejects.toMatchObject({ code: 'workspace_busy' });
  await other.close();
  const ledger = await openLedger(source.place);
  await ledger.close();
  expect(await contentOf(target)).toMatchObject({ keys: [], rows: [] });
});

it.skipIf(server.missing)('brings received changes to a server that has those of another account', async () => {
  const source = await used(file, 'one');
  const target = await opened(server, await server.place());
  await fill(target, 'here');
  const other = '["http://127.0.0.1:1","shop","8"]';
  const moved = await moveWorkspace({ ...source, eventsOf: other }, target, steppedClock(at));
  expect(moved).toMatchObject({ left: [], rows: { events: 1, event_targets: 1, event_handoffs: 1 } });
  expect((await contentOf(target)).events).toMatchObject([
    { content: 'here', secret: 'secret of here', behind: 0, state: 'waiting' },
    { content: 'one', secret: 'secret of one', behind: 0, state: 'waiting' },
  ]);
});

const outranking = [
  { own: 'sending', other: 'unclear', stays: 'unclear' },
  { own: 'unclear', other: 'sending', stays: 'unclear' },
  { own: 'unclear', other: 'done', stays: 'done' },
  { own: 'done', other: 'unclear', stays: 'done' },
  { own: 'undone', other: 'sending', stays: 'undone' },
  { own: 'done', other: 'undone', later: true, stays: 'undone' },
  { own: 'done', other: 'undone', later: false, stays: 'done' },
  { own: 'undone', other: 'done', later: true, stays: 'done' },
];

it.each(outranking)(
  'of a key that is $own here and $other there stays $stays',
  async ({ own, other, later, stays }) => {
    const place = await file.place();
    const there = await file.open(place);
    const target = await opened(file, await file.place());
    for (const [workspace, state, when] of [
      [there, other, later === true ? at + 1 : at],
      [target, own, later === false ? at + 1 : at],
    ] as const) {
      await fill(workspace, workspace === there ? 'there' : 'here', false);
      await workspace.write((database) =>
        sql`update ledger_keys set state = ${state}, identity = 'shared', at = ${when} where holder like 'batch%'`.execute(
          database,
        ),
      );
    }
    const id = await idOf(there);
    await there.close();
    await moveWorkspace({ id, place }, target, steppedClock(at));
    const shared = (await contentOf(target)).keys.filter((key) => Object(key).identity === 'shared');
    expect(shared).toMatchObject([{ state: stays }]);
  },
);

it('joins no two copies of one ledger', async () => {
  const source = await used(file, 'one');
  const open = await file.open(source.place);
  const copy = join(source.place, '..', 'copy.db');
  await open.read((database) => sql`vacuum into ${copy}`.execute(database));
  await open.close();
  const same = moveWorkspace({ ...source, place: copy }, await opened(file, source.place), steppedClock(at));
  await expect(same).rejects.toMatchObject({ code: 'workspace_unusable' });
});

it('names every table of a workspace: it moves, or it is known to stay', async () => {
  const workspace = await opened(file, await file.place());
  const { rows } = await workspace.read((database) =>
    sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(
      database,
    ),
  );
  const named = movedTables.map(({ name }) => name);
  expect(rows.map(({ name }) => name).sort()).toEqual([...named, ...leftBehind].sort());
});
