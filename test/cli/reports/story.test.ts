import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storeCallbacks } from '../../../src/events/store/store-changes.ts';
import { buyerSentence } from '../../../src/reports/actions/story.ts';
import { openWorkspace } from '../../../src/store/open-workspace.ts';
import { manyOrders } from '../../batch/batch-world.ts';
import { createShopOrder } from '../../support/shop-order.ts';
import { shopWorld } from '../../support/shop-world.ts';

/** A shop that shipped SO-1 by a batch. */
async function shipped(cash = '900000') {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  const file = join(world.directory, 'orders.csv');
  writeFileSync(file, manyOrders(1).replace('"900000"', `"${cash}"`));
  expect((await world.run(['batch', 'run', file, '--pick', 'cheapest', '--yes'])).exit).toBe(0);
  const { order, fulfillments } = JSON.parse((await world.run(['orders', 'get', 'SO-1', '--json'])).stdout);
  const [parcel] = fulfillments;
  return { world, order, parcel };
}

const storyOf = async (world: Awaited<ReturnType<typeof shipped>>['world'], name: string) => {
  const { exit, stdout, stderr } = await world.run(['orders', 'story', name, '--json']);
  expect(exit).toBe(0);
  const { events } = JSON.parse(stdout);
  return { events: events as { time: string; source: string; event: string }[], stderr };
};

describe('orders story', () => {
  it('tells each event once, from order, parcel, webhooks, batch and payments, and money as each of them says', async () => {
    const { world, order, parcel } = await shipped();
    const code = String(parcel.shipping_code);
    const place = String(JSON.parse((await world.run(['workspace', 'show', '--json'])).stdout).place);
    const change = (state: string, time: string, substate = '') => ({
      entity: 'fulfillment',
      changeType: 'update',
      recordId: String(parcel.id),
      shopId: String(order.shop_id),
      time,
      content: `${state} ${substate} ${time}`,
      once: false,
      text: JSON.stringify({
        entity: 'fulfillment',
        latest: { fulfillment: { shipping_code: code, shipping_state: state, shipping_substate: substate } },
      }),
    });
    const workspace = await openWorkspace(place);
    const changes = [
      change('holding', '2026-02-01T01:00:00Z'),
      // Something else of the parcel changed: that is no event of its story.
      change('holding', '2026-02-01T02:00:00Z'),
      change('delivering', '2026-02-02T01:00:00Z', 'delivery_fail'),
    ];
    await workspace.write((database) =>
      storeCallbacks(database, '', [{ hook: 'h', sequence: '1', receivedAt: '2026-02-02T01:00:01.000Z', changes }]),
    );
    await workspace.close();
    await world.run(['mirror', 'sync']);
    writeFileSync(
      join(world.directory, 'paid.csv'),
      `Mã vận đơn,Phiên đối soát,Loại giao dịch,Số tiền\n${code},S1,Thu hộ,880000\n${code},S1,Phí giao hàng,-22000\n`,
    );
    const layout = resolve('examples/payments/spx.yaml');
    expect((await world.run(['cod', 'import', 'paid.csv', '--layout', layout])).exit).toBe(0);
    // The same rows again in another file: they count once.
    writeFileSync(
      join(world.directory, 'again.csv'),
      `Mã vận đơn,Phiên đối soát,Loại giao dịch,Số tiền,Ghi chú\n${code},S1,Thu hộ,880000,lần 2\n`,
    );
    await world.run(['cod', 'import', 'again.csv', '--layout', layout]);
    expect(JSON.parse((await world.run(['cod', 'list', '--json'])).stdout)).toHaveLength(2);

    const { events, stderr } = await storyOf(world, code);
    const fee = Number(parcel.shipping_service_fee).toLocaleString('en-US');
    expect(events.map(({ source, event }) => [source, event])).toEqual([
      ['order', 'created for Khách 1, 900,000 ₫, COD 900,000 ₫'],
      ['order', 'confirmed'],
      ['parcel', `${code} created, ${parcel.carrier}, fee ${fee} ₫`],
      ['batch', expect.stringMatching(/^\d{8}-\S+, line 2: done$/)],
      ['payment', `${code}: cash 880,000 ₫, paid.csv D2, S1`],
      ['payment', `${code}: delivery -22,000 ₫, paid.csv D3, S1`],
      ['webhook', `${code} is holding`],
      ['webhook', `${code} is delivering, delivery_fail`],
      ['parcel', expect.stringMatching(new RegExp(`^${code} is created, unchanged since \\d{4}-`))],
    ]);
    expect(stderr).toContain(`${code} is the parcel code of ${order.id}`);
    expect(stderr).not.toMatch(/by webhook|payment file/);
  });

  it('ends with where its parcel is now, and since when, until that is over', async () => {
    const { world, order, parcel } = await shipped();
    const code = String(parcel.shipping_code);
    const last = async () => (await storyOf(world, code)).events.at(-1)?.event;
    const advance = (to: string) => world.service.sandbox.control.advance(String(order.id), { to });
    await advance('delivering');
    expect(await last()).toMatch(
      new RegExp(`^${code} is delivering, unchanged since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$`),
    );
    await advance('delivered');
    const { events } = await storyOf(world, code);
    expect(events.flatMap(({ source, event }) => (source === 'parcel' ? [event.split(',')[0]] : []))).toEqual([
      `${code} created`,
      `${code} closed: delivered`,
    ]);
  });

  it('ends with an order that is not shipped', async () => {
    const world = await shopWorld();
    await world.run(['profiles', 'use', 'shop']);
    const { body } = await createShopOrder(world.service);
    const { events } = await storyOf(world, String(body.code));
    expect(events.at(-1)?.event).toBe('new, not shipped');
  });

  it('tells what batches did, and of a run that did nothing no line', async () => {
    const { world, order } = await shipped();
    const file = join(world.directory, 'orders.csv');
    expect((await world.run(['batch', 'run', file, '--pick', 'cheapest', '--yes'])).exit).toBe(0);
    const [{ batch }] = JSON.parse((await world.run(['batch', 'find', 'SO-1', '--json'])).stdout);
    const batches = async () => {
      const { events } = await storyOf(world, String(order.id));
      return events.flatMap(({ source, event }) => (source === 'batch' ? [event.replace(/^\S+, /, '')] : []));
    };
    expect(await batches()).toEqual(['line 2: done']);
    expect((await world.run(['batch', 'undo', batch, '--yes'])).exit).toBe(0);
    expect((await batches())[0]).toBe('line 2: done, and undone later');
  });

  it('says what was paid before', async () => {
    const { world } = await shipped('600000');
    const { events } = await storyOf(world, 'SO-1');
    expect(events[0]?.event).toBe('created for Khách 1, 900,000 ₫, COD 600,000 ₫, paid before 300,000 ₫');
  });

  it('takes every name of the order, and says what nothing here knows of', async () => {
    const { world, order } = await shipped();
    const found = [];
    for (const name of [order.id, order.code, 'SO-1']) {
      const { events, stderr } = await storyOf(world, name);
      found.push(events);
      expect(stderr).toMatch(/No change of it came by webhook[\s\S]*No imported payment file has its parcel/);
    }
    expect(new Set(found.map((events) => JSON.stringify(events))).size).toBe(1);
    const none = await world.run(['orders', 'story', 'SO-2']);
    expect([none.exit, none.stdout]).toEqual([3, '']);
  });

  it('writes the sentence for the buyer alone', async () => {
    const { world, parcel } = await shipped();
    const { exit, stdout } = await world.run(['orders', 'story', 'SO-1', '--for-buyer']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^Đơn SO-1 đang chờ lấy hàng, dự kiến giao \\d+/\\d+, mã vận đơn ${parcel.shipping_code}, thu khi giao 900.000 ₫\\.\n$`,
      ),
    );
  });
});

describe('the sentence for the buyer', () => {
  const at = { now: Date.parse('2026-11-28T10:00:00Z'), timeZone: 'Asia/Ho_Chi_Minh' };
  const order = { code: 'DH1', external_id: 'MB1003', status: 'S' };
  // The first minute of 4 December in the shop.
  const parcel = { shipping_code: 'TO38', cod_amount: 350_000, estimated_delivery_at: '2026-12-03T17:00:00Z' };
  it.each([
    [
      { shipping_state: 'delivering' },
      'Đơn MB1003 đang giao, dự kiến giao 4/12, mã vận đơn TO38, thu khi giao 350.000 ₫.',
    ],
    [
      {
        shipping_state: 'delivering',
        shipping_substate: 'delivery_fail',
        estimated_delivery_at: '2026-11-27T17:00:00Z',
      },
      'Đơn MB1003 đang giao, lần giao gần nhất chưa thành công, mã vận đơn TO38, thu khi giao 350.000 ₫.',
    ],
    [
      { shipping_state: 'delivered', closed_at: '2026-11-30T17:00:00Z' },
      'Đơn MB1003 đã giao ngày 1/12, mã vận đơn TO38.',
    ],
    [
      { shipping_state: 'delivered', closed_at: '2025-11-30T17:00:00Z' },
      'Đơn MB1003 đã giao ngày 1/12/2025, mã vận đơn TO38.',
    ],
    [{ shipping_state: 'undeliverable' }, 'Đơn MB1003 không giao được, mã vận đơn TO38.'],
    [{ shipping_state: 'picking', cod_amount: 0 }, 'Đơn MB1003 đang chờ lấy hàng, dự kiến giao 4/12, mã vận đơn TO38.'],
  ])('says %j in plain words', (state, sentence) => {
    expect(buyerSentence(order, [{ ...parcel, ...state }], at)).toBe(sentence);
  });

  it.each([
    ['delivering', 'vẫn đang giao, mã vận đơn TO38, nếu nhận thì vẫn thu 350.000 ₫.'],
    ['waiting_for_pickup', 'vẫn đang chờ lấy hàng, mã vận đơn TO38, nếu nhận thì vẫn thu 350.000 ₫.'],
    ['returning', 'chưa giao được, đang chuyển hoàn, mã vận đơn TO38.'],
    ['delivered', 'đã giao, mã vận đơn TO38.'],
  ])('says of a cancelled order that its parcel is %s, and promises no day', (shipping_state, sentence) => {
    const cancelled = { ...order, status: 'N', cancelled_at: '2026-11-28T09:00:00Z' };
    expect(buyerSentence(cancelled, [{ ...parcel, shipping_state }], at)).toBe(
      `Đơn MB1003 đã hủy, nhưng kiện hàng ${sentence}`,
    );
  });

  it('leaves out a cancelled parcel, and a name that only shopctl has', () => {
    const cancelled = { ...parcel, shipping_state: 'cancelled' };
    const derived = { ...order, external_id: `shopctl-r1-${'a'.repeat(20)}` };
    expect(buyerSentence(derived, [cancelled], at)).toBe('Đơn DH1 đã được ghi nhận, chưa gửi đi.');
    expect(buyerSentence({ ...order, status: 'N' }, [cancelled], at)).toBe('Đơn MB1003 đã hủy.');
  });
});
