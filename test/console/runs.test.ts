import { describe, expect, it } from 'vitest';
import { readText } from '../../src/console/page/fields.ts';
import type { Catalogue, Ran } from '../../src/console/wire.ts';
import { createShopOrder, shipShopOrder } from '../support/shop-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { openedConsole } from './opened-console.ts';

const ofShop = ['--profile', 'shop'];

describe('what a page runs', () => {
  it('is the action of the command line, with its table and its command', async () => {
    const world = await shopWorld();
    const { body } = await createShopOrder(world.service, { external_code: 'WEB-1' });
    const { run } = await openedConsole(world, ofShop);
    const ran = await run('shop.Order/ListOrders', { input: {} });
    expect(ran).toMatchObject({
      kind: 'list',
      command: 'shopctl orders list --profile shop',
      table: { key: 'id', rows: [{ name: body.id }] },
    });
    const { stdout } = await world.run(['orders', 'list', '--profile', 'shop', '-o', 'name']);
    expect(stdout.trim()).toBe(body.id);
  });

  it('comes in pages of a hundred, each with the way to the next one', async () => {
    const world = await shopWorld();
    const { core, shop } = world.service;
    await core.write((work) => {
      for (let at = 0; at < 230; at += 1) work.records('customer_group', shop.id).insert({ name: `group ${at}` });
    });
    const { run } = await openedConsole(world, ofShop);
    const seen: string[] = [];
    const sizes: number[] = [];
    let more: { readonly input: object; readonly from: number } | undefined = { input: {}, from: 0 };
    while (more !== undefined) {
      const ran: Readonly<Record<string, unknown>> = await run('shop.CustomerGroup/ListGroups', more);
      const names: string[] = Object(ran.table).rows.map(({ name }: { name: string }) => name);
      sizes.push(names.length);
      expect(sizes.length).toBeLessThan(4);
      seen.push(...names);
      more = Object(ran).more;
    }
    expect([sizes, new Set(seen).size]).toEqual([[100, 100, 30], 230]);
  });

  it('reads a filtered list no further than its page is full', async () => {
    const asked: string[] = [];
    const world = await shopWorld((transport) => (request) => {
      if (request.url.endsWith('ListCustomers')) asked.push(request.body);
      return transport(request);
    });
    const { core, shop } = world.service;
    await core.write((work) => {
      for (let at = 0; at < 230; at += 1)
        work.records('customer', shop.id).insert({ full_name: `An ${at}`, created_at: '2026-02-01T00:00:00Z' });
    });
    const { run } = await openedConsole(world, ofShop);
    const ran = await run('shop.Customer/ListCustomers', { input: { since: '2020-01-01' } });
    expect([Object(ran.table).rows.length, ran.more, asked.length]).toEqual([100, { input: {}, from: 100 }, 1]);
    const last = await run('shop.Customer/ListCustomers', { input: { since: '2020-01-01' }, from: 200 });
    expect([Object(last.table).rows.length, last.more]).toEqual([30, undefined]);
  });

  it('sends nothing in a dry run, and shows the amounts', async () => {
    const world = await shopWorld();
    const { run } = await openedConsole(world, ofShop);
    const input = { name: 'Tea', retail_price: 25_000 };
    const looked = await run('shop.Variant/CreateVariant', { input: { ...input, product_id: '1' }, look: true });
    expect(looked).toMatchObject({ kind: 'look', amounts: [{ name: 'retail price', cell: { text: '25,000' } }] });
    expect(await run('shop.Variant/ListVariants', { input: {} })).toMatchObject({ table: { rows: [] } });
  });

  it('is looked at before it is sent, as the command line does: a phone that is none, a place, what is unusual', async () => {
    const world = await shopWorld();
    const { run } = await openedConsole(world, ofShop);
    const create = (phone: string, look: boolean) =>
      run('shop.Customer/CreateCustomer', { input: { full_name: 'Lan', phone }, look });
    for (const look of [true, false]) {
      expect(await create('abc', look)).toMatchObject({
        kind: 'error',
        error: { exitCode: 2, outcome: 'not_applied', message: expect.stringContaining('is not a phone number') },
      });
    }
    expect(await create('901234567', true)).toMatchObject({
      kind: 'look',
      notices: expect.arrayContaining([expect.stringContaining('was 0901234567 meant?')]),
    });
    const place = { province: 'Hà Nộii', district: 'Cầu Giấy', ward: 'Dịch Vọng', address1: '1', phone: '0901234567' };
    const address = await run('shop.CustomerAddress/CreateAddress', {
      input: { ...place, full_name: 'Lan', customer_id: '1' },
      look: true,
    });
    expect(JSON.stringify(address)).toContain('did you mean Thành phố Hà Nội?');
    expect(await run('shop.Customer/ListCustomers', { input: {} })).toMatchObject({ table: { rows: [] } });
  });

  it('has its amounts as people write them, and refuses what can be read in two ways', async () => {
    const world = await shopWorld();
    const { run } = await openedConsole(world, ofShop);
    const price = { type: 'integer' as const, unit: 'currency units' };
    const create = (typed: string) =>
      run('shop.Product/CreateProduct', { input: { name: 'Tea', retail_price: readText(price, typed) }, look: true });
    for (const typed of ['150000', '150.000', '150,000', '150k']) {
      expect([typed, await create(typed)]).toMatchObject([
        typed,
        { kind: 'look', amounts: [{ cell: { text: '150,000' } }] },
      ]);
    }
    for (const typed of ['1.350.00', '150k-200k', '1e5']) {
      expect([typed, await create(typed)]).toMatchObject([typed, { kind: 'error', error: { exitCode: 2 } }]);
    }
  });

  it('is asked about before something is removed, word for word', async () => {
    const world = await shopWorld();
    const { body } = await createShopOrder(world.service);
    const { run } = await openedConsole(world, ofShop);
    const input = { id: body.id, cancel_reason: 'a mistake' };
    const asked = await run('shop.Order/CancelOrder', { input });
    expect(asked).toMatchObject({ kind: 'asks', question: expect.stringContaining(body.id) });
    const wrong = await run('shop.Order/CancelOrder', { input, agreed: ['Are you sure?'] });
    expect(wrong).toMatchObject({ kind: 'asks' });
    expect(await run('shop.Order/GetOrder', { input: { id: body.id } })).not.toMatchObject({ kind: 'error' });
    const done = await run('shop.Order/CancelOrder', { input, agreed: [asked.question] });
    expect(done).toMatchObject({ kind: 'record' });
  });

  it('asks nothing once more that a dry run has asked word for word', async () => {
    const world = await shopWorld();
    const { body } = await createShopOrder(world.service);
    const { run } = await openedConsole(world, ofShop);
    const input = { id: body.id, cancel_reason: 'a mistake' };
    const { questions } = await run('shop.Order/CancelOrder', { input, look: true });
    expect(questions).toEqual([expect.stringContaining(body.id)]);
    expect(await run('shop.Order/CancelOrder', { input, agreed: questions })).toMatchObject({ kind: 'record' });
  });

  it('is told in a dry run what is removed, and that a parcel that is on its way is not', async () => {
    const world = await shopWorld();
    const { service } = world;
    const { body } = await shipShopOrder(service);
    const { run } = await openedConsole(world, ofShop);
    const look = () =>
      run('shop.Order/CancelOrder', { input: { id: body.order.id, cancel_reason: 'a mistake' }, look: true });
    expect(await look()).toMatchObject({
      kind: 'look',
      questions: [
        expect.stringMatching(
          /Nguyễn Thị Lan: .*created.*; the order is cancelled, and so is its parcel \w+ — are you/,
        ),
      ],
    });
    await service.sandbox.control.advance(body.order.id, { to: 'delivering' });
    expect(await look()).toMatchObject({ kind: 'error', error: { code: 'picked_up', exitCode: 5 } });
  });

  it('is refused as the command line refuses it: what was wrong, and what it means', async () => {
    const world = await shopWorld();
    const { run } = await openedConsole(world, ofShop);
    const { error } = await run('shop.Order/GetOrder', { input: { id: '404' } });
    const { exit, stderr } = await world.run(['orders', 'get', '404', '--profile', 'shop', '--json']);
    const reported = errorOf(stderr);
    expect(error).toMatchObject({
      code: reported.code,
      message: reported.message,
      exitCode: exit,
      outcome: reported.outcome,
    });
  });
});

describe('the page of a record', () => {
  it('leads from a parcel to its order and back, whose time line is also that of the parcel', async () => {
    const world = await shopWorld();
    const { body } = await shipShopOrder(world.service);
    const [parcel] = body.fulfillments;
    const { run, ask } = await openedConsole(world, ofShop);
    const page = async (id: string, record: string) => {
      const ran = (await run(id, { input: { id: record } })) as unknown as Ran;
      if (ran.kind !== 'record' || ran.layout === undefined) throw new Error(`no page: ${JSON.stringify(ran)}`);
      const { first, parts } = ran.layout;
      const all = [...first, ...parts.flatMap(({ fields }) => fields)];
      return { links: all.flatMap(({ link }) => link ?? []), parts: ran.parts };
    };
    const order = { group: 'orders', record: body.order.id };
    expect(await page('shop.Fulfillment/GetFulfillment', parcel.id)).toEqual({ links: [order], parts: [order.record] });
    const ofParcel = { group: 'fulfillments', record: parcel.id };
    expect(await page('shop.Order/GetOrder', order.record)).toEqual({ links: [ofParcel], parts: [parcel.id] });
    const { actions }: Catalogue = JSON.parse((await ask('/api/actions')).body);
    const { tells } = actions.find((action) => action.tells !== undefined) ?? {};
    const said = await run('orders.story', { input: { ...tells?.given, [tells?.of ?? '']: order.record } });
    expect(said).toMatchObject({ kind: 'text', text: expect.stringMatching(/^Đơn .* đang chờ lấy hàng/) });
    // Its form asks for no other name of the order that it is about.
    const aliases = actions.find(({ id }) => id === 'shop.Order/CancelOrder')?.aliases;
    expect(aliases).toEqual(['code', 'external_id']);
  });

  it('says what people look for first, and every field of the record once', async () => {
    const world = await shopWorld();
    const { body } = await createShopOrder(world.service, { external_code: 'ZALO-7' });
    const { run } = await openedConsole(world, ofShop);
    const ran = (await run('shop.Order/GetOrder', { input: { id: body.id } })) as unknown as Ran;
    if (ran.kind !== 'record' || ran.layout === undefined) throw new Error(`no page: ${JSON.stringify(ran)}`);
    const { title, states, first, parts } = ran.layout;
    expect(title).toBe(body.code);
    expect(states[0]).toMatchObject({ name: 'order', cell: { text: 'Z new' } });
    expect(first.map(({ name, cell }) => [name, cell?.text])).toContainEqual(['recipient', 'Nguyễn Thị Lan']);
    expect(first.map(({ name, cell }) => [name, cell?.text])).toContainEqual(['external code', 'ZALO-7']);
    expect(parts.map((part) => part.title)).toEqual(expect.arrayContaining(['Goods', 'To']));
    const rest = ran.fields.map(({ name }) => name);
    expect(rest).toContain('order');
    // What the command line prints of it, and nothing else; recipient and phone stand first and on the envelope.
    const { stdout } = await world.run(['orders', 'get', body.id, '--profile', 'shop', '-o', 'table']);
    const names = stdout.split('\n').flatMap((line) => /^(\w+) {2,}/.exec(line)?.slice(1) ?? []);
    const onPage = [...states, ...first, ...parts.flatMap(({ fields }) => fields), ...ran.fields];
    const relabelled: Record<string, string> = { status: 'order', cod_amount: 'cash (COD)' };
    for (const name of names) {
      const shown = relabelled[name] ?? name.replaceAll('_', ' ');
      expect([name, onPage.some((field) => field.name === shown)]).toEqual([name, true]);
    }
    expect(new Set(rest).size).toBe(rest.length);
    for (const name of rest) expect(first.map((field) => field.name)).not.toContain(name);
  });
});

describe('an attack on what a page runs', () => {
  it('with hostile names is text, in every cell and field', async () => {
    const world = await shopWorld();
    const hostile = '<img src=x onerror=alert(1)>\u202e\u0007"\'`{{7*7}}';
    const { body } = await createShopOrder(world.service, { external_code: hostile });
    const { run } = await openedConsole(world, ofShop);
    for (const ran of [
      await run('shop.Order/ListOrders', { input: {}, columns: ['code', 'external_code'] }),
      await run('shop.Order/GetOrder', { input: { id: body.id } }),
    ]) {
      const text = JSON.stringify(ran);
      expect(text).toContain('<img src=x onerror=alert(1)>');
      expect(text).not.toMatch(/\u202e|\u0007/);
    }
  });

  it('with hostile words is text in what it says: a question, an error, a notice, a name of a field', async () => {
    const hostile = 'An\u202e\u0007 <b>';
    const error = { code: 'invalid_argument', msg: `not ${hostile}` };
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      const [status, value] = request.url.endsWith('UpdateCustomer')
        ? ([400, error] as const)
        : ([
            200,
            {
              order: { ...JSON.parse(request.body), code: hostile, status: 'N' },
              fulfillment_errors: [error],
            },
          ] as const);
      const isOurs = /UpdateCustomer|Order\/CancelOrder/.test(request.url);
      return isOurs ? { headers: answer.headers, status, body: JSON.stringify(value) } : answer;
    });
    const { service } = world;
    const { body } = await service.post(
      'shop.Customer/CreateCustomer',
      { full_name: hostile, phone: '0909000123' },
      service.shop.apiKey,
    );
    const order = await createShopOrder(service, { external_meta: { [hostile]: hostile } });
    const { run } = await openedConsole(world, ofShop);
    const input = { id: body.id };
    const asked = await run('shop.Customer/DeleteCustomer', { input });
    const refused = await run('shop.Customer/UpdateCustomer', { input: { ...input, note: 'x' } });
    const shown = await run('shop.Order/GetOrder', { input: { id: order.body.id } });
    const cancelling = { input: { id: order.body.id, cancel_reason: 'x' } };
    const { question } = await run('shop.Order/CancelOrder', cancelling);
    const reported = await run('shop.Order/CancelOrder', { ...cancelling, agreed: [question] });
    for (const [ran, kind] of [
      [asked, 'asks'],
      [refused, 'error'],
      [shown, 'record'],
      [{ kind: 'notice', notices: reported.notices }, 'notice'],
    ] as const) {
      expect(ran.kind).toBe(kind);
      const text = JSON.stringify(ran);
      expect(text).toContain('An\\\\u202e\\\\x07 <b>');
      expect(text).not.toMatch(/\u202e|\u0007|\\u0007/);
    }
    await run('shop.Customer/DeleteCustomer', { input, agreed: [asked.question] });
    expect(await run('shop.Customer/GetCustomer', { input })).toMatchObject({ error: { code: 'not_found' } });
  });

  it.each([
    ['a field that the input lacks', { paging: { limit: 1 }, evil: true }],
    ['a prototype', JSON.parse('{"__proto__":{"filter":{"id":"1"}}}')],
    ['an operation in a filter', { filter: { '../../partner.Shop/AuthorizeShop': '1' } }],
    ['a filter that is a request', { filter: { id: { $ne: '' } } }],
    ['a path', { input: '@/etc/passwd' }],
  ])('with %s sends nothing', async (_, input) => {
    const sent: string[] = [];
    const world = await shopWorld((transport) => (request) => {
      sent.push(request.url);
      return transport(request);
    });
    const { run } = await openedConsole(world, ofShop);
    expect(await run('shop.Order/ListOrders', { input })).toMatchObject({ kind: 'error', error: { exitCode: 2 } });
    expect(sent).toEqual([]);
  });

  it('with the name of a file reads none: it is a value', async () => {
    const world = await shopWorld();
    const { run } = await openedConsole(world, ofShop);
    const looked = await run('shop.Customer/CreateCustomer', {
      input: { full_name: '@/etc/passwd', phone: '0909000123' },
      look: true,
    });
    expect(looked).toMatchObject({ kind: 'look' });
    expect(JSON.stringify(looked.fields)).toContain('full_name: @/etc/passwd');
    expect(JSON.stringify(looked)).not.toContain('root:');
    expect(looked.command).toContain('@@/etc/passwd');
  });

  it('on a key finds none in any answer', async () => {
    const world = await shopWorld();
    const { ask, run, answers } = await openedConsole(world, ofShop);
    const { actions } = JSON.parse((await ask('/api/actions')).body);
    for (const { id, reads } of actions) {
      await run(id, { input: {}, look: !reads });
    }
    expect(actions.length).toBeGreaterThan(50);
    const { partner, shop, shopKey } = world.service;
    const secrets = [partner.apiKey, shop.apiKey, shopKey].flatMap((key) => [key, key.split(':')[1] ?? key]);
    const said = answers.map(({ body, headers }) => body + JSON.stringify(headers)).join('\n');
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  });

  it('in read-only mode finds no write, and cannot run one by its name', async () => {
    const sent: string[] = [];
    const world = await shopWorld((transport) => (request) => {
      sent.push(request.url);
      return transport(request);
    });
    const { ask } = await openedConsole(world, [...ofShop, '--read-only']);
    const { actions, readOnly } = JSON.parse((await ask('/api/actions')).body);
    expect(readOnly).toBe(true);
    expect(actions.filter(({ reads }: { readonly reads: boolean }) => !reads)).toEqual([]);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ input: { full_name: 'An' } });
    const { status } = await ask('/api/run/shop.Customer%2FCreateCustomer', { method: 'POST', headers, body });
    expect([status, sent]).toEqual([403, []]);
  });

  it('can run no write once the settings are locked, whatever it was started with', async () => {
    const sent: string[] = [];
    const world = await shopWorld((transport) => (request) => {
      sent.push(request.url);
      return transport(request);
    });
    const { ask } = await openedConsole(world, [...ofShop]);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ input: { full_name: 'An', phone: '0912345678' } });
    expect((await world.run(['config', 'set', 'read_only', 'locked', '--profile', 'test'])).exit).toBe(0);
    const { status } = await ask('/api/run/shop.Customer%2FCreateCustomer', { method: 'POST', headers, body });
    expect([status, sent.filter((url) => url.includes('Create'))]).toEqual([403, []]);
  });
});
