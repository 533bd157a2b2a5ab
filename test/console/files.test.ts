import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShopOrder } from '../support/shop-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { type OpenedConsole, openedConsole } from './opened-console.ts';
import { ofOwnPage, send, servedConsole, signedIn } from './served-console.ts';

const ofShop = ['--profile', 'shop'];
const json = { 'content-type': 'application/json' };

const inBase64 = (text: string) => Buffer.from(text).toString('base64');

/** Sends a file as the page does, in as many pieces. */
async function sendFile({ ask }: OpenedConsole, name: string, pieces: readonly string[]): Promise<string> {
  let id: string | undefined;
  for (const piece of pieces) {
    const body = JSON.stringify({ id, name, bytes: inBase64(piece) });
    const came = await ask('/api/upload', { method: 'POST', headers: json, body });
    expect(came.status).toBe(200);
    id = JSON.parse(came.body).id;
  }
  return id ?? '';
}

describe('a file for the page', () => {
  it('is what the command line writes, is saved and not shown, and is given once', async () => {
    const world = await shopWorld();
    await createShopOrder(world.service, { external_code: '=cmd()' });
    const opened = await openedConsole(world, ofShop);
    const ran = await opened.run('shop.Order/ListOrders', { input: {}, format: 'csv' });
    expect(ran).toMatchObject({ kind: 'file', name: 'orders-list.csv' });
    expect(ran.command).toBe('shopctl orders list --to orders-list.csv --profile shop');
    const { status, headers, body } = await opened.ask(`/api/file/${ran.id}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''orders-list.csv",
    });
    const written = join(world.directory, 'orders.csv');
    expect((await world.run(['orders', 'list', '--to', written, ...ofShop])).exit).toBe(0);
    expect(body).toBe(await readFile(written, 'utf8'));
    expect((await opened.ask(`/api/file/${ran.id}`)).status).toBe(404);
  });

  it('has no other format, and no name that the page chooses', async () => {
    const world = await shopWorld();
    const { run } = await openedConsole(world, ofShop);
    for (const format of ['html', '../../x.csv', '/etc/x.csv', '__proto__', '']) {
      const ran = await run('shop.Order/ListOrders', { input: {}, format });
      expect([format, ran.kind]).toEqual([format, 'error']);
    }
  });

  it('cannot be guessed', async () => {
    const console = await servedConsole();
    const cookie = await signedIn(console);
    for (const id of ['', '..', '..%2F..%2Fetc%2Fpasswd', '0'.repeat(32), '__proto__']) {
      const { status } = await send(console.origin, `/api/file/${id}`, { headers: { ...ofOwnPage, cookie } });
      expect([id, status]).toEqual([id, 404]);
    }
  });
});

describe('a file of the page', () => {
  it('is read by its bytes, under its own name, and goes with the console', async () => {
    const world = await shopWorld();
    const opened = await openedConsole(world, ofShop);
    const sheet = 'full_name,phone\nLan,0901234567\nHà,0912345678\n';
    const id = await sendFile(opened, '../../customers.csv', [sheet.slice(0, 20), sheet.slice(20)]);
    const input = { do: 'customers create' };
    const asked = await opened.run('batch.run', { input, files: { file: [id] } });
    expect(asked).toMatchObject({ kind: 'asks', question: expect.stringContaining('2 rows') });
    expect(asked.command).toBe("shopctl batch run customers.csv --do 'customers create' --profile shop");
    const ran = await opened.run('batch.run', { input, files: { file: [id] }, agreed: [asked.question] });
    expect(ran).toMatchObject({ kind: 'record', progress: { of: 2, left: 0 } });
    expect(JSON.stringify(ran)).toContain('"customers.csv"');
    expect(JSON.stringify(ran)).not.toContain('-files');
    const listed = await opened.run('shop.Customer/ListCustomers', { input: {} });
    expect(JSON.stringify(listed)).toContain('0912345678');
    // Its rows have the columns of the sheet, and the record knows its row.
    const { table } = Object(await opened.run('batch.rows', { input: { batch: ran.name } }));
    expect(table.columns.slice(-2)).toMatchObject([{ header: 'full_name' }, { header: 'phone' }]);
    expect(table.rows[1].cells.slice(-2)).toEqual([{ text: 'Hà' }, { text: '0912345678' }]);
    const found = await opened.run('batch.find', { input: { record: table.rows[1].name } });
    expect(found).toMatchObject({ table: { key: 'batch', rows: [{ name: ran.name }] } });
    const result = await opened.run('batch.result', { input: { batch: ran.name }, format: 'csv' });
    expect((await opened.ask(`/api/file/${result.id}`)).body).toContain('Lan,0901234567,done');
  });

  it('is named by its own name where its rows have to be fixed', async () => {
    const world = await shopWorld();
    const opened = await openedConsole(world, ofShop);
    const id = await sendFile(opened, 'prices.csv', ['id,retail_price\n1234567890123456789,5000\n']);
    const input = { do: 'variants update' };
    const asked = await opened.run('batch.run', { input, files: { file: [id] } });
    const ran = await opened.run('batch.run', { input, files: { file: [id] }, agreed: [asked.question] });
    const { stderr } = await world.run(['batch', 'show', '--profile', 'shop']);
    for (const said of [JSON.stringify(ran), stderr]) {
      expect(said).toMatch(/batch retry \S+ prices\.csv/);
      expect(said).not.toContain('-files');
    }
  });

  it('is not taken for a field that takes none, nor one that was never sent', async () => {
    const world = await shopWorld();
    const opened = await openedConsole(world, ofShop);
    const id = await sendFile(opened, 'x.csv', ['a']);
    for (const [action, files] of [
      ['shop.Order/ListOrders', { filter: [id] }],
      ['batch.run', { plan: [id] }],
      ['batch.run', { file: ['0'.repeat(32)] }],
      ['batch.run', { __proto__: [id], file: ['/etc/passwd'] }],
    ] as const) {
      const ran = await opened.run(action, { input: {}, files });
      expect([action, ran.kind, Object(ran.error).exitCode]).toEqual([action, 'error', 2]);
    }
  });

  it.each([
    ['nothing', {}],
    ['no bytes', { name: 'x' }],
    ['a file that nobody began', { id: '0'.repeat(32), name: 'x', bytes: '' }],
  ])('is refused when it is %s', async (_, piece) => {
    const world = await shopWorld();
    const { ask } = await openedConsole(world, ofShop);
    const { status } = await ask('/api/upload', { method: 'POST', headers: json, body: JSON.stringify(piece) });
    expect(status).toBe(413);
  });
});

it('a row is told whole, and nothing as commands that is no request', async () => {
  const world = await shopWorld();
  const { body } = await createShopOrder(world.service);
  const { run } = await openedConsole(world, ofShop);
  await run('shop.Order/GetOrder', { input: { id: body.id } });
  const listed = await run('shop.Order/ListOrders', { input: {}, columns: ['code', 'nothing', '__proto__'] });
  expect(Object(listed.table).columns).toMatchObject([{ path: 'code' }]);
  const whole = await run('shop.Order/ListOrders', { input: {}, row: body.id });
  expect(whole).toMatchObject({ kind: 'record', name: body.id, copies: [] });
});
