import { describe, expect, it } from 'vitest';
import { openShopCalls } from '../../support/shop-calls.ts';

const tea = {
  name: 'Trà sen',
  short_desc: 'Lotus tea',
  description: 'Green tea scented with lotus.',
  note: 'keep dry',
  image_urls: ['https://images.example.test/tea.png'],
  list_price: 130000,
  retail_price: 120000,
  cost_price: 70000,
  unit: 'box',
  brand_id: '42',
  external_id: 'erp-1',
  external_code: 'TEA 1',
};

describe('CreateProduct', () => {
  it('answers the product with a code and what was given', async () => {
    const { made, changes } = await openShopCalls();
    const product = await made('Product/CreateProduct', tea);
    expect(product).toEqual({
      ...tea,
      id: expect.stringMatching(/^\d{19}$/),
      code: 'SP000001',
      category_id: '0',
      status: 'P',
      deleted: false,
      created_at: '2026-01-31T08:00:00Z',
      updated_at: '2026-01-31T08:00:00Z',
      variants: [],
    });
    expect(await changes()).toEqual([{ name: 'product create', changed: product, latest: product }]);
  });

  it('takes a code that is given, and makes none that is taken', async () => {
    const { made, own, other } = await openShopCalls();
    expect((await made('Product/CreateProduct', { code: 'SP000002' })).code).toBe('SP000002');
    expect((await made('Product/CreateProduct', { code: '' })).code).toBe('SP000001');
    expect((await made('Product/CreateProduct', {})).code).toBe('SP000003');
    const { status, body } = await own('Product/CreateProduct', { code: 'SP000002' });
    expect([status, body.code, body.meta]).toEqual([412, 'failed_precondition', { duplicated: 'code' }]);
    expect((await made('Product/CreateProduct', {})).code).toBe('SP000004');
    expect((await other('Product/CreateProduct', { code: 'SP000002' })).status).toBe(200);
  });

  it('takes the code of a deleted product', async () => {
    const { made } = await openShopCalls();
    await made('Product/CreateProduct', { code: 'TEA' });
    await made('Product/DeleteProduct', { code: 'TEA' });
    expect((await made('Product/CreateProduct', { code: 'TEA' })).code).toBe('TEA');
  });

  it.each([
    [{ list_price: -1 }, 'list_price'],
    [{ retail_price: -1 }, 'retail_price'],
    [{ cost_price: -1 }, 'cost_price'],
    [{ retail_price: 1.5 }, 'retail_price'],
    [{ external_id: 'a b' }, 'external_id'],
    [{ brand_id: 'x' }, 'brand_id'],
    [{ image_urls: 'x' }, 'image_urls'],
  ])('refuses %j', async (changes, field) => {
    const { own, recorded } = await openShopCalls();
    const names = await recorded(async () => {
      const { status, body } = await own('Product/CreateProduct', { ...tea, ...changes });
      expect([status, body.meta]).toEqual([400, { field }]);
    });
    expect(names).toEqual([]);
  });
});

describe('GetProduct', () => {
  it('finds a product by each of its names and by all together, with its variants', async () => {
    const { made } = await openShopCalls();
    const product = await made('Product/CreateProduct', tea);
    const { id, code } = product;
    const variants = [];
    for (const name of ['small', 'large']) {
      variants.push(await made('Variant/CreateVariant', { product_id: id, name }));
    }
    for (const lookup of [{ id }, { code }, { external_id: 'erp-1' }, { id, code, external_id: 'erp-1' }]) {
      expect(await made('Product/GetProduct', lookup)).toEqual({ ...product, variants });
    }
  });

  it('answers 404 where one name does not fit or the shop is another, and 400 without a name', async () => {
    const { made, own, other } = await openShopCalls();
    const { id } = await made('Product/CreateProduct', tea);
    const { status, body } = await own('Product/GetProduct', { id, external_id: 'erp-2' });
    expect([status, body]).toEqual([404, { code: 'not_found', msg: 'product not found' }]);
    expect((await other('Product/GetProduct', { id })).status).toBe(404);
    expect((await own('Product/GetProduct', { id: '0' })).status).toBe(400);
  });
});

describe('UpdateProduct', () => {
  it('changes what is given, keeps what is absent or null, and clears what is empty or 0', async () => {
    const { made } = await openShopCalls();
    const product = await made('Product/CreateProduct', tea);
    const changes = { name: 'Trà nhài', note: '', list_price: 0, brand_id: '0' };
    const request = { id: product.id, ...changes, unit: null, code: 'NEW', external_id: 'erp-2', status: 'N' };
    expect(await made('Product/UpdateProduct', request)).toEqual({ ...product, ...changes });
    expect(await made('Product/GetProduct', { id: product.id })).toEqual({ ...product, ...changes });
  });

  it.each(['', 0, '0'])('clears the brand with %j', async (brand_id) => {
    const { made } = await openShopCalls();
    const { id } = await made('Product/CreateProduct', tea);
    expect((await made('Product/UpdateProduct', { id, brand_id })).brand_id).toBe('0');
  });

  it('answers and records the product with its variants, and only what changed as changed', async () => {
    const { made, changes, clock } = await openShopCalls();
    const { id } = await made('Product/CreateProduct', tea);
    const variant = await made('Variant/CreateVariant', { product_id: id });
    clock.advance(1000);
    const latest = await made('Product/UpdateProduct', { id, unit: 'tin' });
    expect(latest.variants).toEqual([variant]);
    const changed = { id, unit: 'tin', updated_at: '2026-01-31T08:00:01Z' };
    expect((await changes()).at(-1)).toEqual({ name: 'product update', changed, latest });
    expect((await made('Product/UpdateProduct', { id, unit: 'tin' })).variants).toEqual([variant]);
    expect((await changes()).at(-1)?.changed).toEqual({ id, updated_at: '2026-01-31T08:00:01Z' });
  });

  it.each([
    [{ id: undefined }, 400],
    [{ id: '0' }, 400],
    [{ id: '12' }, 404],
    [{ cost_price: -1 }, 400],
    [{ name: 5 }, 400],
  ])('refuses %j with %i', async (changes, status) => {
    const { made, own, recorded } = await openShopCalls();
    const { id } = await made('Product/CreateProduct', tea);
    const names = await recorded(async () =>
      expect((await own('Product/UpdateProduct', { id, unit: 'tin', ...changes })).status).toBe(status),
    );
    expect(names).toEqual([]);
  });

  it("does not touch another shop's product", async () => {
    const { made, other } = await openShopCalls();
    const product = await made('Product/CreateProduct', tea);
    expect((await other('Product/UpdateProduct', { id: product.id, name: 'mine' })).status).toBe(404);
    expect(await made('Product/GetProduct', { id: product.id })).toEqual(product);
  });
});

describe('DeleteProduct', () => {
  it('takes its variants, their levels and its memberships along', async () => {
    const { made, own, recorded } = await openShopCalls();
    const { id } = await made('Product/CreateProduct', tea);
    const kept = await made('Product/CreateProduct', {});
    const { id: collection_id } = await made('ProductCollection/CreateCollection', { name: 'Drinks' });
    await made('ProductCollectionRelationship/CreateRelationship', { collection_id, product_id: id });
    await made('ProductCollectionRelationship/CreateRelationship', { collection_id, product_id: kept.id });
    const variant = await made('Variant/CreateVariant', { product_id: id });
    const other = await made('Variant/CreateVariant', { product_id: kept.id });
    expect(await recorded(() => made('Product/DeleteProduct', { id }))).toEqual([
      'inventory_level delete',
      'variant delete',
      'product_collection_relationship delete',
      'product delete',
    ]);
    expect((await own('Product/GetProduct', { id })).status).toBe(404);
    expect((await own('Variant/GetVariant', { id: variant.id })).status).toBe(404);
    expect((await made('Inventory/ListInventoryLevels', {})).inventory_levels).toMatchObject([
      { variant_id: other.id },
    ]);
    const filter = { collection_id };
    expect((await made('ProductCollectionRelationship/ListRelationships', { filter })).relationships).toEqual([
      { collection_id, product_id: kept.id, deleted: false },
    ]);
  });

  it('goes by the first name that is given: id, else code, else external id', async () => {
    const { made, own } = await openShopCalls();
    const one = await made('Product/CreateProduct', { code: 'ONE', external_id: 'erp-1' });
    const two = await made('Product/CreateProduct', { code: 'TWO', external_id: 'erp-2' });
    const three = await made('Product/CreateProduct', { code: 'THREE', external_id: 'erp-3' });
    await made('Product/DeleteProduct', { id: one.id, code: 'TWO' });
    await made('Product/DeleteProduct', { id: '0', code: 'TWO', external_id: 'erp-3' });
    expect((await made('Product/ListProducts', {})).products).toEqual([three]);
    await made('Product/DeleteProduct', { external_id: 'erp-3' });
    expect((await made('Product/ListProducts', {})).products).toEqual([]);
    expect((await own('Product/DeleteProduct', { id: two.id })).status).toBe(404);
    expect((await own('Product/DeleteProduct', {})).status).toBe(400);
  });

  it("does not delete another shop's product", async () => {
    const { made, other } = await openShopCalls();
    const { id, code } = await made('Product/CreateProduct', {});
    for (const lookup of [{ id }, { code }]) {
      expect((await other('Product/DeleteProduct', lookup)).status).toBe(404);
    }
    expect((await made('Product/GetProduct', { id })).deleted).toBe(false);
  });
});

describe('ListProducts', () => {
  it('shows each product with its own variants, oldest first', async () => {
    const { made } = await openShopCalls();
    const one = await made('Product/CreateProduct', {});
    const two = await made('Product/CreateProduct', {});
    const three = await made('Product/CreateProduct', {});
    const variants = [];
    for (const product_id of [one.id, three.id, one.id]) {
      variants.push(await made('Variant/CreateVariant', { product_id }));
    }
    const { products } = await made('Product/ListProducts', {});
    expect(products).toEqual([
      { ...one, variants: [variants[0], variants[2]] },
      { ...two, variants: [] },
      { ...three, variants: [variants[1]] },
    ]);
    await made('Variant/DeleteVariant', { id: variants[0].id });
    const filter = { id: `${one.id}` };
    expect((await made('Product/ListProducts', { filter })).products).toEqual([{ ...one, variants: [variants[2]] }]);
  });

  it('shows deleted products only when asked, as id and deleted', async () => {
    const { made } = await openShopCalls();
    const { id } = await made('Product/CreateProduct', tea);
    await made('Variant/CreateVariant', { product_id: id });
    await made('Product/DeleteProduct', { id });
    expect((await made('Product/ListProducts', {})).products).toEqual([]);
    const { products } = await made('Product/ListProducts', { include_deleted: true });
    expect(products).toMatchObject([{ id, deleted: true, name: null, code: null, image_urls: [], variants: [] }]);
  });
});
