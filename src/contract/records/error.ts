import { record, text, textMap } from '../schema/scalars.ts';

/** An error response of the service (contract, "Errors"). */
export const serviceError = record({
  code: text('Code of the error, for example already_exists'),
  msg: text('What is wrong, in words'),
  meta: textMap('Facts that go with the code'),
});

/** The HTTP status of each code (decisions, section 2). Clients branch on the code, never on the status alone. */
export const errorStatus = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  bad_route: 404,
  already_exists: 409,
  aborted: 409,
  failed_precondition: 412,
  resource_exhausted: 403,
  deadline_exceeded: 408,
  canceled: 408,
  out_of_range: 400,
  unimplemented: 501,
  unavailable: 503,
  internal: 500,
  unknown: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;
