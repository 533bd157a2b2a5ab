import { type ControlRoute, flagOf, textOf } from './route.ts';

/** Snapshots of the data, and the way back to the seed. */
export const snapshotRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: 'snapshots', handle: ({ control }) => control.snapshots.list() },
  {
    method: 'POST',
    path: 'snapshots/save',
    handle: ({ control }, input) =>
      control.snapshots.save(textOf(input, 'name'), { replace: flagOf(input, 'replace') }),
  },
  {
    method: 'POST',
    path: 'snapshots/restore',
    handle: ({ control }, input) => control.snapshots.restore(textOf(input, 'name')),
  },
  {
    method: 'POST',
    path: 'snapshots/remove',
    handle: ({ control }, input) => control.snapshots.remove(textOf(input, 'name')),
  },
  { method: 'POST', path: 'reset', handle: ({ control }) => control.reset() },
];
