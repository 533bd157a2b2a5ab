import { action } from '../../action/action.ts';
import { flag, int, list, record, text } from '../../contract/schema/scalars.ts';
import { cleanOutput, difference, diffView, runOutput, runView } from './outputs.ts';

const area = list(text('An area, such as Customer or shop.Customer'), 'only these areas; may be given several times');
const writeShop = text('also write, to the shop with this id and no other; everything written is removed again');

const run = action({
  id: 'conformance.run',
  words: ['conformance', 'run'],
  summary: 'Check whether the service does what the contract says',
  description:
    'Reads only, unless a shop is named for writes. Each check holds, deviates, or is unchecked with the reason; unchecked is never a success. Exits with 0 if everything holds, 11 for a deviation that is not accepted, 9 if something could not be checked, 10 if a record of the run could not be removed.',
  examples: [
    'shopctl conformance run',
    'shopctl conformance run --area Order --area Customer --to conformance.html',
    'shopctl conformance run --write-shop 1234567890123456789 --junit conformance.xml',
    'shopctl conformance run --write-shop 1234567890123456789 --ship --max-fee 60000',
  ],
  effect: 'by-call',
  mayAlso: ['store', 'spend', 'destroy'],
  adds: { write_shop: 'create' },
  undo: 'conformance clean',
  needs: ['key'],
  input: record({
    area,
    write_shop: writeShop,
    ship: flag('with --write-shop: ship as well, and cancel it; a parcel, and a driver where a shop calls one'),
    max_fee: int('with --ship: the most that all shipments may cost together', 'currency units'),
    accepted: text('accepted findings: a JSON list with check, operation, path, reason and until (YYYY-MM-DD)'),
    to: text('write the report as a page to this file as well'),
    junit: text('write a JUnit report to this file as well'),
    slow: int('an answer that takes longer is a deviation; 5 when absent', 'seconds'),
  }),
  hints: {
    area: { placeholder: 'NAME' },
    write_shop: { placeholder: 'ID', from: 'path' },
    max_fee: { placeholder: 'AMOUNT' },
    accepted: { placeholder: 'FILE', from: 'path' },
    to: { placeholder: 'FILE', from: 'path' },
    junit: { placeholder: 'FILE', from: 'path' },
    slow: { placeholder: 'SECONDS' },
  },
  output: runOutput,
  view: runView,
  async run(input, ports) {
    const { runConformance } = await import('./run-conformance.ts');
    return runConformance(input, ports, ports.connection());
  },
});

const diff = action({
  id: 'conformance.diff',
  words: ['conformance', 'diff'],
  summary: 'Compare the service with a fresh sandbox',
  description:
    'Runs the same scenarios against both. Where they differ in more than ids, names and times, the sandbox is wrong, the service is wrong, or the contract is silent. Exits with 11 for a difference.',
  examples: ['shopctl conformance diff', 'shopctl conformance diff --area Order --json'],
  effect: 'by-call',
  mayAlso: ['store', 'destroy'],
  adds: { write_shop: 'create' },
  undo: 'conformance clean',
  needs: ['key'],
  input: record({ area, write_shop: writeShop }),
  hints: { area: { placeholder: 'NAME' }, write_shop: { placeholder: 'ID', from: 'path' } },
  output: list(difference, 'Where the two differ'),
  view: diffView,
  async run(input, ports) {
    const { diffConformance } = await import('./diff-conformance.ts');
    return diffConformance(input, ports, ports.connection());
  },
});

const clean = action({
  id: 'conformance.clean',
  words: ['conformance', 'clean'],
  summary: 'Remove records that a killed run left behind',
  description:
    'Looks only for records that a run of this machine made, by their ids or by the mark that they hold, and removes nothing else.',
  examples: ['shopctl conformance clean', 'shopctl conformance clean --json'],
  effect: 'delete',
  mayAlso: ['store', 'write'],
  undo: { whyNot: 'what is removed is gone' },
  needs: ['key'],
  input: record({ forget: flag('forget what cannot be removed') }),
  output: cleanOutput,
  view: { columns: [{ path: 'runs' }, { path: 'removed', kind: 'number' }], name: 'runs', fields: ['left'] },
  async run({ forget }, ports) {
    const { cleanRuns } = await import('./run-conformance.ts');
    return cleanRuns(ports, forget === true);
  },
});

/** Checks of a live service against the contract. */
export const actions = [run, diff, clean];
