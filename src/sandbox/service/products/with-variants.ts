import type { RecordOf } from '../../engine/store/records/kinds.ts';
import type { Work } from '../../engine/work.ts';

type Product = RecordOf<'product'>;
type Variant = RecordOf<'variant'>;

/** Products with their variants, oldest first (decisions, section 6); deleted products have none. */
export function withVariants(work: Work, shopId: string, products: readonly Product[]): Product[] {
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
