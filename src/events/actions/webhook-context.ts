import type { Ports } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import { askedForList } from '../../client/pages.ts';
import { nextAttemptOf } from '../../domain/redelivery.ts';
import { errorCode } from '../../platform/process/error-code.ts';
import { requireNoShop } from '../../settings/keys.ts';
import type { KnownWebhook, WebhookContext } from '../listen/registration.ts';

/** A webhook in a leniently read response. */
interface FoundWebhook {
  readonly id?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly entities?: readonly (string | null)[] | null | undefined;
  readonly metadata?: string | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly states?:
    | {
        readonly state?: string | null | undefined;
        readonly last_sent_at?: string | null | undefined;
        readonly last_error?:
          | {
              readonly error?: string | null | undefined;
              readonly resp_status?: number | null | undefined;
              readonly resp_body?: string | null | undefined;
              readonly sent_at?: string | null | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
}

/** A webhook with the known state of its deliveries. */
export interface StandingWebhook extends KnownWebhook {
  readonly metadata: string;
  readonly lastSentAt: string | null;
  readonly lastError: string | null;
  /** When changes that were not accepted are sent again; null if none are. */
  readonly nextAttemptAt: string | null;
}

/** The webhooks of the account in force. */
export interface StandingContext extends WebhookContext {
  list(): Promise<StandingWebhook[]>;
}

function lastErrorOf({ states }: FoundWebhook): string | null {
  const found = states?.last_error;
  if (found === null || found === undefined || !found.error) return null;
  const body = found.resp_body ? ` ${JSON.stringify(found.resp_body)}` : '';
  return `${found.error}${body}`;
}

function standing(found: FoundWebhook): StandingWebhook {
  return {
    id: found.id ?? '',
    url: found.url ?? '',
    entities: (found.entities ?? []).filter((entity) => entity !== null),
    state: found.states?.state ?? 'ok',
    createdAt: found.created_at ?? '',
    metadata: found.metadata ?? '',
    lastSentAt: found.states?.last_sent_at ?? null,
    lastError: lastErrorOf(found),
    nextAttemptAt: nextAttemptOf(found) ?? null,
  };
}

/** The ids of the operations that it calls, for either family. */
export const contextOperations = [
  'partner.Webhook/GetWebhooks',
  'shop.Webhook/GetWebhooks',
  'partner.Webhook/CreateWebhook',
  'shop.Webhook/CreateWebhook',
  'partner.Webhook/DeleteWebhook',
  'shop.Webhook/DeleteWebhook',
] as const;

/**
 * Access to the webhooks of the account in force: a partner's, or a shop's own. Calls are aborted with the signal, by
 * default the run's own; cleaning up when the run ends needs another one.
 */
export async function webhookContext(
  { settings, connection, signal: ending }: Pick<Ports, 'settings' | 'connection' | 'signal'>,
  signal: AbortSignal = ending,
): Promise<StandingContext> {
  const { CreateWebhook, DeleteWebhook, GetWebhooks } =
    settings.as?.value === 'shop'
      ? await import('../../contract/shop/webhook.ts')
      : await import('../../contract/partner/webhook.ts');
  requireNoShop(GetWebhooks.credential, settings);
  const way = { ...connection(), signal };
  return {
    async list() {
      const { webhooks } = await askedForList(GetWebhooks, () => call(GetWebhooks, {}, way));
      return (webhooks ?? []).map((found) => standing(found));
    },
    async create({ url, entities, metadata }) {
      const request = { url, entities: [...entities] as never, metadata, fields: [] };
      return standing((await call(CreateWebhook, request, way)) as FoundWebhook);
    },
    async remove(id) {
      try {
        await call(DeleteWebhook, { id }, way);
      } catch (error) {
        // Somebody else was faster: it is gone, as intended.
        if (errorCode(error) !== 'not_found') throw error;
      }
    },
  };
}
