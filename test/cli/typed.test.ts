import { describe, expect, it } from 'vitest';
import { requestContext } from '../support/request-context.ts';

const lan = ['customers', 'create', '--full-name', 'Lan'];

/** What a command line ends with when it is refused: its exit and the first line of what it says. */
async function refused(words: readonly string[]) {
  const { run } = await requestContext();
  const { exit, stdout, stderr } = await run([...words, '--dry-run']);
  expect([exit, stdout]).toEqual([2, '']);
  return stderr;
}

describe('a word that was no UTF-8', () => {
  it.each([
    [['customers', 'create', '--full-name', 'L\ufffdn'], 'the value of --full-name is not UTF-8 text: L\ufffdn'],
    [
      ['customers', 'create', '--full-name=L\ufffdn'],
      'the value of --full-name is not UTF-8 text: --full-name=L\ufffdn',
    ],
    [['orders', 'get', 'DH\ufffd'], 'an argument is not UTF-8 text: DH\ufffd'],
  ])('is refused by name, and not sent damaged: %s', async (words, message) => {
    expect(await refused(words)).toContain(message);
  });
});

describe('an amount', () => {
  it.each(['1350000', '1.350.000', '1,350,000', '1 350 000', '1350000 ₫', '1.350.000 VND', '1350000.00'])(
    'is read as %s',
    async (text) => {
      const { bodyOf } = await requestContext();
      expect(await bodyOf(['products', 'create', '--name', 'Tea', '--retail-price', text])).toEqual({
        name: 'Tea',
        retail_price: 1350000,
      });
    },
  );

  it.each(['1.35', '1350.000', '450k-500k', '1.350,5', '1,350.000', '$1,350', 'much'])(
    'is refused as %s',
    async (text) => {
      const stderr = await refused(['products', 'create', '--name', 'Tea', '--retail-price', text]);
      expect(stderr).toContain(`--retail-price ${JSON.stringify(text)} `);
      expect(stderr).toContain('write it like 1350000, 1.350.000 or 1,350,000');
    },
  );

  it('is read within a line of an order, commas and all', async () => {
    const { bodyOf } = await requestContext();
    const line = (name: string, text: string) => ['--lines', `product_name=${name},${text},quantity=1`];
    const sums = ['--basket-value', '2.700.000', '--total-amount', '2,700,000', '--total-items', '2'];
    const words = [
      ...line('Tea', 'retail_price=1,350,000,payment_price=1.350.000'),
      ...line('Coffee', 'retail_price=1350000,payment_price=1,350,000'),
    ];
    const { lines, basket_value, total_amount } = await bodyOf([
      'orders',
      'create',
      ...words,
      ...sums,
      '--external-id',
      'A-1',
    ]);
    const price = { retail_price: 1350000, payment_price: 1350000 };
    expect(lines).toEqual([
      { product_name: 'Tea', quantity: 1, ...price },
      { product_name: 'Coffee', quantity: 1, ...price },
    ]);
    expect([basket_value, total_amount]).toEqual([2700000, 2700000]);
  });

  it.each([
    'product_name=Tea,350',
    'quantity=1,350',
    'retail_price=1,35',
    'retail_price=1,350,00',
    'retail_price=450k-500k',
  ])('is not guessed in %s', async (line) => {
    expect(await refused(['orders', 'create', '--lines', line])).toMatch(/--lines/);
  });

  it('is an amount alone: weights and counts are plain integers', async () => {
    const stderr = await refused(['shipping', 'services', '--gross-weight', '1.500', '--profile', 'partner']);
    expect(stderr).toContain('--gross-weight must be an integer');
  });
});

describe('a list of names', () => {
  it('may stand in one text, with commas, or in several', async () => {
    const { bodyOf } = await requestContext();
    const url = ['webhooks', 'create', '--url', 'https://shop.example/hook'];
    for (const entities of [
      ['--entities', 'order,fulfillment'],
      ['--entities', 'order, fulfillment'],
      ['--entities', 'order', '--entities', 'fulfillment'],
      ['--entities', '["order","fulfillment"]'],
    ]) {
      expect((await bodyOf([...url, ...entities])).entities).toEqual(['order', 'fulfillment']);
    }
    expect(await refused([...url, '--entities', 'order,fulfilment'])).toContain('must be one of');
  });

  it('of texts that may hold commas is not cut', async () => {
    const { bodyOf } = await requestContext();
    const image = 'https://shop.example/a,b.png';
    expect((await bodyOf(['products', 'create', '--name', 'Tea', '--image-urls', image])).image_urls).toEqual([image]);
  });
});

describe('a name where an id is due', () => {
  it('is refused where the record has no other name', async () => {
    const stderr = await refused(['groups', 'get', 'VIP']);
    expect(stderr).toContain('"VIP" is not a 64-bit integer id');
    expect(stderr).not.toContain('another name');
  });
});

describe('a phone, an e-mail address, a birthday, a place', () => {
  it('is refused where it can be none, before anything is sent', async () => {
    const stderr = await refused([...lan, '--phone', '12', '--email', 'lan']);
    for (const text of ['phone is not a phone number', 'email is not an e-mail address']) {
      expect(stderr).toContain(text);
    }
    const { run } = await requestContext();
    const { stderr: json } = await run([...lan, '--phone', '12', '-o', 'json']);
    expect(JSON.parse(json).error.field_errors).toEqual([
      { path: 'phone', message: 'is not a phone number: it has fewer than 7 digits' },
    ]);
  });

  it('is told where it is unusual, and sent as it was written', async () => {
    const { run } = await requestContext();
    const words = [...lan, '--phone', '901234567', '--dry-run'];
    const { exit, stdout, stderr } = await run(words);
    expect([exit, JSON.parse(stdout).body.phone]).toEqual([0, '901234567']);
    expect(stderr).toContain('warning: --phone seems to have lost its leading 0; was 0901234567 meant?\n');
    expect((await run([...words, '-q'])).stderr).toBe('');
  });

  it('is looked at in a whole request as well', async () => {
    const { run } = await requestContext();
    const stdin = JSON.stringify({
      customer_id: '1',
      full_name: 'Lan',
      phone: '0901234567',
      province: 'Hà Nội',
      district: 'Cau Giayy',
      ward: 'x',
      address1: 'x',
    });
    const { exit, stderr } = await run(['addresses', 'create', '--input', '-', '--dry-run'], { stdin });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('did you mean Quận Cầu Giấy?')]);
  });
});
