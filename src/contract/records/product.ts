import * as enums from '../enums.ts';
import { notNegative } from '../schema/rules.ts';
import { clearableId, flag, id, list, money, oneOf, record, requiring, text, time } from '../schema/scalars.ts';
import { attribute } from './order.ts';

const references = {
  code: text('Code in the shop; assigned by the service when absent'),
  external_id: text("Id in the caller's system"),
  external_code: text("Code in the caller's system"),
};

const content = {
  name: text('Name'),
  short_desc: text('Description in a sentence'),
  description: text('Description'),
  note: text('Note of the shop'),
};

const pictures = { image_urls: list(text('URL of a picture'), 'URLs of pictures') };

const prices = {
  list_price: money('Price printed on the packaging'),
  retail_price: money('Price before discount'),
  cost_price: money('What it cost the shop'),
};

/** Prices must not be negative. */
export const priceRules = notNegative(...Object.keys(prices));

const attributes = { attributes: list(attribute, 'Attributes of the variant, for example its colour') };

const productId = id('Id of the product');
const variantId = id('Id of the variant');
const brandId = id('Id of the brand');
const unit = text('Unit it is sold by, for example box');

/** A variant of a product (contract, "Variant"; decisions, section 6). */
export const shopVariant = record({
  id: variantId,
  product_id: productId,
  ...references,
  ...content,
  ...pictures,
  ...prices,
  ...attributes,
  status: oneOf(enums.status3, 'Status of the variant'),
  deleted: flag('Whether the variant is deleted'),
});

/** The fields of a new variant (contract, "Variant"). */
export const newVariant = record({
  product_id: productId,
  ...references,
  ...content,
  ...pictures,
  ...prices,
  ...attributes,
});

/** The updatable fields of a variant; absent or null is unchanged (decisions, section 6). */
export const variantChanges = requiring({ id: variantId }, { code: references.code, ...content, ...prices });

/**
 * A product with its variants (contract, "Product (ShopProduct)"; variants: decisions, section 6). Only the id is
 * guaranteed.
 */
export const shopProduct = requiring(
  { id: productId },
  {
    ...references,
    brand_id: brandId,
    category_id: id('Id of the category'),
    ...content,
    ...pictures,
    ...prices,
    unit,
    status: oneOf(enums.status3, 'Status of the product'),
    deleted: flag('Whether the product is deleted'),
    created_at: time('When it was created'),
    updated_at: time('When it last changed'),
    variants: list(shopVariant, 'Its variants'),
  },
);

/** The fields of a new product (contract, shop.Product/CreateProduct). */
export const newProduct = record({ ...references, brand_id: brandId, ...content, ...pictures, ...prices, unit });

/** The updatable fields of a product; absent or null is unchanged (decisions, section 6). */
export const productChanges = requiring(
  { id: productId },
  { brand_id: clearableId('Id of the brand'), ...content, ...prices, unit },
);
