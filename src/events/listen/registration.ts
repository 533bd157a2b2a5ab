import type { Clock } from '../../platform/process/clock.ts';

/** The fields of the service's webhook that matter here. */
export interface KnownWebhook {
  readonly id: string;
  readonly url: string;
  readonly entities: readonly string[];
  readonly state: string;
  readonly createdAt: string;
}

/** The webhooks of the current account at the service. */
export interface WebhookContext {
  list(): Promise<KnownWebhook[]>;
  create(webhook: {
    readonly url: string;
    readonly entities: readonly string[];
    readonly metadata: string;
  }): Promise<KnownWebhook>;
  remove(id: string): Promise<void>;
}

/** How a listener wants to be registered. */
export interface Wanted {
  readonly url: string;
  readonly entities: readonly string[];
  /** Stored with the webhook at the service, for people. */
  readonly metadata: string;
  /** The secret in the url: a webhook whose url contains it belongs to this listener, whoever created it. */
  readonly secret: string;
}

/** The registered webhook, and those that it replaces. */
export interface Registered {
  readonly webhook: KnownWebhook;
  readonly isNew: boolean;
  /** The previous webhooks, which are now deleted. */
  readonly replaced: readonly KnownWebhook[];
}

/** How many webhooks an account may have (decisions, section 8). */
const MOST_WEBHOOKS = 5;

/**
 * The webhooks of a listener: their url contains its secret as the first part of the path, or as a later one behind a
 * proxy.
 */
export function ownWebhooks(webhooks: readonly KnownWebhook[], secret: string): KnownWebhook[] {
  return webhooks.filter(({ url }) => URL.canParse(url) && new URL(url).pathname.split('/').includes(secret));
}

/**
 * Ensures that this listener has exactly one webhook. One from an earlier run with the same url is reused; one with
 * another url or other entities, or one that was stopped, is replaced. The new one is created first, so that no change
 * is lost in between; if the account has reached its limit, the old one is deleted first. A create whose answer was
 * lost is looked up.
 */
export async function ensureRegistered(context: WebhookContext, wanted: Wanted): Promise<Registered> {
  const before = await context.list();
  const own = ownWebhooks(before, wanted.secret);
  const standing = own.find((webhook) => stands(webhook, wanted));
  if (standing !== undefined) {
    const others = own.filter(({ id }) => id !== standing.id);
    for (const { id } of others) await context.remove(id);
    return { webhook: standing, isNew: false, replaced: others };
  }
  return replaceWebhooks(context, wanted, before, own);
}

/**
 * Creates a webhook in place of old ones, which are deleted afterwards; if the account has reached its limit, the first
 * of them is deleted before. `before` is what the account has.
 */
export async function replaceWebhooks(
  context: WebhookContext,
  wanted: Omit<Wanted, 'secret'>,
  before: readonly KnownWebhook[],
  old: readonly KnownWebhook[],
): Promise<Registered> {
  const waiting = [...old];
  const replaced: KnownWebhook[] = [];
  if (before.length >= MOST_WEBHOOKS) {
    const first = waiting.shift();
    if (first !== undefined) {
      await context.remove(first.id);
      replaced.push(first);
    }
  }
  const webhook = await create(context, wanted, before);
  for (const one of waiting) {
    await context.remove(one.id);
    replaced.push(one);
  }
  return { webhook, isNew: true, replaced };
}

function stands({ url, entities, state }: KnownWebhook, wanted: Omit<Wanted, 'secret'>): boolean {
  const same =
    entities.length === wanted.entities.length && wanted.entities.every((entity) => entities.includes(entity));
  return url === wanted.url && state !== 'stop' && same;
}

/** If the answer to the create was lost, the list tells whether the webhook exists. */
async function create(
  context: WebhookContext,
  wanted: Omit<Wanted, 'secret'>,
  before: readonly KnownWebhook[],
): Promise<KnownWebhook> {
  const { url, entities, metadata } = wanted;
  try {
    return await context.create({ url, entities, metadata });
  } catch (error) {
    if (!(error instanceof Error) || !('outcome' in error) || error.outcome !== 'unknown') throw error;
    const known = new Set(before.map(({ id }) => id));
    // A look-up that fails tells nothing: the create is what is reported.
    const now = await context.list().catch(() => []);
    const made = now.find((webhook) => !known.has(webhook.id) && stands(webhook, wanted));
    if (made === undefined) throw error;
    return made;
  }
}

/** The period of missing changes, by the service's clock. */
export interface MissingTime {
  readonly webhookId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The period of missing changes because a webhook was stopped, or was still failing when it was replaced: everything
 * between the last change it delivered and the creation of the new one. `lastChange` is the time of that change, null
 * if there was none.
 */
export function missingTime(
  { webhook, isNew, replaced }: Registered,
  lastChange: string | null,
): MissingTime | undefined {
  const broken = replaced.find(({ state }) => state === 'stop') ?? replaced.find(({ state }) => state === 'retry');
  if (!isNew || broken === undefined) return undefined;
  return { webhookId: broken.id, from: missingSince(broken, lastChange), to: webhook.createdAt };
}

/**
 * Checks the webhook periodically, and registers it again if it was stopped or removed, until the signal is aborted.
 */
export async function storeRegistered(
  context: WebhookContext,
  wanted: Wanted,
  options: {
    readonly everyMs: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onRegistered: (registered: Registered) => Promise<void> | void;
    readonly onTrouble: (error: unknown) => void;
  },
): Promise<void> {
  const { everyMs, clock, signal, onRegistered, onTrouble } = options;
  while (!signal.aborted) {
    await clock.wait(everyMs, signal).catch(() => {});
    if (signal.aborted) return;
    try {
      const registered = await ensureRegistered(context, wanted);
      if (registered.isNew) await onRegistered(registered);
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
  }
}

/** The start of the missing changes of a stopped webhook, by the service's clock: after the last one it delivered. */
export function missingSince({ createdAt }: KnownWebhook, lastChange: string | null): string {
  return lastChange !== null && lastChange > createdAt ? lastChange : createdAt;
}

/**
 * Checks at once and then periodically whether the service has stopped a webhook of this listener that somebody else
 * created, and reports each one once, until the signal is aborted.
 */
export async function watchWebhooks(
  context: Pick<WebhookContext, 'list'>,
  secret: string,
  options: {
    readonly everyMs: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onStopped: (webhook: KnownWebhook) => Promise<void> | void;
    readonly onTrouble: (error: unknown) => void;
  },
): Promise<void> {
  const { everyMs, clock, signal, onStopped, onTrouble } = options;
  const reported = new Set<string>();
  while (!signal.aborted) {
    try {
      const stopped = ownWebhooks(await context.list(), secret).filter(
        ({ id, state }) => state === 'stop' && !reported.has(id),
      );
      for (const webhook of stopped) {
        reported.add(webhook.id);
        await onStopped(webhook);
      }
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
    await clock.wait(everyMs, signal).catch(() => {});
  }
}
