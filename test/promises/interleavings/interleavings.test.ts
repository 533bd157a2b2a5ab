import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fleet, openFleet } from './fleet/fleet.ts';
import { playAll, seriesOf } from './playing.ts';

/** States that chance must reach, or the rest proves little. */
const rare = [
  'claim lost',
  'owner woken',
  'clash on a derived name',
  'clash on a given name',
  '--again number',
  'undone given name',
  'held_by',
  'former ledger',
  'killed',
  'interrupted',
  'waited',
];

const series = seriesOf(300);
let fleet: Fleet;

beforeAll(async () => {
  fleet = await openFleet(availableParallelism() + 1);
}, 60_000);
afterAll(() => fleet?.remove());

it('keeps every promise, however pieces of work run into each other', {
  timeout: 10_000 + series.many * 12_000,
}, async () => {
  const { broken, counts, records } = await playAll(fleet, { ...series, atOnce: availableParallelism() });
  if (series.many !== 300)
    console.info(`${series.many} interleavings, ${records} records`, Object.fromEntries([...counts].sort()));
  expect(broken.join('\n')).toBe('');
  if (series.many < 300) return;
  expect(rare.filter((state) => (counts.get(state) ?? 0) === 0)).toEqual([]);
});
