import * as z from 'zod';
import { flag, int, list, text, time } from '../schema/scalars.ts';
import type { View } from '../view.ts';
import { columns, controlOperation, filled, nothing } from './operation.ts';
import { say } from './texts.ts';

const snapshot = z.object({
  name: text('Its name'),
  bytes: int('Its size', 'bytes'),
  saved_at: time("When it was saved, by the machine's clock"),
});

const view: View = {
  columns: [...columns('name'), { path: 'bytes', kind: 'number' }, { path: 'saved_at', kind: 'time' }],
  name: 'name',
};

const name = { name: filled('name of the snapshot') };
const byName = { positional: ['name'], hints: { name: { placeholder: 'SNAPSHOT' } } } as const;

export const saveSnapshot = controlOperation({
  page: true,
  method: 'POST',
  path: 'snapshots/save',
  command: 'sandbox snapshot save',
  undo: 'sandbox snapshot remove',
  summary: 'Save the current data as a snapshot',
  examples: ['shopctl sandbox snapshot save before-import'],
  input: z.object({ ...name, replace: z.optional(flag('replace a snapshot of that name')) }),
  output: snapshot,
  tells: ({ name }) => say().snapshots.saved({ name }),
  view,
  ...byName,
});

export const restoreSnapshot = controlOperation({
  page: true,
  method: 'POST',
  path: 'snapshots/restore',
  command: 'sandbox snapshot restore',
  destructive: true,
  summary: 'Restore the data and the business clock from a snapshot',
  examples: ['shopctl sandbox snapshot restore before-import', 'shopctl sandbox snapshot restore before-import --yes'],
  input: z.object(name),
  output: snapshot,
  tells: ({ name }) => say().snapshots.restored({ name }),
  view,
  ...byName,
});

export const listSnapshots = controlOperation({
  page: true,
  method: 'GET',
  path: 'snapshots',
  command: 'sandbox snapshot list',
  summary: 'List the snapshots',
  examples: ['shopctl sandbox snapshot list'],
  input: nothing,
  output: z.object({ snapshots: list(snapshot, 'All of them') }),
  tells: ({ snapshots }) => say().snapshots.listed({ count: snapshots.length }),
  items: 'snapshots',
  view,
});

export const removeSnapshot = controlOperation({
  page: true,
  method: 'POST',
  path: 'snapshots/remove',
  command: 'sandbox snapshot remove',
  destructive: true,
  summary: 'Remove a snapshot',
  examples: ['shopctl sandbox snapshot remove before-import'],
  input: z.object(name),
  output: z.object({ removed: text('Its name') }),
  tells: ({ removed }) => say().snapshots.removed({ name: removed }),
  view: { columns: columns('removed'), name: 'removed' },
  ...byName,
});

export const reset = controlOperation({
  page: true,
  method: 'POST',
  path: 'reset',
  command: 'sandbox reset',
  summary: 'Reset the data to what the sandbox started with; accounts and keys stay',
  examples: ['shopctl sandbox reset', 'shopctl sandbox reset --yes'],
  destructive: true,
  input: nothing,
  output: z.object({ seed: text('What it began with: demo, none or file') }),
  tells: () => say().snapshots.reset,
  view: { columns: columns('seed'), name: 'seed' },
});
