import { type Account, accountOf } from '../../client/account.ts';
import type { Connection } from '../../client/connection.ts';
import type { Family } from '../../contract/operation-id.ts';
import type { LedgerOptions } from '../../workspace/ledger/store.ts';
import type { OpenWorkspace } from '../../workspace/open-workspace.ts';
import { timed } from '../ledger/service-time.ts';
import type { BatchContext } from './batch-context.ts';

/** What a context is created from. */
export interface ContextOptions
  extends Pick<BatchContext, 'signal' | 'randomBytes' | 'tell' | 'concurrency' | 'lease' | 'shops' | 'beforeSending'> {
  /** Where the workspace is: a file path, or a `postgres://` url. */
  readonly workspace: string;
  /** What opens it has to know of this machine. */
  readonly ledger?: LedgerOptions;
  readonly family: Family;
  readonly connection: Connection;
  readonly maxOutageMs?: number | undefined;
}

const MAX_OUTAGE_MS = 10 * 60_000;

/** The workspace, with its statements in a thread of their own: a batch goes on while the disk is waited for. */
async function opened({ workspace, ledger }: ContextOptions): Promise<OpenWorkspace> {
  const { openWorkspace } = await import('../../workspace/open-workspace.ts');
  return openWorkspace(workspace, { ...ledger, inThread: true });
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
  const { locationTree } = await import('../../domain/places/place-data.ts');
  const open = await opening;
  return {
    ...open,
    account,
    shops: options.shops,
    connection: { ...connection, maxRetries: 0 },
    looks: connection,
    time,
    signal: options.signal,
    randomBytes: options.randomBytes,
    tree: locationTree,
    tell: options.tell,
    concurrency: options.concurrency,
    lease: options.lease,
    beforeSending: options.beforeSending,
    maxOutageMs,
    close: () => open.workspace.close(),
  };
}
