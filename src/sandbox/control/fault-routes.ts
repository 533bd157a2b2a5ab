import { type ControlRoute, flagOf, numberOf, optionalTextOf, textOf } from './route.ts';

/** The scripted faults. */
export const faultRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: 'faults', handle: ({ control }) => control.faults.list() },
  {
    method: 'POST',
    path: 'faults/add',
    handle: ({ control }, input) =>
      control.faults.add({
        operation: textOf(input, 'operation'),
        nth: numberOf(input, 'nth'),
        every: numberOf(input, 'every'),
        once: flagOf(input, 'once'),
        share: numberOf(input, 'share'),
        seed: optionalTextOf(input, 'seed'),
        do: textOf(input, 'do'),
      }),
  },
  { method: 'POST', path: 'faults/clear', handle: ({ control }, input) => control.faults.clear(numberOf(input, 'id')) },
];
