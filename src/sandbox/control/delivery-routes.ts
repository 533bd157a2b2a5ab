import { type ControlRoute, numberOf, textOf } from './route.ts';

/** What was delivered to the webhooks. A POST, for a GET of the control plane has no input. */
export const deliveryRoutes: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: 'deliveries',
    handle: ({ control }, input) =>
      control.deliveries({
        webhookId: input.webhook_id === undefined ? undefined : textOf(input, 'webhook_id'),
        limit: numberOf(input, 'limit'),
      }),
  },
];
