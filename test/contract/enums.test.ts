import { expect, it } from 'vitest';
import * as enums from '../../src/contract/enums.ts';
import { errorStatus } from '../../src/contract/records/error.ts';
import { readTable } from './read-table.ts';

it('has the enumerations of the contract, value by value', () => {
  const { statusWords, ...declared } = enums;
  const listed = readTable('enums.tsv').map(({ enumeration, values = '' }) => [enumeration, values.split(', ')]);
  expect(declared).toEqual(Object.fromEntries(listed));
  expect(new Set(Object.keys(statusWords))).toEqual(new Set(enums.status5));
});

it('has a status for every code of an error', () => {
  const conflicts = { already_exists: 409, aborted: 409, failed_precondition: 412 };
  const refusals = { unauthenticated: 401, permission_denied: 403, resource_exhausted: 403 };
  const missing = { not_found: 404, bad_route: 404 };
  const late = { deadline_exceeded: 408, canceled: 408 };
  const wrong = { invalid_argument: 400, out_of_range: 400 };
  const failures = { unimplemented: 501, unavailable: 503, internal: 500, unknown: 500 };
  expect(errorStatus).toEqual({ ...conflicts, ...refusals, ...missing, ...late, ...wrong, ...failures });
});
