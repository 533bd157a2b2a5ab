import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seedName } from '../../../src/contract/control/names.ts';
import { wireTime } from '../../../src/sandbox/engine/business-clock.ts';
import { type Core, openCore } from '../../../src/sandbox/engine/core.ts';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { seedOnce } from '../../../src/sandbox/lab/snapshot-part.ts';
import { rows } from '../../support/rows.ts';
import { fixedRandom, frozenClock, openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

// Records of every shape are read here; what is expected of them says the test itself.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Rows = any[];

const COUNT = 400;
const DAY_MS = 24 * 3_600_000;

async function all({ post, shop }: TestSandbox, operation: string, key: string): Promise<Rows> {
  const rows: Rows = [];
  for (let after = '.'; ; ) {
    const { body } = await post(operation, { paging: { after } }, shop.apiKey);
    rows.push(...body[key]);
    if (body[key].length === 0) return rows;
    after = body.paging.next;
  }
}

async function shopWithHistory(count = COUNT, random = fixedRandom()) {
  const service = await openTestSandbox({ seed: `history:${count}`, random });
  const orders = await all(service, 'shop.Order/ListOrders', 'orders');
  const parcels = await all(service, 'shop.Fulfillment/ListFulfillments', 'fulfillments');
  return { service, orders, parcels, now: service.clock.now() };
}

let read: ReturnType<typeof shopWithHistory> | undefined;
/** One whose records are only read. */
const history = () => {
  read ??= shopWithHistory();
  return read;
};

describe('a history of orders', () => {
  it('has as many as asked for, over two years, none of them later than now', async () => {
    const { orders, parcels, now } = await history();
    expect(orders).toHaveLength(COUNT);
    const ages = orders.map(({ created_at }) => (now - Date.parse(created_at)) / DAY_MS);
    expect(Math.max(...ages)).toBeGreaterThan(720);
    expect(Math.max(...ages)).toBeLessThan(731);
    expect(ages.filter((age) => age < 365).length).toBeGreaterThan(ages.filter((age) => age >= 365).length);
    for (const { updated_at, closed_at } of [...orders, ...parcels]) {
      expect(updated_at <= wireTime(now) && (closed_at ?? '') <= wireTime(now)).toBe(true);
    }
    for (const { closed_at, shipping_state, actual_cod_amount, cod_amount } of parcels) {
      const isOver = ['delivered', 'returned', 'cancelled', 'undeliverable'].includes(shipping_state);
      expect(Boolean(closed_at)).toBe(isOver);
      if (shipping_state === 'delivered') expect(actual_cod_amount).toBe(cod_amount);
    }
  });

  it('has something for every report: carriers, returns, late and unpaid parcels, old and new buyers', async () => {
    const { orders, parcels } = await history();
    const share = (among: Rows, which: (row: Rows[number]) => boolean) => among.filter(which).length / among.length;
    expect(new Set(parcels.map(({ carrier }) => carrier)).size).toBeGreaterThanOrEqual(5);
    const isDelivered = ({ shipping_state }: Rows[number]) => shipping_state === 'delivered';
    expect(share(parcels, isDelivered)).toBeGreaterThan(0.75);
    expect(share(parcels, ({ shipping_state }) => shipping_state === 'returned')).toBeGreaterThan(0.03);
    expect(share(orders, ({ status }) => status === 'N')).toBeGreaterThan(0.01);
    expect(share(parcels, ({ cod_amount }) => cod_amount > 0)).toBeGreaterThan(0.6);
    const delivered = parcels.filter(isDelivered);
    const unpaid = share(delivered, ({ platform_payment_status }) => platform_payment_status !== 'P');
    expect(unpaid).toBeGreaterThan(0.01);
    expect(unpaid).toBeLessThan(0.15);
    const late = share(delivered, ({ closed_at, estimated_delivery_at }) => closed_at > estimated_delivery_at);
    expect(late).toBeGreaterThan(0.02);
    expect(late).toBeLessThan(0.3);
    const buyers = new Set(orders.map(({ shipping_address }) => shipping_address.phone));
    expect(buyers.size).toBeGreaterThan(COUNT / 5);
    expect(buyers.size).toBeLessThan(COUNT / 2);
  });

  it('is the same at the same time, and after a reset', async () => {
    const [one, other] = [await shopWithHistory(40), await shopWithHistory(40, fixedRandom('other'))];
    expect([other.orders, other.parcels]).toEqual([one.orders, one.parcels]);
    const { id } = other.orders[0];
    await other.service.post('shop.Order/CancelOrder', { id, cancel_reason: 'đổi ý' }, other.service.shop.apiKey);
    expect(await other.service.sandbox.control.reset()).toEqual({ seed: 'history:40' });
    expect(await all(other.service, 'shop.Order/ListOrders', 'orders')).toHaveLength(40);
  });

  it('is committed in parts, and what a start that was killed has left is removed by the next one', async () => {
    const data = mkdtempSync(join(tmpdir(), 'shopctl-history-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const core = await openCore({ data, clock: frozenClock(), random: fixedRandom() });
    const populate: Core['populate'] = ({ work, ...rest }) =>
      core.populate({
        ...rest,
        work: (at, commit) =>
          work(at, () => {
            commit();
            throw new Error('killed');
          }),
      });
    const killed = new Proxy(core, {
      get: (target, name) => {
        const value: unknown = name === 'populate' ? populate : Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await expect(seedOnce(killed, 'history:501')).rejects.toThrow('killed');
    const count = tables.selectFrom('orders').select((build) => build.fn.countAll().as('n'));
    expect(core.read(({ database }) => rows(database, count))).toEqual([{ n: 500 }]);
    await core.close();
    const [again, anew] = [
      await openTestSandbox({ data, seed: 'history:3' }),
      await openTestSandbox({ seed: 'history:3' }),
    ];
    const of = (service: TestSandbox) => all(service, 'shop.Order/ListOrders', 'orders');
    expect(await of(again)).toHaveLength(3);
    expect(await of(again)).toEqual(await of(anew));
  });

  it('is asked for by a number of orders', () => {
    const asked = ['history:1', 'history:100000', 'demo', 'none'];
    expect(asked.filter((text) => !seedName.test(text))).toEqual([]);
    const refused = ['history:', 'history:0', 'history:-1', 'history:1e3', 'history:12345678', 'history', 'demo.json'];
    expect(refused.filter((text) => seedName.test(text))).toEqual([]);
  });
});
