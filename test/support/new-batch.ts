/** A batch of orders of a shop, as it is made; without a limit for its fees. */
export const newBatch = {
  id: '20260131-a1b2',
  account: 'shop 1 http://127.0.0.1:1',
  do: 'ship',
  operation: 'shop.Shipping/CreateAndConfirmOrder' as const,
  options: '{}',
  max_total: null,
  created_at: '2026-01-31T08:00:00Z',
};
