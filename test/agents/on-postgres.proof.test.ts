import { expect, it } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { impatientClock } from '../support/impatient-clock.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { type Agent, agentOf, countedWorld, orderNamed } from './agent-world.ts';

const planned = async (agent: Agent, ...names: readonly string[]) =>
  (await agent.call('plan', { command: 'ship', rows: names.map((name) => orderNamed(name)) })).result;

/** A machine whose plans are stored on a server, and who serves agents there. */
async function sharedWorld() {
  const world = await countedWorld();
  const env = { SHOPCTL_WORKSPACE: await (await sharedPostgres('quick')).newDatabase() };
  const options = { env, clock: impatientClock };
  const accept = (text: string) => world.accept(text, options);
  return { ...world, options, accept, agent: () => agentOf(world, options) };
}

it.skipIf(postgresPrograms === undefined)(
  'caps hold over servers that plan and apply at one moment, with the ledger on PostgreSQL',
  async () => {
    const { accept, agent, shipped } = await sharedWorld();
    expect((await accept('version: 1\nallow:\n  - command: ship\ncaps:\n  hour: { records: 3 }\n')).exit).toBe(0);
    const servers = [await agent(), await agent(), await agent()];
    const states = await Promise.all(
      Array.from({ length: 9 }, async (_, number) => {
        const server = servers[number % 3] as Agent;
        const { plan } = await planned(server, `A-${number}`);
        return (await server.call('apply', { plan })).result.state;
      }),
    );
    expect(states.filter((state) => state === 'needs_approval')).toHaveLength(6);
    expect(shipped).toHaveLength(3);
  },
);

it.skipIf(postgresPrograms === undefined)(
  'two servers that apply one plan at a moment send each row once, with the ledger on PostgreSQL',
  async () => {
    const { agent, approve, options, shipped } = await sharedWorld();
    const [one, two] = [await agent(), await agent()];
    const plan = await planned(one, 'A-1', 'A-2', 'A-3');
    const total = String(fieldsIn(plan.fees).total);
    expect((await approve(plan.plan, total, options)).exit).toBe(0);
    await Promise.all([one, two, one].map((server) => server.call('apply', { plan: plan.plan })));
    expect(shipped.toSorted()).toEqual(['A-1', 'A-2', 'A-3']);
    expect((await two.call('apply', { plan: plan.plan })).result).toMatchObject({ state: 'done', counts: { done: 3 } });
  },
);
