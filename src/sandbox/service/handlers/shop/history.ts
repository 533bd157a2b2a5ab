import type { Handlers } from '../../../engine/call.ts';
import { Refusal } from '../../../engine/refusal.ts';

/** shop.History: the contract declares it only to describe what webhooks deliver; it cannot be called. */
export const handlers = {
  GetChanges() {
    throw new Refusal('unimplemented', 'GetChanges only shows the form of a delivery: create a webhook to get changes');
  },
} satisfies Handlers<typeof import('../../../../contract/shop/history.ts')>;
