import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { testStart } from '../../support/sandbox.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock, yieldingClock } from '../../support/stepped-clock.ts';

const isCreate = ({ url }: { url: string }) => url.endsWith('/CreateAndConfirmOrder');

async function orders({ service }: ShopWorld): Promise<{ id: string; external_id: string; status: string }[]> {
  return (await service.post('shop.Order/ListOrders', {}, service.shop.apiKey)).body.orders;
}

async function draftIds({ run }: ShopWorld): Promise<string[]> {
  return (await run(['ship', 'drafts', 'list', '--all', '-o', 'name'])).stdout.trim().split('\n');
}

/** Drops the answer of the first create, after it was made. */
const losingTheFirst = () => {
  let lost = 0;
  return {
    lost: () => lost,
    between: (transport: Parameters<NonNullable<Parameters<typeof shopWorld>[0]>>[0]) => async (request: never) => {
      const answer = await transport(request);
      if (!isCreate(request) || lost > 0) return answer;
      lost += 1;
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    },
  };
};

it('asks at a terminal for what is missing, where another one is wanted than what an ended run may have sent', async () => {
  const clock = yieldingClock(testStart);
  let isCut = true;
  // Neither the order arrives, nor the question whether it is there; the service's time goes on with the waits.
  const world = await shopWorld((transport) => async (request) => {
    if (isCut && /\/(?:CreateAndConfirmOrder|GetOrder)$/.test(request.url)) {
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    }
    const answer = await transport(request);
    return { ...answer, headers: { ...answer.headers, date: new Date(clock.now()).toUTCString() } };
  });
  const words = ['ship', '--input', plainOrder(world), '--pick', 'cheapest'];
  expect((await world.run([...words, '--yes'], { clock })).exit).toBe(10);
  isCut = false;
  const { exit, stderr, prompter } = await world.run([...words, '--again'], {
    clock,
    terminal: true,
    env: { TERM: 'xterm' },
    answers: [true, 'send it'],
  });
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  expect(prompter.asked).toEqual([
    expect.stringContaining('Send another one like it?'),
    expect.stringMatching(/^Send it with /),
  ]);
  // What the first run has sent never arrived.
  expect(await orders(world)).toHaveLength(1);
});

describe('shopctl ship, run by a script', () => {
  it('quotes, picks the cheapest, ships, and completes the sums', async () => {
    const world = await shopWorld();
    const { total_amount: _, total_items: __, ...rest } = orderFields;
    const input = plainOrder(world, { ...rest, total_amount: undefined, total_items: undefined });
    const { exit, stdout, stderr } = await world.run([
      'ship',
      '--input',
      input,
      '--pick',
      'cheapest',
      '--yes',
      '--json',
    ]);
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/draft [0-9a-f]{10} is sent/)]);
    const { order, fulfillments } = JSON.parse(stdout);
    expect(order).toMatchObject({ total_amount: 1280000, total_items: 3, status: 'S' });
    expect(fulfillments).toHaveLength(1);
    const quote = await world.run(['quote', '--order', input, '--pick', 'cheapest', '--json']);
    expect(JSON.parse(quote.stdout)[0].code).toBe(order.shipping.shipping_service_code);
  });

  it('shows the external code of an order before its external id', async () => {
    const world = await shopWorld();
    const input = plainOrder(world, { external_id: 'WEB-9', external_code: 'POS-7' });
    const sent = await world.run(['ship', '--input', input, '--pick', 'cheapest', '--yes', '-o', 'name']);
    expect(sent.stderr).toMatch(/is sent, external_code POS-7, external_id WEB-9\n/);
    const { stdout } = await world.run(['ship', 'drafts', 'list', '--all', '-o', 'csv']);
    const [header, row] = stdout.split('\r\n');
    expect(header).toContain('external_code,external_id');
    expect(row).toContain('POS-7,WEB-9');
    const listed = await world.run(['orders', 'list', '--profile', 'shop', '-o', 'csv']);
    expect(listed.stdout.indexOf('external_code')).toBeLessThan(listed.stdout.indexOf('external_id'));
  });

  it('keeps a draft that is for its owner alone, with the whole request before it is sent', async () => {
    let seen = 0;
    const world: ShopWorld = await shopWorld((transport) => async (request) => {
      if (isCreate(request)) {
        const listed = JSON.parse((await world.run(['ship', 'drafts', 'list', '--json'])).stdout);
        seen = listed.length;
        const { external_id } = JSON.parse(request.body);
        expect(listed).toMatchObject([{ state: 'sending', request: { external_id } }]);
        const state = join(world.directory, 'state');
        expect(statSync(join(state, 'workspace.db')).mode & 0o777).toBe(0o600);
        expect(statSync(state).mode & 0o777).toBe(0o700);
      }
      return transport(request);
    });
    const words = ['ship', '--input', plainOrder(world), '--pick', 'fastest', '--yes', '-o', 'name'];
    const { exit, stdout } = await world.run(words);
    expect([exit, seen]).toEqual([0, 1]);
    expect(stdout).toMatch(/^\d{19}\n$/);
  });

  it('names everything that is missing at once, and sends nothing', async () => {
    let sent = 0;
    const world = await shopWorld((transport) => (request) => {
      sent += 1;
      return transport(request);
    });
    const nothing = await world.run(['ship', '--json']);
    expect([nothing.exit, errorOf(nothing.stderr).message]).toEqual([
      2,
      expect.stringContaining('--input FILE, --pick WHICH'),
    ]);
    const input = plainOrder(world, { shipping_address: undefined, customer_address: undefined });
    const { exit, stderr } = await world.run(['ship', '--input', input, '--json']);
    const { message, outcome } = errorOf(stderr);
    expect([exit, outcome, sent]).toEqual([2, 'not_applied', 0]);
    for (const part of [
      'customer_address',
      'shipping_address',
      '--pick is missing',
      'this costs money: add --yes to confirm',
    ]) {
      expect(message).toContain(part);
    }
  });

  it('refuses a dearer offer with exit 12, and one that is late', async () => {
    const world = await shopWorld();
    const words = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '--json'];
    const dear = await world.run([...words, '--max-fee', '10']);
    expect([dear.exit, errorOf(dear.stderr).code]).toEqual([12, 'fee_above_max']);
    const late = await world.run([...words, '--by', '2026-01-31T09:00:00Z']);
    expect([late.exit, errorOf(late.stderr).code]).toEqual([12, 'no_offer_in_time']);
    const unknown = await world.run([...words.slice(0, 3), '--pick', 'NOPE', '--yes', '--json']);
    expect([unknown.exit, errorOf(unknown.stderr).code]).toEqual([12, 'service_not_offered']);
    expect(await orders(world)).toEqual([]);
    expect((await world.run(['ship', 'drafts', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('stops with exit 12 where the fee of the order is no longer the quoted one, unless --max-fee welcomes it', async () => {
    const world = await shopWorld();
    const quote = await world.run(['quote', '--order', plainOrder(world), '--pick', 'cheapest', '--json']);
    const [{ code, fee }] = JSON.parse(quote.stdout);
    const shipping = { ...shippingFields, shipping_service_code: code, shipping_service_fee: fee - 1000 };
    const words = ['ship', '--input', plainOrder(world, { shipping }, 'stale.json'), '--yes', '--json'];
    const stale = await world.run(words);
    expect([stale.exit, errorOf(stale.stderr).code]).toEqual([12, 'fee_changed']);
    // A cheaper one is another one as well: something about the parcel or the service is not what was agreed to.
    const dearer = { ...shipping, shipping_service_fee: fee + 1000 };
    const cheaper = await world.run([
      'ship',
      '--input',
      plainOrder(world, { shipping: dearer }, 'cheaper.json'),
      '--yes',
      '--json',
    ]);
    expect([cheaper.exit, errorOf(cheaper.stderr).code]).toEqual([12, 'fee_changed']);
    const dear = await world.run([...words, '--max-fee', String(fee - 1)]);
    expect([dear.exit, errorOf(dear.stderr).code]).toEqual([12, 'fee_above_max']);
    expect(await orders(world)).toEqual([]);
    const welcome = await world.run([...words, '--max-fee', String(fee)]);
    expect(welcome.exit).toBe(0);
    expect(JSON.parse(welcome.stdout).order.shipping.shipping_service_fee).toBe(fee);
  });

  it('shows the call with --dry-run, or the quote that comes first, and sends no write', async () => {
    const world = await shopWorld((transport) => (request) => {
      if (isCreate(request)) throw new Error('must not be sent');
      return transport(request);
    });
    const words = ['ship', '--input', plainOrder(world), '--dry-run'];
    const quote = await world.run(words);
    expect([quote.exit, JSON.parse(quote.stdout).operation]).toEqual([0, 'partner.Shipping/GetShippingServices']);
    const shipping = { ...shippingFields, shipping_service_code: 'S1', shipping_service_fee: 5 };
    const create = await world.run(['ship', '--input', plainOrder(world, { shipping }), '--dry-run']);
    const { operation, body } = JSON.parse(create.stdout);
    expect([create.exit, operation]).toEqual([0, 'partner.Shipping/CreateAndConfirmOrder']);
    expect(body.shipping).toMatchObject({ shipping_service_code: 'S1', chargeable_weight: 3000 });
    const readOnly = await world.run([...words.slice(0, 3), '--pick', 'cheapest', '--yes', '--read-only', '--json']);
    expect([readOnly.exit, errorOf(readOnly.stderr).code]).toEqual([12, 'read_only']);
  });

  it('ships with the key of a shop of its own as well', async () => {
    const world = await shopWorld();
    const words = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '--profile', 'shop', '--json'];
    expect((await world.run(words)).exit).toBe(0);
    expect(await orders(world)).toHaveLength(1);
  });

  it('refuses a phone that can be none in an order from a file, and sends nothing; tells of one that is unusual', async () => {
    const world = await shopWorld();
    const orderTo = (phone: string, email: string) =>
      plainOrder(world, { shipping_address: { ...orderFields.shipping_address, phone, email } });
    const words = ['--pick', 'cheapest', '--yes'];
    const refused = await world.run(['ship', '--input', orderTo('12', 'x@'), ...words]);
    expect([refused.exit, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/shipping_address\.phone .*\n? *.*shipping_address\.email /s);
    expect(await orders(world)).toEqual([]);
    const reported = await world.run(['ship', '--input', orderTo('912345678', 'a@b.vn'), ...words]);
    expect([reported.exit, reported.stderr]).toEqual([0, expect.stringContaining('warning: shipping_address.phone ')]);
  });

  it('says what a place may have meant that the service does not know', async () => {
    const world = await shopWorld();
    const shipping_address = { ...orderFields.shipping_address, district: 'Cau Giayy' };
    const input = plainOrder(world, { shipping_address });
    const { exit, stderr } = await world.run(['ship', '--input', input, '--pick', 'cheapest', '--yes', '--json']);
    expect([exit, errorOf(stderr).hint]).toEqual([2, expect.stringContaining('Phường Dịch Vọng, Quận Cầu Giấy')]);
  });

  it('collects the total where the order says that it is paid on delivery, and keeps what was decided', async () => {
    const world = await shopWorld();
    const { cod_amount: _, ...shipping } = shippingFields;
    const words = ['--pick', 'cheapest', '--yes', '--json'];
    const cod = plainOrder(world, { shipping, payment_method: 'cod' });
    expect(JSON.parse((await world.run(['ship', '--input', cod, ...words])).stdout).order.shipping.cod_amount).toBe(
      1280000,
    );
    const deposit = plainOrder(world, { shipping: { ...shipping, cod_amount: 5_000 }, payment_method: 'cod' });
    expect(JSON.parse((await world.run(['ship', '--input', deposit, ...words])).stdout).order.shipping.cod_amount).toBe(
      5_000,
    );
    const paid = plainOrder(world, { shipping, payment_method: 'bank' });
    const { order } = JSON.parse((await world.run(['ship', '--input', paid, ...words])).stdout);
    expect(order.shipping.cod_amount ?? 0).toBe(0);
  });
});

describe('a draft', () => {
  const words = ['--pick', 'cheapest', '--yes', '--json'];

  it('whose answer was lost is settled, and there is one order', async () => {
    const { between, lost } = losingTheFirst();
    const world = await shopWorld(between as never);
    const { exit, stderr } = await world.run(['ship', '--input', plainOrder(world), ...words]);
    expect([exit, lost()]).toEqual([0, 1]);
    expect(stderr).toContain('settled by its external_id');
    expect(await orders(world)).toHaveLength(1);
  });

  it('of unknown outcome stays, and --resume finds its order', async () => {
    let away = true;
    const world = await shopWorld((transport) => async (request) => {
      if (request.url.endsWith('/GetShippingServices') || !away) return transport(request);
      if (isCreate(request)) await transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    });
    const first = await world.run(['ship', '--input', plainOrder(world), ...words, '--max-retries', '0']);
    const { code, outcome, hint } = errorOf(first.stderr);
    expect([first.exit, code, outcome]).toEqual([10, 'outcome_unknown', 'unknown']);
    const [, id] = /ship --resume ([0-9a-f]{10})/.exec(hint) ?? [];
    const listed = JSON.parse((await world.run(['ship', 'drafts', 'list', '--json'])).stdout);
    expect(listed).toMatchObject([{ id, state: 'unclear', recipient: 'Nguyễn Thị Lan', total_amount: 1280000 }]);
    expect((await world.run(['ship', 'drafts', 'remove', String(id)])).exit).toBe(2);
    const { stderr: reported } = await world.run(['ship', '--resume', String(id), '--max-retries', '0', '-o', 'table']);
    expect(reported.match(/may (?:exist|have been carried out)/g)).toHaveLength(1);
    away = false;
    for (const resume of [['--resume'], ['--resume', String(id)]]) {
      const again = await world.run(['ship', ...resume, '--json']);
      expect(again.exit).toBe(0);
      expect(JSON.parse(again.stdout).order.id).toBe((await orders(world))[0]?.id);
    }
    expect(await orders(world)).toHaveLength(1);
  });

  it('that never arrived is sent again under the same external id', async () => {
    let away = true;
    const external: string[] = [];
    const world = await shopWorld((transport) => async (request) => {
      if (isCreate(request)) external.push(JSON.parse(request.body).external_id);
      if (request.url.endsWith('/GetShippingServices') || !away) return transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    });
    expect((await world.run(['ship', '--input', plainOrder(world), ...words, '--max-retries', '0'])).exit).toBe(10);
    away = false;
    const clock = { now: () => Date.parse('2026-01-31T09:00:00Z'), wait: async () => {}, advance: () => {} };
    const again = await world.run(['ship', '--resume', '--json'], { clock });
    expect(again.exit).toBe(0);
    expect(external).toHaveLength(2);
    expect(new Set(external).size).toBe(1);
    expect(await orders(world)).toHaveLength(1);
  });

  it('is the same one for the same command: it can be run again, and answers the order that there is', async () => {
    const world = await shopWorld();
    const input = plainOrder(world, { external_id: 'WEB-9' });
    const first = await world.run(['ship', '--input', input, ...words]);
    const again = await world.run(['ship', '--input', input, ...words]);
    expect([first.exit, again.exit]).toEqual([0, 0]);
    expect(again.stderr).toContain('sent before');
    expect(JSON.parse(again.stdout).order.id).toBe(JSON.parse(first.stdout).order.id);
    const other = plainOrder(world, { external_id: 'WEB-9', order_note: 'another one' }, 'other.json');
    const refused = await world.run(['ship', '--input', other, ...words]);
    expect([refused.exit, errorOf(refused.stderr).code]).toEqual([5, 'differs']);
    expect(await orders(world)).toHaveLength(1);
  });

  it('of the very same order that nobody settled is settled before another one is made', async () => {
    let away = true;
    const world = await shopWorld((transport) => async (request) => {
      if (request.url.endsWith('/GetShippingServices') || !away) return transport(request);
      if (isCreate(request)) await transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    });
    const input = plainOrder(world);
    expect((await world.run(['ship', '--input', input, ...words, '--max-retries', '0'])).exit).toBe(10);
    away = false;
    expect((await world.run(['ship', '--input', input, ...words])).exit).toBe(0);
    expect(await orders(world)).toHaveLength(1);
    const [{ id, external_id } = { id: '', external_id: '' }] = await orders(world);
    const before = await world.run(['ship', '--input', input, ...words]);
    expect([before.exit, before.stdout]).toEqual([5, '']);
    expect(errorOf(before.stderr)).toMatchObject({
      code: 'sent_before',
      outcome: 'not_applied',
      meta: { order_id: id, external_id },
      hint: expect.stringContaining('--again'),
    });
    expect(await orders(world)).toHaveLength(1);
    expect((await world.run(['ship', '--input', input, '--again', ...words])).exit).toBe(0);
    expect(await orders(world)).toHaveLength(2);
    // A day counts by the service's time: a clock that is ahead here ends no day.
    const ahead = () => ({ clock: steppedClock(testStart + 24 * 3_600_000) });
    expect((await world.run(['ship', '--input', input, ...words], ahead())).exit).toBe(5);
    world.service.clock.advance(24 * 3_600_000);
    expect((await world.run(['ship', '--input', input, ...words], ahead())).exit).toBe(0);
    expect(await orders(world)).toHaveLength(3);
  });

  it('whose order was cancelled since is not made again by itself', async () => {
    let away = true;
    const world = await shopWorld((transport) => async (request) => {
      if (request.url.endsWith('/GetShippingServices') || !away) return transport(request);
      if (isCreate(request)) await transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    });
    await world.run(['ship', '--input', plainOrder(world), ...words, '--max-retries', '0']);
    away = false;
    const [made] = await orders(world);
    const cancel = ['shipping', 'cancel', String(made?.id), '--cancel-reason', 'changed', '--yes'];
    // Nobody knows here yet whose order that is.
    expect((await world.run(cancel)).exit).toBe(10);
    const { post, shop } = world.service;
    await post('shop.Shipping/CancelOrder', { id: made?.id, cancel_reason: 'changed' }, shop.apiKey);
    const resumed = await world.run(['ship', '--resume', '--yes', '--json']);
    expect([resumed.exit, errorOf(resumed.stderr).code]).toEqual([5, 'already_over']);
    expect(await orders(world)).toHaveLength(1);
    const anew = await world.run(['ship', '--resume', '--yes', '--json']);
    expect(anew.exit).toBe(0);
    expect((await orders(world)).map(({ status }) => status).sort()).toEqual(['N', 'S']);
  });

  it('that was being sent when Ctrl-C came is found again', async () => {
    const controller = new AbortController();
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (!isCreate(request) || controller.signal.aborted) return answer;
      controller.abort('SIGINT');
      throw new TransportError('aborted', 'maybe', 'the request was given up');
    });
    const left = await world.run(['ship', '--input', plainOrder(world), ...words], { signal: controller.signal });
    expect([left.exit, errorOf(left.stderr).hint]).toEqual([10, expect.stringContaining('shopctl ship --resume')]);
    const again = await world.run(['ship', '--resume', '--json']);
    expect([again.exit, JSON.parse(again.stdout).order.id]).toEqual([0, (await orders(world))[0]?.id]);
    expect(await orders(world)).toHaveLength(1);
  });

  it('whose parcel has come back since counts as sent', async () => {
    let away = true;
    const world = await shopWorld((transport) => async (request) => {
      if (request.url.endsWith('/GetShippingServices') || !away) return transport(request);
      if (isCreate(request)) await transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    });
    await world.run(['ship', '--input', plainOrder(world), ...words, '--max-retries', '0']);
    away = false;
    const [made] = await orders(world);
    await world.service.sandbox.control.advance(String(made?.id), { to: 'returned' });
    for (const _ of ['first', 'again']) {
      const { exit, stdout } = await world.run(['ship', '--resume', String((await draftIds(world))[0]), '--json']);
      expect([exit, JSON.parse(stdout).order.status]).toEqual([0, 'NS']);
    }
    expect(await orders(world)).toHaveLength(1);
  });

  it('of another account is refused, with the way to go on', async () => {
    const world = await shopWorld((transport) => async (request) => {
      if (isCreate(request)) throw new TransportError('closed', 'maybe', 'the connection was closed');
      return transport(request);
    });
    await world.run(['ship', '--input', plainOrder(world), ...words, '--max-retries', '0']);
    const { exit, stderr } = await world.run(['ship', '--resume', '--profile', 'shop', '--json']);
    const { code, hint } = errorOf(stderr);
    expect([exit, code, hint]).toEqual([
      2,
      'draft_elsewhere',
      expect.stringMatching(/`shopctl ship --resume \w+ --profile test --shop 'Demo Shop'`$/),
    ]);
  });

  it('that failed tells why, and can be shown and removed', async () => {
    const world = await shopWorld((transport) => async (request) => {
      if (!isCreate(request)) return transport(request);
      return { status: 412, headers: {}, body: '{"code":"failed_precondition","msg":"no credit"}' };
    });
    const { exit, stderr } = await world.run(['ship', '--input', plainOrder(world), ...words]);
    expect([exit, errorOf(stderr).outcome]).toEqual([5, 'not_applied']);
    const [{ id }] = JSON.parse((await world.run(['ship', 'drafts', 'list', '--json'])).stdout);
    const shown = JSON.parse((await world.run(['ship', 'drafts', 'show', id.slice(0, 6), '--json'])).stdout);
    expect(shown).toMatchObject({ state: 'failed', failure: { code: 'failed_precondition', message: 'no credit' } });
    expect((await world.run(['ship', 'drafts', 'remove', id, '--dry-run'])).exit).toBe(0);
    expect((await world.run(['ship', 'drafts', 'show', id])).exit).toBe(0);
    expect((await world.run(['ship', 'drafts', 'remove', id])).exit).toBe(0);
    expect((await world.run(['ship', 'drafts', 'show', id])).exit).toBe(3);
    expect(await draftIds(world)).toEqual(['']);
  });
});
