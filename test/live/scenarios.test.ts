import { describe, expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import { type Operation, operation } from '../../src/contract/operation.ts';
import { atPage, filtered, paged } from '../../src/contract/request-shapes.ts';
import { id, idsFilter, list, record, text, time } from '../../src/contract/schema/scalars.ts';
import { readConformance } from '../../src/live/accepted.ts';
import { readChecks, writeChecks } from '../../src/live/scenarios.ts';
import { json } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

const voucher = record({ id: id('Id'), code: text('Code'), created_at: time('When it was created') });

/** Operations that the contract does not have, declared as those it has are. */
const invented: readonly Operation[] = [
  operation({
    id: 'shop.Voucher/ListVouchers',
    command: 'vouchers list',
    summary: 'List vouchers',
    effect: 'read',
    credential: 'shop-api-key',
    request: record({ ...filtered({ id: idsFilter('Ids of the vouchers') }), ...paged }),
    response: record({ vouchers: list(voucher, 'The vouchers'), ...atPage }),
    page: { items: 'vouchers', cursors: true },
  }),
  operation({
    id: 'shop.Voucher/GetVoucher',
    command: 'vouchers get',
    summary: 'Show a voucher',
    effect: 'read',
    credential: 'shop-api-key',
    request: record({ id: id('Id'), code: text('Code') }),
    response: voucher,
  }),
];

describe('the scenarios of a run', () => {
  it('are derived for every operation of the contract', async () => {
    for (const one of await allOperations()) {
      const checks = one.effect === 'read' ? readChecks(one) : writeChecks(one);
      expect([one.id, checks.length > 0]).toEqual([one.id, true]);
    }
  });

  it('cover a new operation without new code: its pages, orders, filters, names and refusals', async () => {
    const called = new Set<string>();
    const connection = testConnection(async ({ url }) => {
      called.add(url.replace(/^.*\/v1\//, ''));
      const vouchers = ['5', '6', '7', '8'].map((one) => ({
        id: one,
        code: `V${one}`,
        created_at: '2026-01-31T08:00:00Z',
      }));
      if (url.endsWith('ListVouchers')) return json(200, { vouchers, paging: { next: 'n', prev: 'p', limit: 100 } });
      return json(200, vouchers[0] ?? {});
    });
    const { notebook } = await readConformance({
      connection,
      operations: invented,
      slowMs: 5000,
      shown: () => 'curl',
      writes: false,
    });
    const wrong = notebook.findings.map(({ operation: of, check }) => `${of.split('/')[1]} ${check}`);
    expect(wrong).toEqual(
      expect.arrayContaining([
        'ListVouchers page size',
        'ListVouchers pages',
        'ListVouchers sort',
        'ListVouchers filter',
        'ListVouchers wrong key',
        'ListVouchers malformed body',
        'GetVoucher by code',
        'GetVoucher unknown id',
      ]),
    );
    expect([...called].sort()).toEqual([
      'shop.Voucher/GetVoucher',
      'shop.Voucher/ListVouchers',
      'shop.Voucher/ListVouchersUnknown',
    ]);
  });
});
