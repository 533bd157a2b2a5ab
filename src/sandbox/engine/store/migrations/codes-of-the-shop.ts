import type { Migration } from './migration.ts';

/**
 * An external code is unique in the shop, whoever made the order. If orders of two makers already share one, the older
 * order reserves it. Fields that were stored beside an order, or not at all, move into its record (external_meta,
 * self_url), because a stored record is returned unchanged.
 */
export const codesOfTheShop: Migration = {
  name: 'external codes of the shop',
  sql: `
    UPDATE orders SET held_external_code = NULL WHERE EXISTS (
      SELECT 1 FROM orders AS older
      WHERE older.shop_id = orders.shop_id AND older.external_code = orders.external_code AND older.id < orders.id
        AND older.held_external_code IS NOT NULL
    );
    UPDATE orders SET held_external_code = 'shop ' || shop_id || ': ' || external_code
      WHERE held_external_code IS NOT NULL;
    UPDATE orders SET body = json_set(
      body,
      '$.external_meta', json(coalesce(json_extract(hidden, '$.external_meta'), 'null')),
      '$.self_url', 'https://sandbox.example/orders/' || id
    );
    UPDATE fulfillments SET body = json_set(body, '$.self_url', 'https://sandbox.example/fulfillments/' || id);
  `,
};
