/* Plays of a process that slept while it owned what it sends: what another one has made of it meanwhile stands. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { CreateAndConfirmOrder } from '../../src/contract/partner/shipping.ts';
import { readFields } from '../../src/domain/json/values.ts';
import { ledgerAccount } from '../../src/ledger/identity.ts';
import { newIntent } from '../../src/ledger/intents/intent.ts';
import { createOnce, type SentOnce } from '../../src/ledger/once.ts';
import type { LedgerStore } from '../../src/ledger/store/intents.ts';
import { intentAt } from '../../src/ledger/store/intents.ts';
import { type Key, keysAt, settleKeys, takeKeys, takeOverKey } from '../../src/ledger/store/keys.ts';
import { setEnded } from '../../src/ledger/store/undone.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import type { Sql } from '../../src/store/sql.ts';
import { madeOrder, shippedOrder } from '../support/order-request.ts';
import { errorAnswer, json } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

/** Two machines at one ledger, of which the first one sleeps. */
export interface Machines {
  /** Opens the ledger on the machine that sleeps, or on the other one. */
  open(machine: 'sleeper' | 'other'): Promise<LedgerStore>;
  /** The first machine sleeps for so long that its lease passes, and wakes. */
  sleep(): Promise<void>;
}

const account = { origin: 'http://127.0.0.1:4010', family: 'partner', shop: '1' } as const;
const { external_id: _, ...order } = shippedOrder;
const place = { account: 'shop 1', resource: 'order', identity: 'one' };
const held = { ...place, holder: 'intent 1' };
const want = {
  ...held,
  family: 'shop',
  derived: true,
  name: 'n',
  equal: null,
  request: 'r',
  owner: 'sleeper',
  at: 1,
  localAt: 1,
};

const keyIn = async (sql: Sql) => (await keysAt(sql, place.account, place.resource, ['one'])).get('one');

/** Takes a key over in the place of who slept. */
async function takenOver(sql: Sql): Promise<void> {
  const key = await keyIn(sql);
  if (key === undefined) throw new Error('there is no key');
  await takeOverKey(sql, key, 'other', { at: 2, localAt: 2 });
}

function create(open: () => Promise<LedgerStore>, transport: Transport, onName = async () => {}): Promise<SentOnce> {
  const connection = testConnection(transport);
  const target = { operation: CreateAndConfirmOrder.id, base_url: connection.baseUrl, account };
  const intent = newIntent(target, { now: 0, resource: 'order', order, from_input: true });
  const wanted = { account, resource: 'order', external_id: '', external_code: '', asked: order, content: 'content' };
  return createOnce(
    { open, connection, account, create: CreateAndConfirmOrder, waitMs: 0, onName },
    { ...wanted, equality: { equal: 'equal' }, identity: null, again: false, began: connection.clock.now() },
    { prepare: async () => ({ ...intent, request: order }), afterAnswer: async (before) => Promise.reject(before) },
  );
}

/** A service that makes orders, and finds them by their names; each call waits for what is given for its kind. */
function service(waits: { readonly made?: () => Promise<unknown>; readonly lookups?: () => Promise<unknown> } = {}) {
  const names: string[] = [];
  const transport: Transport = async ({ url, body }) => {
    const external_id = String(readFields(body).external_id);
    const answer = { order: { ...madeOrder, external_id }, fulfillments: [{ id: '7' }], fulfillment_errors: [] };
    if (url.endsWith('/GetOrder')) {
      await waits.lookups?.();
      return names.includes(external_id) ? json(200, answer) : errorAnswer(404, 'not_found');
    }
    names.push(external_id);
    await waits.made?.();
    return json(200, answer);
  };
  return { names, transport };
}

/** A promise, and what ends it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open: () => open() };
}

/** The plays, on a ledger of the kind that `begin` makes. */
export function lapsedOwners(begin: () => Promise<Machines>): void {
  async function looking(machines: Machines) {
    const store = await machines.open('other');
    onTestFinished(() => store.close());
    const keys = () =>
      store.read((sql) => sql('select state, owner, holder, identity from ledger_keys')) as unknown as Promise<Key[]>;
    return { store, keys };
  }

  describe('what a process says of a key that another one has taken over', () => {
    it.each(['free', 'unclear', 'undone'] as const)('changes nothing: %s', async (state) => {
      const { store, keys } = await looking(await begin());
      await store.write((sql) => takeKeys(sql, [want]));
      await store.write(takenOver);
      const late = { ...held, state, owner: 'sleeper', at: 3, localAt: 3 };
      expect(await store.write((sql) => settleKeys(sql, [late]))).toEqual([late]);
      expect(await keys()).toMatchObject([{ state: 'sending', owner: 'other' }]);
      const own = { ...late, owner: 'other' };
      expect(await store.write((sql) => settleKeys(sql, [own]))).toEqual([]);
    });

    it('counts where it is that the record was made', async () => {
      const { store, keys } = await looking(await begin());
      await store.write((sql) => takeKeys(sql, [want]));
      await store.write(takenOver);
      await store.write((sql) => settleKeys(sql, [{ ...held, state: 'done', owner: 'sleeper', at: 3, localAt: 3 }]));
      expect(await keys()).toMatchObject([{ state: 'done', owner: null }]);
    });
  });

  it('who wakes after its lease passed leaves the key to the one that is at it, and sends nothing', async () => {
    const machines = await begin();
    const { store, keys } = await looking(machines);
    const [lookups, goesOn] = [gate(), gate()];
    const { names, transport } = service({
      lookups: async () => {
        lookups.open();
        await goesOn.opened;
      },
    });
    let other: Promise<SentOnce> | undefined;
    const sleeper = create(
      () => machines.open('sleeper'),
      transport,
      async () => {
        await machines.sleep();
        other = create(() => machines.open('other'), transport);
        await lookups.opened;
      },
    );
    await expect(sleeper).rejects.toMatchObject({ outcome: 'not_applied' });
    expect([await keys(), names]).toMatchObject([[{ state: 'sending' }], []]);
    const [held] = await keys();
    expect(await store.read((sql) => intentAt(sql, held?.holder ?? ''))).toMatchObject({ state: 'sending' });
    goesOn.open();
    expect([(await other)?.how, names.length]).toEqual(['settled', 1]);
    expect(await keys()).toMatchObject([{ state: 'done' }]);
  });

  it('a late answer makes nothing of what was cancelled since: an equal order is sent again', async () => {
    const machines = await begin();
    const { store, keys } = await looking(machines);
    const [made, answered] = [gate(), gate()];
    let isFirst = true;
    const { names, transport } = service({
      made: async () => {
        if (!isFirst) return;
        isFirst = false;
        made.open();
        await answered.opened;
      },
    });
    const sleeper = create(() => machines.open('sleeper'), transport);
    await made.opened;
    await machines.sleep();
    const settled = await create(() => machines.open('other'), transport);
    await settled.reported();
    const place = { account: ledgerAccount(account), resource: 'order', at: 9 };
    await store.write((sql) => setEnded(sql, place, { ids: [madeOrder.id] }));
    answered.open();
    await sleeper;
    const [key] = await keys();
    const intent = await store.read((sql) => intentAt(sql, key?.holder ?? ''));
    expect([key?.state, intent?.state]).toEqual(['undone', 'undone']);
    expect([(await create(() => machines.open('other'), transport)).how, names.length]).toEqual(['now', 2]);
  });
}
