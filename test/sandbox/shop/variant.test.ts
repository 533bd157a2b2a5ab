import { describe, expect, it } from 'vitest';
import { openShopCalls } from '../../support/shop-calls.ts';

const large = {
  name: 'Large',
  short_desc: '500 g',
  description: 'A large box.',
  note: 'fragile',
  image_urls: ['https://images.example.test/large.png'],
  list_price: 130000,
  retail_price: 120000,
  cost_price: 70000,
  attributes: [{ name: 'size', value: 'large' }],
  external_id: 'erp-1-l',
  external_code: 'TEA 1 L',
};

/** A shop with a product, and how to make a variant of it. */
async function openWithProduct() {
  const test = await openShopCalls();
  const { id: product_id } = await test.made('Product/CreateProduct', { name: 'Tea' });
  return {
    ...test,
    product_id,
    variant: (fields: object = {}) => test.made('Variant/CreateVariant', { product_id, ...fields }),
  };
}

describe('CreateVariant', () => {
  it('answers the variant with a code made of its product', async () => {
    const { variant, product_id } = await openWithProduct();
    expect(await variant(large)).toEqual({
      ...large,
      id: expect.stringMatching(/^\d{19}$/),
      product_id,
      code: 'SP000001-01',
      status: 'P',
      deleted: false,
    });
  });

  it('makes a level with nothing in stock, and records both', async () => {
    const { made, variant, changes } = await openWithProduct();
    const one = await variant(large);
    const level = {
      variant_id: one.id,
      available_quantity: 0,
      picked_quantity: 0,
      reserved_quantity: 0,
      updated_at: '2026-01-31T08:00:00Z',
    };
    expect((await made('Inventory/ListInventoryLevels', {})).inventory_levels).toEqual([level]);
    expect((await changes()).slice(1)).toEqual([
      { name: 'variant create', changed: one, latest: one },
      { name: 'inventory_level create', changed: level, latest: level },
    ]);
  });

  it('numbers the variants of each product by themselves, and never twice', async () => {
    const { made, variant } = await openWithProduct();
    const { id: product_id } = await made('Product/CreateProduct', { code: 'TEA' });
    expect((await variant()).code).toBe('SP000001-01');
    expect((await variant({ product_id })).code).toBe('TEA-01');
    expect((await variant({ code: 'SP000001-02' })).code).toBe('SP000001-02');
    const third = await variant({ code: '' });
    expect(third.code).toBe('SP000001-03');
    await made('Variant/DeleteVariant', { id: third.id });
    expect((await variant()).code).toBe('SP000001-04');
  });

  it('refuses a code that is taken with 412', async () => {
    const { own, variant, product_id, recorded } = await openWithProduct();
    await variant({ code: 'L' });
    const names = await recorded(async () => {
      const { status, body } = await own('Variant/CreateVariant', { product_id, code: 'L' });
      expect([status, body.code, body.meta]).toEqual([412, 'failed_precondition', { duplicated: 'code' }]);
    });
    expect(names).toEqual([]);
  });

  it.each([
    [{ product_id: undefined }, 400, 'product_id'],
    [{ product_id: '0' }, 400, 'product_id'],
    [{ product_id: 'x' }, 400, 'product_id'],
    [{ product_id: '1234567890123456789' }, 404, undefined],
    [{ list_price: -1 }, 400, 'list_price'],
    [{ external_id: 'a b' }, 400, 'external_id'],
    [{ attributes: [{ name: 5 }] }, 400, 'attributes[0].name'],
  ])('refuses %j with %i', async (changes, status, field) => {
    const { own, product_id, recorded } = await openWithProduct();
    const names = await recorded(async () => {
      const answer = await own('Variant/CreateVariant', { product_id, ...large, ...changes });
      expect([answer.status, answer.body.meta?.field]).toEqual([status, field]);
    });
    expect(names).toEqual([]);
  });

  it("refuses another shop's product, and a deleted one", async () => {
    const { own, other, made, product_id } = await openWithProduct();
    expect((await other('Variant/CreateVariant', { product_id })).body.msg).toBe('product not found');
    await made('Product/DeleteProduct', { id: product_id });
    expect((await own('Variant/CreateVariant', { product_id })).status).toBe(404);
  });
});

describe('GetVariant', () => {
  it('finds a variant by each of its names, and by all together', async () => {
    const { made, variant } = await openWithProduct();
    const one = await variant(large);
    const { id, code, external_id } = one;
    for (const lookup of [{ id }, { code }, { external_id }, { id, code, external_id }]) {
      expect(await made('Variant/GetVariant', lookup)).toEqual(one);
    }
  });

  it('answers 404 where one name does not fit or the shop is another, and 400 without a name', async () => {
    const { own, other, variant } = await openWithProduct();
    const { id, code } = await variant();
    expect((await own('Variant/GetVariant', { id, code: 'L' })).body.msg).toBe('variant not found');
    expect((await other('Variant/GetVariant', { code })).status).toBe(404);
    expect((await own('Variant/GetVariant', { code: '' })).status).toBe(400);
  });
});

describe('UpdateVariant', () => {
  it('changes what is given, keeps what is absent or null, and clears what is empty or 0', async () => {
    const { made, variant, changes } = await openWithProduct();
    const one = await variant(large);
    const fields = { name: 'XL', note: '', cost_price: 0, code: 'XL' };
    const latest = await made('Variant/UpdateVariant', { id: one.id, ...fields, short_desc: null, product_id: '5' });
    expect(latest).toEqual({ ...one, ...fields });
    expect(await made('Variant/GetVariant', { code: 'XL' })).toEqual(latest);
    const changed = { id: one.id, product_id: one.product_id, ...fields };
    expect((await changes()).at(-1)).toEqual({ name: 'variant update', changed, latest });
  });

  it('refuses the code of another variant with 412, and takes its own', async () => {
    const { made, own, variant } = await openWithProduct();
    const [one] = [await variant(), await variant({ code: 'L' })];
    const { status, body } = await own('Variant/UpdateVariant', { id: one.id, code: 'L' });
    expect([status, body.meta]).toEqual([412, { duplicated: 'code' }]);
    expect((await made('Variant/UpdateVariant', { id: one.id, code: one.code, name: 'S' })).name).toBe('S');
    expect((await made('Variant/UpdateVariant', { id: one.id, code: '' })).code).toBe('');
    expect((await own('Variant/GetVariant', { code: one.code })).status).toBe(404);
  });

  it.each([
    [{ id: '0' }, 400],
    [{ id: '12' }, 404],
    [{ retail_price: -1 }, 400],
    [{ name: 5 }, 400],
  ])('refuses %j with %i', async (changes, status) => {
    const { own, variant, recorded } = await openWithProduct();
    const { id } = await variant();
    const names = await recorded(async () =>
      expect((await own('Variant/UpdateVariant', { id, name: 'XL', ...changes })).status).toBe(status),
    );
    expect(names).toEqual([]);
  });

  it("does not touch another shop's variant", async () => {
    const { made, other, variant } = await openWithProduct();
    const one = await variant();
    expect((await other('Variant/UpdateVariant', { id: one.id, name: 'mine' })).status).toBe(404);
    expect(await made('Variant/GetVariant', { id: one.id })).toEqual(one);
  });
});

describe('DeleteVariant', () => {
  it('takes its level along, and keeps its product', async () => {
    const { made, own, variant, product_id, recorded, changes } = await openWithProduct();
    const { id } = await variant();
    expect(await recorded(() => made('Variant/DeleteVariant', { id }))).toEqual([
      'inventory_level delete',
      'variant delete',
    ]);
    const [level, gone] = (await changes()).slice(-2);
    expect(level).toMatchObject({ changed: { variant_id: id }, latest: { variant_id: id, available_quantity: 0 } });
    expect(Object.keys({ ...level?.changed, ...level?.latest })).not.toContain('deleted');
    expect(gone).toMatchObject({ changed: { id, deleted: true }, latest: { id, product_id, deleted: true } });
    expect((await made('Inventory/ListInventoryLevels', { filter: { variant_id: id } })).inventory_levels).toEqual([]);
    expect((await made('Product/GetProduct', { id: product_id })).variants).toEqual([]);
    expect((await own('Variant/DeleteVariant', { id })).status).toBe(404);
  });

  it('goes by the first name that is given: id, else code, else external id', async () => {
    const { made, own, variant } = await openWithProduct();
    const one = await variant({ code: 'ONE', external_id: 'erp-1' });
    await variant({ code: 'TWO', external_id: 'erp-2' });
    const three = await variant({ code: 'THREE', external_id: 'erp-3' });
    await made('Variant/DeleteVariant', { id: one.id, code: 'TWO' });
    await made('Variant/DeleteVariant', { code: 'TWO', external_id: 'erp-3' });
    expect((await made('Variant/ListVariants', {})).shop_variants).toEqual([three]);
    await made('Variant/DeleteVariant', { external_id: 'erp-3' });
    expect((await own('Variant/DeleteVariant', {})).status).toBe(400);
  });

  it("does not delete another shop's variant", async () => {
    const { made, other, variant } = await openWithProduct();
    const { id, code } = await variant();
    for (const lookup of [{ id }, { code }]) {
      expect((await other('Variant/DeleteVariant', lookup)).status).toBe(404);
    }
    expect((await made('Variant/GetVariant', { id })).deleted).toBe(false);
  });
});

describe('ListVariants', () => {
  it('answers them as shop_variants, filtered by ids, deleted ones only when asked', async () => {
    const { made, variant } = await openWithProduct();
    const [a, b, c] = [await variant(), await variant(), await variant()];
    const filter = { id: `${a.id},${c.id}` };
    expect((await made('Variant/ListVariants', { filter })).shop_variants).toEqual([a, c]);
    await made('Variant/DeleteVariant', { id: b.id });
    expect((await made('Variant/ListVariants', {})).shop_variants).toEqual([a, c]);
    const { shop_variants } = await made('Variant/ListVariants', { include_deleted: true });
    expect(shop_variants[1]).toMatchObject({ id: b.id, deleted: true, code: null, product_id: '0', attributes: [] });
  });
});
