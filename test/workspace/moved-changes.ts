import { expect, onTestFinished } from 'vitest';
import { nextHandoffs, saveProgress, waitingHandoffs } from '../../src/events/store/handoffs.ts';
import { storedEvents } from '../../src/events/store/list.ts';
import { listenerSecret } from '../../src/events/store/listeners.ts';
import { storeCallbacks } from '../../src/events/store/store-changes.ts';
import { takeUpTargets, targetsOf, targetsRevision } from '../../src/events/store/targets.ts';
import { ledgerId } from '../../src/ledger/store/keys.ts';
import { sqlOf } from '../../src/store/kysely-sql.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { moveWorkspace } from '../../src/workspace/store/move.ts';
import { steppedClock } from '../support/stepped-clock.ts';

/** How a workspace of a kind is made. */
export interface Made {
  readonly place: () => Promise<string>;
  readonly open: (place: string) => Promise<Workspace>;
}

/** Whose changes a server has received. */
export const owner = '["http://127.0.0.1:1","shop","7"]';

/** In a file, changes are of nobody in particular. */
export const accountIn = ({ serverTime }: Workspace) => (serverTime === undefined ? '' : owner);

const now = '2026-01-31T08:00:00.000Z';

/** Changes that came through a webhook one after another; `a 2` is a second one of the content `a`. */
export const receive = (workspace: Workspace, hook: string, ...contents: readonly string[]) =>
  workspace.write((database) =>
    storeCallbacks(
      database,
      accountIn(workspace),
      contents.map((content) => ({
        hook,
        sequence: `${hook} ${content}`,
        receivedAt: now,
        changes: [
          {
            entity: 'order',
            changeType: 'update',
            recordId: content.slice(0, 1),
            shopId: '7',
            time: now,
            content: content.slice(0, 1),
            once: false,
            text: JSON.stringify(content),
          },
        ],
      })),
    ),
  );

/** Lets targets begin with the next change. */
export const begin = (workspace: Workspace, address: string, ...names: readonly string[]) =>
  workspace.write((database) =>
    takeUpTargets(
      database,
      accountIn(workspace),
      names.map((name) => ({
        name,
        kind: 'url' as const,
        address,
        entity: null,
        change_type: null,
        accept: 'ok' as const,
        give_up_ms: 1000,
      })),
      now,
    ),
  );

/** A listener of this name has a path. */
export const listen = (workspace: Workspace, name: string, secret: string) =>
  workspace.write((database) => listenerSecret(database, { account: accountIn(workspace), name }, secret, now));

/** The changes that a target has not accepted, in the order in which it gets them. */
export async function waitingFor(workspace: Workspace, name: string): Promise<string[]> {
  return workspace.read(async (database) => {
    const account = accountIn(workspace);
    const target = (await targetsOf(database, account)).find((one) => one.name === name);
    if (target === undefined) return ['no such target'];
    const waiting = await waitingHandoffs(database, target, 0, 100);
    const seqs = waiting.map(({ seq }) => seq);
    const below = seqs.length === 0 ? [] : await storedEvents(database, { account, seqs }, { limit: 100 });
    const { handoffs } = await nextHandoffs(database, { ...target, cursor: Number(target.cursor) }, 100);
    return [...below.map(({ change }) => change), ...handoffs.map(({ text }) => text)].map((text) => JSON.parse(text));
  });
}

/** A target accepts the changes that wait for it, but for some, which fail. */
export async function accept(workspace: Workspace, name: string, failing: readonly string[] = []): Promise<void> {
  await workspace.write(async (database) => {
    const account = accountIn(workspace);
    const target = (await targetsOf(database, account)).find((one) => one.name === name);
    if (target === undefined) throw new TypeError(`no target ${name}`);
    const { handoffs, upTo } = await nextHandoffs(database, { ...target, cursor: Number(target.cursor) }, 100);
    const recorded = handoffs
      .filter(({ text }) => failing.includes(JSON.parse(text)))
      .map(({ seq, record }) => ({
        seq,
        record,
        state: 'waiting' as const,
        attempts: 1,
        first_failed_at: 1,
        next_at: 2,
        last_error: 'x',
      }));
    const rest = { accepted: [], recorded, lastAcceptedAt: now, lastError: null };
    expect(await saveProgress(database, { target, worker: target.worker, cursor: upTo, ...rest })).toBe(true);
  });
}

/** All stored changes, in order. */
export const stored = (workspace: Workspace) =>
  workspace.read(async (database) =>
    (await storedEvents(database, { account: accountIn(workspace) }, { limit: 100 })).map(({ change }) =>
      JSON.parse(change),
    ),
  );

/** A number that listeners at work look at. */
export const revisionIn = (workspace: Workspace) =>
  workspace.read((database) => targetsRevision(database, accountIn(workspace)));

/** A workspace, open until the end of the test. */
export async function opened(kind: Made, place?: string): Promise<Workspace> {
  const workspace = await kind.open(place ?? (await kind.place()));
  onTestFinished(() => workspace.close());
  return workspace;
}

/** A closed workspace that was filled. */
export async function filled(kind: Made, fill: (workspace: Workspace) => Promise<unknown>) {
  const place = await kind.place();
  const workspace = await kind.open(place);
  await fill(workspace);
  const id = await workspace.read((database) => ledgerId(sqlOf(database, workspace.serverTime !== undefined)));
  await workspace.close();
  return { place, id };
}

/** Moves a closed workspace into an open one. */
export const moved = (source: { readonly place: string; readonly id: string }, target: Workspace) =>
  moveWorkspace({ ...source, eventsOf: owner }, target, steppedClock(Date.parse(now)));
