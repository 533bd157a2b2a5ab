import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { openStage } from './stage.ts';
import { creatings, printedId } from './writes.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

const create = '/CreateAndConfirmOrder';
const words = (input: string) => ['ship', '--input', input, '--pick', 'cheapest', '--yes', '--json'];

describe.each(creatings)('$title, run six times at once', (creating) => {
  it('makes one order, which all of them print', async () => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const line = await creating.words(stage, machine, 'First');
    const first = await Promise.all(Array.from({ length: 6 }, () => machine.run(line)));
    const live = await stage.liveOrders('First');
    expect(live).toHaveLength(1);
    expect(first.map((ran) => [ran.code, printedId(ran)])).toEqual(first.map(() => [0, live[0]?.id]));
  });
});

describe('an order that was sent, but whose answer was lost', () => {
  it('is settled by one of six reruns, and reported by all', async () => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const input = machine.file('order.json', stage.plain('Six'));
    machine.proxy.plans.push({
      operation: create,
      times: 1,
      deed: async (way) => {
        await way.deliver();
        await way.gone;
      },
    });
    const doomed = machine.run(words(input));
    await expect.poll(() => machine.proxy.seen.some((operation) => operation.endsWith(create))).toBe(true);
    machine.killAll('SIGKILL');
    await doomed;
    const again = await Promise.all(Array.from({ length: 6 }, () => machine.run(words(input))));
    const live = await stage.liveOrders('Six');
    expect(live).toHaveLength(1);
    expect(again.map((ran) => [ran.code, printedId(ran)])).toEqual(again.map(() => [0, live[0]?.id]));
    expect(again.some(({ stderr }) => stderr.includes('settled'))).toBe(true);
    const creates = machine.proxy.seen.filter((operation) => operation.endsWith(create));
    expect(creates).toHaveLength(1);
  });

  it('is not removed without --yes, and its lock stops nobody when its process is gone', async () => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const input = machine.file('order.json', stage.plain('Removed'));
    machine.proxy.plans.push({
      operation: create,
      times: 1,
      deed: async (way) => {
        await way.deliver();
        await way.gone;
      },
    });
    const doomed = machine.run(words(input));
    await expect.poll(() => machine.proxy.seen.some((operation) => operation.endsWith(create))).toBe(true);
    machine.killAll('SIGKILL');
    await doomed;
    const [{ id = '' } = {}] = await machine.intents();
    expect((await machine.run(['ship', 'drafts', 'remove', id, '--json'])).code).toBe(2);
    expect((await machine.run(['ship', 'drafts', 'remove', id, '--yes'])).code).toBe(0);
    expect(await machine.intents()).toEqual([]);
  });
});

describe('a draft', () => {
  it('belongs to an account: no other one can continue it, or is blocked by it', async () => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const other = await stage.service.signIn(stage.service.otherShop.id);
    const input = machine.file('order.json', stage.plain('Accounts'));
    machine.proxy.plans.push({
      operation: create,
      times: 1,
      deed: async (way) => {
        await way.deliver();
        way.drop();
      },
    });
    machine.proxy.plans.push({ operation: '/GetOrder', times: 1, deed: async (way) => way.drop() });
    expect((await machine.run([...words(input), '--max-retries', '0'])).code).toBe(10);
    const asOther = { env: { SHOPCTL_SHOP_KEY: other } };
    const resumed = await machine.run(['ship', '--resume', '--yes', '--json'], asOther);
    expect([resumed.code, errorOf(resumed.stderr).code]).toEqual([2, 'draft_elsewhere']);
    expect(await stage.liveOrders('Accounts')).toHaveLength(1);
    // The same file of another account is another order.
    expect((await machine.run(words(input), asOther)).code).toBe(0);
    expect(await stage.liveOrders('Accounts')).toHaveLength(2);
    const settled = await machine.run(words(input));
    expect([settled.code, settled.stderr]).toEqual([0, expect.stringContaining('settled')]);
    const before = await machine.run(words(input));
    expect([before.code, errorOf(before.stderr).code]).toEqual([5, 'sent_before']);
    expect(errorOf(before.stderr).meta.order_id).toBe(printedId(settled));
    expect(await stage.liveOrders('Accounts')).toHaveLength(2);
  });
});

describe('what was written', () => {
  it('is synchronised before the request leaves, with the name that it got', async () => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const { points } = await machine.run(words(machine.file('order.json', stage.plain('Synchronised'))), {
      counting: true,
    });
    const intent = points.indexOf('before insert into');
    const committed = points.findIndex((point, index) => index > intent && point.startsWith('after commit'));
    const request = points.lastIndexOf('before request');
    expect([intent, committed, request].every((index) => index >= 0)).toBe(true);
    expect([intent, committed, request]).toEqual([intent, committed, request].toSorted((one, other) => one - other));
  });

  it('is so for the settings as well', async () => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const add = ['profiles', 'add', 'two', '--base-url', 'https://shop.example'];
    const { code, points } = await machine.run(add, { counting: true, below: machine.directory });
    expect(code).toBe(0);
    const written = points.filter((point) => point.startsWith('synchronised') || point.startsWith('after rename'));
    const renamed = written.lastIndexOf('after renameSync /config.json.draft-#');
    // The draft itself: conf synchronises a file of its own before it is that.
    expect(written.slice(0, renamed)).toContain('synchronised /config.json.draft-#');
    expect(written.slice(renamed + 1)).toContain('synchronised ');
  });
});
