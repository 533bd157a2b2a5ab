import { type ControlRoute, flagOf, textOf } from './route.ts';

/** Reading and moving the business clock. */
export const clockRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: 'clock', handle: ({ control }) => control.clock.status() },
  { method: 'POST', path: 'clock/freeze', handle: ({ control }) => control.clock.freeze() },
  { method: 'POST', path: 'clock/set', handle: ({ control }, input) => control.clock.set(textOf(input, 'time')) },
  {
    method: 'POST',
    path: 'clock/advance',
    handle: ({ control }, input) =>
      control.clock.advance(textOf(input, 'by'), { untilIdle: flagOf(input, 'until_idle') }),
  },
  { method: 'POST', path: 'clock/real', handle: ({ control }) => control.clock.real() },
];
