import type { Clock } from '../../platform/clock.ts';

/** A webhook as the service knows it, as far as it matters here. */
export interface KnownWebhook {
  readonly id: string;
  readonly url: string;
  readonly entities: readonly string[];
  readonly state: string;
  readonly createdAt: string;
}

/** The webhooks of the account in force, at the service. */
export interface WebhookDesk {
  list(): Promise<KnownWebhook[]>;
  create(webhook: {
    readonly url: string;
    readonly entities: readonly string[];
    readonly metadata: string;
  }): Promise<KnownWebhook>;
  remove(id: string): Promise<void>;
}

/** What a listener wants to be registered as. */
export interface Wanted {
  readonly url: string;
  readonly entities: readonly string[];
  /** What the service keeps with it, for people. */
  readonly metadata: string;
  /** The secret in the url: a webhook whose url holds it is this listener's, whoever made it and when. */
  readonly secret: string;
}

/** A webhook that stands now, and those that it stands for. */
export interface Registered {
  readonly webhook: KnownWebhook;
  readonly isNew: boolean;
  /** What was there before, and is deleted now. */
  readonly replaced: readonly KnownWebhook[];
}

/** How many webhooks an account may have (decisions, section 8). */
const MOST_WEBHOOKS = 5;

/** The webhooks of a listener: their url holds its secret as the first part of its path, or as a later one behind a proxy. */
export function ownWebhooks(webhooks: readonly KnownWebhook[], secret: string): KnownWebhook[] {
  return webhooks.filter(({ url }) => URL.canParse(url) && new URL(url).pathname.split('/').includes(secret));
}

/**
 * Makes sure that one webhook of this listener stands. What an earlier run left at the same url is taken over; what is
 * elsewhere, hears something else or was stopped is replaced, the new one first, so that no change falls between them;
 * where the account has as many as it may have, the old one goes first. A create whose answer was lost is looked up.
 */
export async function ensureRegistered(desk: WebhookDesk, wanted: Wanted): Promise<Registered> {
  const before = await desk.list();
  const own = ownWebhooks(before, wanted.secret);
  const standing = own.find((webhook) => stands(webhook, wanted));
  if (standing !== undefined) {
    const others = own.filter(({ id }) => id !== standing.id);
    for (const { id } of others) await desk.remove(id);
    return { webhook: standing, isNew: false, replaced: others };
  }
  return replaceWebhooks(desk, wanted, before, own);
}

/**
 * Creates a webhook in the place of old ones, which are deleted: after it, or where the account has as many as it may
 * have, the first of them before it. `before` is what the account has.
 */
export async function replaceWebhooks(
  desk: WebhookDesk,
  wanted: Omit<Wanted, 'secret'>,
  before: readonly KnownWebhook[],
  old: readonly KnownWebhook[],
): Promise<Registered> {
  const waiting = [...old];
  const replaced: KnownWebhook[] = [];
  if (before.length >= MOST_WEBHOOKS) {
    const first = waiting.shift();
    if (first !== undefined) {
      await desk.remove(first.id);
      replaced.push(first);
    }
  }
  const webhook = await create(desk, wanted, before);
  for (const one of waiting) {
    await desk.remove(one.id);
    replaced.push(one);
  }
  return { webhook, isNew: true, replaced };
}

function stands({ url, entities, state }: KnownWebhook, wanted: Omit<Wanted, 'secret'>): boolean {
  const same =
    entities.length === wanted.entities.length && wanted.entities.every((entity) => entities.includes(entity));
  return url === wanted.url && state !== 'stop' && same;
}

/** An answer that was lost says nothing of the webhook: whether it is there, the list tells. */
async function create(
  desk: WebhookDesk,
  wanted: Omit<Wanted, 'secret'>,
  before: readonly KnownWebhook[],
): Promise<KnownWebhook> {
  const { url, entities, metadata } = wanted;
  try {
    return await desk.create({ url, entities, metadata });
  } catch (error) {
    if (!(error instanceof Error) || !('outcome' in error) || error.outcome !== 'unknown') throw error;
    const known = new Set(before.map(({ id }) => id));
    const made = (await desk.list()).find((webhook) => !known.has(webhook.id) && stands(webhook, wanted));
    if (made === undefined) throw error;
    return made;
  }
}

/** From when to when changes are missing, by the service's clock. */
export interface MissingTime {
  readonly webhookId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * What is missing because a webhook had been stopped, or was still failing when it was replaced: all after the last
 * change that came by it, until the new one stood. `lastChange` is the time of that change, null where none came.
 */
export function missingTime(
  { webhook, isNew, replaced }: Registered,
  lastChange: string | null,
): MissingTime | undefined {
  const broken = replaced.find(({ state }) => state === 'stop') ?? replaced.find(({ state }) => state === 'retry');
  if (!isNew || broken === undefined) return undefined;
  return { webhookId: broken.id, from: missingSince(broken, lastChange), to: webhook.createdAt };
}

/** Looks at the webhook now and then, and registers it anew where it was stopped or removed, until the signal is aborted. */
export async function keepRegistered(
  desk: WebhookDesk,
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
      const registered = await ensureRegistered(desk, wanted);
      if (registered.isNew) await onRegistered(registered);
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
  }
}

/** From when on changes are missing of a webhook that is stopped, by the service's clock: after the last that came by it. */
export function missingSince({ createdAt }: KnownWebhook, lastChange: string | null): string {
  return lastChange !== null && lastChange > createdAt ? lastChange : createdAt;
}

/**
 * Looks at once and then now and then whether the service has stopped a webhook of this listener that somebody else made,
 * and tells of each once, until the signal is aborted.
 */
export async function watchWebhooks(
  desk: Pick<WebhookDesk, 'list'>,
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
  const told = new Set<string>();
  while (!signal.aborted) {
    try {
      const stopped = ownWebhooks(await desk.list(), secret).filter(
        ({ id, state }) => state === 'stop' && !told.has(id),
      );
      for (const webhook of stopped) {
        told.add(webhook.id);
        await onStopped(webhook);
      }
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
    await clock.wait(everyMs, signal).catch(() => {});
  }
}
