import { makeSafe } from '../../../platform/terminal/text-safety.ts';
import type { Judged } from '../accepted.ts';
import type { Checked } from '../notebook.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML cannot represent most control characters, not even escaped: they are displayed as elsewhere. */
const xml = (text: string) => makeSafe(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');

const inWords = ({ path, expected, seen, kind }: Judged) =>
  `${kind}: ${path === '' ? 'the answer' : path} should be ${expected}, was ${seen}`;

function caseOf({ check, operation, result, reason }: Checked, findings: readonly Judged[]): string {
  const head = `    <testcase classname="${xml(operation)}" name="${xml(check)}"`;
  const open = findings.filter((one) => one.check === check && one.operation === operation && one.accepted === null);
  if (open.length > 0) {
    const texts = open.map((one) => `      <failure message="${xml(inWords(one))}">${xml(one.curl)}</failure>`);
    return [`${head}>`, ...texts, '    </testcase>'].join('\n');
  }
  if (result === 'holds' || result === 'deviates') return `${head}/>`;
  return `${head}><skipped message="${xml(`${result}: ${reason ?? ''}`)}"/></testcase>`;
}

/** A run as a JUnit report: a deviation is a failure, what was not decided is skipped and never passed. */
export function conformanceJunit(name: string, checks: readonly Checked[], findings: readonly Judged[]): string {
  const cases = checks.map((checked) => caseOf(checked, findings));
  const failures = cases.filter((text) => text.includes('<failure')).length;
  const skipped = cases.filter((text) => text.includes('<skipped')).length;
  const counts = `tests="${checks.length}" failures="${failures}" skipped="${skipped}"`;
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
