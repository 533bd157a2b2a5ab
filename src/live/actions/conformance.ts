import { join } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import { curlOf } from '../../action/curl.ts';
import type { Ports } from '../../action/ports.ts';
import type { Connection } from '../../client/connection.ts';
import { allOperations } from '../../contract/areas.ts';
import { deviationKinds } from '../../contract/deviations.ts';
import { labels } from '../../contract/labels.ts';
import type { Credential } from '../../contract/operation.ts';
import { flag, int, list, oneOf, record, text } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { Secret } from '../../platform/settings/secret.ts';
import { readConformance } from '../accepted.ts';
import { AnswerForms, checkDifferences } from '../notebook.ts';
import { say } from '../texts.ts';
import { areasNamed, type RunInput, SLOW_SECONDS, sureOfShop, writeAndClean } from './run-conformance.ts';

/** The scenarios of a run against one service: the checks, and the form of its answers. */
async function scenariosOf(connection: Connection, input: RunInput, ports: Ports, shop: string | undefined) {
  const forms = new AnswerForms();
  const areas = areasNamed(input.area);
  const state = await readConformance({
    connection,
    operations: await allOperations(),
    slowMs: SLOW_SECONDS * 1000,
    shown: curlOf,
    writes: shop !== undefined,
    onAnswer: (reported) => forms.see(reported),
    ...(areas ? { areas } : {}),
  });
  const left = shop === undefined ? [] : await writeAndClean(ports, state, { shop, areas });
  return { forms, checks: state.notebook.checks, left };
}

/** A connection to a fresh sandbox with the demo's records and keys of those kinds, for as long as `work` takes. */
async function besideSandbox<Value>(
  ports: Ports,
  credentials: ReadonlySet<Credential>,
  work: (connection: Connection, shop: string) => Promise<Value>,
): Promise<Value> {
  const { children, sandboxes, settingsIn } = ports;
  const directory = await children.temporaryDirectory();
  try {
    const store = settingsIn(directory.path);
    const stateDirectory = join(directory.path, 'state');
    const start = {
      name: 'default',
      port: 0,
      data: undefined,
      seed: 'demo',
      allowHosts: [],
      processGoesOn: true,
      signedIn: true,
    } as const;
    const running = await sandboxes.start({ ...start, stateDirectory, store });
    try {
      const { profiles } = await store.read();
      const { drift: _, ...connection } = ports.connection(running.baseUrl);
      const { sandbox, 'sandbox-shop': own } = profiles;
      const [[shop, grant] = ['']] = Object.entries(sandbox?.shops ?? {});
      const keys = { 'shop-api-key': own?.api_key, 'partner-api-key': sandbox?.api_key, 'shop-key': grant?.shop_key };
      const key: Connection['key'] = (credential) => {
        const text = keys[credential];
        return text === undefined || !credentials.has(credential) ? undefined : { secret: new Secret(text), shop };
      };
      return await work({ ...connection, key }, shop);
    } finally {
      await running.close();
    }
  } finally {
    await directory.remove();
  }
}

/** Runs the same scenarios against the service and a fresh sandbox, and lists where the two differ. */
export async function diffConformance(input: RunInput, ports: Ports, connection: Connection) {
  const shop = input.write_shop ?? undefined;
  if (shop !== undefined) await sureOfShop(connection, shop);
  const service = await scenariosOf(connection, input, ports, shop);
  const operations = await allOperations();
  const reached = operations.flatMap(({ credential }) => (connection.key(credential) ? [credential] : []));
  const sandbox = await besideSandbox(ports, new Set(reached), (beside, demoShop) =>
    scenariosOf(beside, input, ports, shop === undefined ? undefined : demoShop),
  );
  for (const { operation, mark, reason } of service.left) {
    ports.report.insist(say().left({ operation, id: null, mark, why: labels().sentence(reason) }), {
      code: 'record_left',
      operation,
      mark,
    });
  }
  if (service.left.length > 0) ports.report.verdict('unknownOutcome');
  const found = [...checkDifferences(service.checks, sandbox.checks), ...service.forms.differences(sandbox.forms)];
  if (found.length > 0) ports.report.verdict('different');
  else ports.report.notice(say().alike);
  return found;
}

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
    { path: 'kind', kind: 'state' },
    { path: 'operation', cut: 'start' },
    { path: 'check' },
    { path: 'path', cut: 'start' },
    { path: 'expected', kind: 'sentence' },
    { path: 'seen', kind: 'sentence' },
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
  columns: [
    ...['operation', 'check', 'path'].map((path) => ({ path })),
    { path: 'service', kind: 'sentence' },
    { path: 'sandbox', kind: 'sentence' },
  ],
  name: 'path',
};

/** The result of cleaning up. */
export const cleanOutput = z.object({
  runs: list(text('Id of a run'), 'The runs that were cleaned up'),
  removed: int('Records that were removed', 'records'),
  left: list(leftOver, 'What could not be removed'),
});

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
  run: (input, ports) => diffConformance(input, ports, ports.connection()),
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
