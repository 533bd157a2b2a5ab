import type { Handlers } from '../../../engine/call.ts';
import { createWebhook, deleteWebhook, listWebhooks } from '../../webhooks/subscriptions.ts';
import { ownerOf } from '../../webhooks/webhook.ts';

/** partner.Webhook: the webhooks of a partner, for all shops linked with it (decisions, section 8). */
export const handlers = {
  CreateWebhook: (input, call) => createWebhook(call, ownerOf(call.account), input),
  GetWebhooks: (_input, call) => listWebhooks(call, ownerOf(call.account)),
  DeleteWebhook: ({ id }, call) => deleteWebhook(call, ownerOf(call.account), id),
} satisfies Handlers<typeof import('../../../../contract/partner/webhook.ts')>;
