import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { shellWords } from '../support/shell-words.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { manyOrders } from './batch-world.ts';

it('says how to settle a row whose outcome is not known', async () => {
  const world = await shopWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    throw new TransportError('closed', 'maybe', 'the connection closed');
  });
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
  const clock = steppedClock();
  expect((await world.run(['batch', 'run', 'orders.csv', '--yes'], { clock })).exit).toBe(10);
  const { stderr } = await world.run(['batch', 'rows', '--state', 'unclear']);
  const [, settle = ''] = /`shopctl (batch settle [^`]* --done[^`]*)` or `--not-done`/.exec(stderr) ?? [];
  expect(settle).toContain('batch settle');
  expect((await world.run(shellWords(settle))).exit).toBe(0);
  expect(JSON.parse((await world.run(['batch', 'rows', '--json'])).stdout)).toMatchObject([{ state: 'done' }]);
});

it('names a row to settle by a word of its own, where its number or its place is the name of another', async () => {
  const world = await shopWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder') || !request.body.includes('"SO-10"')) return transport(request);
    throw new TransportError('closed', 'maybe', 'the connection closed');
  });
  const sheet = manyOrders(10).replace('"SO-2"', '"10"').replace('"SO-3"', '"line 11"');
  writeFileSync(join(world.directory, 'orders.csv'), sheet);
  const clock = steppedClock();
  expect((await world.run(['batch', 'run', 'orders.csv', '--yes'], { clock })).exit).toBe(10);
  const { stderr } = await world.run(['batch', 'rows']);
  const [, settle = ''] = /`shopctl (batch settle [^`]* --done[^`]*)` or `--not-done`/.exec(stderr) ?? [];
  const batch = shellWords(settle)[2] ?? '';
  for (const word of ['10', 'line 11']) {
    const { exit, stderr: refused } = await world.run(['batch', 'settle', batch, word, '--done']);
    expect([exit, refused]).toEqual([
      2,
      expect.stringMatching(/names several rows: .*a word of its own, such as "[23]"/s),
    ]);
  }
  expect((await world.run(shellWords(settle))).exit).toBe(0);
  expect(JSON.parse((await world.run(['batch', 'rows', '--json'])).stdout)[9]).toMatchObject({ state: 'done' });
});

it('says why rows failed, grouped and counted, and how to send them again', async () => {
  let refused = 3;
  const world = await shopWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder') || refused === 0) return transport(request);
    refused -= 1;
    const msg = refused === 0 ? 'the street is too long' : 'the shop has no credit';
    return { status: 412, headers: {}, body: JSON.stringify({ code: 'failed_precondition', msg }) };
  });
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(5));
  const ran = await world.run(['batch', 'run', 'orders.csv', '--yes', '--concurrency', '1', '-o', 'name']);
  expect(ran.exit).toBe(9);
  expect(ran.stderr).toMatch(/^2 rows \(the first: line 2\): the shop has no credit$/m);
  expect(ran.stderr).toMatch(/^1 row \(line 4\): the street is too long$/m);
  const [, retry = ''] = /`shopctl (batch retry [^`]*)` sends them/.exec(ran.stderr) ?? [];
  const shown = await world.run(['batch', 'show', shellWords(retry)[2] ?? '']);
  expect(shown.stderr).toContain('2 rows (the first: line 2): the shop has no credit');
  const again = await world.run([...shellWords(retry), '--yes']);
  expect([again.exit, again.stderr]).toEqual([0, expect.not.stringContaining('no credit')]);
});

it('counts what an undo took back wherever a batch is shown, so that its rows add up', async () => {
  const { run, directory } = await shopWorld();
  writeFileSync(join(directory, 'orders.csv'), manyOrders(3));
  const { batch } = JSON.parse((await run(['batch', 'run', 'orders.csv', '--yes', '--json'])).stdout);
  await run(['batch', 'undo', batch, '--row', 'SO-2', '--yes']);
  const screen = { terminal: true, columns: 80, env: { TERM: 'xterm', NO_COLOR: '1' } };
  expect((await run(['batch', 'show', batch], screen)).stdout).toMatch(/^undone +1$/m);
  const { stdout } = await run(['batch', 'list'], screen);
  expect(stdout).toMatch(/ DONE +UNDONE +FAILED /);
  expect(stdout).toMatch(new RegExp(`^${batch} .* 2 +1 +0 `, 'm'));
});

it('does not offer to send again unchanged what differs from the order that has its name', async () => {
  const { run, directory } = await shopWorld();
  const file = (text: string, name: string) => {
    writeFileSync(join(directory, name), text);
    return name;
  };
  await run(['batch', 'run', file(manyOrders(1), 'orders.csv'), '--yes']);
  const other = manyOrders(1).replace('Khách 1', 'Lan');
  const refused = await run(['batch', 'run', file(other, 'other.csv'), '--yes', '--json']);
  const { batch, next } = JSON.parse(refused.stdout);
  expect([refused.exit, next]).toEqual([9, `shopctl batch rows ${batch} --state failed --profile test`]);
  expect(refused.stderr).toContain('differs in shipping_address.full_name (Khách 1 → Lan)');
  expect(refused.stderr).not.toContain('fixed in the file');
  expect(JSON.parse((await run([...shellWords(next).slice(1), '--json'])).stdout)).toMatchObject([
    { error: { code: 'differs' } },
  ]);
  // Under another name it would be sent twice.
  expect(refused.stderr).not.toMatch(/external_id of their own|batch retry/);
});

it('offers another name where what has the name was not sent from here', async () => {
  const { run, directory, service } = await shopWorld();
  const write = (text: string) => writeFileSync(join(directory, 'orders.csv'), text);
  const create = ['orders.csv', '--do', 'orders create', '--profile', 'shop'];
  write(manyOrders(1));
  const [planned] = JSON.parse((await run(['batch', 'plan', ...create, '--json'])).stdout).rows;
  await service.post('shop.Order/CreateOrder', planned.payload, service.shop.apiKey);
  write(manyOrders(1).replace('Khách 1', 'Lan'));
  const refused = await run(['batch', 'run', ...create, '--yes']);
  const [, mend = ''] = /external_id of their own, `shopctl (batch retry [^`]*)` sends them/.exec(refused.stderr) ?? [];
  write(manyOrders(1).replace('SO-1', 'SO-2'));
  const retried = await run([...shellWords(mend), '--yes', '--json']);
  expect([retried.exit, JSON.parse(retried.stdout)]).toMatchObject([0, { counts: { done: 1 }, next: null }]);
});

it('says how an order is sent as its row is now, which works until its parcel is picked up', async () => {
  const { run, directory, service } = await shopWorld();
  const write = (text: string) => writeFileSync(join(directory, 'orders.csv'), text);
  write(manyOrders(2));
  await run(['batch', 'run', 'orders.csv', '--yes']);
  write(manyOrders(2).replaceAll('Khách', 'Chị'));
  const plan = await run(['batch', 'plan', 'orders.csv']);
  const refused = await run(['batch', 'run', 'orders.csv', '--yes']);
  for (const { stderr } of [plan, refused]) {
    const [, cancel = '', resend = ''] =
      /`shopctl (shipping cancel [^`]*)`.*`shopctl (batch run [^`]*)`/.exec(stderr) ?? [];
    expect(resend).toContain('--resend-ended SO-1 --resend-ended SO-2');
    expect(cancel).toContain('--external-id SO-1 ');
  }
  const [, cancel = '', resend = ''] =
    /`shopctl (shipping cancel [^`]*)`.*`shopctl (batch run [^`]*)`/.exec(refused.stderr) ?? [];
  for (const name of ['SO-1', 'SO-2'])
    expect((await run([...shellWords(cancel.replace('SO-1', name)), '--yes'])).exit).toBe(0);
  const sent = await run([...shellWords(resend), '--yes', '--json']);
  expect([sent.exit, JSON.parse(sent.stdout).counts]).toMatchObject([0, { done: 2 }]);
  const { id } = JSON.parse((await run(['shipping', 'get', 'SO-1', '--json'])).stdout).order;
  await service.sandbox.control.advance(id, { to: 'delivering' });
  expect((await run([...shellWords(cancel), '--yes'])).exit).toBe(5);
});
