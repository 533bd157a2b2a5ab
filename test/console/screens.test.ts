import { expect, it } from 'vitest';
import { screenOf } from '../../src/console/model.ts';
import type { ActionData, Catalogue } from '../../src/console/wire.ts';
import { reports } from '../../src/reports/declared/reports.ts';
import { type Between, shopWorld } from '../support/shop-world.ts';
import { type OpenedConsole, openedConsole } from './opened-console.ts';

const ofShop = ['--profile', 'shop'];

const idsOf = (actions: readonly ActionData[]) => actions.map(({ id }) => id).sort();

async function catalogueOf({ ask }: OpenedConsole): Promise<Catalogue> {
  return JSON.parse((await ask('/api/actions')).body);
}

it('Today has the day, the running batches, the webhooks and how fresh the mirror is', async () => {
  const screen = screenOf(await catalogueOf(await openedConsole(await shopWorld(), ofShop)), 'day');
  expect(idsOf(screen.sheets)).toEqual(['batch.list', 'day', 'mirror.status', 'webhooks.status']);
});

it('Batches has a list, and each batch what can be done with it', async () => {
  const screen = screenOf(await catalogueOf(await openedConsole(await shopWorld(), ofShop)), 'batch');
  expect([idsOf(screen.lists), screen.record?.id]).toEqual([['batch.list'], 'batch.show']);
  expect(idsOf(screen.about('batch'))).toEqual(
    ['batch.forget', 'batch.result', 'batch.resume', 'batch.retry', 'batch.rows', 'batch.settle', 'batch.undo'].sort(),
  );
});

it('Events has changes, and targets with what can be done with them', async () => {
  const screen = screenOf(await catalogueOf(await openedConsole(await shopWorld(), ofShop)), 'events');
  expect([idsOf(screen.lists), screen.record?.id]).toEqual([['events.list', 'events.targets'], 'events.show']);
  const beside = idsOf([...screen.others, ...screen.about('seq'), ...screen.about('number')]);
  for (const id of ['events.replay', 'events.targets.pause', 'events.targets.resume', 'events.targets.retry']) {
    expect(beside).toContain(id);
  }
});

it('Reports has each report to choose, which is then shown by itself', async () => {
  const screen = screenOf(await catalogueOf(await openedConsole(await shopWorld(), ofShop)), 'report');
  expect(screen.choices.map(({ id, choice }) => [id, choice])).toEqual([
    ['report', { field: 'name', values: reports.map(({ name }) => name) }],
  ]);
});

it('Cash on delivery has files, their lines, sessions and the differences by class with their sheet', async () => {
  const catalogue = await catalogueOf(await openedConsole(await shopWorld(), ofShop));
  const screen = screenOf(catalogue, 'cod');
  expect(idsOf(screen.lists)).toEqual(['cod.list']);
  expect(idsOf(screen.sheets)).toEqual(['cod.reconcile']);
  expect(idsOf(screen.others)).toEqual(expect.arrayContaining(['cod.close', 'cod.import']));
  expect(catalogue.actions.find(({ id }) => id === 'cod.reconcile')?.formats).toContain('xlsx');
});

/** Refuses the first create of a customer with this phone. */
const refusesOnce = (phone: string): Between => {
  let isRefused = false;
  return (transport) => async (request) => {
    if (isRefused || !request.url.endsWith('CreateCustomer') || !request.body.includes(phone))
      return transport(request);
    isRefused = true;
    const body = JSON.stringify({ code: 'invalid_argument', message: 'not now', meta: {} });
    return { status: 400, headers: { 'content-type': 'application/json' }, body };
  };
};

it('a batch is run, retried, settled, resumed and undone, as the command line tells it', async () => {
  const world = await shopWorld(refusesOnce('0912345678'));
  const opened = await openedConsole(world, ofShop);
  const bytes = Buffer.from('full_name,phone\nLan,0901234567\nHà,0912345678\n').toString('base64');
  const headers = { 'content-type': 'application/json' };
  const sent = await opened.ask('/api/upload', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'customers.csv', bytes }),
  });
  const files = { file: [JSON.parse(sent.body).id] };
  /** Runs an action, and agrees to whatever it asks. */
  const run = async (id: string, request: object) => {
    let ran = await opened.run(id, request);
    for (const agreed: unknown[] = []; ran.kind === 'asks' && agreed.length < 5; ) {
      agreed.push(ran.question);
      ran = await opened.run(id, { ...request, agreed });
    }
    return ran;
  };
  const states = async (input: object) => {
    const { table } = Object(await opened.run('batch.rows', { input }));
    const at = table.columns.findIndex(({ path }: { readonly path: string }) => path === 'state');
    return table.rows.map(({ cells }: { readonly cells: readonly { readonly text: string }[] }) => cells[at]?.text);
  };
  const { name: batch } = await run('batch.run', { input: { do: 'customers create' }, files });
  expect(await states({ batch })).toEqual(['done', 'failed']);
  // What its buttons do: there is something to retry and to undo, and nothing to go on with or to settle.
  expect(await run('batch.show', { input: { batch } })).toMatchObject({ without: ['batch.resume', 'batch.settle'] });
  expect(await run('batch.retry', { input: { batch } })).toMatchObject({
    kind: 'record',
    progress: { of: 2, left: 0 },
  });
  expect(await states({ batch })).toEqual(['done', 'done']);
  expect(await run('batch.resume', { input: { batch } })).toMatchObject({ kind: 'record', progress: { left: 0 } });
  // Nothing is unclear here.
  const settled = await run('batch.settle', { input: { batch, row: '2', done: true } });
  const { exit, stderr } = await world.run(['batch', 'settle', String(batch), '2', '--done', ...ofShop, '--json']);
  const { code, message } = JSON.parse(stderr.slice(stderr.indexOf('{'))).error;
  expect(settled).toMatchObject({ kind: 'error', error: { code, message, exitCode: exit } });
  const asked = await opened.run('batch.undo', { input: { batch } });
  expect(asked).toMatchObject({ kind: 'asks', question: expect.stringContaining('2') });
  await run('batch.undo', { input: { batch } });
  const left = ['batch.resume', 'batch.retry', 'batch.settle', 'batch.undo'];
  expect(await run('batch.show', { input: { batch } })).toMatchObject({ without: left });
  expect(await opened.run('shop.Customer/ListCustomers', { input: {} })).toMatchObject({ table: { rows: [] } });
  const { stdout } = await world.run(['batch', 'rows', String(batch), '-o', 'json', ...ofShop]);
  expect(JSON.parse(stdout).map(({ state }: { readonly state: string }) => state)).toEqual(await states({ batch }));
});
