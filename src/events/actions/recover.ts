import * as z from 'zod';
import { action } from '../../action/action.ts';
import { flag, id, list, record, text, time } from '../../contract/schema/scalars.ts';
import { openWorkspace } from '../../ledger/open.ts';
import { eventAccount } from './event-account.ts';
import { gapSentence } from './listen-webhook.ts';
import { say } from './texts.ts';
import { contextOperations, webhookContext } from './webhook-context.ts';

const recovered = z.object({
  old_id: id('The webhook that had been stopped, and is deleted'),
  new_id: id('The one in its place'),
  host: text('Where it leads; the rest of its url may be a secret'),
  missing_from: time('Changes after this moment are missing'),
  missing_to: time('Up to this one'),
});

/** Recreates webhooks that the service has stopped. */
export const recover = action({
  id: 'webhooks.recover',
  words: ['webhooks', 'recover'],
  summary: 'Replace webhooks that the service has stopped',
  description:
    'Each is created again, and the old one deleted; without --all, only those of listeners in this workspace, and the exit code is 9 while others are stopped. What happened in the meantime is never sent; lists show the present state of the records.',
  examples: ['shopctl webhooks recover', 'shopctl webhooks recover --all'],
  effect: 'create',
  mayAlso: ['store'],
  undo: { whyNot: 'the old webhook is gone' },
  needs: ['key', 'workspace'],
  page: 'allowed',
  operations: contextOperations,
  input: record({ all: flag('every stopped webhook of the account') }),
  output: list(recovered, 'One webhook each'),
  view: {
    columns: [
      { path: 'old_id', header: 'stopped' },
      { path: 'new_id', header: 'in its place' },
      { path: 'host' },
      { path: 'missing_from', header: 'missing from', kind: 'time' },
      { path: 'missing_to', header: 'to', kind: 'time' },
    ],
    name: 'new_id',
  },
  async run({ all }, ports) {
    const { report, clock } = ports;
    const context = await webhookContext(ports);
    const family = ports.settings.as?.value === 'shop' ? 'shop.' : 'partner.';
    ports.intend({
      recover:
        all === true ? 'every stopped webhook of the account' : 'stopped webhooks of listeners in this workspace',
      operations: contextOperations.filter((id) => id.startsWith(family)),
    });
    const webhooks = await context.list();
    const stopped = webhooks.filter(({ state }) => state === 'stop');
    const { hookInUrl, hookStandings, listenerNames, missingTime, rememberGap, replaceWebhooks } = await import(
      '../listen/index.ts'
    );
    const workspace = await openWorkspace(ports);
    try {
      const account = await eventAccount(ports, workspace);
      const [names, hooks] = await workspace.read(
        async (database) => [await listenerNames(database, account), await hookStandings(database, account)] as const,
      );
      const rows: z.output<typeof recovered>[] = [];
      let left = 0;
      for (const old of stopped) {
        const { pathname, host } = new URL(old.url);
        const secret = pathname.split('/').find((part) => names.has(part));
        if (secret === undefined && all !== true) {
          left += 1;
          continue;
        }
        const listener = names.get(secret ?? '') ?? '';
        const registered = await replaceWebhooks(context, old, await context.list(), [old]);
        const hook = secret === undefined ? undefined : hooks.get(hookInUrl(listener, secret, old.url));
        const missing = missingTime(registered, hook?.change_time ?? null);
        const [from, to] = [missing?.from ?? old.createdAt, missing?.to ?? registered.webhook.createdAt];
        rows.push({ old_id: old.id, new_id: registered.webhook.id, host, missing_from: from, missing_to: to });
        const gap = {
          account,
          listener,
          webhook_id: old.id,
          from_time: from,
          to_time: to,
          found_at: new Date(clock.now()).toISOString(),
        };
        await workspace.write((database) => rememberGap(database, gap));
        report.notice(gapSentence(gap));
      }
      if (left > 0) {
        report.notice(say().webhook.ofOthers({ count: left, advice: ports.ui.advise('recover_all') }));
        report.verdict('partial');
      }
      if (stopped.length === 0) report.notice(say().webhook.noneStopped);
      return rows;
    } finally {
      await workspace.close();
    }
  },
});
