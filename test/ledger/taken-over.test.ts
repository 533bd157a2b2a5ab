/* A process that sleeps, or counts as gone, while it has a key: what another one made of the key meanwhile stands, or both are reported. */
import { expect, it, onTestFinished } from 'vitest';
import { CreateAndConfirmOrder } from '../../src/contract/partner/shipping.ts';
import { UpdateCustomer } from '../../src/contract/shop/customer.ts';
import { readFields } from '../../src/domain/json/values.ts';
import { sentNotices } from '../../src/ledger/actions/how-sent.ts';
import { changeOnce } from '../../src/ledger/change.ts';
import { newIntent } from '../../src/ledger/intents/intent.ts';
import { settleByWord, unsettled } from '../../src/ledger/intents/unsettled.ts';
import { createOnce, type SentOnce } from '../../src/ledger/once.ts';
import type { LedgerStore } from '../../src/ledger/store/intents.ts';
import { openKeys } from '../../src/ledger/store/keys.ts';
import { openSqliteLedger } from '../../src/ledger/store/sqlite-ledger.ts';
import { type Transport, TransportError, type WireRequest } from '../../src/platform/http/transport.ts';
import { madeOrder, shippedOrder } from '../support/order-request.ts';
import { errorAnswer, json } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';
import { newWorkspaces } from '../support/workspace.ts';

const { external_id: _, ...order } = shippedOrder;
const account = { origin: 'http://127.0.0.1:4010', family: 'partner', shop: '1' } as const;

/** What the service answers about an order: it has the name that was sent. */
const orderOf = ({ body }: WireRequest, id: string) => {
  const { external_id } = readFields(body);
  return json(200, { order: { ...madeOrder, external_id, id }, fulfillments: [{ id: '7' }], fulfillment_errors: [] });
};

/** One process at a write: its ledger, its transport, and what happens after its claim. */
interface Process {
  readonly open: () => Promise<LedgerStore>;
  readonly transport: Transport;
  readonly onClaim: () => Promise<void>;
}

function create({ open, transport, onClaim: onName }: Process): Promise<SentOnce> {
  const connection = testConnection(transport);
  const target = { operation: CreateAndConfirmOrder.id, base_url: connection.baseUrl, account };
  const intent = newIntent(target, { now: 0, resource: 'order', order, from_input: true });
  const wanted = { resource: 'order', external_id: '', external_code: '', asked: order, content: 'content' };
  return createOnce(
    { open, connection, account, create: CreateAndConfirmOrder, waitMs: 0, onName },
    { ...wanted, equality: { equal: 'equal' }, identity: null, again: false, began: 0 },
    { prepare: async () => ({ ...intent, request: order }), afterAnswer: async (before) => Promise.reject(before) },
  );
}

function change({ open, transport, onClaim }: Process): Promise<unknown> {
  const connection = testConnection(transport);
  const late = async () => {
    const store = await open();
    // Its first byte is refused after that.
    const write: LedgerStore['write'] = async (work) => {
      const result = await store.write(work);
      if ((await store.read((sql) => openKeys(sql))).length > 0) await onClaim();
      return result;
    };
    return { ...store, write };
  };
  const request = { id: '5', note: 'x' };
  return changeOnce({ open: late, connection, waitMs: 0, account }, UpdateCustomer, request);
}

it.each([
  ['create', create],
  ['change', change],
])('leaves the key of a %s to whoever sends it now', async (_, write) => {
  const place = await newWorkspaces.place();
  const opening = (id: string) => async () => {
    const store = await openSqliteLedger(place);
    const owner = { id, holds: () => id === 'awake', release: async () => {} };
    return { ...store, own: async () => owner, isAlive: async (other: string) => other === 'awake' };
  };
  const looking = await openSqliteLedger(place);
  onTestFinished(() => looking.close());
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let other: Promise<unknown> | undefined;
  const sending = (): Promise<void> =>
    new Promise((resolve) => {
      const transport: Transport = async (wire) => {
        if (wire.url.includes('/GetOrder')) return errorAnswer(404, 'not_found');
        resolve();
        await answered;
        return write === change ? json(200, { id: '5' }) : orderOf(wire, madeOrder.id);
      };
      other = write({ open: opening('awake'), transport, onClaim: async () => {} });
    });
  const asleep: Process = {
    open: opening('asleep'),
    transport: () => Promise.reject(new RangeError('it must not send')),
    onClaim: async () => {
      if (other === undefined) await sending();
    },
  };
  await expect(write(asleep)).rejects.toMatchObject({ outcome: 'not_applied' });
  const [key] = await looking.read(openKeys);
  expect([key?.state, key?.owner]).toEqual(['sending', 'awake']);
  answer();
  await other;
  expect(await looking.read(openKeys)).toEqual([]);
});

/** A create whose answer comes after you have said that it was not created, and after `meanwhile`. */
async function settledTooEarly(meanwhile: (again: () => Promise<SentOnce>) => Promise<unknown>) {
  const place = await newWorkspaces.place();
  // A machine whose lease has ended counts as gone, though its request is on its way.
  const open = async () => ({ ...(await openSqliteLedger(place)), isAlive: async () => false });
  const looking = await open();
  onTestFinished(() => looking.close());
  const sent: string[] = [];
  const send = (id: string, before: () => Promise<unknown>) =>
    create({
      open,
      onClaim: async () => {},
      transport: async (wire) => {
        sent.push(id);
        await before();
        return orderOf(wire, id);
      },
    });
  const again = () => send('2', async () => {});
  const first = await send('1', async () => {
    const [write] = await unsettled(looking);
    await settleByWord(looking, write?.id ?? '', false, 9_000);
    await meanwhile(again);
  });
  return { first, again, sent };
}

it('takes the key again of what was created though you said that it was not', async () => {
  const { first, again, sent } = await settledTooEarly(async () => {});
  expect(sentNotices(first)).toEqual([]);
  expect(await again()).toMatchObject({ how: 'settled', answer: { order: { id: '1' } } });
  expect(sent).toEqual(['1']);
});

it('names the equal write that was sent before its answer came', async () => {
  let second: SentOnce | undefined;
  const { first, sent } = await settledTooEarly(async (again) => {
    second = await again();
  });
  expect(sent).toEqual(['1', '2']);
  expect(first).toMatchObject({ answer: { order: { id: '1' } }, beside: second?.intent?.id });
  expect(sentNotices(first)).toEqual([
    expect.stringContaining(`an equal one was sent meanwhile (${second?.intent?.id})`),
  ]);
});

it.each([
  ['create', create],
  ['change', change],
])(
  'does not know after all what became of a %s whose answer is lost once you said that it was not done',
  async (_, write) => {
    const place = await newWorkspaces.place();
    const open = async () => ({ ...(await openSqliteLedger(place)), isAlive: async () => false });
    const looking = await open();
    onTestFinished(() => looking.close());
    const transport: Transport = async () => {
      const [sent] = await unsettled(looking);
      if (sent?.state === 'sending') await settleByWord(looking, sent.id, false, 9_000);
      throw new TransportError('closed', 'maybe', 'the connection closed');
    };
    const lost = write({ open, transport, onClaim: async () => {} });
    await expect(lost).rejects.toMatchObject({ outcome: 'unknown', meta: { intent: expect.any(String) } });
    expect(await unsettled(looking)).toMatchObject([{ state: 'unclear' }]);
  },
);
