import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { inParallel } from './in-parallel.ts';
import { type Machine, openStage } from './stage.ts';

const AT_ONCE = 3;
const move = ['workspace', 'move', '--yes', '-o', 'json'];

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** Where the ledger is moved to. */
const there = ({ directory }: Machine) => ({ env: { SHOPCTL_STATE_DIR: join(directory, 'there') } });

it('moves a ledger whole, however the move is killed, and sends nothing twice meanwhile', async () => {
  const stage = await openStage(program);
  /** A machine that has sent an order, and the command that sends it. */
  const used = async (recipient: string) => {
    const machine = await stage.machine();
    const path = machine.file('order.json', stage.plain(recipient));
    const ship = ['ship', '--input', path, '--pick', 'cheapest', '--yes', '-o', 'json'];
    expect((await machine.run(ship)).code).toBe(0);
    return { machine, ship };
  };
  const whole = await used('Whole');
  const moved = await whole.machine.run(move, {
    ...there(whole.machine),
    below: whole.machine.directory,
    counting: true,
  });
  expect([moved.code, JSON.parse(moved.stdout)]).toMatchObject([0, [{ writes: 1 }]]);
  const commits = moved.points.flatMap((point, at) => (point === 'after commit' ? [at] : []));
  const [written = 0] = moved.points
    .flatMap((point, at) => (point.startsWith('after renameSync') ? [at] : []))
    .slice(-1);
  const points = [...commits, written - 1, written];
  expect(commits.length).toBeGreaterThan(2);

  await inParallel(points, AT_ONCE, async (at) => {
    const recipient = `Buyer ${at}`;
    const { machine, ship } = await used(recipient);
    const doomed = await machine.run(move, { ...there(machine), below: machine.directory, at });
    const where = `killed ${doomed.points.at(-1)}`;
    const between = await machine.run(ship, there(machine));
    const again = await machine.run(move, there(machine));
    const known = await machine.run(ship, there(machine));
    const live = await stage.liveOrders(recipient);
    expect([where, doomed.signal, again.code, known.code, live.length]).toEqual([where, 'SIGKILL', 0, 5, 1]);
    // Neither has it until the settings say so; then it is known there.
    expect([where, between.code]).toEqual([where, expect.toSatisfy((code) => code === 14 || code === 5)]);
  });
});
