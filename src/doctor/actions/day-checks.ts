import type { Ports } from '../../action/ports.ts';
import { openBatchesOf } from '../../batch/actions/in-context.ts';
import type { OpenBatches } from '../../batch/open.ts';
import { eventAccount } from '../../events/actions/event-account.ts';
import { webhookContext } from '../../events/actions/webhook-context.ts';
import { workspacePlace } from '../../ledger/open.ts';
import { type Finding, failedBy, fine, skipped, warning } from './finding.ts';
import { say } from './texts.ts';

async function batches({ batches }: OpenBatches, { ui }: Ports): Promise<Finding> {
  const [newest, ...others] = await batches.list({ states: ['open'] });
  if (newest === undefined) return fine('batches', say().batches.none);
  const found = say().batches.open({ count: others.length + 1, newest: newest.id });
  return warning(
    'batches',
    found,
    say().batches.continues({ command: ui.advise('resume_batch', { batch: newest.id }) }),
  );
}

async function writes(ports: Ports): Promise<Finding> {
  const [{ ledgerOpener }, { unsettled }] = await Promise.all([
    import('../../ledger/open.ts'),
    import('../../ledger/intents/unsettled.ts'),
  ]);
  const store = await ledgerOpener(ports).open();
  try {
    const unclear = await unsettled(store, 'unclear');
    if (unclear.length === 0) return fine('writes', say().writes.known);
    const found = say().writes.unclear({ count: unclear.length });
    return warning('writes', found, ports.ui.advise('see_ledger'));
  } finally {
    await store.close();
  }
}

async function listeners({ workspace }: OpenBatches, ports: Ports): Promise<Finding> {
  const { isListening, listenerNames, targetStandings } = await import('../../events/listen/index.ts');
  const account = await eventAccount(ports, workspace);
  const [names, targets] = await workspace.read(
    async (database) =>
      [[...(await listenerNames(database, account)).values()], await targetStandings(database, account)] as const,
  );
  if (names.length === 0) return fine('listener', say().listener.never);
  const running = await Promise.all(names.map((name) => isListening(workspace, account, name)));
  const waiting = targets.reduce((sum, { backlog }) => sum + backlog, 0);
  if (running.includes(undefined)) return fine('listener', say().listener.elsewhere);
  if (running.includes(true))
    return fine('listener', say().listener.runs({ names: names.filter((_, at) => running[at]).join(', ') }));
  return warning('listener', say().listener.none({ waiting }), ports.ui.advise('start_listener'));
}

/** What is left of earlier work: unfinished batches, writes of unknown outcome, a listener that has ended. */
export async function checkDay(ports: Ports, workspace: Finding): Promise<readonly Finding[]> {
  const checks = ['batches', 'writes', 'listener'] as const;
  if (ports.problem !== undefined) return checks.map((check) => skipped(check, say().settingsUnusable));
  // A database that is away is waited for once.
  if (workspace.verdict === 'network') return checks.map((check) => skipped(check, say().workspaceAway));
  try {
    const { isLedgerThere } = await import('../../ledger/store/open-ledger.ts');
    if (!isLedgerThere(workspacePlace(ports))) return checks.map((check) => fine(check, say().noneYet));
    const open = await openBatchesOf(ports);
    try {
      return [await batches(open, ports), await writes(ports), await listeners(open, ports)];
    } finally {
      await open.workspace.close();
    }
  } catch (error) {
    const [first, ...others] = checks;
    return [failedBy(first, error, ports), ...others.map((check) => skipped(check, say().workspaceUnusable))];
  }
}

/** Whether the service still delivers to the webhooks of the account. */
export async function checkWebhooks(ports: Ports): Promise<Finding> {
  const check = 'webhooks';
  try {
    const webhooks = await (await webhookContext(ports)).list();
    const stopped = webhooks.filter(({ state }) => state === 'stop').length;
    const count = webhooks.length;
    const found = say().webhooks.counted({ count, stopped });
    if (stopped > 0) return warning(check, found, ports.ui.advise('recover_all'));
    const failing = webhooks.filter(({ state }) => state === 'retry').length;
    if (failing === 0) return fine(check, found);
    return warning(check, say().webhooks.failing({ count, failing }), ports.ui.advise('see_webhooks'));
  } catch (error) {
    if (ports.signal.aborted) throw error;
    return failedBy(check, error, ports);
  }
}
