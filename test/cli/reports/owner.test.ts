import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reports } from '../../../src/reports/declared/reports.ts';
import { servingShop } from '../../support/random-shop.ts';
import { testStart } from '../../support/sandbox.ts';
import { shopWorld } from '../../support/shop-world.ts';

// The service's clock shows 2026-01-31T08:00:00Z, 15:00 in the shop.
const order = (id: number, created_at: string, lines: readonly object[], more: object = {}) => ({
  id: `10000000000000000${10 + id}`,
  code: `DH${id}`,
  status: 'S',
  lines,
  total_items: 0,
  total_amount: 0,
  created_at,
  updated_at: created_at,
  ...more,
});
const line = (product_name: string, quantity: number, payment_price: number, size?: string) => ({
  product_name,
  quantity,
  payment_price,
  attributes: size === undefined ? [] : [{ name: 'Size', value: size }],
});
const parcel = (id: number, state: string, more: object) => ({
  id: `20000000000000000${10 + id}`,
  order_id: `10000000000000000${10 + id}`,
  carrier: 'tortoise',
  shipping_code: `TO${id}`,
  shipping_state: state,
  status: 'S',
  shipping_status: 'S',
  platform_payment_status: 'Z',
  cod_amount: 0,
  created_at: '2026-01-20T03:00:00Z',
  updated_at: '2026-01-20T03:00:00Z',
  ...more,
});
const to = (full_name: string, phone: string) => ({ shipping_address: { full_name, phone } });

async function owner() {
  const shop = {
    orders: [
      order(1, '2026-01-20T03:00:00Z', [line('Áo thun Cotton', 2, 150_000, 'M'), line('Mũ', 1, 80_000)]),
      order(2, '2026-01-21T03:00:00Z', [line('ao thun  cotton', 3, 140_000, 'm')], { external_id: 'MB7' }),
      order(3, '2026-01-22T03:00:00Z', [line('Áo thun cotton', 1, 150_000, 'L')]),
      order(4, '2026-01-22T03:00:00Z', [line('Mũ', 9, 80_000)], { status: 'N' }),
      // The last second of 24 January in the shop, and the first one of the 25th.
      order(5, '2026-01-24T16:59:59Z', [line('Mũ', 4, 70_000)]),
      order(6, '2026-01-24T17:00:00Z', [line('Mũ', 5, 70_000)]),
    ],
    fulfillments: [
      parcel(1, 'delivering', {
        ...to('Trần Lan', '0938111222'),
        cod_amount: 380_000,
        estimated_delivery_at: '2026-01-28T10:00:00Z',
      }),
      parcel(2, 'undeliverable', {
        ...to('Lê Minh', '0905123456'),
        cod_amount: 420_000,
        estimated_delivery_at: '2026-01-26T07:59:59Z',
      }),
      parcel(3, 'holding', { ...to('Võ Yến', '0911222333'), estimated_delivery_at: '2026-01-31T08:00:01Z' }),
      // Delivered after 1.5 days and in time, and after 3 days and late; one was charged nothing yet.
      parcel(4, 'delivered', {
        closed_at: '2026-01-21T15:00:00Z',
        estimated_delivery_at: '2026-01-22T00:00:00Z',
        actual_shipping_service_fee: 20_000,
      }),
      parcel(5, 'delivered', {
        closed_at: '2026-01-23T03:00:00Z',
        estimated_delivery_at: '2026-01-22T00:00:00Z',
        actual_shipping_service_fee: 25_001,
      }),
      // Late as well, but settled.
      parcel(7, 'delivering', {
        carrier: 'bluewhale',
        platform_payment_status: 'P',
        estimated_delivery_at: '2026-01-26T00:00:00Z',
      }),
      parcel(6, 'delivering', { carrier: 'bluewhale', estimated_delivery_at: '2026-02-02T00:00:00Z' }),
    ],
    variants: [],
    levels: [],
  };
  const world = await shopWorld(servingShop(shop, testStart));
  await world.run(['profiles', 'use', 'shop']);
  expect((await world.run(['mirror', 'sync'])).exit).toBe(0);
  return world;
}

it('says what sold, by product and variant, with goods in free text joined whatever their spelling', async () => {
  const world = await owner();
  const { stdout } = await world.run([
    'report',
    'products',
    '--since',
    '20/01/2026',
    '--until',
    '24/01/2026',
    '--json',
  ]);
  const { since, until, rows, totals } = JSON.parse(stdout);
  expect([since, until]).toEqual(['2026-01-20', '2026-01-24']);
  expect(rows).toEqual(
    [
      // 2 × 150,000 + 3 × 140,000; the spelling of the line that sold most.
      { product: 'ao thun  cotton', variant: 'm', items: 5, revenue: 720_000 },
      // 80,000 + 4 × 70,000: the cancelled order is not in it, nor the one of the day after.
      { product: 'Mũ', variant: '', items: 5, revenue: 360_000 },
      { product: 'Áo thun cotton', variant: 'L', items: 1, revenue: 150_000 },
    ].sort((one, other) => other.items - one.items || (one.product < other.product ? -1 : 1)),
  );
  expect(totals).toEqual({ items: 11, revenue: 1_230_000 });
});

it('lists the late parcels with whom to call and for how many days, latest first', async () => {
  const world = await owner();
  const rows = [
    {
      parcel: 'TO2',
      recipient: 'Lê Minh',
      phone: '0905123456',
      days: 5,
      state: 'undeliverable',
      carrier: 'tortoise',
      order: 'MB7',
      cash: 0,
    },
    {
      parcel: 'TO1',
      recipient: 'Trần Lan',
      phone: '0938111222',
      days: 2,
      state: 'delivering',
      carrier: 'tortoise',
      order: 'DH1',
      cash: 380_000,
    },
  ];
  for (const words of [
    ['report', 'late', '--list'],
    ['day', '--list', 'late'],
  ]) {
    const result = JSON.parse((await world.run([...words, '--json'])).stdout);
    expect([result.rows, result.totals]).toEqual([rows, { cash: 380_000 }]);
    // The figure of the report is the number of the rows.
    const counted = JSON.parse((await world.run(['report', 'late', '--json'])).stdout).rows[0];
    expect([counted.expected, counted.parcels, counted.cash]).toEqual(['late', 2, 380_000]);
    const { stdout, stderr } = await world.run(words, { env: { COLUMNS: '80' } });
    expect(stdout).toContain('0938111222');
    expect(Math.max(...stdout.split('\n').map((text) => text.length))).toBeLessThanOrEqual(80);
    expect(stderr).toContain('Late parcels: now, complete up to');
  }
  const dated = await world.run(['day', 'yesterday', '--list', 'late']);
  expect([dated.exit, dated.stderr]).toEqual([2, expect.stringContaining('the list of late is of the present')]);
});

it('says in the heading of every report about days what is dated by them, and in the rows of cash and sales', async () => {
  const world = await owner();
  const directory = join(world.directory, 'out');
  await world.run(['report', 'all', '--to', directory, '--since', '20/01/2026', '--until', '24/01/2026']);
  for (const { name, about, columns } of reports.filter((report) => report.about === 'span')) {
    const { stderr, stdout } = await world.run(['report', name, '--since', '20/01/2026', '--until', '24/01/2026']);
    const dated = /(?:parcels|orders) created 2026-01-20 to 2026-01-24/;
    expect([name, about, dated.test(stderr)]).toEqual([name, 'span', true]);
    expect(readFileSync(join(directory, `${name}.html`), 'utf8')).toMatch(dated);
    // The headers of a sheet are those of the table.
    if (columns[0]?.type === 'period') expect(stdout).toMatch(/^CREATED /);
  }
  expect((await world.run(['report', 'cod', '--explain'])).stdout).toContain('`cash collected` of the command `day`');
});

it('lists what is behind each figure of a day: as many records, or as much money', async () => {
  const world = await owner();
  for (const date of ['2026-01-20', '2026-01-22', '2026-01-23', '2026-01-31']) {
    const { figures } = JSON.parse((await world.run(['day', date, '--json'])).stdout);
    for (const { figure, about, unit, value } of figures) {
      const words = ['--list', figure.replaceAll(' ', '-'), ...(about === 'day' ? [date] : [])];
      const { rows, totals } = JSON.parse((await world.run(['day', ...words, '--json'])).stdout);
      const amount = totals.revenue ?? totals.fees ?? totals.cash;
      expect([date, figure, unit === '₫' ? amount : rows.length]).toEqual([date, figure, value]);
    }
  }
  // Without a date it is the day of the present, as `day` itself.
  expect(JSON.parse((await world.run(['day', '--list', 'shipped', '--json'])).stdout).since).toBe('2026-01-31');
  const unknown = await world.run(['day', '--list', 'lost']);
  expect([unknown.exit, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('--list must be one of new-orders, revenue, shipped, delivery-fees, delivered, returned'),
  ]);
});

it('copies the shop first for a person whose shop was never copied, and says so; a script is told what to type', async () => {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  const script = await world.run(['day']);
  expect([script.exit, script.stdout, script.stderr]).toEqual([3, '', expect.stringContaining('shopctl mirror sync')]);
  const first = await world.run(['day'], { terminal: true, columns: 80 });
  expect([first.exit, first.stdout]).toEqual([0, expect.stringMatching(/new orders +\d/)]);
  expect(first.stderr).toContain('nothing was copied yet: the shop is copied to this machine first');
  const second = await world.run(['day'], { terminal: true, columns: 80 });
  // What is of this moment is called so, and no figure of another day.
  expect(second.stdout).toMatch(/FIGURE +NOW /);
  const before = await world.run(['day', 'yesterday', '--lang', 'vi'], { terminal: true, columns: 80 });
  expect(before.stdout).toMatch(/CHỈ SỐ +GIÁ TRỊ /);
  expect([second.exit, second.stderr.includes('nothing was copied yet')]).toEqual([0, false]);
  // What was copied in part is no day either.
  const other = await shopWorld();
  await other.run(['profiles', 'use', 'shop']);
  await other.run(['mirror', 'sync', '--area', 'orders']);
  expect((await other.run(['day', '--list', 'late'], { terminal: true })).exit).toBe(0);
});

it('counts a parcel that was created and never picked up as a late pickup', async () => {
  const past = { estimated_pickup_at: '2026-01-30T08:00:00Z' };
  const states = ['default', 'created', 'picking', 'holding', 'delivered', 'cancelled'];
  const fulfillments = [
    ...states.map((state, at) => parcel(at + 1, state, past)),
    parcel(7, 'created', { estimated_pickup_at: '2026-02-01T08:00:00Z' }),
  ];
  const world = await shopWorld(servingShop({ orders: [], fulfillments, variants: [], levels: [] }, testStart));
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  const json = async (...words: string[]) => JSON.parse((await world.run([...words, '--json'])).stdout);
  const { figures } = await json('day');
  expect(figures.find(({ figure }: { figure: string }) => figure === 'late pickups').value).toBe(3);
  const listed = (await json('day', '--list', 'late-pickups')).rows.map(({ state }: { state: string }) => state);
  expect(listed.sort()).toEqual(['created', 'default', 'picking']);
  expect(await json('mirror', 'sql', 'select count(*) as parcels from late_pickups')).toEqual([{ parcels: 3 }]);
});

it('shows code, recipient, phone, days and cash of every list of a day at 80 columns, in both languages', async () => {
  const name = { ...to('Công ty TNHH Thương mại Dịch vụ Hoàng Anh', '+84 938 111 222') };
  const more = { ...name, cod_amount: 12_380_000, carrier: 'công ty vận chuyển tortoise' };
  const at = '2026-01-31T03:00:00Z';
  const world = await shopWorld(
    servingShop(
      {
        orders: [order(1, at, [], { ...name, total_amount: 12_380_000, external_id: 'SHOP-2026-MB1001' })],
        fulfillments: [
          parcel(1, 'undeliverable', { ...more, created_at: at, estimated_delivery_at: '2026-01-30T08:00:00Z' }),
        ],
        variants: [],
        levels: [],
      },
      testStart,
    ),
  );
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  for (const [lang, days, cash] of [
    ['en', 'DAYS', 'CASH'],
    ['vi', 'NGÀY', 'THU HỘ'],
  ] as const)
    for (const list of ['shipped', 'late-deliveries', 'new-orders']) {
      const { stdout } = await world.run(['day', '--list', list, '--lang', lang], { terminal: true, columns: 80 });
      const [header = '', row = ''] = stdout.replaceAll(/\u001b\[\d*m/g, '').split('\n');
      expect([list, lang, row]).toEqual([list, lang, expect.stringMatching(/SHOP-2026-MB1001/)]);
      expect(row).toContain('+84 938 111 222');
      if (list === 'new-orders') continue;
      expect(row).toContain('TO1 ');
      expect(header).toContain(days);
      expect(header).toContain(cash);
      expect(header.length).toBeLessThanOrEqual(80);
    }
  const orders = await world.run(['day', '--list', 'new-orders', '--lang', 'vi']);
  expect(orders.stdout).toContain('Đang xử lý');
});

it('says what the deliveries of a day cost, and what that is', async () => {
  const fee = { created_at: '2026-01-31T03:00:00Z', shipping_service_fee: 22_000 };
  const parcels = [
    parcel(1, 'created', fee),
    parcel(2, 'holding', { ...fee, shipping_service_fee: 31_500, actual_shipping_service_fee: 40_000 }),
    parcel(3, 'cancelled', fee),
    parcel(4, 'holding', { ...fee, created_at: '2026-01-30T03:00:00Z' }),
  ];
  const world = await shopWorld(
    servingShop({ orders: [], fulfillments: parcels, variants: [], levels: [] }, testStart),
  );
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  const { stdout, stderr } = await world.run(['day']);
  expect(stdout).toMatch(/^delivery fees +53,500 +22,000 /m);
  expect(stderr).toContain('delivery fees, 53,500, were quoted for the parcels that were shipped on the day');
});

it('counts what was created as to be picked up, like what the carrier is on its way to', async () => {
  const states = ['created', 'picking', 'holding'].map((state, at) => parcel(at + 1, state, {}));
  const shop = { orders: [], fulfillments: states, variants: [], levels: [] };
  const world = await shopWorld(servingShop(shop, testStart));
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  const { figures } = JSON.parse((await world.run(['day', '--json'])).stdout);
  const named = new Map(figures.map((one: { figure: string; value: number }) => [one.figure, one.value]));
  expect([named.get('to be picked up'), named.get('in delivery')]).toEqual([2, 1]);
});

it('compares carriers by time, lateness and fee', async () => {
  const world = await owner();
  const { rows } = JSON.parse((await world.run(['report', 'carriers', '--json'])).stdout);
  const figures = rows.map(({ carrier, parcels, delivered, days, late, fees, fee_each }: Record<string, unknown>) => [
    carrier,
    parcels,
    delivered,
    days,
    late,
    fees,
    fee_each,
  ]);
  expect(figures).toEqual([
    // (1.5 + 3) / 2 = 2.25 days, rounded half up; 45,001 / 2, rounded down.
    ['tortoise', 5, 2, 2.3, 1, 45_001, 22_500],
    ['bluewhale', 2, 0, null, 0, 0, null],
  ]);
});

it('writes amounts in ₫, and in VND where a chart has to be ASCII', async () => {
  const world = await owner();
  for (const words of [['report', 'sales', '--explain'], ['report', 'sales', '--help'], ['day'], ['quote', '--help']]) {
    const { stdout } = await world.run(words);
    expect([words, /currency unit/.test(stdout)]).toEqual([words, false]);
  }
  expect((await world.run(['report', 'sales', '--explain'])).stdout).toContain('₫');
  const ascii = (await world.run(['report', 'cod', '--chart', '--ascii', '--width', '60'])).stdout;
  expect(ascii).toContain('(VND)');
  expect((await world.run(['report', 'cod', '--chart', '--width', '60'])).stdout).toContain('(₫)');
});

it('tells parcels of a carrier that are late now from those that were delivered late', async () => {
  const world = await owner();
  const carriers = ['report', 'carriers', '--since', '2026-01-01'];
  const [tortoise, whale] = JSON.parse((await world.run([...carriers, '--json'])).stdout).rows;
  expect([tortoise.carrier, tortoise.late, tortoise.late_now, whale.late_now]).toEqual(['tortoise', 1, 2, 0]);
  const screen = { terminal: true, columns: 100, env: { TERM: 'xterm', NO_COLOR: '1' } };
  expect((await world.run(carriers, screen)).stdout).toMatch(/ DELIVERED LATE +LATE NOW /);
});

it('says which rows of the states are among the others', async () => {
  const world = await owner();
  const { stderr } = await world.run(['report', 'states']);
  expect(stderr).toContain('due_today: of these rows, counted in another one as well, and not in the total\n');
  expect((await world.run(['report', 'late'])).stderr).not.toContain('of these rows');
});

it('reads a day without its year as screens print it, and says of which year', async () => {
  const world = await owner();
  for (const words of [
    ['report', 'products', '--since', '30/1'],
    ['orders', 'list', '--since', '30/01'],
    ['day', '30/1'],
  ]) {
    const { exit, stderr } = await world.run(words);
    expect([words, exit, stderr]).toEqual([words, 0, expect.stringContaining('30/01 is read as 2026-01-30')]);
  }
});

it('means a week that is over where it is named alone, and nothing after it', async () => {
  const world = await owner();
  const span = async (...words: string[]) => {
    const { since, until } = JSON.parse((await world.run(['report', 'sales', ...words, '--json'])).stdout);
    return [since, until];
  };
  expect(await span('--since', 'last-week')).toEqual(['2026-01-19', '2026-01-25']);
  expect(await span('--since', 'last week', '--until', 'today')).toEqual(['2026-01-19', '2026-01-31']);
  expect(await span('--since', 'this-week')).toEqual(['2026-01-26', '2026-01-31']);
  expect(await span('--since', 'yesterday')).toEqual(['2026-01-30', '2026-01-31']);
});

it('copies the shop first where a person asks for a report of it', async () => {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  const words = ['report', 'late', '--list'];
  expect(await world.run(words)).toMatchObject({ exit: 3, stderr: expect.stringContaining('shopctl mirror sync') });
  const first = await world.run(words, { terminal: true, columns: 80 });
  expect([first.exit, first.stderr]).toEqual([0, expect.stringContaining('nothing was copied yet: the shop is')]);
});
