import { type Account, accountOf, isSameAccount } from '../client/account.ts';
import type { Connection } from '../client/connection.ts';
import type { Family } from '../contract/operation-id.ts';
import { serviceOf } from '../ledger/known/service.ts';
import { knownClock, timed } from '../ledger/service-time.ts';
import { storeOf } from '../store/kysely-sql.ts';
import type { Restoring } from '../store/restored.ts';
import { WorkspaceError } from '../store/workspace.ts';
import type { BatchContext } from './batch-context.ts';
import type { OpenBatches } from './open.ts';
import { say } from './texts.ts';

/** What a context is created from. */
export interface ContextOptions
  extends Pick<
    BatchContext,
    'signal' | 'randomBytes' | 'timeZone' | 'tell' | 'concurrency' | 'lease' | 'shops' | 'beforeSending'
  > {
  /** Where the workspace is: a file path, or a `postgres://` url. */
  readonly workspace: string;
  /** What opens it has to know of this machine. */
  readonly ledger?: Restoring;
  readonly family: Family;
  readonly connection: Connection;
  readonly maxOutageMs?: number | undefined;
}

const MAX_OUTAGE_MS = 10 * 60_000;

/** The workspace, with its statements in a thread of their own: a batch goes on while the disk is waited for. */
async function opened({ workspace, ledger }: ContextOptions): Promise<OpenBatches> {
  const { openBatches } = await import('./open.ts');
  return openBatches(workspace, { ...ledger, inThread: true });
}

/** Opens the workspace and determines the acting account. Throws a WorkspaceError or a CallError. */
export async function openContext(options: ContextOptions): Promise<BatchContext & { close(): Promise<void> }> {
  const { family, maxOutageMs = MAX_OUTAGE_MS } = options;
  const { connection, time } = timed(options.connection);
  const opening = opened(options);
  // The service may be asked for the account meanwhile, and its refusal comes first.
  opening.catch(() => {});
  let account: Account;
  try {
    account = await accountOf(family, connection);
  } catch (error) {
    await opening.then(({ workspace }) => workspace.close()).catch(() => {});
    throw error;
  }
  const { locationTree } = await import('../domain/places/place-data.ts');
  const open = await opening;
  const store = storeOf(open.workspace);
  const learned = async () => {
    const clock = await knownClock(store, account, time);
    return { clock, service: await serviceOf(store, account, options.connection, connection) };
  };
  const { clock, service } = await learned().catch(async (error: unknown) => {
    await open.workspace.close();
    throw error;
  });
  return {
    ...open,
    account: service.account,
    shops: options.shops,
    connection: { ...connection, maxRetries: 0 },
    lookups: connection,
    time,
    signal: options.signal,
    randomBytes: options.randomBytes,
    tree: locationTree,
    timeZone: options.timeZone,
    tell: options.tell,
    concurrency: options.concurrency,
    lease: options.lease,
    async beforeSending(batch, work) {
      await options.beforeSending?.(batch, work);
      await service.keep();
    },
    async requireSameService() {
      const now = await serviceOf(store, account, options.connection, connection);
      if (isSameAccount(now.account, service.account)) return;
      throw new WorkspaceError('workspace_busy', say().run.joined);
    },
    maxOutageMs,
    async close() {
      await clock.keep();
      await open.workspace.close();
    },
  };
}
