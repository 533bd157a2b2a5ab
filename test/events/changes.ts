import { readCallback } from '../../src/events/listen/receiver.ts';
import { storedEvents } from '../../src/events/store/list.ts';
import { EVENTS } from '../../src/events/store/serving.ts';
import { type StoredChange, storeCallbacks } from '../../src/events/store/store-changes.ts';
import type { Workspace } from '../../src/store/workspace.ts';

const SHOP = '1000000000000000001';

/** A change of an order: its note is what it was changed to. */
export function noteChange(order: string, note: string, time = '2026-01-31T08:00:00Z', entity = 'order'): object {
  const record = { id: order, shop_id: SHOP, order_note: note };
  return { change_type: 'update', entity, time, changed: { [entity]: record }, latest: { [entity]: record } };
}

/** A change that a record has once. */
export function lifeChange(type: 'create' | 'delete', order: string, time = '2026-01-31T08:00:00Z'): object {
  const record = { id: order, shop_id: SHOP };
  return { change_type: type, entity: 'order', time, changed: { order: record }, latest: { order: record } };
}

let callbacks = 0;

/** A body as a webhook sends it: each time under a new id. */
export function callbackOf(...changes: readonly object[]): string {
  callbacks += 1;
  return JSON.stringify({ id: String(5_000_000_000_000_000_000n + BigInt(callbacks)), changes });
}

/** Keeps a callback of a webhook, as the listener would; answers what was new. */
export async function keepAt(
  workspace: Workspace,
  of: string | { readonly account: string; readonly hook: string },
  ...changes: readonly object[]
): Promise<StoredChange[]> {
  const { account, hook } = typeof of === 'string' ? { account: '', hook: of } : of;
  const callback = readCallback(hook, Buffer.from(callbackOf(...changes)), new Date().toISOString());
  if (callback === undefined) throw new Error('that is not a callback');
  return workspace.write(async (database) => {
    await workspace.alone(database, EVENTS);
    return storeCallbacks(database, account, [callback]);
  });
}

/** What a change was changed to, for reading a list of them. */
export function notesOf(changes: readonly { readonly change: { readonly text: string } }[]): string[] {
  return changes.map(({ change }) => JSON.parse(change.text).changed.order?.order_note);
}

/** The notes of all that is kept of an account, in its order. */
export async function keptNotes(workspace: Workspace, account = ''): Promise<string[]> {
  const rows = await workspace.read((database) => storedEvents(database, { account }, { limit: 1_000_000 }));
  return rows.map(({ change }) => JSON.parse(change).changed.order.order_note);
}
