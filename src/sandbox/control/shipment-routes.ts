import { type ControlRoute, flagOf, textOf } from './route.ts';

/** Moving a shipment as its carrier would. */
export const shipmentRoutes: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: 'advance',
    handle: ({ control }, input) =>
      control.advance(textOf(input, 'id'), {
        to: input.to === undefined ? undefined : textOf(input, 'to'),
        substate: input.substate === undefined ? undefined : textOf(input, 'substate'),
        auto: flagOf(input, 'auto'),
      }),
  },
];
