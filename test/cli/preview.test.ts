import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderSums } from '../support/request-context.ts';
import { quotedOrder } from '../support/sandbox-order.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';

interface Seen {
  readonly world: ShopWorld;
  /** What reached the service, in order: its path and body as they came. */
  readonly sent: { readonly url: string; readonly body: string }[];
}

/** A world in which the service's side writes down what reaches it: the referee of what a preview says. */
async function watchedWorld(): Promise<Seen> {
  const sent: { url: string; body: string }[] = [];
  const world = await shopWorld((transport) => (request, ...rest) => {
    sent.push({ url: request.url, body: String(request.body) });
    return transport(request, ...rest);
  });
  return { world, sent };
}

/** An order whose parcel goes on if it is cancelled. */
async function pickedUpOrder({ service }: ShopWorld): Promise<string> {
  const made = await service.post(
    'partner.Shipping/CreateAndConfirmOrder',
    await quotedOrder(service),
    service.shopKey,
  );
  await service.sandbox.control.advance(made.body.order.id, { to: 'delivering' });
  return made.body.order.id;
}

/** The body in a curl command, as a shell would pass it on. */
function bodyOfCurl(curl: string): string {
  const [, quoted = ''] = /--data-raw '(.*)'\s*$/s.exec(curl) ?? [];
  return quoted.replaceAll(`'\\''`, `'`);
}

const id = '1234567890123456789';
const line = 'product_name=Tea,quantity=1,retail_price=1.000,payment_price=1.000';

const asShop: readonly (readonly string[])[] = [
  ['customers', 'list', '--limit', '3', '--sort', '-updated_at', '--id', `${id},1`, '--include-deleted'],
  ['customers', 'list', '--page-size', '7', '--limit', '3', '--after', '.'],
  ['customers', 'list', '--before', '.', '--all', '-o', 'json'],
  ['customers', 'list'],
  ['orders', 'list', '--id', id],
  ['fulfillments', 'list', '--order-id', id, '--limit', '2'],
  ['addresses', 'list', '--customer-id', id, '--phone', '0901234567'],
  ['groups', 'members', 'list', '--group-id', id],
  ['collections', 'members', 'list', '--collection-id', id],
  ['inventory', 'list', '--variant-id', id],
  ['customers', 'get', id],
  ['orders', 'get', '--code', 'DH000001'],
  ['customers', 'create', '--full-name', "O'Neil", '--phone', '0901234567'],
  ['products', 'create', '--name', 'Tea', '--retail-price', '1,350,000'],
  ['webhooks', 'create', '--url', 'http://127.0.0.1:9/hook', '--entities', 'order,fulfillment'],
  ['webhooks', 'list'],
  ['locations', 'list'],
  [
    'shipping',
    'services',
    '--pickup-address',
    '{"province":"HN","district":"Cầu Giấy"}',
    '--shipping-address',
    '{"province":"HCM","district":"1"}',
  ],
  ['orders', 'create', '--lines', line, ...orderSums(1000, 0, 1), '--external-id', 'A-1', '--external-meta', 'till=3'],
  ['orders', 'confirm', id],
  ['orders', 'cancel', '--id', id, '--order-only', '--cancel-reason', 'rain', '--yes'],
];

describe('a preview', () => {
  it.each(asShop)('shows exactly what is sent: %s %s %s', async (...words) => {
    const { world, sent } = await watchedWorld();
    const isEnd = words.includes('cancel');
    const named = isEnd ? words.with(words.indexOf(id), await pickedUpOrder(world)) : words;
    const command = [...named, '--profile', 'shop'];
    // The names that are made contain the id of the ledger: it is made by the first write.
    await world.run(['groups', 'create', '--name', 'First', '--profile', 'shop']);
    sent.splice(0);
    const dry = await world.run([...command, '--dry-run']);
    const curl = await world.run([...command, '--curl']);
    // What is to be ended is looked at.
    const changing = sent.filter(({ url }) => !isEnd || !url.endsWith('/GetOrder'));
    expect([dry.exit, curl.exit, changing]).toEqual([0, 0, []]);
    const shown = JSON.parse(dry.stdout);
    await world.run(command);
    const first = sent.find(({ url }) => !isEnd || url.endsWith('/CancelOrder'));
    expect(first?.url).toBe(shown.url);
    expect(JSON.parse(first?.body ?? 'null')).toEqual(shown.body);
    expect(bodyOfCurl(curl.stdout)).toBe(first?.body);
  });

  it.each(['{"id":1234567890123456789}', '{"id":"1","id":"2"}', '{not json', '\uFEFF{"id":"1"}'])(
    'of `api` shows the text that is sent where its value would not be exact: %s',
    async (data) => {
      const { world, sent } = await watchedWorld();
      const command = ['api', 'shop.Order/GetOrder', '--data', data, '--profile', 'shop'];
      const { exit, stdout } = await world.run([...command, '--dry-run']);
      await world.run(command);
      expect([exit, JSON.parse(stdout).body]).toEqual([0, sent[0]?.body]);
    },
  );

  it('shows the paging and the filters that were given', async () => {
    const { world } = await watchedWorld();
    const shown = async (...words: string[]) =>
      JSON.parse((await world.run([...words, '--profile', 'shop', '--dry-run'])).stdout).body;
    const list = ['customers', 'list', '--limit', '3', '--sort', '-updated_at', '--id', `${id},1`, '--include-deleted'];
    expect(await shown(...list)).toEqual({
      filter: { id: `${id},1` },
      include_deleted: true,
      paging: { limit: 3, sort: '-updated_at' },
    });
    const addresses = ['addresses', 'list', '--customer-id', id, '--phone', '0901234567'];
    expect((await shown(...addresses)).filter).toEqual({ customer_id: id, phone: '0901234567' });
  });

  it('shows an external id even where no ledger is there, and leaves none behind', async () => {
    const { world, sent } = await watchedWorld();
    const command = ['orders', 'create', '--lines', line, ...orderSums(1000, 0, 1), '--profile', 'shop'];
    const { stdout, stderr } = await world.run([...command, '--dry-run']);
    expect(stderr).toContain('only an example');
    expect(existsSync(join(world.directory, 'state', 'workspace.db'))).toBe(false);
    const { external_id: shown, ...rest } = JSON.parse(stdout).body;
    await world.run(command);
    const { external_id: made, ...body } = JSON.parse(
      sent.find(({ url }) => url.endsWith('/CreateOrder'))?.body ?? 'null',
    );
    const derived = expect.stringMatching(/^shopctl-s1-[0-9a-f]{20}$/);
    expect([shown, made, body]).toEqual([derived, derived, rest]);
  });
});
