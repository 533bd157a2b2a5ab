import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { type Action, action } from '../../src/action/action.ts';
import type { Means } from '../../src/action/means.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import { Refusal } from '../../src/client/refusal.ts';
import { storedFiles } from '../../src/console/run/files.ts';
import { serveActions } from '../../src/console/run/served.ts';
import { loadOperation } from '../../src/contract/areas.ts';
import { id, list, requiring, text } from '../../src/contract/schema/scalars.ts';
import { actionOf } from '../../src/operations/actions/derive.ts';
import { actionsContext } from '../support/actions-context.ts';
import { fixedRandom } from '../support/sandbox.ts';
import { scripted } from '../support/scripted-transport.ts';

/** Every action there is. */
const all = (
  await Promise.all(groups.map(async ({ load }) => (await load()).commands.flatMap(({ actions }) => actions)))
).flat();

it('a page runs these actions of our own and no others', () => {
  const own = all.filter(({ id: name, page }) => page !== undefined && !name.includes('/')).map(({ id: name }) => name);
  expect(own.sort().join(' ')).toMatchInlineSnapshot(
    `"batch.find batch.forget batch.list batch.plan batch.result batch.resume batch.retry batch.rows batch.run batch.settle batch.show batch.undo cod.close cod.forget cod.import cod.list cod.reconcile cod.show day drift.list drift.show events.list events.replay events.show events.targets events.targets.pause events.targets.remove events.targets.resume events.targets.retry ledger.list ledger.settle ledger.show mirror.status mirror.tables mirror.verify orders.story report sandbox.advance sandbox.clock.advance sandbox.clock.freeze sandbox.clock.real sandbox.clock.set sandbox.clock.show sandbox.deliveries sandbox.faults.add sandbox.faults.clear sandbox.faults.list sandbox.log sandbox.redeliver sandbox.reset sandbox.sign-in sandbox.snapshot.list sandbox.snapshot.remove sandbox.snapshot.restore sandbox.snapshot.save sandbox.status sandbox.unlink webhooks.recover webhooks.status"`,
  );
});

it('a page runs every operation that has a command, and none that answers keys', async () => {
  const refused = all.filter(({ id: name, page }) => page === undefined && name.includes('/'));
  expect(refused.map(({ id: name }) => name)).toEqual([]);
  const authorizing = actionOf(await loadOperation('partner.Shop/AuthorizeShop'));
  expect([authorizing.effect, authorizing.page]).toEqual(['authorize', undefined]);
});

it('a time line is made of requests, deliveries, changes, batch rows and payment lines', () => {
  const telling = all.flatMap(({ id: name, page }) =>
    typeof page === 'object' && page.about !== undefined ? [`${name} ${page.about}`] : [],
  );
  expect(telling.sort()).toEqual([
    ...['batch.find record', 'cod.show of', 'events.list record', 'sandbox.deliveries record', 'sandbox.log record'],
  ]);
});

it('what a page runs is given no file and no stdin', () => {
  const fromMachine = new Set(['stdin', 'rows', 'document', 'value']);
  const wrong = all.filter(
    ({ page, hints = {} }) =>
      page !== undefined && Object.values(hints).some((hint) => fromMachine.has(hint?.from ?? '')),
  );
  expect(wrong.map(({ id: name }) => name)).toEqual([]);
});

it('a field that names a file says how a page gives it instead', () => {
  const fields = all.flatMap(({ id: name, page, hints = {} }) =>
    page === undefined ? [] : Object.entries(hints).map(([field, hint]) => ({ at: `${name} ${field}`, hint })),
  );
  const named = fields.filter(
    ({ hint }) => /FILE|DIR|PATH|json/.test(hint?.placeholder ?? '') && hint?.from === 'path',
  );
  expect(named.length).toBeGreaterThan(6);
  const open = named.filter(({ hint }) => hint?.page === undefined).map(({ at }) => at);
  // These name what was imported, by the name that its file had.
  expect(open.sort()).toEqual(['cod.forget file', 'cod.show of']);
});

it('a page cannot give the path of a file, nor what it is never offered', async () => {
  const served = await servedWith(all, refuse);
  const { signal } = new AbortController();
  for (const [name, input, fields] of [
    ['batch.retry', { batch: 'x', file: '/etc/passwd' }, ['file']],
    ['batch.run', { file: '/etc/passwd', plan: '/etc/passwd', map: '/etc/passwd' }, ['file', 'plan', 'map']],
    ['batch.result', { batch: 'x', to: '/tmp/x.csv' }, ['to']],
    ['cod.import', { file: ['/etc/passwd'] }, ['file']],
    ['report', { name: 'sales', to: '/tmp/sales.html', ascii: true }, ['to', 'ascii']],
    ['day', { watch: true }, ['watch']],
  ] as const) {
    const form = await served.form(name);
    const offered = fields.filter((field) => Object.hasOwn(form?.schema.properties ?? {}, field));
    expect([name, offered]).toEqual([name, offered.filter((field) => form?.uploads.includes(field))]);
    const ran = await served.run(name, { input }, signal);
    expect([name, ran?.kind === 'error' && ran.error.fields.map(({ path }) => path)]).toEqual([name, fields]);
  }
});

const ferry = z.object({ id: id('Its id'), name: text('Its name') });

const added = [
  action({
    id: 'ferries.list',
    words: ['ferries', 'list'],
    summary: 'List ferries',
    examples: ['shopctl ferries list'],
    effect: 'read',
    needs: [],
    page: 'allowed',
    input: z.object({ name: z.optional(text('its name')) }),
    output: list(ferry, 'The ferries'),
    run: ({ name = 'Sao' }) => [{ id: '7', name }],
  }),
  action({
    id: 'ferries.sink',
    words: ['ferries', 'sink'],
    summary: 'Sink a ferry',
    examples: ['shopctl ferries sink 7'],
    effect: 'store',
    needs: [],
    input: requiring({ id: id('which') }, {}),
    positional: ['id'],
    output: ferry,
    run: ({ id: which }) => ({ id: which, name: 'sunk' }),
  }),
];

/** Words the fields that an input was refused for. */
const refuse: Means['ending'] = async (thrown) => {
  const fields = thrown instanceof Refusal ? thrown.fieldErrors : [];
  return {
    kind: 'failed',
    error: { code: '', message: String(thrown), outcome: 'not_applied', exitCode: 2, fields },
  };
};

async function servedWith(actions: readonly Action[], ending: Means['ending'] = (thrown) => Promise.reject(thrown)) {
  const { transport } = scripted();
  const profile = { kind: 'shop', base_url: 'http://127.0.0.1:1', api_key: 'x' } as const;
  const { ports } = await actionsContext({ transport, profile });
  const sandboxes: typeof ports.sandboxes = Object.create(null, { meant: { value: async () => undefined } });
  const means: Means = {
    version: '0.0.0',
    actions: async () => actions,
    open: async ({ report }) => ({
      ports: Object.create(ports, { sandboxes: { value: sandboxes }, report: { value: report } }),
      check: async ({ input }, given) => input.parse(given),
      end: async () => {},
    }),
    ending,
    typed: ({ words }) => ['shopctl', ...words].join(' '),
    cell: (value) => ({ text: String(value) }),
  };
  const kept = storedFiles(join(ports.places.state, 'files'), fixedRandom('files'));
  return serveActions({ means, kept }, new AbortController().signal);
}

it('an action that is added appears with its screen, its form and its result, and one that does not declare it never', async () => {
  const served = await servedWith(added);
  const { signal } = new AbortController();
  expect(await served.catalogue('', signal)).toMatchObject({
    screens: [{ group: 'ferries', title: 'Ferries', isMain: false }],
    actions: [{ id: 'ferries.list', shape: 'list', reads: true, required: [] }],
  });
  expect(await served.catalogue('/ferries', signal)).toMatchObject({
    first: {
      id: 'ferries.list',
      request: { input: {}, columns: [] },
      form: { uploads: [] },
      ran: { kind: 'list', table: { rows: [{ name: '7' }] } },
    },
  });
  expect(Object(await served.catalogue('/ferries/7', signal)).first).toBeUndefined();
  expect(await served.form('ferries.list')).toMatchObject({ schema: { properties: { name: { type: 'string' } } } });
  expect(await served.run('ferries.list', { input: { name: 'Mai' } }, signal)).toMatchObject({
    kind: 'list',
    command: 'shopctl ferries list',
    table: {
      columns: [{ path: 'id' }, { path: 'name' }],
      rows: [{ name: '7', cells: [{ text: '7' }, { text: 'Mai' }] }],
    },
  });
  expect(await served.form('ferries.sink')).toBeUndefined();
  expect(await served.run('ferries.sink', { input: { id: '7' } }, signal)).toBeUndefined();
});

it('the times in what is said are those of the clocks that the page names', async () => {
  const told = action({
    id: 'ferries.next',
    words: ['ferries', 'next'],
    summary: 'Show the next ferry',
    examples: ['shopctl ferries next'],
    effect: 'read',
    needs: [],
    page: 'allowed',
    input: z.object({}),
    output: ferry,
    run(_, { report }) {
      report.notice('leaves at 2026-01-31T08:00:00Z, comes at 2026-01-31T09:00:00Z');
      return { id: '7', name: 'Sao' };
    },
  });
  const ran = await (await servedWith([told])).run('ferries.next', { input: {} }, new AbortController().signal);
  expect(ran).toMatchObject({ notices: ['leaves at 2026-01-31 15:00, comes at 2026-01-31 16:00'] });
});

it('a list of our own goes on behind the rows that were shown', async () => {
  const rows = Array.from({ length: 230 }, (_, at) => ({ id: String(at), name: 'Sao' }));
  const many = action({
    id: 'ferries.many',
    words: ['ferries', 'many'],
    summary: 'List many ferries',
    examples: ['shopctl ferries many'],
    effect: 'read',
    needs: [],
    page: 'allowed',
    input: z.object({}),
    output: list(ferry, 'The ferries'),
    run: () => rows,
  });
  const served = await servedWith([many]);
  const seen: string[] = [];
  for (let from: number | undefined = 0; from !== undefined && seen.length < 400; ) {
    const ran = await served.run('ferries.many', { input: {}, from }, new AbortController().signal);
    if (ran?.kind !== 'list') throw new Error('no list');
    seen.push(...ran.table.rows.map(({ name }) => name));
    from = ran.more?.from;
  }
  expect(seen).toEqual(rows.map(({ id: own }) => own));
});
