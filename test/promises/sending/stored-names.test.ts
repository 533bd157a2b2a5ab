/* Names that are stored at a service, and digests that are stored in ledgers, by a former derivation as well. The values were computed by another program. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { identityOf, numbered } from '../../../src/batch/plan/row-identity.ts';
import { findWork } from '../../../src/batch/row-work.ts';
import { type CreateQuery, conflictOf } from '../../../src/ledger/conflict.ts';
import {
  codeIdentity,
  codeName,
  contentIdentity,
  contentOf,
  type Derivation,
  derivation,
  formerContents,
  ledgerAccount,
  nameIdentity,
  singleName,
  targetIdentity,
} from '../../../src/ledger/identity.ts';
import { takeKeys } from '../../../src/ledger/store/keys.ts';
import { openSqliteLedger } from '../../../src/ledger/store/sqlite-ledger.ts';
import { type BatchWorld, batchWorld, orderCells, orderSheet } from '../../batch/batch-world.ts';
import { newWorkspaces } from '../../support/workspace.ts';

const place = { origin: 'https://api.example.test', shop: '1000000000000000001' };
const shop = { ...place, family: 'shop' } as const;
const partner = { ...place, family: 'partner' } as const;
const record = { full_name: 'Nguyễn Thị Lan', phone: '0901234567', note: 'gọi trước' };
const content = '4cffaa7ff51654923545';
const ledger = '0123456789abcdef0123456789abcdef';

it('names a row by its content, its account and its number', async () => {
  const work = await findWork('customers create', 'shop');
  const ofShop = identityOf(record, work, shop);
  expect(ofShop).toMatchObject({ name: 'shopctl-r1-d1ab9ca622864264990c', named: false, content });
  expect(identityOf(record, work, partner).name).toBe('shopctl-r1-9003af9748b423c9723f');
  expect([1, 2, 11].map((number) => numbered(ofShop.name, number))).toEqual([
    'shopctl-r1-d1ab9ca622864264990c',
    'shopctl-r1-d1ab9ca622864264990c-2',
    'shopctl-r1-d1ab9ca622864264990c-11',
  ]);
});

it('names a row by the name that it has, else by its code, and takes neither for its own', async () => {
  const work = await findWork('orders create', 'shop');
  const ofCode = identityOf({ ...record, external_code: 'KH-0001' }, work, shop);
  expect(ofCode).toMatchObject({
    name: 'shopctl-c1-30da57cec7b607cd7e86',
    named: true,
    key: 'ec486957e0a9f15c7e18ebf54e5cb727',
  });
  const ofName = identityOf({ ...record, external_code: 'KH-9', external_id: 'KH-0001' }, work, shop);
  expect(ofName).toMatchObject({ name: 'KH-0001', named: true, key: '3e2039e600d08a41f71379e17725b569' });
});

it('names a record by its code within its account', () => {
  expect(codeName(shop, 'KH-0001')).toBe('shopctl-c1-30da57cec7b607cd7e86');
  expect(codeName(partner, 'KH-0001')).toBe('shopctl-c1-3993e24ca673c9b47998');
});

it('names what one command makes by the ledger, so that no other one derives it', () => {
  expect([1, 2].map((number) => singleName(ledger, shop, content, number))).toEqual([
    'shopctl-s1-c49775f65c6acd757e66',
    'shopctl-s1-56d91b1d73f4023e4bae',
  ]);
  expect(singleName(ledger, partner, content, 1)).toBe('shopctl-s1-6ad676773c897e26d1bd');
  const again = `again 20260131-abcde ${content}`;
  expect(singleName(ledger, shop, again, 1)).toBe('shopctl-s1-8b90df3d1a50f950898c');
});

it('stores the same digests for ever', () => {
  expect(contentOf(record)).toBe(content);
  expect([1, 2].map((number) => contentIdentity(content, number))).toEqual([
    '48219d402ac5232e35072a70de6e7720',
    '3ab8e2e4c670e218b7e2a22d9da450a0',
  ]);
  expect(nameIdentity('KH-0001')).toBe('3e2039e600d08a41f71379e17725b569');
  expect(codeIdentity('KH-0001')).toBe('ec486957e0a9f15c7e18ebf54e5cb727');
  expect(targetIdentity('id', '42')).toBe('d66b9191e791ab77b87b12ed86ed4086');
  const account = '["https://api.example.test","1000000000000000001"]';
  expect([shop, partner].map(ledgerAccount)).toEqual([account, account]);
});

describe('a change of reading, by which a former one lost a word of addresses', () => {
  const planted: Derivation = {
    version: 'r2',
    former: {
      derivation,
      asRead: (value) =>
        JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'string' ? part.replace('khóm ', '') : part))),
    },
  };
  const sheet = (street: string, ...numbers: readonly number[]) =>
    orderSheet(numbers.map((number) => orderCells(number, '').with(6, `${street}${number} ngõ 5`)));
  const byNew = async (world: BatchWorld) => ({ ...(await world.context()), derivation: planted });

  it('sends nothing again that the former one has sent, and names new rows by its own version', async () => {
    const world = await batchWorld();
    await world.run(sheet('', 1, 2));
    const before = await world.orders();
    const same = await world.run(sheet('khóm ', 1, 2), { context: await byNew(world) });
    expect(same.summary.counts).toMatchObject({ done: 2 });
    expect(await world.orders()).toEqual(before);
    const more = { context: await byNew(world), meeting: { again: false, continues: 1 } };
    const ran = await world.run(sheet('khóm ', 1, 2, 3), more);
    expect(ran.summary.counts).toMatchObject({ done: 1, existed: 2 });
    const names = (await world.orders()).map(({ external_id }) => external_id.slice(0, 11)).sort();
    expect(names).toEqual(['shopctl-r1-', 'shopctl-r1-', 'shopctl-r2-']);
  });

  it('leaves out what the former one has sent and an undo has ended', async () => {
    const world = await batchWorld('shop');
    await world.run(sheet('', 1));
    const [{ id } = { id: '' }] = await world.orders();
    await world.run(`id,cancel_reason\n${id},hết hàng\n`, { do: 'orders cancel' });
    const ran = await world.run(sheet('khóm ', 1, 2), { context: await byNew(world) });
    expect(ran.summary.counts).toMatchObject({ ended: 1, done: 1 });
    expect((await world.orders()).map(({ shipping_address }) => shipping_address.phone)).toEqual(['0910000002']);
  });

  it.each([
    ['with', 'in flight'],
    ['without', 'free'],
  ])('%s the former content, a command says that what nobody knows the outcome of is %s', async (is, kind) => {
    const store = await openSqliteLedger(await newWorkspaces.place());
    onTestFinished(() => store.close());
    const [former] = formerContents({ note: 'khóm 4' }, planted);
    expect(former).toEqual({ version: 'r1', content: contentOf({ note: '4' }) });
    const at = { at: 1_000, localAt: 1_000 };
    const key = {
      account: ledgerAccount(shop),
      resource: 'order',
      identity: contentIdentity(former?.content ?? '', 1),
      holder: 'x',
    };
    const want = { ...key, family: 'shop', derived: true, name: 'n', equal: null, request: 'r', owner: 'gone', ...at };
    await store.write((sql) => takeKeys(sql, [want]));
    const query: CreateQuery = {
      account: shop,
      resource: 'order',
      external_id: '',
      external_code: '',
      asked: {},
      content: contentOf({ note: 'khóm 4' }, planted),
      former: is === 'with' && former !== undefined ? [former] : [],
      equality: { equal: null },
      identity: null,
      again: false,
      passUnclear: false,
      beside: new Set(),
      began: 0,
      now: () => 2_000,
      waitedFor: new Set(),
      time: { hasPassed: () => false },
    };
    expect(await store.read((sql) => conflictOf(sql, ledger, query))).toMatchObject({ kind });
  });
});
