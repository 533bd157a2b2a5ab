import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const { added, failedFiles, settled } = await import(resolve('scripts/ci-tests.mjs'));

type Tests = Readonly<Record<string, 'passed' | 'failed' | 'pending' | 'todo'>>;

/** A file as vitest's json reporter tells of it. */
function file(name: string, tests: Tests, status = Object.values(tests).includes('failed') ? 'failed' : 'passed') {
  const assertionResults = Object.entries(tests).map(([fullName, state]) => ({ fullName, status: state }));
  return { name, status, assertionResults };
}

describe('what CI counts', () => {
  it('is every test of a run, and a file that could not be loaded', () => {
    const testResults = [file('a', { one: 'passed', two: 'failed', three: 'pending' }), file('b', {}, 'failed')];
    expect(failedFiles({ testResults })).toEqual(['a', 'b']);
    expect(settled({ testResults })).toEqual({ unsteady: [], passed: 1, failed: 2, skipped: 1 });
  });

  it('takes the last result of a file that was run again, and names what failed before', () => {
    const testResults = [file('a', { one: 'passed', two: 'failed' }), file('b', { three: 'passed' })];
    const again = new Map([['a', file('a', { one: 'passed', two: 'passed' })]]);
    expect(settled({ testResults }, again)).toEqual({ unsteady: ['a: two'], passed: 3, failed: 0, skipped: 0 });
  });

  it('stays a failure where the second run fails as well, in the same test or in another', () => {
    const testResults = [file('a', { one: 'failed', two: 'passed' })];
    const same = new Map([['a', file('a', { one: 'failed', two: 'passed' })]]);
    expect(settled({ testResults }, same)).toMatchObject({ unsteady: [], passed: 1, failed: 1 });
    const other = new Map([['a', file('a', { one: 'passed', two: 'failed' })]]);
    expect(settled({ testResults }, other)).toMatchObject({ unsteady: ['a: one'], passed: 1, failed: 1 });
  });

  it('names a file that could be loaded only the second time', () => {
    const testResults = [file('a', {}, 'failed')];
    const again = new Map([['a', file('a', { one: 'passed' })]]);
    expect(settled({ testResults }, again)).toMatchObject({ unsteady: ['a: the whole file'], passed: 1, failed: 0 });
  });

  it('adds up several runs', () => {
    const run = { unsteady: ['a: one'], passed: 2, failed: 1, skipped: 3 };
    expect(added([run, run])).toEqual({ unsteady: ['a: one', 'a: one'], passed: 4, failed: 2, skipped: 6 });
  });
});
