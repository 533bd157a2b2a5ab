/* One kill of each kind; all others, beside every fault of the service, are proved in killed.proof.test.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { standingClock } from '../support/standing-clock.ts';
import { manyOrders } from './batch-world.ts';
import { type Doom, judged, killableProgram, ordersByPhone } from './killing.ts';

/** The order is made, and its answer does not come. */
async function madeWithoutAnswer(service: TestSandbox): Promise<Doom> {
  const operation = 'shop.Shipping/CreateAndConfirmOrder';
  await service.sandbox.control.faults.add({ operation, every: 1, do: 'late-after-commit=600000' });
  const isMade = async () => (await ordersByPhone(service)).size > 0;
  const when = expect.poll(isMade).toBe(true);
  // No answer is let go before the program is gone: it would store it and end.
  return { when, afterwards: () => service.sandbox.control.faults.clear() };
}

it.each<[string, (service: TestSandbox) => Promise<Doom>]>([
  ['between what it sent and what it would have stored', madeWithoutAnswer],
  ['at a commit of its journal', async () => ({ at: 6, onlyJournal: true })],
])('a batch that is killed %s makes each order once', async (_, doomOf) => {
  const program = await killableProgram();
  onTestFinished(() => program.remove());
  // Its waits last: an answer that is held back is not let go by itself.
  const service = await openTestSandbox({ clock: standingClock() });
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const machine = await program.machine(server.baseUrl, service.shop.apiKey);
  const file = join(machine.directory, 'orders.csv');
  writeFileSync(file, manyOrders(4));
  const words = ['batch', 'run', file, '--yes', '-o', 'json'];
  expect((await machine.run(words, await doomOf(service))).killed).toBe(true);
  const last = await machine.run(words);
  expect([last.code, last.stderr]).toEqual([0, last.stderr]);
  expect(JSON.parse(last.stdout).counts).toMatchObject({ rows: 4, done: 4, existed: 0, unclear: 0 });
  expect(await judged(service, 4)).toEqual({ orders: 4, twice: [], missing: 0 });
});
