import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { reports } from '../../../src/reports/declared/reports.ts';
import { python, readElsewhere } from '../../support/openpyxl.ts';
import { randomFrom } from '../../support/random-from.ts';
import { hostileName, randomShop, servingShop } from '../../support/random-shop.ts';
import { testStart } from '../../support/sandbox.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';

let world: ShopWorld;
beforeEach(async () => {
  world = await shopWorld(servingShop(randomShop(randomFrom(7), testStart, 60), testStart));
  await world.run(['profiles', 'use', 'shop']);
});

const synced = async () => expect((await world.run(['mirror', 'sync'])).exit).toBe(0);

describe('report', () => {
  it('refuses areas that were never copied, and says which and what to type', async () => {
    const nothing = await world.run(['report', 'sales']);
    expect([nothing.exit, nothing.stdout]).toEqual([3, '']);
    await world.run(['mirror', 'sync', '--area', 'orders']);
    expect((await world.run(['report', 'sales'])).exit).toBe(0);
    const { exit, stdout, stderr } = await world.run(['report', 'cod']);
    expect([exit, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/fulfillments was never copied[\s\S]*shopctl mirror sync/);
  });

  it('prints rows with totals for a person, and one object for a program', async () => {
    await synced();
    for (const { name } of reports) {
      const { stdout, stderr } = await world.run(['report', name]);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.at(-1)).toMatch(/^Total/);
      expect(stderr).toMatch(/complete up to 2026-01-31 1[45]:\d\d \(Asia\/Ho_Chi_Minh\)/);
      const result = JSON.parse((await world.run(['report', name, '--json'])).stdout);
      expect(Object.keys(result)).toEqual([
        'report',
        'since',
        'until',
        'tz',
        'complete_until',
        'columns',
        'rows',
        'totals',
      ]);
      expect(lines).toHaveLength(result.rows.length + 2);
      for (const row of result.rows)
        expect(Object.keys(row)).toEqual(result.columns.map((column: { name: string }) => column.name));
      // The statement is the report: mirror sql has the same rows, and csv has no total among them.
      const { stdout: sql } = await world.run(['report', name, '--sql']);
      const found = JSON.parse((await world.run(['mirror', 'sql', sql, '--json'])).stdout);
      if (name !== 'products' && name !== 'customers') expect(found).toEqual(result.rows);
      const csv = (await world.run(['report', name, '-o', 'csv'])).stdout.trim().split('\r\n');
      expect([csv.length, csv.join().includes('Total')]).toEqual([result.rows.length + 1, false]);
    }
  });

  it('counts what two rows have in common once', async () => {
    await synced();
    const { rows, totals } = JSON.parse((await world.run(['report', 'states', '--json'])).stdout);
    const of = (state: string) => rows.find((row: { state: string }) => row.state === state).parcels;
    expect(of('late_pickup')).toBeGreaterThan(0);
    const others = rows.reduce((sum: number, { parcels }: { parcels: number }) => sum + parcels, 0);
    expect(totals.parcels).toBe(others - of('late_pickup') - of('due_today'));
  });

  it('draws a chart as wide as asked: --width, else COLUMNS, else the terminal', async () => {
    await synced();
    const widest = async (words: readonly string[], options = {}) => {
      const { stdout } = await world.run(['report', 'states', '--chart', ...words], options);
      return Math.max(...stdout.split('\n').map((line) => line.length));
    };
    expect(await widest([])).toBe(80);
    expect(await widest(['--width', '52'], { env: { COLUMNS: '70' } })).toBe(52);
    expect(await widest([], { env: { COLUMNS: '70', NO_COLOR: '1' }, terminal: true })).toBe(70);
    expect(await widest([], { terminal: true, columns: 61, env: { NO_COLOR: '1' } })).toBe(61);
  });

  it('refuses what a report cannot have', async () => {
    await synced();
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['sales', '--since', '2026-02-30'], '--since must be a day that exists'],
      [['sales', '--until', '0026-02-02'], '--until must be a day that exists, from 1900 to 2199'],
      [['sales', '--since', '2026-02-03', '--until', '02/02/2026'], '--until must not be before since, 2026-02-03'],
      [['sales', '--list'], '--list cannot be given: only late can be listed'],
      [['late', '--until', '2026-02-02'], 'late is about the present'],
      [['stock', '--by', 'week'], 'the rows of stock are not periods'],
      [['sales', '--tz', 'Mars/Olympus'], '--tz must be a time zone'],
      [['all'], '--to is required'],
      [['sales', '--to', 'sales.pdf'], '.html, .xlsx, .csv or .jsonl'],
    ];
    for (const [words, message] of wrong) {
      const { exit, stdout, stderr } = await world.run(['report', ...words]);
      expect([words, exit, stdout]).toEqual([words, 2, '']);
      expect(stderr).toContain(message);
    }
    // Days are compared as texts, and the day before the first one of the year 0000 has another kind of year.
    for (const date of ['0000-01-01', '9999-12-31', '2026-02-30']) {
      const { exit, stderr } = await world.run(['day', date]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('date must be a day that exists, from 1900 to 2199')]);
    }
  });

  it('writes every report as a page and a sheet, in which names stay text', async () => {
    await synced();
    const directory = join(world.directory, 'out');
    expect((await world.run(['report', 'all', '--to', directory])).exit).toBe(0);
    const read = (name: string) => readFileSync(join(directory, name), 'utf8');
    for (const { name, words } of reports) {
      expect(read('index.html')).toContain(`<a href="${name}.html">${words().title}</a>`);
      const page = read(`${name}.html`);
      // The only script is the name of a product, and that is a text.
      expect(page).not.toMatch(/<script|<link|<img|https?:\/\/(?!www\.w3\.org\/2000\/svg)|\u202e/);
      expect(page).toContain('content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"');
      expect(page.match(/<tr class="total">/g)).toHaveLength(1);
      expect(page).not.toContain('<tfoot');
      expect(
        readFileSync(join(directory, `${name}.xlsx`))
          .subarray(0, 2)
          .toString(),
      ).toBe('PK');
    }
    expect(read('stock.html')).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const { stdout } = await world.run(['report', 'stock', '--json']);
    expect(JSON.parse(stdout).rows.map(({ name }: { name: string }) => name)).toContain(hostileName);
  });

  it.skipIf(python === undefined)('writes a workbook that another program reads cell by cell', async () => {
    await synced();
    const directory = join(world.directory, 'out');
    await world.run(['report', 'all', '--to', directory]);
    const books = readElsewhere(reports.map(({ name }) => join(directory, `${name}.xlsx`)));
    for (const [index, { name, words, columns }] of reports.entries()) {
      const { rows, totals } = JSON.parse((await world.run(['report', name, '--json'])).stdout);
      const cells = (row: Record<string, unknown>) => columns.map((column) => row[column.name] ?? null);
      const [sheet] = books[index] ?? [];
      const texts = (row: readonly unknown[] = []) => row.map((cell) => (cell === '' ? null : cell));
      expect([name, sheet?.title, sheet?.rows.map(texts)]).toEqual([
        name,
        words().title,
        [
          columns.map((column) => words().columns[column.name]?.header),
          ...rows.map(cells).map(texts),
          ['Total', ...cells(totals).slice(1)],
        ],
      ]);
      const shown = columns.map((_, at) => [
        ...new Set(
          sheet?.rows.flatMap((row, line) => (typeof row[at] === 'number' ? [sheet.formats[line]?.[at]] : [])),
        ),
      ]);
      const meant = columns.map(({ type }) => (type === 'integer' ? ['#,##0'] : ['General']));
      expect([name, shown]).toEqual([name, shown.map((found, at) => (found.length === 0 ? [] : meant[at]))]);
      expect(shown.flat()).toContain('#,##0');
    }
  });

  it('answers while the service is unreachable, and says how old the mirror is', async () => {
    let isOver = false;
    const shop = servingShop(randomShop(randomFrom(7), testStart, 20), testStart);
    const away = await shopWorld((service) => {
      const answers = shop(service);
      return (request) => (isOver ? Promise.reject(new Error('the service is gone')) : answers(request));
    });
    await away.run(['profiles', 'use', 'shop']);
    await away.run(['mirror', 'sync']);
    isOver = true;
    const clock = { now: () => Date.parse('2026-01-31T11:59:00Z'), wait: async () => {} };
    for (const words of [['report', 'sales'], ['report', 'all', '--to', join(away.directory, 'out')], ['day']]) {
      const { exit, stdout, stderr } = await away.run(words, { clock });
      expect([words, exit, stdout === '']).toEqual([words, 0, false]);
      expect(stderr).toMatch(/copied 3 hours ago; `shopctl mirror sync[^`]*` renews it/);
    }
  });

  it('warns of a page that a browser opens slowly', async () => {
    const shop = randomShop(randomFrom(7), testStart, 5);
    const [variant] = shop.variants;
    const [level] = shop.levels;
    const ids = Array.from({ length: 1_600 }, (_, index) => `10000000000000${10_000 + index}`);
    const variants = ids.map((id) => ({ ...variant, id, name: 'Áo'.repeat(700) }));
    const levels = ids.map((id) => ({ ...level, variant_id: id }));
    world = await shopWorld(servingShop({ ...shop, variants, levels }, testStart));
    await world.run(['profiles', 'use', 'shop']);
    await synced();
    const written = async (name: string) =>
      (await world.run(['report', name, '--to', join(world.directory, `${name}.html`)])).stderr;
    expect(await written('stock')).toMatch(/stock\.html has [3-9] MB, which a browser opens slowly: \.xlsx is better/);
    expect(await written('sales')).not.toContain('MB');
  });

  it('says that a page leaves rows out, and where all of them are', async () => {
    await synced();
    const file = join(world.directory, 'long.html');
    const words = ['report', 'sales', '--since', '2018-01-01', '--until', '2025-12-31', '--to', file];
    const { exit, stderr } = await world.run(words);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('The first 2000 of 2,922 rows')]);
    expect(readFileSync(file, 'utf8').match(/<tr>/g)?.length).toBe(2001);
  });
});
