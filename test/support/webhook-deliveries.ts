import { readCallback } from '../../src/events/listen/receiver.ts';
import { type StoredChange, storeCallbacks } from '../../src/events/store/store-changes.ts';
import { changedOf } from '../../src/sandbox/engine/store/outbox.ts';
import { tables } from '../../src/sandbox/engine/store/statement.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { rows } from './rows.ts';
import type { TestSandbox } from './sandbox.ts';

/** Where a test's webhooks store what they bring. */
export interface Inbox {
  readonly workspace: Workspace;
  readonly account: string;
}

/** How many changes of its first shop a sandbox has recorded. */
export const changeCount = ({ core, shop }: Pick<TestSandbox, 'core' | 'shop'>): number =>
  core.read(({ database }) => rows(database, outboxOf(shop.id)).length);

const outboxOf = (shopId: string) =>
  tables.selectFrom('outbox').selectAll().where('shop_id', '=', shopId).orderBy('seq');

/** The changes of its first shop that a sandbox has recorded, oldest first, as webhooks deliver them. */
export const recordedChanges = ({ core, shop }: Pick<TestSandbox, 'core' | 'shop'>) =>
  core
    .read(({ database }) => rows(database, outboxOf(shop.id)))
    .map(({ entity, change_type, time, changed, latest }) => ({
      entity,
      change_type,
      time,
      changed: { [entity]: JSON.parse(changedOf({ changed, latest })) },
      latest: { [entity]: JSON.parse(latest) },
    }));

/** Delivers some of the changes that a sandbox has recorded, by position, as a webhook would; returns what was new. */
export async function deliverChanges(
  { core, clock, shop }: TestSandbox,
  { workspace, account }: Inbox,
  from: number,
  to?: number,
): Promise<readonly StoredChange[]> {
  const changes = recordedChanges({ core, shop }).slice(from, to);
  const body = Buffer.from(JSON.stringify({ id: '1', changes }));
  const callback = readCallback('hook', body, new Date(clock.now()).toISOString());
  if (callback === undefined) throw new Error('the callback cannot be read');
  return workspace.write((database) => storeCallbacks(database, account, [callback]));
}
