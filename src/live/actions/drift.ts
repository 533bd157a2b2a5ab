import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { driftKinds } from '../../contract/deviations.ts';
import { int, list, oneOf, record, requiring, text, time } from '../../contract/schema/scalars.ts';
import { say } from '../../contract/texts.ts';
import type { View } from '../../contract/view.ts';

/** One way in which answers differed from the contract. */
const finding = z.object({
  id: text('Id of the finding'),
  kind: oneOf(driftKinds, 'What it means: breaks, may break others, added, unknown value, or unchecked'),
  operation: text('The operation that answered so'),
  path: text('Path of the field; [] is any record of a list. Empty for the whole answer'),
  expected: text('What the contract says'),
  seen: text('What the service answered: its type, never its content'),
  times: int('How many answers had it', 'answers'),
  first_seen: time('When it was seen first'),
  last_seen: time('When it was seen last'),
  service: text('Origin of the service'),
});

/** The findings as a table. */
const view: View = {
  columns: [
    { path: 'id', cut: 'never' },
    { path: 'kind', kind: 'state' },
    { path: 'operation' },
    { path: 'path', cut: 'start' },
    { path: 'seen', kind: 'sentence' },
    { path: 'times', kind: 'number' },
    { path: 'last_seen', kind: 'time', optional: true },
  ],
  fields: ['expected', 'first_seen', 'service'],
};

/** Thrown for an id that no finding has. */
class NoSuchFindingError extends Error {
  readonly kind = 'service';
  readonly code = 'not_found';

  constructor(wanted: string) {
    super(say().drift.noSuch({ id: wanted }));
    this.name = 'NoSuchFindingError';
  }
}

async function stored({ files, places }: Ports) {
  const { driftPath, storedFindings } = await import('../findings.ts');
  return (await storedFindings(driftPath(places.state), files)).findings;
}

const listDrift = action({
  id: 'drift.list',
  words: ['drift', 'list'],
  summary: 'List how answers of the service differed from the contract',
  description:
    'Every answer that shopctl reads is compared with the contract; what differs is stored here, without personal data. Nothing is called. The setting `drift` switches it off.',
  examples: ['shopctl drift list', 'shopctl drift list --query "[?kind==\'breaks\']" --json'],
  effect: 'read',
  agents: 'read',
  needs: [],
  page: 'allowed',
  input: z.object({}),
  output: list(finding, 'The findings, the gravest first'),
  view,
  async run(_, ports) {
    const findings = await stored(ports);
    if (findings.length === 0) ports.report.notice(say().drift.none);
    return findings;
  },
});

const showDrift = action({
  id: 'drift.show',
  words: ['drift', 'show'],
  summary: 'Show one finding',
  examples: ['shopctl drift show 3f2a91c0', 'shopctl drift show 3f2a91c0 --json'],
  effect: 'read',
  agents: 'read',
  needs: [],
  page: 'allowed',
  input: requiring({ id: text('Id of the finding, as listed') }, {}),
  positional: ['id'],
  hints: { id: { from: 'path' } },
  output: finding,
  view: {
    ...view,
    columns: [
      ...view.columns,
      { path: 'expected', kind: 'sentence' },
      ...['first_seen', 'service'].map((path) => ({ path })),
    ],
  },
  async run({ id }, ports) {
    const found = (await stored(ports)).find((one) => one.id === id);
    if (found === undefined) throw new NoSuchFindingError(id);
    return found;
  },
});

const forgetDrift = action({
  id: 'drift.forget',
  words: ['drift', 'forget'],
  summary: 'Forget findings, or all of them',
  description: 'A deviation that still exists is recorded again with the next answer that has it.',
  examples: ['shopctl drift forget --yes', 'shopctl drift forget 3f2a91c0 --yes'],
  effect: 'remove',
  undo: { whyNot: 'what is removed is gone' },
  destructive: true,
  needs: [],
  input: record({ ids: list(text('Id of a finding'), 'Ids of the findings; all of them when absent') }),
  positional: ['ids'],
  hints: { ids: { from: 'path', placeholder: 'ID' } },
  output: requiring({ forgotten: int('How many were forgotten', 'findings') }, {}),
  async run({ ids }, ports) {
    const { files, places } = ports;
    const { driftPath, rewriteFindings } = await import('../findings.ts');
    const known = new Set((await stored(ports)).map(({ id }) => id));
    const wanted = new Set(ids ?? []);
    for (const id of wanted) if (!known.has(id)) throw new NoSuchFindingError(id);
    const goes = (id: string) => wanted.size === 0 || wanted.has(id);
    ports.intend({ forget: [...known].filter(goes) });
    const gone = await rewriteFindings(driftPath(places.state), files, ({ id }) => !goes(id));
    return { forgotten: gone.length };
  },
});

/** How the service differs from the contract, as everyday answers showed it. */
export const actions = [listDrift, showDrift, forgetDrift];
