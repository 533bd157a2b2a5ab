import * as z from 'zod';
import { deviationKinds } from '../../contract/deviations.ts';
import { int, list, oneOf, text } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';

const results = ['holds', 'deviates', 'unchecked', 'not asked'] as const;

const checked = z.object({
  check: text('What was checked'),
  operation: text('The operation'),
  result: oneOf(results, 'How it ended; unchecked could not be decided, and is no success'),
  reason: z.nullable(text('Why it was not decided')),
});

const finding = z.object({
  check: text('The check that showed it'),
  operation: text('The operation'),
  path: text('Path of the field; [] is any record. Empty for the whole answer'),
  kind: oneOf(deviationKinds, 'What it means'),
  expected: text('What the contract says'),
  seen: text('What came: its type, never its content'),
  curl: text('The request as a curl command; the key is a variable'),
  accepted: z.nullable(text('Why it is accepted; null if it is not')),
  expired: z.nullable(text('The day on which its acceptance ended')),
});

const operations = (description: string) => int(description, 'operations');
const checks = (description: string) => int(description, 'checks');

const untested = z.object({ reason: text('Why'), operations: operations('How many operations') });

const summary = z.object({
  operations: operations('Operations of the contract'),
  proved: operations('All that was asked of them holds'),
  untested: operations('Out of the scope of the run'),
  untested_because: list(untested, 'Why they were not tested, the most frequent reason first'),
  undecided: operations('Something about them could not be decided'),
  drifted: operations('They differ from the contract'),
  accepted: operations('They differ only as was accepted'),
  unreachable: operations('No answer of them arrived'),
  holds: checks('Checks that hold'),
  deviates: checks('Checks that found a deviation'),
  unchecked: checks('Checks that could not be decided'),
  not_asked: checks('Checks out of the scope of the run'),
  drifted_since: z.nullable(text('When the oldest deviation was first seen')),
});

const leftOver = z.object({
  operation: text('The operation that made it'),
  id: z.nullable(text('Its id, if known')),
  mark: text('The text by which it is found'),
  reason: text('Why it could not be removed'),
});

/** The result of a run. */
export const runOutput = z.object({
  summary: summary.meta({ description: 'What the run proved' }),
  checks: list(checked, 'Each check of each operation'),
  findings: list(finding, 'What differs from the contract'),
  left: list(leftOver, 'Records of the run that could not be removed'),
});

/** The findings of a run as a table. */
export const runView: View = {
  columns: [
    { path: 'kind' },
    { path: 'operation', cut: 'start' },
    { path: 'check' },
    { path: 'path', cut: 'start' },
    { path: 'expected' },
    { path: 'seen' },
    { path: 'accepted', optional: true },
  ],
  name: 'check',
  fields: ['curl', 'expired'],
  list: 'findings',
};

/** One place in which the service and the sandbox differ. */
export const difference = z.object({
  operation: text('The operation'),
  check: text('The check that ended differently, or form for a field whose type differs'),
  path: text('Path of the field; empty for a check'),
  service: text('What the service did'),
  sandbox: text('What the sandbox did'),
});

/** The differences as a table. */
export const diffView: View = {
  columns: ['operation', 'check', 'path', 'service', 'sandbox'].map((path) => ({ path })),
  name: 'path',
};

/** The result of cleaning up. */
export const cleanOutput = z.object({
  runs: list(text('Id of a run'), 'The runs that were cleaned up'),
  removed: int('Records that were removed', 'records'),
  left: list(leftOver, 'What could not be removed'),
});
