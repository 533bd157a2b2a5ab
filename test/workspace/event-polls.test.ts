/* A change that a poll has found, and webhooks that come late with it, or with another one like it. */
import { expect, it } from 'vitest';
import { readCallback } from '../../src/events/listen/receiver.ts';
import { stateOf } from '../../src/events/listen/record-state.ts';
import { storePolled } from '../../src/events/store/polls.ts';
import { storeCallbacks } from '../../src/events/store/store-changes.ts';
import { testWorkspace } from '../support/workspace.ts';

const entity = 'customer_group_relationship';
const record = { customer_id: '1', group_id: '2' };
const at = (minute: number) => `2026-01-31T08:0${minute}:00Z`;

async function shop() {
  const workspace = await testWorkspace();
  const state = stateOf(record, true);
  const polled = {
    entity,
    changeType: 'delete',
    recordId: '1-2',
    shopId: null,
    time: at(0),
    content: `poll ${state}`,
    once: false,
    text: '{}',
    stateHash: state,
  };
  await workspace.write((database) => storePolled(database, 'a', [polled], at(0)));
  /** Stores a callback of one change by a webhook; whether the change is new. */
  const came = async (hook: string, change_type: 'create' | 'delete', minute: number) => {
    const change = { entity, change_type, time: at(minute), latest: { [entity]: record } };
    const body = new TextEncoder().encode(JSON.stringify({ id: String(minute), changes: [change] }));
    const callback = readCallback(hook, body, at(minute));
    if (callback === undefined) throw new Error('it is a callback');
    return (await workspace.write((database) => storeCallbacks(database, 'a', [callback]))).length === 1;
  };
  return came;
}

it('is not stored again when the webhooks come late with it, each of them', async () => {
  const came = await shop();
  expect([await came('one', 'delete', 0), await came('two', 'delete', 0)]).toEqual([false, false]);
});

it('is another one when a membership is removed once more', async () => {
  const came = await shop();
  expect(await came('one', 'delete', 0)).toBe(false);
  expect([await came('one', 'create', 2), await came('one', 'delete', 3)]).toEqual([true, true]);
  expect([await came('two', 'create', 2), await came('two', 'delete', 3)]).toEqual([false, false]);
});

it('is another one when a membership is removed once more, and no webhook has come with the first', async () => {
  const came = await shop();
  expect([await came('one', 'create', 2), await came('one', 'delete', 3)]).toEqual([true, true]);
});

it('is another one when a membership is removed once more within the minute of the poll', async () => {
  const came = await shop();
  const all = [await came('one', 'delete', 0), await came('one', 'create', 0), await came('one', 'delete', 1)];
  expect(all).toEqual([false, true, true]);
});
