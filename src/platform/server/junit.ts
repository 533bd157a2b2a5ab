import { makeSafe } from '../terminal/text-safety.ts';
import { type Html, html } from './document-page.ts';

/** One case of a JUnit report: it passed, unless it has a failure or was skipped. */
export interface JunitCase {
  readonly group: string;
  readonly name: string;
  readonly milliseconds?: number;
  /** What was wrong, each with what helps to repeat it. */
  readonly failures: readonly { readonly message: string; readonly detail: string }[];
  /** Why it was not decided. */
  readonly skipped?: string;
}

const printable = (text: string) => text.replace(/[\ufffe\uffff]/g, '\ufffd');

/** XML cannot represent most control characters, not even escaped: they are displayed as elsewhere. */
const safe = (text: string) => printable(makeSafe(text));

/** The same between tags, where lines stay lines: a command can be copied out of it. */
const lines = (text: string) => printable(makeSafe(text, 'keep'));

const timeOf = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : html` time="${(milliseconds / 1000).toFixed(3)}"`;

function caseOf({ group, name, milliseconds, failures, skipped }: JunitCase): Html {
  const inner = [
    ...failures.map(({ message, detail }) => html`<failure message="${safe(message)}">${lines(detail)}</failure>`),
    ...(skipped === undefined ? [] : [html`<skipped message="${safe(skipped)}"/>`]),
  ];
  return html`<testcase classname="${safe(group)}" name="${safe(name)}"${timeOf(milliseconds)}>${inner}</testcase>
`;
}

/** The sum of what took time; undefined if nothing says how long it took. */
function wholeTime(cases: readonly JunitCase[]): number | undefined {
  const taken = cases.flatMap(({ milliseconds }) => milliseconds ?? []);
  return taken.length === 0 ? undefined : taken.reduce((sum, one) => sum + one, 0);
}

/** Cases as a JUnit report with one suite, which test runners and CI display; XML 1.0, whatever the texts hold. */
export function junitReport(suite: string, cases: readonly JunitCase[]): string {
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const counts = html`tests="${cases.length}" failures="${failed}" skipped="${skipped}"${timeOf(wholeTime(cases))}`;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
<testsuite name="${safe(suite)}" ${counts}>
${cases.map(caseOf)}</testsuite>
</testsuites>
`.text;
}
