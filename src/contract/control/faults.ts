import * as z from 'zod';
import { decimal, flag, int, list, text } from '../schema/scalars.ts';
import type { View } from '../view.ts';
import { columns, controlOperation, filled, nothing } from './operation.ts';
import { say } from './texts.ts';

const fault = z.object({
  id: int('Counts up in each run, from 1', 'faults'),
  operation: text('The operation, area or * whose calls fail'),
  when: text('Which calls fail, for example `every 3`'),
  do: text('What it does then'),
  seen: int('The calls of its operations since it was added', 'calls'),
  fired: int('How many of them it affected', 'calls'),
});

const view: View = {
  columns: [
    ...columns('id', 'operation', 'when'),
    { path: 'do', kind: 'text' },
    { path: 'seen', kind: 'number' },
    { path: 'fired', kind: 'number' },
  ],
  name: 'id',
};

export const addFault = controlOperation({
  page: true,
  method: 'POST',
  path: 'faults/add',
  command: 'sandbox faults add',
  undo: 'sandbox faults clear',
  summary: 'Script a fault: which calls it affects, and how they fail',
  description:
    'ACTION is drop-before, drop-after-commit, half-answer, late-after-commit[=MS], html[=STATUS], delay=MS, or status=503[,code=unavailable][,retry-after=2].',
  examples: ['shopctl sandbox faults add partner.Shipping/CreateAndConfirmOrder --every 3 --do drop-after-commit'],
  input: z.object({
    operation: filled('an operation, all of an area (shop.Order/*), or *'),
    nth: z.optional(int('the call of this number', 'calls')),
    every: z.optional(int('each call whose number this divides', 'calls')),
    once: z.optional(flag('the next call')),
    share: z.optional(decimal('this share of the calls, chosen by the seed', '0 to 1')),
    seed: z.optional(filled('what the share is chosen by')),
    do: filled('what happens to the call'),
  }),
  output: fault,
  tells: ({ operation, when, do: action }) => say().faults.added({ operation, when, action }),
  view,
  positional: ['operation'],
  hints: { do: { placeholder: 'ACTION' } },
});

export const listFaults = controlOperation({
  page: true,
  method: 'GET',
  path: 'faults',
  command: 'sandbox faults list',
  summary: 'List the scripted faults and how often each was applied',
  examples: ['shopctl sandbox faults list'],
  input: nothing,
  output: z.object({ faults: list(fault, 'All of them, oldest first') }),
  items: 'faults',
  tells: ({ faults }) => {
    const fired = faults.reduce((sum, fault) => sum + fault.fired, 0);
    if (faults.length === 0) return say().faults.none;
    return say().faults.listed({ count: faults.length, fired });
  },
  view,
});

export const clearFaults = controlOperation({
  page: true,
  method: 'POST',
  path: 'faults/clear',
  command: 'sandbox faults clear',
  summary: 'Remove one fault, or all of them',
  examples: ['shopctl sandbox faults clear'],
  input: z.object({ id: z.optional(int('its id; all of them when absent', 'faults')) }),
  output: z.object({ cleared: int('How many there were', 'faults') }),
  tells: ({ cleared }) => say().faults.removed({ count: cleared }),
  view: { columns: [{ path: 'cleared', kind: 'number' }], name: 'cleared' },
  positional: ['id'],
  hints: { id: { placeholder: 'FAULT' } },
});
