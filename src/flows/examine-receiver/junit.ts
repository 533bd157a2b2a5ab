import { makeSafe } from '../../platform/terminal/text-safety.ts';
import type { Finding } from './examine.ts';

/** The findings as a JUnit report, which test runners and CI display. */
export function junitReport(name: string, findings: readonly Finding[]): string {
  const failures = findings.filter(({ passed }) => !passed).length;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const all = findings.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const cases = findings.map((finding) => {
    const head = `    <testcase classname="webhooks test" name="${xml(finding.check)}" time="${seconds(finding.milliseconds)}"`;
    if (finding.passed) return `${head}/>`;
    const failure = `      <failure message="${xml(finding.reason ?? '')}">it must ${xml(finding.demand)}</failure>`;
    return `${head}>\n${failure}\n    </testcase>`;
  });
  const counts = `tests="${findings.length}" failures="${failures}" time="${seconds(all)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(name)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML cannot represent most control characters, not even escaped: they are displayed as elsewhere. */
function xml(text: string): string {
  return makeSafe(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
