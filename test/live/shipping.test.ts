import { describe, expect, it } from 'vitest';
import { conformanceWorld } from './conformance-world.ts';
import type { Deviation } from './service/deviations.ts';
import { SecondService } from './service/service.ts';

const { fee, shop } = SecondService;
const writing = ['run', '--write-shop', shop];
const shipping = (most: number, ...more: string[]) => [...writing, '--ship', '--max-fee', String(most), ...more];

/** How a run of the shop's parcels ended: its checks of the creation, and what the service counted. */
async function parcels(most: number, deviation?: Deviation) {
  const { run, service } = await conformanceWorld(deviation);
  const { exit, json, stderr } = await run(shipping(most, '--area', 'Shipping'));
  const created = json.checks.filter(({ operation }: { operation: string }) =>
    operation.endsWith('/CreateAndConfirmOrder'),
  );
  const results = Object.fromEntries(
    created.map(({ check, result }: { check: string; result: string }) => [check, result]),
  );
  const live = (service.records.get('Order') ?? []).filter(
    ({ status, external_id }) => status !== 'N' && String(external_id).startsWith('shopctl-conformance-'),
  );
  return { exit, json, stderr, results, shipped: service.shipped, live };
}

describe('a run that writes', () => {
  it('ships nothing without --ship, and says so', async () => {
    const { run, service } = await conformanceWorld();
    const { exit, json } = await run(writing);
    expect([exit, service.shipped]).toEqual([0, 0]);
    const asked = service.requests.filter(({ url }) => /CreateAndConfirmOrder|CreateShipnowFulfillment/.test(url));
    expect(asked).toEqual([]);
    const reasons = json.checks
      .filter(
        ({ operation, check }: { operation: string; check: string }) =>
          /^shop.*Ship/.test(operation) && check === 'create',
      )
      .map(({ result, reason }: { result: string; reason: string }) => [result, reason]);
    expect(reasons).toEqual(Array(2).fill(['not asked', 'nothing may be shipped']));
  });

  it.each([
    [['--ship', '--max-fee', '50000'], 'write_shop'],
    [['--write-shop', shop, '--ship'], 'max_fee'],
    [['--write-shop', shop, '--max-fee', '50000'], 'ship'],
  ])('refuses one of the flags without the others, before anything is sent: %s', async (words, missing) => {
    const { run, service } = await conformanceWorld();
    const { exit, stderr } = await run(['run', ...words]);
    expect([exit, stderr, service.requests]).toEqual([2, expect.stringContaining(missing.replace('_', '-')), []]);
  });
});

describe('a run that ships', () => {
  it('takes the cheapest offer, cancels what it shipped, and a refused shipment costs nothing', async () => {
    const { exit, results, shipped, live } = await parcels(2 * fee);
    expect(results).toMatchObject({ create: 'holds', 'wrong totals': 'holds', duplicate: 'holds' });
    expect([exit, shipped, live]).toEqual([0, 1, []]);
  });

  it('ships once where the limit is the fee of one, and leaves unchecked what might cost more', async () => {
    const { exit, results, shipped, json } = await parcels(fee);
    expect(results).toMatchObject({ create: 'holds', 'wrong totals': 'holds', duplicate: 'unchecked' });
    expect([exit, shipped]).toEqual([9, 1]);
    expect(JSON.stringify(json.checks)).toContain(`it would cost ${fee}, which is more than is left of the limit`);
  });

  it('ships nothing that costs more than the limit', async () => {
    const { exit, results, shipped } = await parcels(fee - 1);
    expect(results).toMatchObject({ create: 'unchecked', 'wrong totals': 'unchecked', duplicate: 'unchecked' });
    expect([exit, shipped]).toEqual([9, 0]);
  });

  it.each([1, 2, 3, 4])(
    'never costs more than the limit at a service that accepts everything: %i fees',
    async (count) => {
      const { exit, shipped, live } = await parcels(count * fee, { takesTotals: true, takesDuplicates: true });
      expect([exit, shipped <= count, live]).toEqual([11, true, []]);
    },
  );

  it('writes to no shop but that of the partner’s key', async () => {
    const { run, service } = await conformanceWorld();
    const { exit, stderr } = await run(['run', '--write-shop', '5', '--profile', 'partner']);
    expect([exit, stderr]).toEqual([4, expect.stringContaining('nothing was written')]);
    expect(service.requests).toEqual([]);
  });
});
