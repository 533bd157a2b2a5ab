import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { HandVerdict } from '../../src/events/listen/forward/queues.ts';
import { serveNamed } from '../../src/events/listen/forward/serve-targets.ts';
import { readCallback } from '../../src/events/listen/receiver.ts';
import { forgetSome } from '../../src/events/store/forget.ts';
import { eventIds } from '../../src/events/store/ids.ts';
import { storedEvents } from '../../src/events/store/list.ts';
import { listenerSecret } from '../../src/events/store/listeners.ts';
import { EVENTS } from '../../src/events/store/serving.ts';
import { storeCallbacks } from '../../src/events/store/store-changes.ts';
import { type NamedTarget, targetStandings } from '../../src/events/store/targets.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { workspaceKinds } from '../support/workspaces.ts';
import { callbackOf, keepAt, noteChange } from './changes.ts';

const ok: HandVerdict = { accepted: true, answer: 'status 200' };
const order = (number: number) => `10000000000000000${10 + number}`;
const named = (name: string): NamedTarget => ({
  name,
  kind: 'url',
  address: 'http://127.0.0.1:1/',
  entity: null,
  change_type: null,
  accept: 'ok',
  give_up_ms: 3_600_000,
});
const lease = { leaseMs: 60_000, heartbeatMs: 20_000 };

/** Lets other work go on until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

const kinds = workspaceKinds().filter(({ name }) => name !== 'SQLite in a thread');
afterAll(() => Promise.all(kinds.map((kind) => kind.end())));

describe.each(kinds.filter(({ missing }) => missing === undefined))('two listeners: $name', (kind) => {
  /** What concerns leases by a server's clock, and transactions that wait for each other in a server. */
  const onServer = it.runIf(kind.name === 'PostgreSQL');

  async function machines(count: number) {
    const place = await kind.place();
    const all: Workspace[] = [];
    for (let number = 0; number < count; number += 1) {
      const workspace = await kind.open(place);
      onTestFinished(() => workspace.close());
      all.push(workspace);
    }
    return all as [Workspace, Workspace, ...Workspace[]];
  }

  /** A listener that hands on to targets; what it hands is told with its name. */
  async function serving(
    workspace: Workspace,
    who: string,
    names: readonly string[],
    reported: string[],
    account = '',
    more: Partial<Parameters<typeof serveNamed>[0]> = {},
  ) {
    let answer: (note: string) => HandVerdict | Promise<HandVerdict> = () => ok;
    const ids = await workspace.write((database) => eventIds(database, () => 0.5));
    const service = await serveNamed(
      {
        workspace,
        account,
        ids,
        clock: systemClock,
        random: () => 0,
        lease,
        handFor:
          (target) =>
          async ({ text }) => {
            const note = JSON.parse(text).changed.order.order_note;
            reported.push(`${who} ${target.name} ${note}`);
            return answer(note);
          },
        ...more,
      },
      names.map(named),
    );
    let isClosed = false;
    const close = async () => {
      if (!isClosed) await service.close();
      isClosed = true;
    };
    onTestFinished(close);
    return {
      service,
      close,
      answers: (next: typeof answer) => {
        answer = next;
      },
    };
  }

  onServer(
    'number changes in the order of their commits: whoever reads on from a number passes none over',
    async () => {
      const [one, other, reader] = await machines(3);
      if (reader === undefined) throw new Error('no reader');
      let commit: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        commit = resolve;
      });
      const callback = (hook: string, note: string) => {
        const read = readCallback(
          hook,
          Buffer.from(callbackOf(noteChange(order(1), note))),
          '2026-01-31T08:00:00.000Z',
        );
        if (read === undefined) throw new Error('no callback');
        return read;
      };
      let isKept = false;
      const slow = one.write(async (database) => {
        await one.alone(database, EVENTS);
        await storeCallbacks(database, '', [callback('a', 'slow')]);
        isKept = true;
        await held;
      });
      await until(() => isKept);
      let isOver = false;
      const fast = keepAt(other, 'b', noteChange(order(2), 'fast')).finally(() => {
        isOver = true;
      });
      const isWaiting = async () => {
        const { rows } = await reader.read((database) =>
          sql<{ n: number }>`select count(*) as n from pg_locks where not granted`.execute(database),
        );
        return Number(rows[0]?.n) > 0;
      };
      await until(async () => isOver || (await isWaiting()));
      const seen: number[] = [];
      const look = async () => {
        const filter = { account: '', after: seen.at(-1) ?? 0 };
        const page = await reader.read((database) => storedEvents(database, filter, { limit: 10 }));
        seen.push(...page.map(({ seq }) => seq));
      };
      await look();
      commit();
      await Promise.all([slow, fast]);
      await look();
      expect(seen).toHaveLength(2);
    },
  );

  it('serve a target one at a time: the other takes over what the first lets go of, in order', async () => {
    const [one, other] = await machines(2);
    const reported: string[] = [];
    const first = await serving(one, 'first', ['crm'], reported);
    const second = await serving(other, 'second', ['crm'], reported);
    expect([first.service.serves(), second.service.serves()]).toEqual([['crm'], []]);
    // Kept by the one that does not serve: the other sees it all the same.
    await keepAt(other, 'b', noteChange(order(1), 'A1'), noteChange(order(1), 'A2'));
    await until(() => reported.length === 2);
    await first.close();
    await keepAt(one, 'b', noteChange(order(1), 'A3'));
    await until(() => reported.length >= 3);
    expect(reported).toEqual(['first crm A1', 'first crm A2', 'second crm A3']);
    expect(second.service.serves()).toEqual(['crm']);
  });

  onServer('hear no more from one whose lease ran out: it writes nothing down, and hands nothing on', async () => {
    const [one, other] = await machines(2);
    const reported: string[] = [];
    let answer: (verdict: HandVerdict) => void = () => {};
    const first = await serving(one, 'first', ['crm'], reported);
    first.answers(() => new Promise((resolve) => (answer = resolve)));
    await keepAt(one, 'b', noteChange(order(1), 'A1'), noteChange(order(1), 'A2'));
    first.service.wake();
    await until(() => reported.length === 1);
    // As if it had been silent for longer than its lease, and did not know it yet.
    await other.write((database) => sql`update batch_workers set lease_until = 0`.execute(database));
    const second = await serving(other, 'second', ['crm'], reported);
    let refuse: (verdict: HandVerdict) => void = () => {};
    second.answers((note) => (note === 'A1' ? new Promise((resolve) => (refuse = resolve)) : ok));
    await until(() => reported.length === 2);
    answer(ok);
    await first.close();
    expect((await other.read((database) => targetStandings(database, '')))[0]).toMatchObject({
      backlog: 2,
      cursor: 0,
    });
    refuse(ok);
    await until(() => reported.length === 3);
    expect(reported).toEqual(['first crm A1', 'second crm A1', 'second crm A2']);
  });

  onServer('hand nothing on without a lease, although nobody has taken over yet and nobody has looked', async () => {
    const [one, other] = await machines(2);
    const reported: string[] = [];
    let answer: (verdict: HandVerdict) => void = () => {};
    await (await serving(one, 'before', ['crm'], [])).close();
    await keepAt(one, 'b', noteChange(order(1), 'A1'), noteChange(order(1), 'A2'));
    // Neither its look nor its heartbeat comes before the end.
    const clock = { ...systemClock, wait: (_: number, signal?: AbortSignal) => systemClock.wait(3_600_000, signal) };
    const handFor = () => (change: { readonly text: string }) => {
      reported.push(JSON.parse(change.text).changed.order.order_note);
      return new Promise<HandVerdict>((resolve) => {
        answer = resolve;
      });
    };
    const short = { leaseMs: 20_000, heartbeatMs: 3_600_000 };
    await serving(one, 'first', ['crm'], reported, '', { clock, lease: short, handFor });
    await until(() => reported.length === 1);
    const isOver = sql<{ over: boolean }>`
      select max(lease_until) < extract(epoch from clock_timestamp()) * 1000 as over from batch_workers`;
    await until(async () => (await other.read((database) => isOver.execute(database))).rows[0]?.over === true);
    answer(ok);
    const standing = async () => (await other.read((database) => targetStandings(database, '')))[0];
    await until(async () => (await standing())?.backlog === 1);
    for (let turn = 0; turn < 20; turn += 1) await standing();
    expect(reported).toEqual(['A1']);
    answer(ok);
  });

  it('keep a target awake for as long as one of them names it', async () => {
    const [one, other] = await machines(2);
    const states = async () =>
      (await one.read((database) => targetStandings(database, ''))).map(({ name, state }) => `${name} ${state}`);
    const first = await serving(one, 'first', ['crm'], []);
    const second = await serving(other, 'second', ['mail'], []);
    expect(await states()).toEqual(['crm active', 'mail active']);
    await first.close();
    await second.close();
    await serving(one, 'third', ['mail'], []);
    expect(await states()).toEqual(['crm resting', 'mail active']);
  });

  it('of two accounts have nothing to do with each other, whatever their names', async () => {
    const [one, other] = await machines(2);
    const reported: string[] = [];
    await serving(one, 'first', ['crm'], reported, 'account one');
    await serving(other, 'second', ['crm'], reported, 'account two');
    const change = noteChange(order(1), 'A1');
    expect(await keepAt(one, { account: 'account one', hook: 'shop' }, change)).toHaveLength(1);
    // By another webhook: within one account it would be the same change once more.
    expect(await keepAt(other, { account: 'account two', hook: 'partner' }, change)).toHaveLength(1);
    expect(await keepAt(other, { account: 'account two', hook: 'other' }, change)).toEqual([]);
    await until(() => reported.length === 2);
    expect(reported.toSorted()).toEqual(['first crm A1', 'second crm A1']);
    const secret = (account: string, fresh: string) =>
      one.write((database) => listenerSecret(database, { account, name: 'shop' }, fresh, '2026-01-31T08:00:00Z'));
    expect([await secret('account one', 'a'), await secret('account two', 'b')]).toEqual(['a', 'b']);
    await until(async () => (await one.read((database) => targetStandings(database, 'account one')))[0]?.backlog === 0);
    const forgotten = await one.write((database) => forgetSome(database, 'account one', '2999-01-01', Date.now()));
    const left = await one.read((database) => database.selectFrom('events').select('account').execute());
    expect([forgotten, left]).toEqual([1, [{ account: 'account two' }]]);
  });
});
