import { operation } from '../operation.ts';
import { callback } from '../records/change.ts';
import { empty } from '../schema/scalars.ts';

const group = { id: '1234567890123456789', shop_id: '1234567890123456780', name: 'Khách quen', deleted: false };

/** A delivery of two changes: a new group, and one field of it that was changed afterwards. */
const illustration = {
  id: '1234567890123456700',
  changes: [
    {
      change_type: 'create',
      entity: 'customer_group',
      time: '2026-01-31T08:00:00Z',
      changed: { customer_group: { ...group, name: 'Khách' } },
      latest: { customer_group: { ...group, name: 'Khách' } },
    },
    {
      change_type: 'update',
      entity: 'customer_group',
      time: '2026-01-31T08:00:05Z',
      changed: { customer_group: { id: group.id, shop_id: group.shop_id, name: group.name } },
      latest: { customer_group: group },
    },
  ],
};

export const GetChanges = operation({
  id: 'shop.History/GetChanges',
  command: 'history changes',
  summary: 'Show the form of a webhook delivery',
  description: 'Services do not implement it; the example of the contract is shown instead: what a webhook receives.',
  examples: ['shopctl history changes --json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: empty,
  response: callback,
  illustration,
});
