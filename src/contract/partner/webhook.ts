import { operation } from '../operation.ts';
import { newWebhook, webhook, webhooks } from '../records/webhook.ts';
import { byId } from '../request-shapes.ts';
import { empty } from '../schema/scalars.ts';
import { webhookRules } from '../schema/webhook-rules.ts';

export const CreateWebhook = operation({
  id: 'partner.Webhook/CreateWebhook',
  command: 'webhooks create',
  summary: 'Create a webhook: changes are sent to its url',
  description: 'Only changes after this moment are sent. The receiver answers status 200 with the body ok.',
  examples: [
    'shopctl webhooks create --url https://example.com/hooks/7f3a --entities order --entities fulfillment',
    'shopctl webhooks create --as shop --url https://example.com/hooks/7f3a --entities inventory_level',
  ],
  effect: 'create',
  peopleOnly: true,
  proves: ['url', 'entities'],
  credential: 'partner-api-key',
  request: newWebhook,
  response: webhook,
  rules: webhookRules,
});

export const DeleteWebhook = operation({
  id: 'partner.Webhook/DeleteWebhook',
  command: 'webhooks delete',
  summary: 'Stop sending changes to a webhook',
  description: 'Returns the webhooks that remain.',
  examples: ['shopctl webhooks delete 1234567890123456789 --yes'],
  effect: 'delete',
  peopleOnly: true,
  credential: 'partner-api-key',
  request: byId('webhook'),
  response: webhooks,
  positional: 'id',
});

export const GetWebhooks = operation({
  id: 'partner.Webhook/GetWebhooks',
  command: 'webhooks list',
  summary: 'List the webhooks and the state of their deliveries',
  examples: ['shopctl webhooks list', 'shopctl webhooks list --as shop --json'],
  effect: 'read',
  credential: 'partner-api-key',
  request: empty,
  response: webhooks,
  page: { items: 'webhooks', cursors: false },
});
