import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { storedEvents } from '../../src/workspace/events/list.ts';
import { listenerNames } from '../../src/workspace/events/listeners.ts';
import { targetStandings } from '../../src/workspace/events/targets.ts';
import { migrations } from '../../src/workspace/migrations.ts';
import { testWorkspace } from '../support/workspace.ts';
import { workspaceKinds } from '../support/workspaces.ts';

/** Takes the workspace back to what an earlier version made of it, with what that version kept. */
const earlier = [
  'drop table event_namings',
  'drop table event_targets',
  'drop table event_listeners',
  'drop table event_sightings',
  'drop table event_hooks',
  'drop index events_account',
  'drop index events_content',
  'alter table events drop column account',
  'alter table event_handoffs drop column account',
  'alter table event_gaps drop column account',
  'create unique index events_content on events (content, occurrence)',
  'create table event_hooks (hook text primary key, last_callback text not null, received_at text not null, change_time text)',
  `create table event_sightings (hook text not null, content text not null, occurrences integer not null, seen_at text not null,
     constraint event_sightings_key primary key (content, hook))`,
  'create table event_listeners (name text primary key, secret text not null unique, created_at text not null)',
  `create table event_targets (name text primary key, kind text not null, address text not null, entity text, change_type text,
     accept text not null, give_up_ms bigint not null, state text not null, cursor bigint not null, created_at text not null,
     last_accepted_at text, last_error text)`,
  "delete from schema_steps where name = 'event-accounts'",
  `insert into events (hook, received_at, entity, change_type, record_id, time, content, occurrence)
     values ('shop', '2026-01-31T08:00:00Z', 'order', 'update', '11', '2026-01-31T08:00:00Z', 'c', 1)`,
  `insert into event_contents (seq, change) values (1, '{"a":1}')`,
  "insert into event_hooks values ('shop', 's', '2026-01-31T08:00:00Z', null)",
  "insert into event_sightings values ('other', 'c', 1, '2026-01-31T08:00:00Z')",
  "insert into event_listeners values ('shop', 'secret-of-old', '2026-01-31T08:00:00Z')",
  `insert into event_targets values ('crm', 'url', 'http://127.0.0.1:1/', null, null, 'ok', 1000, 'active', 0,
     '2026-01-31T08:00:00Z', null, null)`,
  `insert into event_handoffs (target, seq, record, state, attempts) values ('crm', 1, 'order 11', 'dead', 3)`,
];

describe.each(workspaceKinds())('the accounts of events on $name', (kind) => {
  afterAll(() => kind.end());

  it.skipIf(kind.missing)(
    'come to what an earlier version kept, opened by three at a time, and nothing is lost',
    async () => {
      const place = await kind.place();
      const before = await kind.open(place);
      await before.write(async (database) => {
        for (const statement of earlier) await sql.raw(statement).execute(database);
      });
      await before.close();
      const all = await Promise.all([1, 2, 3].map(() => kind.open(place)));
      for (const workspace of all) onTestFinished(() => workspace.close());
      const [workspace] = all;
      const found = await workspace?.read(async (database) => ({
        steps: (await database.selectFrom('schema_steps').select('name').execute()).length,
        events: await storedEvents(database, { account: '' }, { limit: 10 }),
        names: [...(await listenerNames(database, ''))],
        targets: await targetStandings(database, ''),
        elsewhere: await targetStandings(database, 'another'),
        sightings: await database.selectFrom('event_sightings').selectAll().execute(),
      }));
      expect(found).toMatchObject({
        steps: migrations.length,
        events: [{ seq: 1, record_id: '11', change: '{"a":1}' }],
        names: [['secret-of-old', 'shop']],
        targets: [{ name: 'crm', account: '', dead: 1, worker: null }],
        elsewhere: [],
        sightings: [{ account: '', hook: 'other', content: 'c', occurrences: 1 }],
      });
    },
  );
});

it('leave a file as quick as it was: what is read on by number is not sorted, and contents have their index', async () => {
  const workspace = await testWorkspace();
  const plan = async (query: string) => {
    const { rows } = await workspace.read((database) => sql.raw(`explain query plan ${query}`).execute(database));
    return JSON.stringify(rows);
  };
  const page = "select * from events inner join event_contents using (seq) where account = '' and";
  const next =
    "select seq, entity, record_id from events where account = '' and seq > 5 and seq <= 100 order by seq limit 500";
  const byNumber = [next, `${page} seq > 5 order by seq limit 500`, `${page} 1 order by seq desc limit 100`];
  for (const query of byNumber) expect(await plan(query)).not.toMatch(/TEMP B-TREE|events_/);
  const ahead = "select count(*), min(received_at) from events where account = '' and seq > 5";
  expect(await plan(ahead)).toContain('PRIMARY KEY (rowid>?)');
  const counted = "select content, hook from events where account = '' and content in ('a', 'b')";
  expect(await plan(counted)).toContain('events_content (content=?)');
});
