import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { impatientClock } from '../support/impatient-clock.ts';
import type { Between } from '../support/shop-world.ts';
import { countedWorld, orderNamed } from './agent-world.ts';

const asAgent = { env: { SHOPCTL_AGENT: '1' } };

async function typingWorld(between?: Between) {
  const world = await countedWorld(between);
  const order = join(world.directory, 'order.json');
  writeFileSync(order, JSON.stringify(orderNamed('A-1')));
  const ship = ['ship', '--input', order, '--pick', 'cheapest', '--yes', '--json'];
  const errorOf = (stderr: string) => fieldsIn(fieldsIn(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).error);
  return { ...world, ship, errorOf };
}

it('plans what an agent types, and does it when the same command is typed after the approval', async () => {
  const { run, approve, shipped, ship, errorOf } = await typingWorld();
  const first = await run(ship, asAgent);
  expect(first.exit).toBe(12);
  const { code, meta, hint } = errorOf(first.stderr);
  const { plan, next } = fieldsIn(meta);
  expect([code, next]).toEqual(['approval_needed', expect.stringMatching(`^shopctl approve ${String(plan)}`)]);
  expect(hint).toContain(String(next));
  expect(fieldsIn(errorOf((await run(ship, asAgent)).stderr).meta).plan).toBe(plan);
  expect(shipped).toEqual([]);
  expect((await approve(plan, '52650')).exit).toBe(0);
  const done = await run(ship, asAgent);
  expect([done.exit, JSON.parse(done.stdout)]).toMatchObject([0, { state: 'done', plan, counts: { done: 1 } }]);
  const again = await run(ship, asAgent);
  expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, { state: 'done', plan: null }]);
  expect(shipped).toEqual(['A-1']);
});

it('does at once what the policy allows, and refuses what it does not name with the line for a person', async () => {
  const { run, accept, shipped, ship, errorOf } = await typingWorld();
  expect((await accept('version: 1\nallow:\n  - command: ship\ncaps:\n  hour: { records: 1 }\n')).exit).toBe(0);
  expect((await run(ship, asAgent)).exit).toBe(0);
  expect(shipped).toEqual(['A-1']);
  const other = ['customers', 'create', '--full-name', 'Lan', '--phone', '0912345678', '--profile', 'shop', '--json'];
  const refused = await run(other, asAgent);
  expect([refused.exit, errorOf(refused.stderr)]).toMatchObject([
    12,
    { code: 'person_runs', hint: expect.stringContaining('shopctl customers create') },
  ]);
});

it('names the batch to resume where what was typed before was interrupted', async () => {
  const stop = new AbortController();
  const { run, accept, shipped, ship, errorOf } = await typingWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder') || stop.signal.aborted) return transport(request);
    stop.abort('SIGINT');
    throw new TransportError('refused', 'no', 'refused');
  });
  expect((await accept('version: 1\nallow:\n  - command: ship\n')).exit).toBe(0);
  expect((await run(ship, { env: { SHOPCTL_AGENT: '1' }, signal: stop.signal, clock: impatientClock })).exit).toBe(130);
  const again = await run(ship, asAgent);
  const { code, hint } = errorOf(again.stderr);
  const batch = /batch resume (\S+)/.exec(String(hint))?.[1] ?? '';
  expect([again.exit, code, batch]).toEqual([5, 'batch_unfinished', expect.stringMatching(/^\d{8}-/)]);
  expect(shipped).toEqual([]);
  expect((await run(['batch', 'resume', batch, '--yes'])).exit).toBe(0);
  expect((await run(ship, asAgent)).exit).toBe(0);
  expect(shipped).toEqual(['A-1']);
});

it('refuses what writes past every plan, and reads as ever', async () => {
  const { run, directory } = await typingWorld();
  for (const words of [
    ['api', 'shop.Customer/CreateCustomer', '--data', '{"full_name":"Lan","phone":"0912345678"}', '--profile', 'shop'],
    ['config', 'set', 'timeout', '9'],
    ['auth', 'token', '--yes'],
    ['batch', 'run', join(directory, 'order.json'), '--do', 'ship', '--yes'],
    ['agents', 'policy', 'accept'],
    ['approve', '4f1c09d2a7b3'],
    ['console', '--port', '0'],
    ['ledger', 'settle', '3f9a1c20b7', '--not-done', '--yes'],
    ['batch', 'settle', '20260131-k3f9x', '1', '--not-done'],
  ]) {
    const { exit, stderr } = await run(words, asAgent);
    expect([words, exit, stderr]).toEqual([
      words,
      12,
      expect.stringMatching(/SHOPCTL_AGENT|the user can run|agents cannot/),
    ]);
  }
  expect((await run(['orders', 'list', '--profile', 'shop'], asAgent)).exit).toBe(0);
  expect((await run(['approve', '--list', '--read-only'], asAgent)).exit).toBe(0);
  expect((await run(['agents', 'stop'], asAgent)).exit).toBe(0);
});
