import { expect, it } from 'vitest';
import { readCallback, receiveCallbacks } from '../../src/events/listen/receiver.ts';
import { stateOf } from '../../src/events/listen/record-state.ts';
import { createRecorder } from '../../src/events/listen/recorder.ts';
import { forgetSome } from '../../src/events/store/forget.ts';
import { EVENTS } from '../../src/events/store/serving.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import type { PostServerOptions } from '../../src/platform/server/http-server.ts';
import { testWorkspace } from '../support/workspace.ts';
import { callbackOf, keepAt, keptNotes, lifeChange, noteChange } from './changes.ts';

const order = '1000000000000000011';
const received = '2026-01-31T08:00:00.000Z';

it('a record that is created again under its id, after it was deleted, is no repeat', async () => {
  const workspace = await testWorkspace();
  const [first, again] = [
    lifeChange('create', order, '2026-01-31T08:00:00Z'),
    lifeChange('create', order, '2026-02-01T08:00:00Z'),
  ];
  expect(await keepAt(workspace, 'shop', first)).toHaveLength(1);
  expect(await keepAt(workspace, 'shop', first)).toHaveLength(0);
  expect(await keepAt(workspace, 'shop', again)).toHaveLength(1);
});

it('a record is in the same state whichever way it was read', () => {
  const read = { id: order, note: 'A', lines: [{ sku: 'x', count: 2 }] };
  const told = { lines: [{ count: 2, weight: null, sku: 'x' }], staff: null, note: 'A', id: order };
  expect(stateOf(told, false)).toBe(stateOf(read, false));
  for (const other of [
    { ...read, note: '' },
    { ...read, lines: [] },
    { ...read, lines: [{ sku: 'x' }] },
  ]) {
    expect(stateOf(other, false)).not.toBe(stateOf(read, false));
  }
  expect(stateOf({ id: order }, true)).toBe(stateOf(read, true));
});

it('a change that was pruned is not delivered when it comes again', async () => {
  const workspace = await testWorkspace();
  const change = noteChange(order, 'A');
  expect(await keepAt(workspace, 'shop', change)).toHaveLength(1);
  const now = Date.now();
  const forgotten = await workspace.write(async (database) => {
    await workspace.alone(database, EVENTS);
    return forgetSome(database, '', new Date(now + 1000).toISOString(), now);
  });
  expect([forgotten, await keptNotes(workspace)]).toEqual([1, []]);
  // By another webhook, since the same one may well report that the record is as it was before.
  expect(await keepAt(workspace, 'shop/second', change)).toEqual([]);
  expect(await keptNotes(workspace)).toEqual([]);
});

it('changes are numbered by one listener at a time: the right to do so is taken before any is written', async () => {
  const workspace = await testWorkspace();
  const order_ = noteChange(order, 'A');
  const taken: unknown[] = [];
  const recorder = createRecorder(
    {
      write: (work) => workspace.write(work),
      alone: async (database, what) => {
        const { count } = await database
          .selectFrom('events')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        taken.push([what, Number(count)]);
        await workspace.alone(database, what);
      },
    },
    '',
  );
  const callback = readCallback('shop', Buffer.from(callbackOf(order_)), received);
  if (callback === undefined) throw new Error('that is not a callback');
  await recorder.keep(callback);
  expect(taken).toEqual([[EVENTS, 0]]);
});

/** A receiver whose answers wait for `keep`. */
async function answering(keep: () => Promise<never[]>) {
  let answer: PostServerOptions['answer'] | undefined;
  await receiveCallbacks({
    host: '127.0.0.1',
    port: 0,
    secret: 'A'.repeat(22),
    name: 'shop',
    clock: systemClock,
    recorder: { keep },
    listen: async (options) => {
      answer = options.answer;
      return { origin: 'http://127.0.0.1:1', close: async () => {} };
    },
  });
  const body = Buffer.from(`${callbackOf(noteChange(order, 'A'))}${' '.repeat(20 * 1024 * 1024)}`);
  return () => answer?.(`/${'A'.repeat(22)}`, body);
}

it('no more waits for the disk than memory bears: the rest is answered 503, and taken later', async () => {
  let written = () => {};
  const disk = new Promise<void>((resolve) => {
    written = resolve;
  });
  const post = await answering(() => disk.then(() => []));
  const waiting = [post(), post(), post()];
  const isWaiting = new Promise((resolve) => setImmediate(() => resolve('it waits')));
  expect(await Promise.race([post(), isWaiting])).toEqual({ status: 503, body: 'too much at once' });
  written();
  expect(await Promise.all(waiting)).toEqual(Array(3).fill({ status: 200, body: 'ok' }));
  expect(await post()).toEqual({ status: 200, body: 'ok' });
});

it('what could not be stored does not wait for the disk: once it can, callbacks are taken again', async () => {
  let isFull = true;
  const post = await answering(async () => {
    if (isFull) throw new Error('database or disk is full');
    return [];
  });
  for (let count = 0; count < 4; count += 1) expect(await post()).toEqual({ status: 503, body: 'not kept' });
  isFull = false;
  expect(await post()).toEqual({ status: 200, body: 'ok' });
});
