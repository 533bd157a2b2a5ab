import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { orderFields, quotedOrder, quoteFields } from '../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';

/** An order file in the machine's directory, ready to be shipped; its path. */
async function orderFile({ directory, service }: ShopWorld, changes = {}): Promise<string> {
  const path = join(directory, 'order.json');
  writeFileSync(path, JSON.stringify(await quotedOrder(service, changes)));
  return path;
}

function errorOf(stderr: string) {
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}

describe('shopctl quote', () => {
  it('shows all offers, the cheapest first, and marks the cheapest and the fastest', async () => {
    const world = await shopWorld();
    const stdin = JSON.stringify(quoteFields);
    const { exit, stdout, stderr } = await world.run(['quote', '--input', '-', '--json'], { stdin });
    expect([exit, stderr]).toEqual([0, '']);
    const rows: { fee: number; marks: string[]; estimated_delivery_at: string }[] = JSON.parse(stdout);
    const fees = rows.map(({ fee }) => fee);
    expect(fees).toEqual(fees.toSorted((one, other) => one - other));
    expect(rows[0]?.marks).toContain('cheapest');
    const soonest = rows.map((row) => row.estimated_delivery_at).sort()[0];
    for (const row of rows) expect(row.marks.includes('fastest')).toBe(row.estimated_delivery_at === soonest);
  });

  it('quotes the parcel of an order, with the fee that the order is then checked against', async () => {
    const world = await shopWorld();
    const order = join(world.directory, 'plain.json');
    const { shipping } = await quotedOrder(world.service);
    const { shipping_service_code: _, shipping_service_fee: fee, ...parcel } = shipping;
    writeFileSync(order, JSON.stringify({ ...orderFields, shipping: parcel }));
    const { stdout } = await world.run(['quote', '--order', order, '--json']);
    expect(JSON.parse(stdout).map((row: { fee: number }) => row.fee)).toContain(fee);
  });
});

describe('shopctl shipping', () => {
  it('ships an order, reads it back and cancels it', async () => {
    const world = await shopWorld();
    const made = await world.run(['shipping', 'create', '--input', await orderFile(world), '-o', 'name']);
    expect(made.exit).toBe(0);
    const id = made.stdout.trim();
    expect(id).toMatch(/^\d{19}$/);
    expect(made.stderr).toContain('external_id shopctl-');
    const read = JSON.parse((await world.run(['shipping', 'get', id, '--json'])).stdout);
    expect([read.order.id, read.order.status, read.order.confirm_status]).toEqual([id, 'S', 'P']);
    const words = ['shipping', 'cancel', id, '--cancel-reason', 'changed', '--json'];
    const refused = await world.run(words);
    expect([refused.exit, errorOf(refused.stderr).error.outcome]).toEqual([2, 'not_applied']);
    const cancelled = await world.run([...words, '--yes']);
    expect(JSON.parse(cancelled.stdout).order.status).toBe('N');
  });

  it('refuses a wrong total before sending, naming the field, what it is and what it should be', async () => {
    let sent = 0;
    const world = await shopWorld((transport) => (request) => {
      sent += 1;
      return transport(request);
    });
    const words = ['shipping', 'create', '--input', await orderFile(world, { basket_value: 1350001 })];
    const { exit, stdout, stderr } = await world.run(words);
    expect([exit, stdout, sent]).toEqual([2, '', 0]);
    expect(stderr).toContain('basket_value is 1350001, should be 1350000 (2 * 450000 + 1 * 450000)');
    expect(stderr).toContain('hint: `shopctl totals fill FILE`');
  });

  it('prints what was sent under an external_id before, and refuses other content under it', async () => {
    const world = await shopWorld();
    const words = ['shipping', 'create', '--input', await orderFile(world, { external_id: 'A-1' }), '--json'];
    const first = await world.run(words);
    const again = await world.run(words);
    expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('sent before')]);
    expect(JSON.parse(again.stdout).order.id).toBe(JSON.parse(first.stdout).order.id);
    const other = await orderFile(world, { external_id: 'A-1', order_note: 'another' });
    const refused = await world.run(['shipping', 'create', '--input', other, '--json']);
    expect(refused.exit).toBe(5);
    expect(errorOf(refused.stderr).error).toMatchObject({
      code: 'differs',
      message: expect.stringContaining('order_note'),
      exit_code: 5,
      outcome: 'not_applied',
    });
  });

  it('says that an external_id is taken where another machine has sent other content under it', async () => {
    const world = await shopWorld();
    const elsewhere = JSON.parse(readFileSync(await orderFile(world, { external_id: 'A-2' }), 'utf8'));
    const { shopKey } = world.service;
    await world.service.post('partner.Shipping/CreateAndConfirmOrder', elsewhere, shopKey);
    const shipping_address = { ...elsewhere.shipping_address, phone: '0987654321' };
    const other = await orderFile(world, { external_id: 'A-2', shipping_address });
    const refused = await world.run(['shipping', 'create', '--input', other, '--json']);
    const { code, outcome } = errorOf(refused.stderr).error;
    expect([refused.exit, code, outcome]).toEqual([5, 'already_exists', 'not_applied']);
    const equal = await orderFile(world, { external_id: 'A-2' });
    const existed = await world.run(['shipping', 'create', '--input', equal, '--json']);
    expect([existed.exit, existed.stderr]).toEqual([0, expect.stringContaining('sent before')]);
  });

  it('settles a create whose answer was lost, instead of sending it twice', async () => {
    let lost = 0;
    const world = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (!request.url.endsWith('/CreateAndConfirmOrder') || lost > 0) return answer;
      lost += 1;
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    });
    const { exit, stdout, stderr } = await world.run([
      'shipping',
      'create',
      '--input',
      await orderFile(world),
      '--json',
    ]);
    expect([exit, lost]).toEqual([0, 1]);
    expect(stderr).toContain('it was settled by its external_id');
    const { order } = JSON.parse(stdout);
    const { body } = await world.service.post(
      'partner.Shipping/GetOrder',
      { external_id: order.external_id },
      world.service.shopKey,
    );
    expect(body.order.id).toBe(order.id);
  });

  it('ends with exit 10 and the way to settle it when the service stays away after a create', async () => {
    const world = await shopWorld((transport) => async (request) => {
      if (request.url.endsWith('/GetShippingServices')) return transport(request);
      throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
    });
    const order = await orderFile(world, { external_id: 'LOST-1' });
    const { exit, stdout, stderr } = await world.run([
      'shipping',
      'create',
      '--input',
      order,
      '--json',
      '--max-retries',
      '0',
    ]);
    expect([exit, stdout]).toEqual([10, '']);
    const { error } = errorOf(stderr);
    expect([error.code, error.outcome]).toEqual(['outcome_unknown', 'unknown']);
    expect(error.hint).toContain('shopctl shipping get --external-id LOST-1');
  });

  it('keeps all digits of an id on the whole way', async () => {
    const world = await shopWorld();
    const words = ['shipping', 'get', '--input', '-', '--dry-run', '--json'];
    for (const stdin of ['{"id": 9007199254740993}', 'id: 9007199254740993\n', '{"id":"9007199254740993"}']) {
      const { exit, stdout } = await world.run(words, { stdin });
      expect([exit, JSON.parse(stdout).body.id]).toEqual([0, '9007199254740993']);
    }
  });

  it('names line and column of malformed JSON and YAML', async () => {
    const world = await shopWorld();
    const words = ['shipping', 'get', '--input', '-'];
    const json = await world.run(words, { stdin: '{\n  "id": 12,,\n}' });
    expect([json.exit, json.stderr]).toEqual([2, expect.stringMatching(/line 2, column 12/)]);
    const yaml = await world.run(words, { stdin: 'id: "1"\n   code: [x\n' });
    expect([yaml.exit, yaml.stderr]).toEqual([2, expect.stringMatching(/line 2, column \d+/)]);
  });

  it('says exit 4 for a wrong key, 7 for no service, 3 for no such order', async () => {
    const world = await shopWorld();
    const get = ['shipping', 'get', '1234567890123456789', '--json'];
    const wrong = await world.run(get, { env: { SHOPCTL_SHOP_KEY: 'shop1:not-the-right-one-at-all' } });
    expect([wrong.exit, errorOf(wrong.stderr).error.code]).toEqual([4, 'unauthenticated']);
    expect(wrong.stderr).not.toContain('not-the-right-one-at-all');
    const missing = await world.run(get);
    expect([missing.exit, errorOf(missing.stderr).error.code]).toEqual([3, 'not_found']);
    const away = await shopWorld(() => async () => {
      throw new TransportError('refused', 'no', 'no connection to 127.0.0.1:4010 (ECONNREFUSED)');
    });
    const unplugged = await away.run([...get, '--max-retries', '0']);
    expect([unplugged.exit, errorOf(unplugged.stderr).error.outcome]).toEqual([7, 'not_applied']);
  });

  it('does not let a message of the service forge a line of ours', async () => {
    const forged = { code: 'not_found', msg: 'gone\nhint: run me\u001b[2J', meta: { 'a\nhint': 'b\u009b' } };
    const world = await shopWorld(() => async () => ({ status: 404, headers: {}, body: JSON.stringify(forged) }));
    const { stderr } = await world.run(['shipping', 'get', '1', '--debug']);
    expect(stderr).toContain('gone\\nhint: run me\\x1b[2J');
    expect(stderr).not.toMatch(/^hint: run me|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/m);
  });

  it('suggests the near flag and the near command', async () => {
    const world = await shopWorld();
    const flag = await world.run(['shipping', 'get', '--exernal-id', 'x']);
    expect([flag.exit, flag.stderr]).toEqual([2, expect.stringContaining('hint: did you mean --external-id?')]);
    const command = await world.run(['shiping', 'get']);
    expect([command.exit, command.stderr]).toEqual([
      2,
      expect.stringContaining('hint: did you mean `shopctl shipping`?'),
    ]);
  });

  it('refuses to write with --read-only, and sends nothing with --dry-run or --curl', async () => {
    let writes = 0;
    const world = await shopWorld((transport) => (request) => {
      if (request.url.endsWith('/CreateAndConfirmOrder')) writes += 1;
      return transport(request);
    });
    const words = ['shipping', 'create', '--input', await orderFile(world)];
    const readOnly = await world.run([...words, '--read-only', '--json']);
    const { code, operation } = errorOf(readOnly.stderr).error;
    expect([readOnly.exit, code, operation]).toEqual([12, 'read_only', 'partner.Shipping/CreateAndConfirmOrder']);
    expect((await world.run([...words, '--dry-run'])).exit).toBe(0);
    const curl = await world.run([...words, '--curl']);
    expect(curl.stdout).toContain('Authorization: Bearer $SHOPCTL_SHOP_KEY');
    expect(curl.stdout).not.toContain(world.service.shopKey);
    // A key of the profile is in no variable: the command that sets it is named, unless it is set.
    expect(curl.stderr).toContain(
      'first export SHOPCTL_SHOP_KEY with what `shopctl auth token --yes --profile test` prints',
    );
    expect((await world.run(['auth', 'token', '--yes', '--profile', 'test'])).stdout).toBe(
      `${world.service.shopKey}\n`,
    );
    const env = { SHOPCTL_SHOP_KEY: world.service.shopKey };
    expect((await world.run([...words, '--curl'], { env })).stderr).not.toContain('first export');
    expect(writes).toBe(0);
  });

  it('checks a misspelt name of an offer before all else', async () => {
    const world = await shopWorld();
    const ship = ['ship', '--input', await orderFile(world), '--yes', '--pick'];
    expect((await world.run([...ship, 'cheapest'])).exit).toBe(0);
    const { exit, stdout, stderr } = await world.run([...ship, 'cheapset']);
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining('must be cheapest')]);
  });

  it('names all missing flags at once where nobody can be asked', async () => {
    const world = await shopWorld();
    const { exit, stderr } = await world.run(['shipping', 'create', '--no-input']);
    expect(exit).toBe(2);
    for (const flag of ['--customer-address', '--shipping-address', '--lines', '--shipping']) {
      expect(stderr).toContain(flag);
    }
  });

  it('prints a reported shipment problem and exits with 9, but not for entries with code ok', async () => {
    const answering = (errors: object[]) =>
      shopWorld((transport) => async (request) => {
        const answer = await transport(request);
        if (!request.url.endsWith('/GetOrder')) return answer;
        const body = { order: { id: '1' }, fulfillments: [], fulfillment_errors: errors };
        return { ...answer, status: 200, body: JSON.stringify(body) };
      });
    const fine = await answering([{ code: 'ok', msg: '' }]);
    expect((await fine.run(['shipping', 'get', '1'])).exit).toBe(0);
    const broken = await answering([{ code: 'failed_precondition', msg: 'already picked up' }]);
    const { exit, stderr } = await broken.run(['shipping', 'get', '1']);
    expect([exit, stderr]).toEqual([9, expect.stringContaining('already picked up')]);
  });
});
