import { describe, expect, it } from 'vitest';
import { orderSums, requestContext } from '../support/request-context.ts';

const oneLine = [
  '--lines',
  'product_name=Tea,quantity=1,retail_price=1000,payment_price=1000',
  ...orderSums(1000, 0, 1),
];

describe('flags', () => {
  it('reach into objects by dots, in any order, over an object of their own', async () => {
    const { bodyOf } = await requestContext();
    const shipping = ['--shipping.cod-amount', '1000', '--shipping', 'try_on=open'];
    const shipped = await bodyOf(['orders', 'create', ...oneLine, ...shipping]);
    expect(shipped.shipping).toEqual({ try_on: 'open', cod_amount: 1000 });
    const address = [
      '--shipping-address',
      '{"full_name":"Lan","phone":"0901234567"}',
      '--shipping-address.phone',
      '0902234567',
    ];
    expect((await bodyOf(['orders', 'create', ...oneLine, ...address])).shipping_address).toEqual({
      full_name: 'Lan',
      phone: '0902234567',
    });
  });

  it('repeat for a list, and take JSON for a whole one', async () => {
    const { bodyOf } = await requestContext();
    const words = ['products', 'create', '--name', 'Tea'];
    const images = ['https://a.example/1.png', 'https://a.example/2.png'];
    const repeated = await bodyOf([...words, '--image-urls', images[0] ?? '', '--image-urls', images[1] ?? '']);
    expect(repeated.image_urls).toEqual(images);
    expect((await bodyOf([...words, '--image-urls', JSON.stringify(images)])).image_urls).toEqual(images);
  });

  it('repeat for a list of objects: pairs, JSON, and files with either', async () => {
    const { bodyOf, file } = await requestContext();
    const more = file('lines.json', '[{"product_name":"Rice","quantity":3,"retail_price":1,"payment_price":1}]');
    const { lines } = await bodyOf([
      'orders',
      'create',
      '--lines',
      'product_name=Tea\\, green,quantity=2,retail_price=120000,payment_price=110000',
      '--lines',
      '{"product_name":"Salt","quantity":1,"retail_price":5,"payment_price":5}',
      '--lines',
      `@${more}`,
      ...orderSums(240008, 20000, 6),
    ]);
    expect(lines).toEqual([
      { product_name: 'Tea, green', quantity: 2, retail_price: 120000, payment_price: 110000 },
      { product_name: 'Salt', quantity: 1, retail_price: 5, payment_price: 5 },
      { product_name: 'Rice', quantity: 3, retail_price: 1, payment_price: 1 },
    ]);
  });

  it('of an entry that has no such field are refused with the fields there are', async () => {
    const { run } = await requestContext();
    const { exit, stderr } = await run(['orders', 'create', '--lines', 'name=Tea', '--dry-run']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('product_name')]);
  });

  it('say no to a switch', async () => {
    const { bodyOf } = await requestContext();
    const words = ['orders', 'create', ...oneLine];
    const { shipping } = await bodyOf([...words, '--no-shipping.include-insurance']);
    expect(shipping).toEqual({ include_insurance: false });
    const on = await bodyOf([...words, '--shipping.include-insurance']);
    expect(on.shipping).toEqual({ include_insurance: true });
  });

  it('make a map of text', async () => {
    const { bodyOf } = await requestContext();
    const words = ['orders', 'create', ...oneLine];
    const { external_meta } = await bodyOf([...words, '--external-meta', 'shelf=3', '--external-meta', 'by=Lan=Hoa']);
    expect(external_meta).toEqual({ shelf: '3', by: 'Lan=Hoa' });
  });

  it('of a list are its filters', async () => {
    const { bodyOf } = await requestContext();
    const words = ['customers', 'list', '--id', '1', '--id', '2', '--include-deleted', '--sort', '-created_at'];
    const body = await bodyOf(words);
    expect(body).toMatchObject({ include_deleted: true });
    expect(String(body.filter.id)).toBe('1,2');
  });
});
