import { shopOf } from '../../../engine/account.ts';
import type { Call, Handlers, Work } from '../../../engine/call.ts';
import type { RecordOf } from '../../../engine/store/record-kinds.ts';
import { idsOf } from '../../../engine/store/record-lists.ts';
import type { Stored } from '../../../engine/store/rows.ts';
import { findByAllNames, findByFirstName, findById } from '../../lookup.ts';
import { checkPrices, makeProduct } from '../../make-variant.ts';
import { removeProduct } from '../../remove-product.ts';

type Product = RecordOf<'product'>;
type Variant = RecordOf<'variant'>;

/** Products with their variants, oldest first (decisions, section 6); deleted products have none. */
function withVariants(work: Work, shopId: string, products: readonly Product[]): Product[] {
  const live = products.filter(({ deleted }) => !deleted);
  const variants = variantsOf(
    work,
    shopId,
    live.map(({ id }) => id),
  );
  return products.map((product) =>
    product.deleted ? product : { ...product, variants: variants.get(product.id) ?? [] },
  );
}

/** The variants of several products, by product id. */
function variantsOf(work: Work, shopId: string, productIds: readonly string[]): Map<string, Variant[]> {
  const byProduct = new Map(productIds.map((id): [string, Variant[]] => [id, []]));
  for (const { record } of work.records('variant', shopId).find({ product_id: productIds })) {
    byProduct.get(record.product_id ?? '')?.push(record);
  }
  return byProduct;
}

/** shop.Product: the products of a shop, each shown with its variants (decisions, sections 5 and 6). */
export const handlers = {
  CreateProduct(input, call) {
    return makeProduct(call, shopOf(call.account).shopId, input).record;
  },
  GetProduct(input, call) {
    return whole(call, findByAllNames(call, shopOf(call.account).shopId, 'product', input));
  },
  ListProducts({ filter, include_deleted: includeDeleted, paging }, call) {
    const { shopId } = shopOf(call.account);
    const where = { id: idsOf(filter?.id) };
    const page = call.records('product', shopId).list({ where, includeDeleted, paging });
    return { products: withVariants(call, shopId, page.items), paging: page.paging };
  },
  UpdateProduct(input, call) {
    checkPrices(input);
    const product = findById(call, shopOf(call.account).shopId, 'product', input.id);
    const { id, variants = [] } = whole(call, product);
    const changed = call.records('product', product.shopId).update(product, input, { joined: { id, variants } });
    return { ...changed.record, variants };
  },
  DeleteProduct(input, call) {
    removeProduct(call, findByFirstName(call, shopOf(call.account).shopId, 'product', input));
    return {};
  },
} satisfies Handlers<typeof import('../../../../contract/shop/product.ts')>;

/** A product with its variants. */
function whole(call: Call, { record, shopId }: Stored<'product'>) {
  const [product = record] = withVariants(call, shopId, [record]);
  return product;
}
