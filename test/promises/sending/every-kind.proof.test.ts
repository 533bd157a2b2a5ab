/* Every kind of record, in every store: a lost answer, a resume, a second file and an undo, counted at the service. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settingsIn } from '../../../src/platform/settings/node-settings.ts';
import { sharedPostgres } from '../../once/made-once.ts';
import { testMachine } from '../../support/context.ts';
import { postgresPrograms, type SharedPostgres } from '../../support/postgres-cluster.ts';
import { testStart } from '../../support/sandbox.ts';
import { errorOf } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { type Kind, kinds } from '../interleavings/kinds.ts';
import { openService } from '../interleavings/service.ts';

/** A service that counts what it makes, and a machine of a shop whose ledger is in a file or at an address. */
async function worldOf(kind: Kind, workspace: string | undefined) {
  const clock = steppedClock(testStart);
  const service = await openService(`every ${kind.title}`, clock.now);
  onTestFinished(() => service.close());
  const machine = testMachine((request) => service.answer({ ...request, body: String(request.body ?? '') }, 0));
  const shop = { kind: 'shop' as const, base_url: 'http://127.0.0.1:4010', api_key: service.keys.shop };
  await settingsIn(machine.directory).update(() => ({ version: 1, current_profile: 'shop', profiles: { shop } }));
  const env = workspace === undefined ? {} : { SHOPCTL_WORKSPACE: workspace };
  const batch = async (...words: string[]) => {
    const ran = await machine.run(['batch', ...words, '--yes', '-o', 'json'], { env, clock });
    return { ...ran, reported: ran.stdout === '' ? undefined : JSON.parse(ran.stdout) };
  };
  const run = (...words: string[]) => machine.run(words, { env, clock });
  const one = (subject: number) => {
    const path = join(machine.directory, 'one.json');
    const preference = { subject, variant: 0, note: '', name: '' };
    const isNumber = /^(?:quantity|retail_price|payment_price|list_price|gross_weight|cod_amount)$/;
    const own = kind.record(preference, service.parents);
    const record = { ...own, ...kind.whole?.(own) };
    writeFileSync(
      path,
      JSON.stringify(record, (key, value) => (isNumber.test(key) ? Number(value) : value)),
    );
    return path;
  };
  const sheet = (name: string, subjects: readonly number[]) => {
    const path = join(machine.directory, name);
    const wishes = subjects.map((subject) => ({ subject, variant: 0, note: '', name: '' }));
    writeFileSync(path, JSON.stringify(wishes.map((preference) => kind.record(preference, service.parents))));
    return path;
  };
  const live = async () => (await service.live(kind)).size;
  return { service, run, one, batch, sheet, live };
}

/** Without a name of its own, nothing tells whether a record was made: its row stays unclear, and is never sent again. */
const isLookedUp = ({ takesNames }: Kind) => takesNames;

async function playOne(kind: Kind, workspace: string | undefined): Promise<void> {
  const { service, batch, sheet, live } = await worldOf(kind, workspace);
  const before = await live();
  const lost = isLookedUp(kind) ? 0 : 1;
  service.faults.set(1, 'drop-after');
  const words = ['--do', kind.words, '--concurrency', '1'];
  const first = await batch('run', sheet('first.json', [1, 2]), ...words);
  const { batch: id } = first.reported;
  expect([first.exit, first.reported.counts]).toMatchObject([lost === 1 ? 10 : 0, { done: 2 - lost, unclear: lost }]);
  const resumed = await batch('resume', id);
  expect([resumed.reported.counts, await live()]).toMatchObject([{ done: 2 - lost, unclear: lost }, before + 2]);
  const second = await batch('run', sheet('second.json', [2, 3, 1]), ...words, '--continue', id);
  expect([second.reported.counts, await live()]).toMatchObject([
    { done: 1, existed: 2 - lost, left: lost },
    before + 3,
  ]);
  expect((await batch('undo', second.reported.batch)).exit).toBe(0);
  expect(await live()).toBe(before + 2);
  await batch('undo', id);
  expect(await live()).toBe(before + lost);
}

/** The same for a single command; what nobody can look up holds its like back until a person has settled it. */
async function playSingle(kind: Kind, workspace: string | undefined): Promise<void> {
  const { service, run, one, live } = await worldOf(kind, workspace);
  const before = await live();
  service.faults.set(1, 'drop-after');
  const pick = kind.title === 'ship' ? ['--pick', 'cheapest'] : [];
  const create = () => run(...kind.words.split(' '), '--input', one(1), ...pick, '--yes', '-o', 'json');
  const first = await create();
  expect([first.exit, await live()]).toEqual([isLookedUp(kind) ? 0 : 10, before + 1]);
  if (isLookedUp(kind)) return;
  const again = await create();
  const error = errorOf(again);
  expect([again.exit, error.code, error.outcome, await live()]).toEqual([10, 'held_by', 'not_applied', before + 1]);
  const [{ id }] = JSON.parse((await run('ledger', 'list', '-o', 'json')).stdout);
  expect((await run('ledger', 'settle', id, '--done', '--yes')).exit).toBe(0);
  expect([(await create()).exit, await live()]).toEqual([0, before + 2]);
}

it.each(kinds)('makes each of the $title once, in a file', (kind) => playOne(kind, undefined));
it.each(kinds)('makes one of the $title once, in a file', (kind) => playSingle(kind, undefined));

describe.skipIf(postgresPrograms === undefined)('in a database', () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await sharedPostgres('quick');
  });

  it.each(kinds)('makes each of the $title once', (kind) => playOne(kind, server.newDatabase()));
  it.each(kinds)('makes one of the $title once', (kind) => playSingle(kind, server.newDatabase()));
});
