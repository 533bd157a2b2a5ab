/* Names that are stored at a service, and digests that are stored in ledgers. The values were computed by another program. */
import { expect, it } from 'vitest';
import { identityOf, numbered } from '../../../src/batch/plan/row-identity.ts';
import { findWork } from '../../../src/batch/row-work.ts';
import {
  codeIdentity,
  codeName,
  contentIdentity,
  contentOf,
  ledgerAccount,
  nameIdentity,
  singleName,
  targetIdentity,
} from '../../../src/ledger/identity.ts';

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
