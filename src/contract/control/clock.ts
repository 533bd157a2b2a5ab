import * as z from 'zod';
import { flag, oneOf, time } from '../schema/scalars.ts';
import { columns, controlOperation, filled, nothing } from './operation.ts';
import { say } from './texts.ts';

const status = z.object({
  mode: oneOf(['real', 'moved', 'frozen'], "With the machine's, apart from it and as fast, or still"),
  time: time('Where the business clock stands'),
  machine_time: time("Where the machine's clock stands"),
  next_due: z.nullable(time('When something next happens by itself, such as a delivery; null when nothing is pending')),
});

const answer = {
  output: status,
  tells: ({ mode, next_due }: z.output<typeof status>) =>
    say().clock.stands({ mode: say().clock[mode], isDue: next_due !== null }),
  view: {
    columns: [{ path: 'mode', kind: 'state' }, ...columns('time', 'machine_time', 'next_due')],
    name: 'time',
  },
} as const;

export const clockStatus = controlOperation({
  page: true,
  method: 'GET',
  path: 'clock',
  command: 'sandbox clock show',
  summary: 'Show the business clock and the next scheduled event',
  examples: ['shopctl sandbox clock show'],
  input: nothing,
  ...answer,
});

export const freezeClock = controlOperation({
  page: true,
  method: 'POST',
  path: 'clock/freeze',
  command: 'sandbox clock freeze',
  undo: 'sandbox clock real',
  summary: 'Freeze the business clock',
  examples: ['shopctl sandbox clock freeze'],
  input: nothing,
  ...answer,
});

export const setClock = controlOperation({
  page: true,
  method: 'POST',
  path: 'clock/set',
  command: 'sandbox clock set',
  summary: 'Set the business clock',
  examples: ['shopctl sandbox clock set 2026-02-01T08:00:00Z'],
  input: z.object({ time: filled('for example 2026-02-01T08:00:00Z') }),
  positional: ['time'],
  ...answer,
});

export const advanceClock = controlOperation({
  page: true,
  method: 'POST',
  path: 'clock/advance',
  command: 'sandbox clock advance',
  summary: 'Advance the business clock: retries, expiry and shipments follow it',
  examples: ['shopctl sandbox clock advance 44h1m --until-idle'],
  input: z.object({
    by: filled('for example 30s, 15m, 44h1m'),
    until_idle: z.optional(flag('stop at each scheduled event until it is done')),
  }),
  positional: ['by'],
  hints: { by: { placeholder: 'DURATION' } },
  ...answer,
});

export const runClock = controlOperation({
  page: true,
  method: 'POST',
  path: 'clock/real',
  command: 'sandbox clock real',
  summary: "Return the business clock to the machine's time",
  examples: ['shopctl sandbox clock real'],
  input: nothing,
  ...answer,
});
