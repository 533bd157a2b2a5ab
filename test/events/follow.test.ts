import { expect, it } from 'vitest';
import { createChangeSignal } from '../../src/events/listen/change-signal.ts';
import { followEvents } from '../../src/events/listen/follow.ts';
import { standingClock } from '../support/standing-clock.ts';
import { testWorkspace } from '../support/workspace.ts';
import { keepAt, noteChange } from './changes.ts';

const HOUR = 3_600_000;
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

it.each([
  ['idleMs', -5 * HOUR],
  ['idleMs', 5 * HOUR],
  ['withinMs', -5 * HOUR],
  ['withinMs', 5 * HOUR],
])('ends after the time that has passed: %s, the clock set by %i', async (ending, jump) => {
  const workspace = await testWorkspace();
  await keepAt(workspace, 'shop', noteChange('10000000000000001', 'A1'));
  const clock = standingClock();
  clock.jump(jump);
  const changeSignal = createChangeSignal();
  const following = followEvents(
    workspace,
    { account: '' },
    {
      ids: { idOf: String, seqOf: Number },
      changeSignal,
      clock,
      signal: new AbortController().signal,
      ending: { [ending]: 30_000 },
    },
  );
  expect((await following.next()).done).toBe(false);
  let isOver = false;
  void following.next().then(() => {
    isOver = true;
  });
  await turns(5);
  clock.jump(jump);
  clock.advance(29_000);
  changeSignal.ring();
  await turns(20);
  expect(isOver).toBe(false);
  clock.advance(1000);
  changeSignal.ring();
  await turns(20);
  expect(isOver).toBe(true);
});
