import { type ControlRoute, numberOf, optionalTextOf } from './route.ts';

/** The requests that the service has seen. A POST, for a GET of the control plane has no input. */
export const logRoutes: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: 'log',
    handle: ({ control }, input) =>
      control.log({
        operation: optionalTextOf(input, 'operation'),
        status: optionalTextOf(input, 'status'),
        fault: optionalTextOf(input, 'fault'),
        since: numberOf(input, 'since'),
        limit: numberOf(input, 'limit'),
        waitMs: numberOf(input, 'wait_ms'),
      }),
  },
];
