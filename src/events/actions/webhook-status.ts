import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Report } from '../../action/ports.ts';
import { flag, int, list, record, text, time } from '../../contract/schema/scalars.ts';
import { openWorkspace } from '../../ledger/open.ts';
import type { Workspace } from '../../store/workspace.ts';
import type * as Listening from '../listen/index.ts';
import type { Gap } from '../store/listeners.ts';
import type { TargetStanding } from '../store/targets.ts';
import { eventAccount } from './event-account.ts';
import { gapSentence, polledSentence, stoppedSentence } from './listen-webhook.ts';
import { say } from './texts.ts';
import { contextOperations, type StandingWebhook, webhookContext } from './webhook-context.ts';

const row = z.object({
  kind: text('webhook, target, or listener: one that has ended, with --health'),
  name: text('Id of a webhook, name of a target or listener'),
  address: text('Where it leads; possible secrets in it are redacted'),
  state: text('ok, retry or stop of a webhook; active, resting or paused of a target; ended of a listener'),
  listener: z.nullable(text('Whose webhook it is; null where no listener of this workspace made it')),
  last_change_at: z.nullable(time('When the last change came, or was accepted')),
  behind: int('Changes that a target has not accepted', 'changes'),
  dead: int('Changes that failed for good', 'changes'),
  waiting_since: z.nullable(time('Since when the oldest of them waits')),
  next_attempt_at: z.nullable(time('When the service sends a webhook again what was not accepted')),
  last_error: z.nullable(text('What went wrong last; null once something was accepted again')),
  missing: list(
    z.object({
      from: time('From when'),
      to: z.nullable(time('To when; null while it is stopped')),
      closed_at: z.nullable(
        time("When a poll had stored the records' present state; null before, and without a mirror"),
      ),
    }),
    'Times of which changes are missing, because the service had stopped',
  ),
});

/** The state of webhooks and targets. */
export const status = action({
  id: 'webhooks.status',
  words: ['webhooks', 'status'],
  summary: 'Show the state of webhooks and targets',
  description:
    'Webhooks are shown as the service sees them, targets as this workspace does. Exits with 9 if something is broken: a webhook that gets no deliveries, or a target that refuses changes or was given up on.',
  examples: ['shopctl webhooks status', 'shopctl webhooks status --health'],
  effect: 'read',
  agents: 'read',
  needs: ['key', 'workspace'],
  page: { beside: 'day' },
  operations: [contextOperations[0], contextOperations[1]],
  input: record({
    ack: flag('forget the periods of missing changes once they are shown, so that they are not shown again'),
    health: flag(
      'show only what is broken, for a health check; if no listener of a workspace file runs, each is shown as ended',
    ),
  }),
  output: list(row, 'A webhook or a target each'),
  view: {
    columns: [
      { path: 'kind', kind: 'state', optional: true },
      { path: 'name', cut: 'never' },
      { path: 'address' },
      { path: 'state', kind: 'state', cut: 'never' },
      { path: 'listener', optional: true },
      { path: 'last_change_at', header: 'last change', kind: 'moment', optional: true },
      { path: 'behind', kind: 'number' },
      { path: 'dead', kind: 'number' },
      { path: 'last_error', header: 'last error' },
      { path: 'next_attempt_at', header: 'next attempt', kind: 'moment', optional: true },
    ],
    name: 'name',
    fields: ['waiting_since', 'missing'],
  },
  async run({ ack = false, health = false }, ports) {
    const webhooks = await (await webhookContext(ports)).list();
    const { forgetGaps, gapsOf, hookStandings, listenerNames, polledSince, targetStandings } = await import(
      '../listen/index.ts'
    );
    const workspace = await openWorkspace(ports);
    try {
      const account = await eventAccount(ports, workspace);
      const { targets, polled, ...known } = await workspace.read(async (database) => {
        const gaps = await gapsOf(database, account);
        return {
          targets: await targetStandings(database, account),
          hooks: await hookStandings(database, account),
          names: await listenerNames(database, account),
          gaps,
          polled: await polledSince(database, account, gaps.at(-1)?.found_at ?? ''),
        };
      });
      const { report } = ports;
      const ended = await endedListeners(workspace, account, [...known.names.values()]);
      if (ended.length > 0 && !health)
        report.notice(say().webhook.noListener({ advice: ports.ui.advise('start_listener') }));
      for (const gap of known.gaps) report.notice(gapSentence(gap));
      if (ack) {
        ports.intend({ forget: known.gaps.length });
        await workspace.write((database) => forgetGaps(database, account));
      }
      if (polled > 0) report.notice(polledSentence(polled));
      if (webhooks.some(({ state }) => state !== 'ok') || targets.some(isBroken)) report.verdict('partial');
      if (webhooks.some((webhook) => errorNow(webhook)?.startsWith('unexpected response'))) {
        report.notice(say().webhook.unexpected);
      }
      const rowOf = await webhookRows(known, report);
      if (!health) return [...webhooks.map(rowOf), ...(await targetRows(targets))];
      const broken = [
        ...(known.names.size === 0 ? [ports.settings.profileName?.value ?? 'default'] : ended).map(endedRow),
        ...webhooks.filter(({ state }) => state !== 'ok').map(rowOf),
        ...(await targetRows(targets.filter(isBroken))),
      ];
      if (broken.length > 0) report.verdict('partial');
      return broken;
    } finally {
      await workspace.close();
    }
  },
});

type Row = z.output<typeof row>;

/** What the workspace knows of webhooks. */
interface Known {
  readonly hooks: Awaited<ReturnType<typeof Listening.hookStandings>>;
  readonly names: ReadonlyMap<string, string>;
  readonly gaps: readonly Gap[];
}

/** A webhook as the service sees it, and when its last change came here. */
async function webhookRows({ hooks, names, gaps }: Known, report: Pick<Report, 'notice'>) {
  const { hookInUrl, missingSince, shownAddress } = await import('../listen/index.ts');
  return (webhook: StandingWebhook): Row => {
    const { id: name, url, state, lastSentAt, nextAttemptAt } = webhook;
    const pathname = URL.canParse(url) ? new URL(url).pathname : '';
    const secret = pathname.split('/').find((part) => names.has(part));
    const listener = secret === undefined ? null : (names.get(secret) ?? null);
    const hook = secret === undefined || listener === null ? undefined : hooks.get(hookInUrl(listener, secret, url));
    const missing: Row['missing'] = gaps
      .filter((gap) => gap.listener === listener)
      .map((gap) => ({ from: gap.from_time, to: gap.to_time, closed_at: gap.closed_at ?? null }));
    if (state === 'stop') {
      const from = missingSince(webhook, hook?.change_time ?? null);
      missing.unshift({ from, to: null, closed_at: null });
      report.notice(stoppedSentence(name, from, listener !== null));
    }
    return {
      kind: 'webhook',
      name,
      address: shownAddress({ kind: 'url', address: url }),
      state,
      listener,
      last_change_at: hook?.received_at ?? lastSentAt,
      behind: 0,
      dead: 0,
      waiting_since: null,
      next_attempt_at: nextAttemptAt,
      last_error: errorNow(webhook),
      missing,
    };
  };
}

/** Targets as this workspace sees them. */
async function targetRows(targets: readonly TargetStanding[]): Promise<Row[]> {
  const { shownAddress } = await import('../listen/index.ts');
  return targets.map(({ name, kind, address, state, backlog, dead, waiting_since, last_accepted_at, last_error }) => ({
    kind: 'target',
    name,
    address: shownAddress({ kind, address }),
    state,
    listener: null,
    last_change_at: last_accepted_at,
    behind: backlog,
    dead,
    waiting_since,
    next_attempt_at: null,
    last_error,
    missing: [],
  }));
}

/** The listeners that there were, if all of them have ended. */
async function endedListeners(workspace: Workspace, account: string, names: readonly string[]) {
  const { isListening } = await import('../listen/index.ts');
  const running = await Promise.all(names.map((name) => isListening(workspace, account, name)));
  return running.some((is) => is !== false) ? [] : names;
}

/** A listener that has ended. */
const endedRow = (name: string): Row => ({
  kind: 'listener',
  name,
  address: '',
  state: 'ended',
  listener: null,
  last_change_at: null,
  behind: 0,
  dead: 0,
  waiting_since: null,
  next_attempt_at: null,
  last_error: null,
  missing: [],
});

/** The service keeps the last error of a webhook that it delivers to again: then it is over. */
function errorNow({ state, lastError }: StandingWebhook): string | null {
  return state === 'ok' ? null : lastError;
}

/** Whether a target needs attention. */
function isBroken({
  dead,
  backlog,
  last_error,
  state,
}: {
  dead: number;
  backlog: number;
  last_error: string | null;
  state: string;
}): boolean {
  return dead > 0 || (state === 'active' && backlog > 0 && last_error !== null);
}
