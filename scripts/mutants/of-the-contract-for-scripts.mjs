// Planted faults in what scripts are promised: effects, read-only mode, exits, refused fields, and the next step.

const unknownFirst = 'test/batch/unknown-first.test.ts';
const fields = 'test/cli/field-errors.test.ts';
const loops = 'test/cli/no-loops.test.ts';

export const ofTheContractForScripts = (fault) => [
  fault(
    'interrupted-before-unknown',
    'a batch that is interrupted ends with 130 although a row may have been sent',
    'src/batch/actions/in-context.ts',
    "if (stopped === 'interrupted' && isUnknown) report.verdict('unknownOutcome');",
    "if (stopped === 'interrupted' && isUnknown && verdict === undefined) report.verdict('unknownOutcome');",
    unknownFirst,
  ),
  fault(
    'unknown-is-not-first',
    'an error whose outcome is unknown ends by its kind, such as a busy workspace',
    'src/cli/errors/exit.ts',
    "  if (error.outcome === 'unknown') return 'unknownOutcome';\n  if (kind === 'stopped') {",
    "  if (kind === 'stopped') {",
    'test/cli/exit-of-service.test.ts',
  ),
  fault(
    'row-in-flight-is-forgotten',
    'a batch ends as if nothing were unknown although a row in flight was left',
    'src/batch/runs.ts',
    "const isUnclear = tally.unknown > 0 || (await rows.any(batch.number, ['unclear']));",
    "const isUnclear = await rows.any(batch.number, ['unclear']);",
    unknownFirst,
  ),
  fault(
    'refused-field-stays-in-meta',
    'a field that the service refused is not among the field errors',
    'src/client/errors.ts',
    'this.fieldErrors = refusedField(answer.meta.field, this.message);',
    'this.fieldErrors = [];',
    fields,
  ),
  fault(
    'quoted-field-has-its-own-path',
    'ship calls a field that a quote refused as the quote does, not as the order',
    'src/ship/quote-of-order.ts',
    'path: pathInOrder(each.path)',
    'path: each.path',
    fields,
  ),
  fault(
    'refused-row-loses-its-field',
    'a row that the service refused does not say which field it was',
    'src/batch/send/row-outcome.ts',
    'fields.length === 0 ? null : JSON.stringify(fields)',
    'fields.length >= 0 ? null : JSON.stringify(fields)',
    fields,
  ),
  fault(
    'refused-row-is-sent-again',
    'the next step sends a row again that the service refused for what is in it',
    'src/batch/summary.ts',
    "  'invalid_argument',\n",
    '',
    loops,
  ),
  fault(
    'next-step-never-ends',
    'the next step sends rows again that fail at every moment',
    'src/batch/summary.ts',
    '!staying.has(code) && attempts <= 1',
    '!staying.has(code)',
    loops,
  ),
  fault(
    'flag-writes-in-read-only-mode',
    'a flag with which a command does more is let through in read-only mode',
    'src/cli/run/run-action.ts',
    'if (field === undefined) return;',
    "if (field === undefined || field === 'fix') return;",
    'test/cli/read-only-flags.test.ts',
  ),
  fault(
    'stored-thing-is-a-wrong-line',
    'what is not stored here ends as a wrong line',
    'src/ledger/errors.ts',
    "write_not_found: 'missing',",
    "write_not_found: 'usage',",
    'test/cli/data-in-use.test.ts',
  ),
];
