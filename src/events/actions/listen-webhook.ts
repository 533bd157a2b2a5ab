import type { Ports } from '../../action/ports.ts';
import { entity } from '../../contract/enums.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Gap } from '../store/listeners.ts';
import { type ListenInput, publicUrlOf, type readListenInput } from './listen-input.ts';
import { say } from './texts.ts';
import { type StandingContext, webhookContext } from './webhook-context.ts';

/** Time limit for removing the webhook when the run ends. */
const FAREWELL_MS = 10_000;

/** The message that changes are missing because a webhook is stopped. */
export function stoppedSentence(id: string, since: string, isOurs: boolean): string {
  const recover = `shopctl webhooks recover${isOurs ? '' : ' --all'}`;
  return say().webhook.stopped({ id, since, recover });
}

/** The message about a period in which changes are missing. */
export function gapSentence({
  from_time,
  to_time,
  closed_at,
}: Pick<Gap, 'from_time' | 'to_time' | 'closed_at'>): string {
  if (closed_at) {
    return say().webhook.gapPolled({ from: from_time, to: to_time, polledAt: closed_at });
  }
  return say().webhook.gap({ from: from_time, to: to_time });
}

/** The message about changes that polls found because no webhook had delivered them. */
export function polledSentence(count: number): string {
  return say().webhook.polled({ count });
}

/** What is wrong, in words; a cause says more than its effect. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Suppresses repeats of the same message: a full disk fails every callback. */
export function saidOnce(tell: (text: string) => void): (text: string) => void {
  let last = '';
  return (sentence) => {
    if (sentence !== last) tell(sentence);
    last = sentence;
  };
}

/** What watching a webhook requires. */
export interface Watching {
  readonly ports: Ports;
  readonly request: Awaited<ReturnType<typeof readListenInput>>;
  readonly listener: { readonly origin: string; readonly path: string; readonly secret: string };
  readonly workspace: Workspace;
  readonly account: string;
  readonly signal: AbortSignal;
}

/**
 * Reports when the service has stopped a webhook that leads here, if there is a key to check with; returns a way to
 * wait for its end.
 */
export async function watchStopped({
  ports,
  request,
  listener,
  workspace,
  account,
  signal,
}: Watching): Promise<() => Promise<void>> {
  const { clock, report, settings } = ports;
  if (settings.baseUrl === undefined) return async () => {};
  const key = ports.connection().key(settings.as?.value === 'shop' ? 'shop-api-key' : 'partner-api-key');
  if (key === undefined) return async () => {};
  const { hookInUrl, hookStandings, missingSince, watchWebhooks } = await import('../listen/index.ts');
  const sayTrouble = saidOnce(report.say);
  const watching = watchWebhooks(await webhookContext(ports, signal), listener.secret, {
    everyMs: request.pollMs,
    clock,
    signal,
    async onStopped(webhook) {
      const standings = await workspace.read((database) => hookStandings(database, account));
      const hook = standings.get(hookInUrl(request.name, listener.secret, webhook.url));
      report.say(stoppedSentence(webhook.id, missingSince(webhook, hook?.change_time ?? null), true));
    },
    onTrouble: (error) => sayTrouble(say().webhook.notLooked({ why: wordsOf(error) })),
  });
  return () => watching;
}

/** What registering requires. */
export interface Registering extends Watching {
  readonly given: ListenInput;
}

/** Registers the listener's webhook and keeps it registered. */
export async function registerListener({ given, ports, request, listener, workspace, account, signal }: Registering) {
  const { clock, report } = ports;
  const { ensureRegistered, hookOf, hookStandings, storeRegistered, missingTime, rememberGap } = await import(
    '../listen/index.ts'
  );
  const context: StandingContext = await webhookContext(ports, signal);
  const wanted = {
    url: publicUrlOf(given, ports, listener.origin, listener.path),
    entities: request.entities.length > 0 ? request.entities : [...entity],
    metadata: `shopctl webhooks listen, ${request.name}`,
    secret: listener.secret,
  };
  let webhook: Awaited<ReturnType<typeof ensureRegistered>>['webhook'];
  const note = async (registered: Awaited<ReturnType<typeof ensureRegistered>>) => {
    webhook = registered.webhook;
    const standings = await workspace.read((database) => hookStandings(database, account));
    const missing = missingTime(registered, standings.get(hookOf(request.name, listener.path))?.change_time ?? null);
    if (missing === undefined) return;
    const gap: Gap = {
      account,
      listener: request.name,
      webhook_id: missing.webhookId,
      from_time: missing.from,
      to_time: missing.to,
      found_at: new Date(clock.now()).toISOString(),
    };
    await workspace.write((database) => rememberGap(database, gap));
    report.say(gapSentence(gap));
  };
  /** Removes what this run has registered; its own signal is aborted already. */
  const remove = async () => {
    const last = await webhookContext(ports, AbortSignal.timeout(FAREWELL_MS));
    // Another command may have put one in its place, which nobody would take away.
    for (const { id, url } of await last.list()) if (url === wanted.url) await last.remove(id);
  };
  const registered = await ensureRegistered(context, wanted).catch(async (error: unknown) => {
    // Interrupted in the middle of it: the webhook may be there. A second signal waits for nothing.
    if (signal.aborted && given.keep !== true && ports.waiting?.signal?.aborted !== true)
      await remove().catch(() => {});
    throw error;
  });
  await note(registered);
  const said = registered.isNew ? say().webhook.registered : say().webhook.tookOver;
  report.say(said({ id: registered.webhook.id, kinds: wanted.entities.length }));
  const sayTrouble = saidOnce(report.say);
  const keeping = storeRegistered(context, wanted, {
    everyMs: request.pollMs,
    clock,
    signal,
    onRegistered: async (again) => {
      await note(again);
      report.say(say().webhook.inPlace({ id: again.webhook.id }));
    },
    onTrouble: (error) => sayTrouble(say().webhook.notLookedAfter({ why: wordsOf(error) })),
  });
  return {
    since: () => webhook.createdAt,
    hooks: () => [{ id: webhook.id, url: webhook.url, entities: webhook.entities }],
    async close() {
      await keeping;
      if (given.keep === true) return;
      try {
        await remove();
      } catch (error) {
        report.say(say().webhook.notRemoved({ id: webhook.id, why: wordsOf(error) }));
        if (fieldsIn(error).outcome === 'unknown') report.verdict('unknownOutcome');
      }
    },
  };
}
