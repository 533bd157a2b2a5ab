import { hash } from 'node:crypto';
import { type SeenAt, undoneByChanges } from '../../ledger/known/seen-ends.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { ListenForPosts } from '../../platform/server/http-server.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type EventIds, eventIds } from '../store/ids.ts';
import { listenerSecret } from '../store/listeners.ts';
import { EVENTS } from '../store/serving.ts';
import { lastEvent, type NamedTarget, targetStandings } from '../store/targets.ts';
import { withoutSharedCommand } from './forward/named-targets.ts';
import { type Serving, serveNamed, type TargetService } from './forward/serve-targets.ts';
import { receiveCallbacks } from './receiver.ts';
import { createRecorder, type Recording } from './recorder.ts';

/** What a listener depends on. */
export interface ListenerSetup extends Pick<Serving, 'account' | 'handFor' | 'lease' | 'onOutcome' | 'onTrouble'> {
  readonly workspace: Workspace;
  /** Whose records the changes are about, where the ledger is to hear of those that end. */
  readonly seenAt?: SeenAt | undefined;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly targets: readonly NamedTarget[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly listen: ListenForPosts;
  readonly signal: AbortSignal;
  /** Called if another listener of this name is waited for, with the id of its process if it is known. */
  readonly onWait: (pid: number | undefined) => void;
  /** Called when something was stored, by this listener or another one. */
  readonly onStored?: () => void;
}

/** A running listener. */
export interface Listener {
  /** `http://HOST:PORT`. */
  readonly origin: string;
  /** The path that webhooks post to: its secret. */
  readonly path: string;
  readonly secret: string;
  readonly ids: EventIds;
  /** The number of the last change stored before it started. */
  readonly begunAfter: number;
  readonly targets: TargetService;
  close(): Promise<void>;
}

const SECRET_BYTES = 16;

/**
 * Makes this the only listener of its name on this machine, and waits for one that runs; a killed listener holds nothing.
 * In a database a name may answer on several machines. Rejects with the signal's reason.
 */
async function holdName({ workspace, account, name, signal, onWait }: ListenerSetup): Promise<() => void> {
  if (workspace.serverTime !== undefined) return () => {};
  const lock = lockOf(account, name);
  return workspace.hold(lock, { signal, onWait: () => onWait(workspace.holderOf?.(lock)) });
}

const lockOf = (account: string, name: string) =>
  `listener-${hash('sha256', JSON.stringify([account, name]), 'hex').slice(0, 24)}`;

/** Whether a listener of that name runs; undefined in a database, where it may run on another machine. */
export async function isListening(workspace: Workspace, account: string, name: string): Promise<boolean | undefined> {
  if (workspace.serverTime !== undefined) return undefined;
  const release = await workspace.tryHold(lockOf(account, name));
  release?.();
  return release === undefined;
}

/** Tells the ledger which records have ended, in the transaction that stores the changes. */
function endsBeside({ workspace, seenAt }: ListenerSetup): Recording['beside'] {
  if (seenAt === undefined) return undefined;
  const isServer = workspace.serverTime !== undefined;
  return (database, kept) =>
    undoneByChanges(
      sqlOf(database, isServer),
      seenAt,
      kept.map(({ change }) => change),
    );
}

/** Receives, stores, acknowledges and forwards until it is closed. */
export async function startListener(setup: ListenerSetup): Promise<Listener> {
  const {
    workspace,
    account,
    name,
    host,
    port,
    clock,
    random,
    randomBytes,
    listen,
    onStored = () => {},
    onTrouble,
  } = setup;
  const release = await holdName(setup);
  const undo: (() => unknown)[] = [release];
  try {
    const now = new Date(clock.now()).toISOString();
    const fresh = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
    const prepared = await workspace.write(async (database) => {
      await workspace.alone(database, EVENTS);
      return {
        secret: await listenerSecret(database, { account, name }, fresh, now),
        ids: await eventIds(database, random),
        begunAfter: await lastEvent(database),
        known: await targetStandings(database, account),
      };
    });
    const { secret, ids, begunAfter, known } = prepared;
    const named = withoutSharedCommand(setup.targets, known);
    const targets = await serveNamed({ ...setup, ids, onNews: onStored }, named);
    undo.unshift(() => targets.close());
    const recorder = createRecorder(workspace, account, {
      onStored(kept) {
        if (kept.length === 0) return;
        targets.wake();
        onStored();
      },
      beside: endsBeside(setup),
    });
    const server = await receiveCallbacks({
      host,
      port,
      secret,
      name,
      clock,
      recorder,
      listen,
      ...(onTrouble === undefined ? {} : { onFailure: onTrouble }),
    });
    // Requests in progress are answered, callbacks being stored are stored, and outcomes of changes in flight are
    // written.
    undo.unshift(
      () => server.close(),
      () => recorder.close(),
    );
    return {
      origin: server.origin,
      path: `/${secret}`,
      secret,
      ids,
      begunAfter,
      targets,
      async close() {
        for (const step of undo.splice(0)) await step();
      },
    };
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
}
