import { describe, expect, it } from 'vitest';
import { exitOfService } from '../../src/cli/errors/exit.ts';

describe('the exit of an error response', () => {
  it.each([
    [400, 'usage'],
    [401, 'credential'],
    [403, 'credential'],
    [404, 'notFound'],
    [405, 'usage'],
    [408, 'usage'],
    [409, 'conflict'],
    [412, 'conflict'],
    [422, 'usage'],
    [429, 'throttled'],
    [500, 'service'],
    [501, 'service'],
    [503, 'service'],
    [200, 'service'],
  ])('follows the status where the code is unknown: %i', (status, exit) => {
    expect(exitOfService('a_code_of_tomorrow', status)).toBe(exit);
  });

  it.each([
    ['failed_precondition', 'conflict'],
    ['already_exists', 'conflict'],
    ['aborted', 'conflict'],
    ['permission_denied', 'credential'],
    ['unauthenticated', 'credential'],
    ['not_found', 'notFound'],
    ['resource_exhausted', 'throttled'],
  ])('follows the code where it is known, whatever the status: %s', (code, exit) => {
    for (const status of [200, 400, 500]) expect(exitOfService(code, status)).toBe(exit);
  });
});
