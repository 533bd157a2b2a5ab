import { operation } from '../operation.ts';
import { newWebhook, webhook, webhooks } from '../records/webhook.ts';
import { byId } from '../request-shapes.ts';
import { empty } from '../schema/scalars.ts';
import { webhookRules } from '../schema/webhook-rules.ts';

export const CreateWebhook = operation({
  id: 'shop.Webhook/CreateWebhook',
  command: 'webhooks create',
  summary: 'Create a webhook: changes are sent to its url',
  description: 'Only changes after this moment are sent. The receiver answers status 200 with the body ok.',
  effect: 'create',
  peopleOnly: true,
  proves: ['url', 'entities'],
  credential: 'shop-api-key',
  request: newWebhook,
  response: webhook,
  rules: webhookRules,
});

export const DeleteWebhook = operation({
  id: 'shop.Webhook/DeleteWebhook',
  command: 'webhooks delete',
  summary: 'Stop sending changes to a webhook',
  description: 'Returns the webhooks that remain.',
  effect: 'delete',
  peopleOnly: true,
  credential: 'shop-api-key',
  request: byId('webhook'),
  response: webhooks,
  positional: 'id',
});

export const GetWebhooks = operation({
  id: 'shop.Webhook/GetWebhooks',
  command: 'webhooks list',
  summary: 'List the webhooks and the state of their deliveries',
  effect: 'read',
  credential: 'shop-api-key',
  request: empty,
  response: webhooks,
  page: { items: 'webhooks', cursors: false },
});
