import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { openStage } from './stage.ts';

// The parts of the build have classes of their own, which meet: what one throws, another has to know.
let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

it('ends a batch by what broke, with what was sent, and goes on from there', async () => {
  const stage = await openStage(program);
  const machine = await stage.machine();
  const rows = machine.file('rows.json', [stage.plain('One'), stage.plain('Two')]);
  const run = ['batch', 'run', rows, '--do', 'ship', '--yes', '-o', 'json'];
  machine.proxy.plans.push({
    operation: '/CreateAndConfirmOrder',
    times: 2,
    async deed(way) {
      const made = await way.deliver();
      machine.breakDisk('ENOSPC');
      way.answer(made);
    },
  });
  const broken = await machine.run(run, { counting: true });
  const error = errorOf(broken);
  expect([broken.code, error]).toMatchObject([
    9,
    { code: 'workspace_full', outcome: 'partial', meta: { applied: '2' } },
  ]);
  machine.breakDisk(undefined);
  expect((await machine.run(run)).code).toBe(0);
  for (const buyer of ['One', 'Two']) expect(await stage.liveOrders(buyer)).toHaveLength(1);
});

it('imports the other payment files where a workbook cannot be read', async () => {
  const stage = await openStage(program);
  const machine = await stage.machine();
  const [one, other] = ['one.xlsx', 'other.xlsx'].map((name) => join(machine.directory, name));
  for (const path of [one, other]) writeFileSync(String(path), 'PK no workbook');
  const imported = await machine.run(['cod', 'import', String(one), String(other), '--profile', 'shop']);
  expect([imported.code, imported.stderr]).toEqual([
    9,
    expect.stringMatching(/one\.xlsx was not imported: [\s\S]*other\.xlsx was not imported: /),
  ]);
});

it('takes no lock whose holder a power cut would leave out', async () => {
  const stage = await openStage(program);
  const machine = await stage.machine();
  const rows = machine.file('rows.json', [stage.plain('Locked')]);
  const { points } = await machine.run(['batch', 'run', rows, '--do', 'ship', '--yes', '-o', 'json'], {
    counting: true,
  });
  const links = points.flatMap((point, at) => (/^before linkSync \/locks\//.test(point) ? [at] : []));
  expect(links.length).toBeGreaterThan(0);
  for (const at of links) expect(points[at - 1]).toBe(points[at]?.replace('before linkSync', 'synchronised'));
});
