import { operation } from '../operation.ts';
import { callback } from '../records/change.ts';
import { empty } from '../scalars.ts';

export const GetChanges = operation({
  id: 'shop.History/GetChanges',
  command: 'history changes',
  summary: 'Show the form of a webhook delivery',
  description: 'An illustration of what webhooks receive: services answer that it is unimplemented.',
  examples: ['shopctl history changes --json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: empty,
  response: callback,
});
