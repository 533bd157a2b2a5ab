import { type JunitCase, junitReport } from '../platform/server/junit.ts';
import type { Judged } from './accepted.ts';
import type { Checked } from './notebook.ts';

const inWords = ({ path, expected, seen, kind }: Judged) =>
  `${kind}: ${path === '' ? 'the answer' : path} should be ${expected}, was ${seen}`;

/** A run as a JUnit report: a deviation is a failure, what was not decided is skipped and never passed. */
export function conformanceJunit(name: string, checks: readonly Checked[], findings: readonly Judged[]): string {
  const cases = checks.map(({ check, operation, result, reason }): JunitCase => {
    const open = findings.filter((one) => one.check === check && one.operation === operation && one.accepted === null);
    const isDecided = result === 'holds' || result === 'deviates';
    return {
      group: operation,
      name: check,
      failures: open.map((one) => ({ message: inWords(one), detail: one.curl })),
      ...(isDecided ? {} : { skipped: `${result}: ${reason ?? ''}` }),
    };
  });
  return junitReport(name, cases);
}
