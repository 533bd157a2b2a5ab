import type { Handlers } from '../../../engine/call.ts';
import { createWebhook, deleteWebhook, listWebhooks } from '../../webhooks/subscriptions.ts';
import { ownerOf } from '../../webhooks/webhook.ts';

/** shop.Webhook: a shop's own webhooks (decisions, section 8). */
export const handlers = {
  CreateWebhook: (input, call) => createWebhook(call, ownerOf(call.account), input),
  GetWebhooks: (_input, call) => listWebhooks(call, ownerOf(call.account)),
  DeleteWebhook: ({ id }, call) => deleteWebhook(call, ownerOf(call.account), id),
} satisfies Handlers<typeof import('../../../../contract/shop/webhook.ts')>;
