import { junitReport } from '../../platform/server/junit.ts';
import type { Finding } from './check-receiver.ts';

/** The findings as a JUnit report: a check that was not passed is a failure. */
export function examinationJunit(name: string, findings: readonly Finding[]): string {
  const cases = findings.map(({ check, passed, reason, demand, milliseconds }) => ({
    group: 'webhooks test',
    name: check,
    milliseconds,
    failures: passed ? [] : [{ message: reason ?? '', detail: `it must ${demand}` }],
  }));
  return junitReport(name, cases);
}
