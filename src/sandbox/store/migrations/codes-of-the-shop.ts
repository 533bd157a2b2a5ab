import type { Migration } from '../migrations.ts';

/**
 * An external code is unique in the shop, whoever made the order. Where two makers' orders have one by now, the older
 * keeps it from others. What was kept beside an order, or not at all, moves into its record (external_meta, self_url),
 * for a stored record is answered as it stands.
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
