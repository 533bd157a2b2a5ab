/* A record is called by whatever people have of it: its id, code, external_id or parcel code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { impatientClock } from '../support/impatient-clock.ts';
import { orderFields, quotedOrder } from '../support/sandbox-order.ts';
import { json } from '../support/scripted-transport.ts';
import { type Between, shopWorld } from '../support/shop-world.ts';

const ofShop = ['--profile', 'shop'];

/** A shop with two shipped orders; `sent` has what has been called since. */
async function shipped(between: Between = (transport) => transport, names: readonly string[] = ['WEB-7', 'WEB-8']) {
  const sent: { readonly operation: string; readonly body: Record<string, string> }[] = [];
  const world = await shopWorld((transport) => {
    const next = between(transport);
    return async (wire) => {
      sent.push({ operation: wire.url.split('/').at(-1) ?? '', body: JSON.parse(wire.body) });
      return next(wire);
    };
  });
  const { post, shop } = world.service;
  const orders = [];
  for (const external_id of names) {
    const order = { ...(await quotedOrder(world.service)), external_id };
    const { body } = await post('shop.Shipping/CreateAndConfirmOrder', order, shop.apiKey);
    orders.push({ id: body.order.id, code: body.order.code, parcel: body.fulfillments[0].shipping_code });
  }
  const [first = { id: '', code: '', parcel: '' }, second = first] = orders;
  sent.splice(0);
  return { world, sent, first, second };
}

describe('a record is found by each name that people have for it', () => {
  it.each([
    ['code', 'code'],
    ['parcel', 'parcel code'],
    ['external_id', 'external_id'],
  ] as const)('by its %s, which is said', async (name, told) => {
    const { world, first } = await shipped();
    const text = name === 'external_id' ? 'WEB-7' : first[name];
    for (const group of ['orders', 'shipping']) {
      const { exit, stdout, stderr } = await world.run([group, 'get', text, ...ofShop, '-o', 'json']);
      expect([exit, JSON.parse(stdout).order.id]).toEqual([0, first.id]);
      expect(stderr).toContain(`${text} is the ${told} of ${first.id}`);
      const quiet = await world.run([group, 'get', text, ...ofShop, '-q', '-o', 'name']);
      expect([quiet.exit, quiet.stdout, quiet.stderr]).toEqual([0, `${first.id}\n`, '']);
    }
  });

  it('by a code that was typed in small letters, in batches and stories too; what has exactly that name comes first', async () => {
    const { world, first, second, sent } = await shipped(undefined, ['WEB-7', 'web-8']);
    for (const text of ['web-7', first.code.toLowerCase(), first.parcel.toLowerCase()])
      for (const words of [
        ['orders', 'get'],
        ['orders', 'cancel', '--cancel-reason', 'x', '--dry-run'],
        ['orders', 'story', '--for-buyer'],
      ]) {
        const [group = '', command = '', ...flags] = words;
        const { exit, stdout, stderr } = await world.run([group, command, text, ...flags, ...ofShop, '-o', 'json']);
        expect([text, words, exit === 0 || stderr]).toEqual([text, words, true]);
        if (command !== 'story') expect(stdout).toContain(first.id);
      }
    sent.splice(0);
    const exact = await world.run(['orders', 'cancel', 'web-8', '--cancel-reason', 'x', '--dry-run', ...ofShop]);
    expect(exact.stdout).toContain(second.id);
    expect(JSON.stringify(sent)).not.toContain('WEB-8');
    writeFileSync(join(world.directory, 'o.csv'), manyOrders(2).replaceAll('SO-', 'MB100'));
    await world.run(['batch', 'run', 'o.csv', '--pick', 'cheapest', '--yes', ...ofShop]);
    const found = await world.run(['batch', 'find', 'mb1002', '--json', ...ofShop]);
    expect(JSON.parse(found.stdout)).toMatchObject([{ external_id: 'MB1002' }]);
    const [{ batch }] = JSON.parse(found.stdout);
    const undone = await world.run(['batch', 'undo', batch, '--row', 'mb1002', '--yes', '--json', ...ofShop]);
    expect([undone.exit, undone.exit === 0 || undone.stderr]).toEqual([0, true]);
    const orders = (await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey)).body.orders;
    const cancelled = orders.filter(({ status }: { status: string }) => status === 'N');
    expect(cancelled.map(({ external_id }: { external_id: string }) => external_id)).toEqual(['MB1002']);
  });

  it('of a shipment, a customer, a product and a variant too', async () => {
    const { world, first } = await shipped();
    const { post, shop } = world.service;
    const product = (await post('shop.Product/CreateProduct', { name: 'Trà', code: 'TRA' }, shop.apiKey)).body;
    for (const [words, id] of [
      [['fulfillments', 'get', first.parcel], undefined],
      [['customers', 'get', 'KH000001'], undefined],
      [['products', 'get', 'TRA'], product.id],
    ] as const) {
      const { exit, stdout } = await world.run([...words, ...ofShop, '-o', 'json']);
      expect([words, exit]).toEqual([words, 0]);
      if (id !== undefined) expect(JSON.parse(stdout).id).toBe(id);
    }
    const { exit } = await world.run(['products', 'update', 'TRA', '--note', 'mới', ...ofShop]);
    expect(exit).toBe(0);
    expect((await post('shop.Product/GetProduct', { id: product.id }, shop.apiKey)).body.note).toBe('mới');
  });

  it('with digits alone, where no record has them as its id', async () => {
    const { world, second } = await shipped(undefined, ['WEB-7', '576461413038785752']);
    for (const words of [
      ['orders', 'get', '576461413038785752'],
      ['orders', 'confirm', '576461413038785752'],
    ]) {
      const { exit, stderr } = await world.run([...words, ...ofShop]);
      expect([exit, stderr]).toEqual([0, expect.stringContaining(`is the external_id of ${second.id}`)]);
    }
  });

  it('by the parcel code alone that only this workspace knows', async () => {
    const { world } = await shipped(undefined, []);
    const { run, service, directory } = world;
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      `${directory}/rows.json`,
      JSON.stringify([{ ...orderFields, external_id: 'R-1', shipping: undefined }]),
    );
    const path = `${directory}/order.json`;
    writeFileSync(path, JSON.stringify([{ ...(await quotedOrder(service)), external_id: 'R-1' }]));
    const ran = await run(['batch', 'run', path, '--yes', '-o', 'json']);
    expect([ran.exit, ran.stderr]).toEqual([0, expect.any(String)]);
    const [row] = JSON.parse((await run(['batch', 'rows', '-o', 'json'])).stdout);
    // A partner reads no parcels.
    const { exit, stdout } = await run(['shipping', 'get', row.shipping_code, '-o', 'json']);
    expect([exit, JSON.parse(stdout).order.external_id]).toEqual([0, 'R-1']);
  });
});

it('an order is shown by its external_code, which only the list has', async () => {
  const { world, sent, first } = await shipped();
  const { post, shop } = world.service;
  const draft = { ...(await quotedOrder(world.service)), external_code: 'HD-7788' };
  const { body } = await post('shop.Order/CreateOrder', draft, shop.apiKey);
  for (const words of [
    ['orders', 'get'],
    ['shipping', 'get'],
    ['orders', 'story'],
  ]) {
    const { exit, stdout, stderr } = await world.run([...words, 'HD-7788', ...ofShop]);
    expect([words, exit, stdout]).toEqual([
      words,
      0,
      expect.stringContaining(words[1] === 'get' ? body.code : 'order'),
    ]);
    expect(stderr).toContain(`HD-7788 is the external_code of ${body.id}`);
  }
  // A name that a request takes needs no list.
  sent.length = 0;
  await world.run(['orders', 'get', first.code, ...ofShop]);
  expect(sent.map(({ operation }) => operation)).not.toContain('ListOrders');
  const none = await world.run(['orders', 'get', 'HD-7', ...ofShop]);
  expect([none.exit, none.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    3,
    expect.stringContaining('no id, code, external_id or parcel code, nor an external_code of the latest 1,000'),
  ]);
});

describe('a change by a name', () => {
  it.each(['orders', 'shipping'])(
    'finds an external_code like a read, and of several what has not ended: %s',
    async (group) => {
      const { world } = await shipped(undefined, []);
      const { post, shop } = world.service;
      const order = async () => {
        const draft = { ...(await quotedOrder(world.service)), external_code: 'HD-7788' };
        return (await post('shop.Shipping/CreateAndConfirmOrder', draft, shop.apiKey)).body.order.id;
      };
      const cancel = [group, 'cancel', 'HD-7788', '--cancel-reason', 'x', '--yes', ...ofShop];
      const cancelled = async (id: string) =>
        (await post('shop.Order/GetOrder', { id }, shop.apiKey)).body.order.status;
      const first = await order();
      expect([(await world.run(cancel)).exit, await cancelled(first)]).toEqual([0, 'N']);
      const live = await order();
      const second = await world.run([...cancel]);
      expect([second.exit, await cancelled(live)]).toEqual([0, 'N']);
      expect(second.stderr).toContain(`HD-7788 is the external_code of ${live}`);
      const gone = await world.run(['orders', 'cancel', 'HD-9', '--cancel-reason', 'x', '--yes', ...ofShop]);
      expect([gone.exit, gone.stderr.replaceAll(/\s+/g, ' ')]).toEqual([3, expect.stringContaining('latest 1,000')]);
    },
  );

  it('finds what a partner has shipped under an external_code, which has no list of orders', async () => {
    const { world } = await shipped(undefined, []);
    writeFileSync(join(world.directory, 'o.csv'), manyOrders(2).replace('external_id', 'external_code'));
    const ran = await world.run(['batch', 'run', 'o.csv', '--pick', 'cheapest', '--yes']);
    expect([ran.exit, ran.exit === 0 || ran.stderr]).toEqual([0, true]);
    const read = await world.run(['shipping', 'get', 'SO-1', '-o', 'json']);
    expect([read.exit, JSON.parse(read.stdout).order.external_code]).toEqual([0, 'SO-1']);
    const { exit, stderr } = await world.run(['shipping', 'cancel', 'SO-1', '--cancel-reason', 'x', '--yes']);
    expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  });

  it('is sent by the id, after all names were tried', async () => {
    const { world, sent, first } = await shipped();
    const words = ['orders', 'cancel', 'WEB-7', '--cancel-reason', 'x', '--yes', ...ofShop];
    expect((await world.run(words)).exit).toBe(0);
    const tried = sent.filter(({ body }) => Object.values(body).includes('WEB-7'));
    expect(tried.map(({ body }) => Object.keys(body)[0])).toEqual(['code', 'external_id', 'shipping_code']);
    expect(sent.find(({ operation }) => operation === 'CancelOrder')?.body).toEqual({
      id: first.id,
      cancel_reason: 'x',
    });
  });

  it('is refused where the name is that of two records, with both, and nothing is sent', async () => {
    const { world, sent, first } = await shipped(undefined, ['WEB-7']);
    const { post, shop } = world.service;
    const other = { ...(await quotedOrder(world.service)), external_id: first.code };
    const { body } = await post('shop.Shipping/CreateAndConfirmOrder', other, shop.apiKey);
    const words = ['orders', 'cancel', first.code, '--cancel-reason', 'x', '--yes', ...ofShop];
    const { exit, stderr } = await world.run([...words, '-o', 'json']);
    const { error } = JSON.parse(stderr);
    expect([exit, error.outcome]).toEqual([2, 'not_applied']);
    for (const text of [first.id, body.order.id, 'by its code', 'by its external_id', 'in progress, 1,280,000'])
      expect(error.message).toContain(text);
    expect(sent.map(({ operation }) => operation)).not.toContain('CancelOrder');
    // What is only read is the first that is found.
    const read = await world.run(['orders', 'get', first.code, ...ofShop, '-o', 'json']);
    expect([read.exit, JSON.parse(read.stdout).order.id]).toEqual([0, first.id]);
    // A flag says which name it is.
    const named = await world.run(['orders', 'get', '--external-id', first.code, ...ofShop, '-o', 'json']);
    expect(JSON.parse(named.stdout).order.id).toBe(body.order.id);
  });

  it('says that nothing has the name, with exit 3', async () => {
    const { world, sent } = await shipped();
    const { exit, stderr } = await world.run(['orders', 'confirm', 'NOPE', ...ofShop]);
    expect([exit, stderr.split('\n')]).toEqual([
      3,
      [
        'shopctl: error: nothing is called "NOPE": no id, code, external_id or parcel code, nor an external_code of the latest 1,000',
        'hint: `shopctl orders list --match NOPE --profile shop` searches names, phones and codes',
        '',
      ],
    ]);
    expect(sent.map(({ operation }) => operation)).not.toContain('ConfirmOrder');
  });

  it('is not sent where one of the names cannot be looked up', async () => {
    const { world, sent } = await shipped((transport) => async (wire) => {
      const isOfCode = JSON.parse(wire.body).external_id !== undefined && wire.url.endsWith('/GetOrder');
      return isOfCode ? json(503, { code: 'unavailable', msg: 'no', meta: {} }) : transport(wire);
    });
    const words = ['orders', 'cancel', 'DH000001', '--cancel-reason', 'x', '--yes', '--max-retries', '0', ...ofShop];
    const { exit } = await world.run(words);
    expect(exit).toBe(13);
    expect(sent.map(({ operation }) => operation)).not.toContain('CancelOrder');
  });

  it.each([{}, { order: null }, { order: { code: 'X' } }])(
    'is not sent where one of the names is answered without a record: %j',
    async (body) => {
      const { world, sent } = await shipped((transport) => async (wire) => {
        const isOfCode = JSON.parse(wire.body).code !== undefined && wire.url.endsWith('/GetOrder');
        return isOfCode ? json(200, body) : transport(wire);
      });
      const words = ['orders', 'cancel', 'WEB-7', '--cancel-reason', 'x', '--yes', ...ofShop];
      expect((await world.run(words)).exit).toBe(13);
      expect(sent.map(({ operation }) => operation)).not.toContain('CancelOrder');
    },
  );

  it('reads the name in a dry run, and sends nothing', async () => {
    const { world, sent, first } = await shipped();
    const words = ['orders', 'cancel', 'WEB-7', '--cancel-reason', 'x', '--dry-run', ...ofShop];
    const { exit, stdout } = await world.run(words);
    expect([exit, JSON.parse(stdout).body]).toEqual([0, { id: first.id, cancel_reason: 'x' }]);
    expect(sent.map(({ operation }) => operation)).not.toContain('CancelOrder');
  });

  it('looks nothing up while anything else is wrong', async () => {
    const { world, sent } = await shipped();
    expect((await world.run(['orders', 'cancel', 'WEB-7', '--yes', ...ofShop])).exit).toBe(2);
    expect((await world.run(['orders', 'cancel', 'WEB-7', '--cancel-reason', 'x', ...ofShop])).exit).toBe(2);
    expect(
      (await world.run(['orders', 'cancel', 'WEB-7', '--cancel-reason', 'x', '--read-only', ...ofShop])).exit,
    ).toBe(12);
    expect(sent).toEqual([]);
  });
});

describe('what a batch made is found by each of its names', () => {
  const made = async () => {
    const world = await shopWorld();
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
    const ran = await world.run(['batch', 'run', 'orders.csv', '--yes', '--json']);
    expect(ran.exit).toBe(0);
    const { batch } = JSON.parse(ran.stdout);
    const [row] = JSON.parse((await world.run(['batch', 'rows', batch, '--json'])).stdout);
    return { world, batch, row };
  };

  it('by batch find, which says so if nothing has the name', async () => {
    const { world, batch, row } = await made();
    for (const name of ['SO-1', row.id, row.code, row.shipping_code]) {
      const { exit, stdout, stderr } = await world.run(['batch', 'find', name, '--json']);
      expect([name, exit, JSON.parse(stdout), stderr]).toMatchObject([
        name,
        0,
        [{ batch, row: 1, cell: 'line 2' }],
        '',
      ]);
    }
    const none = await world.run(['batch', 'find', 'SO-9']);
    expect([none.exit, none.stderr]).toEqual([
      0,
      expect.stringMatching(/no row of 1 stored batch has SO-9 as its name, id, code or\s+parcel code/),
    ]);
  });

  it('by slips, as a scanner reads the code of a parcel, for a partner and a shop', async () => {
    const { world, row } = await made();
    for (const more of [[], ofShop]) {
      const words = ['slips', row.shipping_code, '--to', 'slip.pdf', '--json', ...more];
      const { exit, stdout } = await world.run(words);
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { slips: 1, left_out: [] }]);
    }
    const none = await world.run(['slips', 'TO999', '--to', 'none.pdf', '--json']);
    expect(JSON.parse(none.stdout)).toMatchObject({ slips: 0, left_out: [{ order: 'TO999' }] });
  });

  it('by batch undo, for one row, which is named in the question', async () => {
    const { world, batch, row } = await made();
    const words = ['batch', 'undo', batch, '--row', row.shipping_code];
    const called = `line 2 \\(SO-1\\), order \\S+ for \\S.*: .*${row.shipping_code} created with [\\d,]+ in cash`;
    const looked = await world.run([...words, '--dry-run']);
    expect(looked.stderr.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`to be undone: ${called}`));
    const asked = await world.run(words, { terminal: true, env: { TERM: 'xterm' }, answers: [false] });
    expect(asked.prompter.asked[0]).toMatch(new RegExp(`^Undo 1 record \\(${called}\\) of batch `));
    const { exit, stdout } = await world.run([...words, '--yes', '--json']);
    expect([exit, JSON.parse(stdout).counts.done]).toEqual([0, 1]);
    const rows = JSON.parse((await world.run(['batch', 'rows', batch, '--json'])).stdout);
    expect(rows.map(({ state }: { state: string }) => state)).toEqual(['undone', 'done']);
  });

  it('by no word that is the number of one row and the name of another, whatever became of either', async () => {
    const { world } = await shipped();
    const names = Array.from({ length: 12 }, (_, at) => String(11 + at));
    const lines = names.map((name) => `${name},Khách ${name},09011100${name}`);
    writeFileSync(join(world.directory, 'rows.csv'), `external_id,full_name,phone\n${lines.join('\n')}\n`);
    const ran = await world.run(['batch', 'run', 'rows.csv', '--do', 'customers create', ...ofShop, '--yes', '--json']);
    const { batch } = JSON.parse(ran.stdout);
    const undo = (word: string) => world.run(['batch', 'undo', batch, '--row', word, ...ofShop, '--yes', '--json']);
    // Row 11 is the customer "21"; row 1 is the customer "11".
    const several = await undo('11');
    expect([several.exit, several.stderr]).toEqual([2, expect.stringContaining('11 names several rows: row 1 (')]);
    expect((await undo('21')).exit).toBe(0);
    expect((await undo('11')).exit).toBe(2);
    const settled = await world.run(['batch', 'settle', batch, '11', '--not-done', ...ofShop, '--yes', '--json']);
    expect([settled.exit, settled.stderr]).toEqual([2, expect.stringContaining('names several rows')]);
    expect((await undo('line 2')).exit).toBe(0);
    const { body } = await world.service.post('shop.Customer/ListCustomers', {}, world.service.shop.apiKey);
    const left = body.customers.map(({ external_id }: { external_id: string }) => external_id);
    expect(names.filter((name) => !left.includes(name))).toEqual(['11', '21']);
  });

  it('by batch undo again, where one of other rows was killed: it says which records are left', async () => {
    const stop = new AbortController();
    const { world } = await shipped((transport) => async (request) => {
      if (!request.url.endsWith('/DeleteCustomer') || stop.signal.aborted) return transport(request);
      stop.abort('SIGINT');
      throw new TransportError('refused', 'no', 'refused');
    });
    const lines = ['A-1', 'A-2', 'A-3'].map((name, at) => `${name},Khách,090111000${at}`);
    writeFileSync(join(world.directory, 'rows.csv'), `external_id,full_name,phone\n${lines.join('\n')}\n`);
    const ran = await world.run(['batch', 'run', 'rows.csv', '--do', 'customers create', ...ofShop, '--yes', '--json']);
    const { batch } = JSON.parse(ran.stdout);
    const undo = (more: readonly string[], how = {}) =>
      world.run(['batch', 'undo', batch, ...more, ...ofShop, '--yes', '--json'], how);
    const stopped = await undo(['--row', 'A-2'], { signal: stop.signal, clock: impatientClock });
    expect(stopped.exit).toBe(130);
    const first = await undo([]);
    expect([first.exit, JSON.parse(first.stdout)]).toMatchObject([
      9,
      { counts: { rows: 1, done: 1 }, next: `shopctl batch undo ${batch} --profile shop` },
    ]);
    expect(first.stderr).toContain('2 records of batch');
    const last = await undo([]);
    expect([last.exit, JSON.parse(last.stdout)]).toMatchObject([0, { counts: { rows: 2, done: 2 }, next: null }]);
  });
});
