import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shippedOrder } from '../support/order-request.ts';
import { shippingFields } from '../support/sandbox-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { fieldErrorsOf, noticeText } from '../support/stderr-lines.ts';

const {
  lines: _,
  basket_value: __,
  total_items: ___,
  total_amount: ____,
  ...order
} = shippedOrder as Record<string, unknown>;

async function world() {
  const made = await shopWorld();
  const file = join(made.directory, 'order.json');
  const write = (line: object, more: object = {}) => {
    const { total_discount: _, total_fee: __, ...rest } = order;
    writeFileSync(
      file,
      JSON.stringify({ ...rest, ...more, lines: [{ product_name: 'Áo', retail_price: 100, ...line }] }),
    );
  };
  const say = async (words: readonly string[]) => {
    const { exit, stderr } = await made.run([...words, '-o', 'json']);
    const reported: [string, string][] = fieldErrorsOf(stderr).map((one) => [
      one.path.replace('entry 1, ', ''),
      one.message.replace(/^"[^"]*" (?:lines\.quantity )?/, ''),
    ]);
    return { exit, reported, stderr: noticeText(stderr) };
  };
  return { ...made, file, write, say };
}

it.each([[{ quantity: 0 }], [{ quantity: 0, payment_price: 100 }], [{ quantity: -1, payment_price: 90 }]])(
  'refuses a line of %o by its quantity, one order at a time and in a batch, before anything is sent',
  async (line) => {
    const { file, write, say, service } = await world();
    write(line);
    const expected = ['lines[0].quantity', 'must be at least 1'];
    for (const words of [
      ['ship', '--input', file, '--pick', 'cheapest', '--yes'],
      ['batch', 'plan', file, '--unit', 'one'],
      ['batch', 'run', file, '--unit', 'one', '--yes'],
    ]) {
      const { exit, reported } = await say(words);
      expect([words[0], exit, reported]).toEqual([words[0], 2, expect.arrayContaining([expected])]);
    }
    const { reported } = await say(['batch', 'plan', file, '--unit', 'one']);
    expect(reported).toEqual([expected]);
    const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
    expect(body.orders).toEqual([]);
  },
);

it('reports goods whose name is a single character, one order at a time and in a batch', async () => {
  const { file, write, say } = await world();
  write({ product_name: 'Ô', quantity: 1 });
  const note =
    /lines\[0\]\.product_name(?:: "Ô" lines\.product_name)? is a single character, which the service may refuse/;
  expect((await say(['batch', 'plan', file, '--unit', 'one'])).stderr).toMatch(note);
  expect((await say(['ship', '--input', file, '--pick', 'cheapest', '--yes'])).stderr).toMatch(note);
  write({ product_name: 'Ôi', quantity: 1 });
  expect((await say(['batch', 'plan', file, '--unit', 'one'])).stderr).not.toMatch(note);
});

it('reports a parcel without a weight, one order at a time and in a batch', async () => {
  const { file, write, say } = await world();
  const { pickup_address } = shippingFields;
  const weighing = (gross_weight: number) =>
    write({ quantity: 1 }, { shipping: { pickup_address, try_on: 'open', cod_amount: 0, gross_weight } });
  const note = /shipping\.gross_weight(?:: "0")? .*is 0 g: the fee is that of the lightest parcel/;
  weighing(0);
  expect((await say(['batch', 'plan', file, '--unit', 'one'])).stderr).toMatch(note);
  expect((await say(['ship', '--input', file, '--pick', 'cheapest', '--dry-run'])).stderr).toMatch(note);
  weighing(300);
  expect((await say(['batch', 'plan', file, '--unit', 'one'])).stderr).not.toMatch(note);
});

it('reports a name of its own that the service may refuse, one order at a time and in a batch', async () => {
  const { file, write, say } = await world();
  const note = /external_id(?:: "Đơn 7")? may be refused by the service: 2 to 100 letters without accents/;
  write({ quantity: 1 }, { external_id: 'Đơn 7' });
  expect((await say(['batch', 'plan', file, '--unit', 'one'])).stderr).toMatch(note);
  expect((await say(['ship', '--input', file, '--pick', 'cheapest', '--dry-run'])).stderr).toMatch(note);
  write({ quantity: 1 }, { external_id: 'DON-7' });
  expect((await say(['batch', 'plan', file, '--unit', 'one'])).stderr).not.toMatch(note);
});
