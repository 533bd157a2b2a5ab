import type { CompiledQuery } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { forgetSome } from '../../src/events/store/forget.ts';
import { type EventFilter, storedEvents, storedNumbers, withNumbersOfTime } from '../../src/events/store/list.ts';
import { takeUpTargets } from '../../src/events/store/targets.ts';
import type { WorkspaceTables } from '../../src/store/tables.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { testWorkspace } from '../support/workspace.ts';
import { workspaceKinds } from '../support/workspaces.ts';

const target = {
  name: 'shop',
  kind: 'url',
  address: 'http://127.0.0.1:1/',
  entity: null,
  change_type: null,
  accept: 'ok',
  give_up_ms: 1000,
} as const;

const minute = (number: number) => `2026-01-31T08:${String(number).padStart(2, '0')}:00Z`;

/** Changes received at these minutes, in this order; every third of another kind. */
async function keepReceivedAt(workspace: Workspace, minutes: readonly number[]) {
  await workspace.write(async (database) => {
    for (const [index, received] of minutes.entries()) {
      await database
        .insertInto('events')
        .values({
          account: '',
          hook: 'shop',
          received_at: minute(received),
          entity: index % 3 === 0 ? 'customer' : 'order',
          change_type: index % 4 === 0 ? 'create' : 'update',
          record_id: String(index),
          shop_id: null,
          time: minute(received),
          content: `c${index}`,
          occurrence: 1,
        })
        .execute();
      await database
        .insertInto('event_contents')
        .values({ seq: index + 1, change: '{}' })
        .execute();
    }
  });
}

const handoff = (seq: number, state: 'waiting' | 'dead') =>
  ({ account: '', target: 'shop', seq, record: `order ${seq}`, state, attempts: 1, last_error: null }) as const;

describe.each(workspaceKinds())('kept changes on $name', (kind) => {
  afterAll(() => kind.end());

  const opened = async (minutes: readonly number[]) => {
    const workspace = await kind.open(await kind.place());
    onTestFinished(() => workspace.close());
    await keepReceivedAt(workspace, minutes);
    const numbers = (filter: Partial<EventFilter>) =>
      workspace.read(async (database) =>
        storedNumbers(database, await withNumbersOfTime(database, { account: '', ...filter }), 100),
      );
    const newest = (filter: Partial<EventFilter>, limit: number) =>
      workspace.read(async (database) => {
        const asked = await withNumbersOfTime(database, { account: '', ...filter });
        const page = await storedEvents(database, asked, { limit, newestFirst: true });
        return page.map(({ seq }) => seq);
      });
    return { workspace, numbers, newest };
  };

  it.skipIf(kind.missing)('are found by the time of their reception, also where the clock was put back', async () => {
    const { numbers, newest } = await opened([1, 2, 9, 3, 4, 5]);
    expect(await numbers({ since: minute(3) })).toEqual([3, 4, 5, 6]);
    expect(await numbers({ since: minute(3), until: minute(5) })).toEqual([4, 5]);
    expect(await numbers({ until: minute(3) })).toEqual([1, 2]);
    expect(await numbers({ since: minute(6), until: minute(9) })).toEqual([]);
    expect(await numbers({ since: minute(10) })).toEqual([]);
    expect(await numbers({ since: minute(3), entity: 'customer' })).toEqual([4]);
    expect(await newest({ since: minute(3) }, 2)).toEqual([6, 5]);
    expect(await newest({ since: minute(3) }, 9)).toEqual([6, 5, 4, 3]);
  });

  it.skipIf(kind.missing)('are found by how they stand with a target', async () => {
    const { workspace, numbers, newest } = await opened([1, 2, 3, 4, 5, 6, 7, 8]);
    await workspace.write(async (database) => {
      await takeUpTargets(database, '', [target], minute(0));
      await database.updateTable('event_targets').set({ cursor: 6 }).execute();
      const rows = [handoff(2, 'waiting'), handoff(3, 'dead'), handoff(5, 'waiting')];
      await database.insertInto('event_handoffs').values(rows).execute();
    });
    expect(await numbers({ target: 'shop', state: 'waiting' })).toEqual([2, 5, 7, 8]);
    expect(await newest({ target: 'shop', state: 'waiting' }, 3)).toEqual([8, 7, 5]);
    expect(await newest({ target: 'shop', state: 'waiting' }, 2)).toEqual([8, 7]);
    expect(await numbers({ target: 'shop', state: 'dead' })).toEqual([3]);
    expect(await numbers({ target: 'shop', state: 'accepted' })).toEqual([1, 4, 6]);
    expect(await numbers({ target: 'shop' })).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await numbers({ target: 'nobody' })).toEqual([]);
    const now = Date.parse(minute(30));
    expect(await workspace.write((database) => forgetSome(database, '', minute(7), now))).toBe(3);
    expect(await numbers({})).toEqual([2, 3, 5, 7, 8]);
  });
});

/** How SQLite finds what a query asks for, a line a step. */
async function planOf(workspace: Workspace, ask: (database: WorkspaceTables) => Promise<unknown>): Promise<string[]> {
  return workspace.write(async (database) => {
    const asked: CompiledQuery[] = [];
    const watched = database.withPlugin({
      transformQuery({ node, queryId }) {
        asked.push(database.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await ask(watched);
    const steps: string[] = [];
    for (const query of asked.filter(({ sql }) => sql.includes('"events"'))) {
      const plan = await database.executeQuery<{ detail: string }>({
        ...query,
        sql: `explain query plan ${query.sql}`,
      });
      steps.push(...plan.rows.map(({ detail }) => detail));
    }
    return steps;
  });
}

it('are looked up in a file and never sorted, however many are kept', async () => {
  const workspace = await testWorkspace();
  await keepReceivedAt(workspace, [1, 2, 3, 4, 5]);
  await workspace.write((database) => takeUpTargets(database, '', [target], minute(0)));
  const first = { limit: 101, newestFirst: true };
  const list = (filter: Partial<EventFilter>) =>
    planOf(workspace, async (database) =>
      storedEvents(database, await withNumbersOfTime(database, { account: '', ...filter }), first),
    );
  const looked: Record<string, string[]> = {
    all: await list({}),
    entity: await list({ entity: 'order' }),
    kind: await list({ changeType: 'delete' }),
    record: await list({ recordId: '3' }),
    since: await list({ since: minute(2) }),
    waiting: await list({ target: 'shop', state: 'waiting' }),
    dead: await list({ target: 'shop', state: 'dead' }),
    accepted: await list({ target: 'shop', state: 'accepted' }),
    forgotten: await planOf(workspace, (database) => forgetSome(database, '', minute(2), Date.parse(minute(9)))),
  };
  const sorted = Object.entries(looked).filter(([, steps]) => steps.some((step) => step.includes('TEMP B-TREE')));
  expect(sorted).toEqual([]);
  // The newest of all are the last ones: a scan from the end that stops after so many.
  const { all, ...others } = looked;
  expect(all?.[0]).toBe('SCAN events');
  const scanned = Object.entries(others).filter(([, steps]) => steps.some((step) => step.startsWith('SCAN')));
  expect(scanned).toEqual([]);
});
