import type { Ports } from '../../action/ports.ts';
import { openBatchesOf } from '../../batch/actions/in-context.ts';
import type { OpenBatches } from '../../batch/open.ts';
import { eventAccount } from '../../events/actions/event-account.ts';
import { webhookContext } from '../../events/actions/webhook-context.ts';
import { workspacePlace } from '../../ledger/open.ts';
import { type Finding, failedBy, fine, skipped, warning } from './finding.ts';

const many = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`;

async function batches({ batches }: OpenBatches, { ui }: Ports): Promise<Finding> {
  const [newest, ...others] = await batches.list({ states: ['open'] });
  if (newest === undefined) return fine('batches', 'none is unfinished');
  const found = `${many(others.length + 1, 'is', 'are')} unfinished, the newest of them ${newest.id}`;
  return warning('batches', found, `\`${ui.advise('resume_batch', { batch: newest.id })}\` continues it`);
}

async function writes(ports: Ports): Promise<Finding> {
  const [{ ledgerOpener }, { unsettled }] = await Promise.all([
    import('../../ledger/open.ts'),
    import('../../ledger/intents/unsettled.ts'),
  ]);
  const store = await ledgerOpener(ports).open();
  try {
    const unclear = await unsettled(store, 'unclear');
    if (unclear.length === 0) return fine('writes', 'the outcome of each is known');
    const found = `of ${many(unclear.length, 'write', 'writes')} the outcome is not known`;
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
  if (names.length === 0) return fine('listener', 'none was ever started');
  const running = await Promise.all(names.map((name) => isListening(workspace, account, name)));
  const waiting = targets.reduce((sum, { backlog }) => sum + backlog, 0);
  if (running.includes(undefined)) return fine('listener', 'may run on another machine');
  if (running.includes(true)) return fine('listener', `${names.filter((_, at) => running[at]).join(', ')} runs`);
  const found = `none runs${waiting === 0 ? '' : `, and ${many(waiting, 'change waits', 'changes wait')} for a target`}`;
  return warning('listener', found, ports.ui.advise('start_listener'));
}

/** What is left of earlier work: unfinished batches, writes of unknown outcome, a listener that has ended. */
export async function checkDay(ports: Ports, workspace: Finding): Promise<readonly Finding[]> {
  const checks = ['batches', 'writes', 'listener'] as const;
  if (ports.problem !== undefined) return checks.map((check) => skipped(check, 'the settings cannot be used'));
  // A database that is away is waited for once.
  if (workspace.verdict === 'network') return checks.map((check) => skipped(check, 'the workspace cannot be reached'));
  try {
    const { isLedgerThere } = await import('../../ledger/store/open-ledger.ts');
    if (!isLedgerThere(workspacePlace(ports))) return checks.map((check) => fine(check, 'none yet'));
    const open = await openBatchesOf(ports);
    try {
      return [await batches(open, ports), await writes(ports), await listeners(open, ports)];
    } finally {
      await open.workspace.close();
    }
  } catch (error) {
    const [first, ...others] = checks;
    return [failedBy(first, error, ports), ...others.map((check) => skipped(check, 'the workspace cannot be used'))];
  }
}

/** Whether the service still delivers to the webhooks of the account. */
export async function checkWebhooks(ports: Ports): Promise<Finding> {
  const check = 'webhooks';
  try {
    const webhooks = await (await webhookContext(ports)).list();
    const stopped = webhooks.filter(({ state }) => state === 'stop').length;
    const found = `${many(webhooks.length, 'webhook', 'webhooks')}, ${stopped === 0 ? 'none stopped' : `${stopped} stopped`}`;
    if (stopped > 0) return warning(check, found, ports.ui.advise('recover_all'));
    const failing = webhooks.filter(({ state }) => state === 'retry').length;
    if (failing === 0) return fine(check, found);
    const text = `${many(webhooks.length, 'webhook', 'webhooks')}, ${failing} failing: the service tries again`;
    return warning(check, text, ports.ui.advise('see_webhooks'));
  } catch (error) {
    if (ports.signal.aborted) throw error;
    return failedBy(check, error, ports);
  }
}
