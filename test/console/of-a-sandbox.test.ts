import { expect, it } from 'vitest';
import { directTransport } from '../../src/cli/sandbox/sandboxes.ts';
import { aboutAnything } from '../../src/console/model.ts';
import type { Catalogue } from '../../src/console/wire.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { openedConsole } from './opened-console.ts';

it('asks the sandbox that it is started with without a connection', async () => {
  const connected: string[] = [];
  const machine = testMachine(async ({ url }) => {
    connected.push(new URL(url).pathname);
    throw new TransportError('refused', 'no', 'nobody listens there');
  });
  const console = await openedConsole(machine, ['--ephemeral', '--seed', 'demo'], { command: ['sandbox', 'start'] });
  const orders = await console.run('shop.Order/ListOrders', { input: { limit: 3 } });
  expect(orders).toMatchObject({ kind: 'list' });
  expect(Object(orders.table).rows).toHaveLength(3);
  expect(connected).toEqual([]);
  // It is in the sandbox's log like any other.
  const log = Object((await console.run('sandbox.log', { input: {} })).table);
  expect(JSON.stringify(log.rows)).toContain('ListOrders');
  // A request is told whole, and as commands that need no key in them.
  const { name } = log.rows.find((row: { cells: unknown }) => JSON.stringify(row.cells).includes('ListOrders'));
  const { copies } = await console.run('sandbox.log', { input: {}, row: name });
  expect(copies).toMatchObject([
    { label: 'curl', text: expect.stringMatching(/^curl .*\/shop\.Order\/ListOrders' \\\n.*: Bearer \$SHOPCTL_/) },
    { label: 'shopctl', text: expect.stringMatching(/ shopctl orders list --input - /) },
  ]);
  // The time line of a record asks it for what changed something: looks at the record are no part of its story.
  const catalogue = JSON.parse((await console.ask('/api/actions')).body) as Catalogue;
  const sources = aboutAnything(catalogue).filter(({ action }) => action.id === 'sandbox.log');
  expect(sources.map(({ given }) => given)).toEqual([{ writes: true }]);
});

it.each([
  ['an operation of the sandbox', 'http://127.0.0.1:4010/v1/shop.Order/ListOrders', 'handled'],
  ['what else is there', 'http://127.0.0.1:4010/_sandbox/clock', 'connected'],
  ['another port', 'http://127.0.0.1:40100/v1/shop.Order/ListOrders', 'connected'],
  ['another host', 'http://127.0.0.1:4010.example/v1/shop.Order/ListOrders', 'connected'],
])('%s is asked as it should be', async (_, url, way) => {
  const answering = (status: number) => async () => ({ status, headers: {}, body: '' });
  const transport = directTransport('http://127.0.0.1:4010', answering(200), answering(502));
  const { status } = await transport({ method: 'POST', url, headers: {}, body: '' });
  expect(status).toBe(way === 'handled' ? 200 : 502);
});
