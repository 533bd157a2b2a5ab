import { describe, expect, it } from 'vitest';
import type { Judged } from '../../src/live/accepted.ts';
import type { Checked, CheckResult } from '../../src/live/notebook.ts';
import { summaryOf, summaryText } from '../../src/live/summary.ts';

const checked = (operation: string, check: string, result: CheckResult, reason: string | null = null): Checked => ({
  check,
  operation,
  result,
  reason,
});

const finding = (operation: string, accepted: string | null): Judged => ({
  check: 'answer',
  operation,
  path: 'tier',
  kind: 'added',
  expected: 'no such field',
  seen: 'an integer',
  curl: '',
  accepted,
  expired: null,
});

const summed = (checks: readonly Checked[], findings: readonly Judged[] = []) =>
  summaryOf(checks, findings, () => '2026-11-14T08:00:00.000Z');

describe('the summary of a run', () => {
  const checks = [
    checked('a.Holds', 'answer', 'holds'),
    checked('a.Holds', 'speed', 'holds'),
    checked('a.Holds', 'deleted', 'not asked', 'no list that the key reaches names such a record'),
    checked('b.Writes', 'create', 'not asked', 'the run only reads'),
    checked('b.Also', 'update', 'not asked', 'the run only reads'),
    checked('b.SignsIn', 'create', 'not asked', 'a shop would be asked to sign in'),
    checked('b.Half', 'answer', 'not asked', 'no list that the key reaches names such a record'),
    checked('b.Half', 'unknown id', 'holds'),
    checked('c.Blind', 'answer', 'holds'),
    checked('c.Blind', 'pages', 'unchecked', 'the list has fewer than 3 records'),
    checked('d.Drifts', 'answer', 'deviates'),
    checked('e.Accepted', 'answer', 'deviates'),
    checked('f.Away', 'answer', 'unchecked', 'connection refused'),
  ];
  const findings = [finding('d.Drifts', null), finding('e.Accepted', 'announced')];

  it('counts each operation once, and says why some were not tested', () => {
    expect(summaryText(summed(checks, findings))).toBe(
      '9 operations: 1 proved, ' +
        '4 untested (2 because the run only reads, 1 because a shop would be asked to sign in, ' +
        '1 because no list that the key reaches names such a record), ' +
        '1 undecided, 1 drifted (since 2026-11-14), 1 with accepted deviations only, 1 not reachable',
    );
    const { operations, ...counts } = summed(checks, findings);
    const { proved, untested, undecided, drifted, accepted, unreachable } = counts;
    expect(proved + untested + undecided + drifted + accepted + unreachable).toBe(operations);
  });

  it('is short where there is nothing to add', () => {
    expect(summaryText(summed([checked('a.Holds', 'answer', 'holds'), checked('b.Holds', 'answer', 'holds')]))).toBe(
      '2 operations: 2 proved, 0 untested, 0 drifted, 0 not reachable',
    );
  });

  it.each(['unchecked', 'not asked'] as const)('counts an operation of which a check is %s as not proved', (result) => {
    expect(summed([checked('a.Get', 'answer', result, 'some reason')]).proved).toBe(0);
  });

  it('counts an operation as not proved where one check of many could not be decided', () => {
    const { proved, undecided } = summed([
      checked('a.List', 'answer', 'holds'),
      checked('a.List', 'sort', 'unchecked', 'x'),
    ]);
    expect([proved, undecided]).toEqual([0, 1]);
  });
});
