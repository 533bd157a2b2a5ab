import { describe, expect, it } from 'vitest';
import { exitOf, exitOfService } from '../../src/cli/errors/exit.ts';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { asWorkspaceError } from '../../src/store/sqlite-file.ts';

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

describe('the exit of any error', () => {
  it.each([
    [asWorkspaceError({ code: 'EIO' }, 'a.db'), 'failure'],
    [asWorkspaceError({ code: 'SQLITE_IOERR_FSYNC' }, 'a.db'), 'failure'],
    [asWorkspaceError({ code: 'SQLITE_CANTOPEN' }, 'a.db'), 'configuration'],
    [{ kind: 'stopped', code: 'workspace_io', ends: 'configuration' }, 'failure'],
    [{ kind: 'workspace', code: 'mirror_busy' }, 'conflict'],
    [{ kind: 'workspace', code: 'workspace_busy' }, 'conflict'],
    [{ kind: 'workspace', code: 'workspace_away' }, 'network'],
    [{ kind: 'workspace', code: 'workspace_full' }, 'failure'],
    [{ kind: 'workspace', code: 'workspace_damaged' }, 'failure'],
    [{ kind: 'workspace', code: 'mirror_damaged' }, 'failure'],
    [{ kind: 'workspace', code: 'workspace_newer' }, 'configuration'],
    [{ kind: 'workspace', code: 'workspace_elsewhere' }, 'configuration'],
    [{ kind: 'configuration', code: 'EADDRINUSE' }, 'conflict'],
    [{ kind: 'configuration', code: 'EACCES' }, 'configuration'],
    [{ kind: 'missing', code: 'profile_unknown' }, 'notFound'],
    [{ kind: 'stopped', code: 'workspace_full', ends: 'configuration' }, 'failure'],
    [{ kind: 'stopped', code: 'workspace_full', ends: 'partial' }, 'partial'],
    [{}, 'failure'],
  ])('follows its code, then its kind: %j', (error, exit) => {
    expect(exitOf(fieldsIn(error))).toBe(exit);
  });

  it.each(['usage', 'configuration', 'policy', 'missing', 'network', 'service', 'workspace', 'conflict'])(
    'is that of an unknown outcome before everything else: %s',
    (kind) => expect(exitOf({ kind, code: 'workspace_busy', outcome: 'unknown' })).toBe('unknownOutcome'),
  );
});
