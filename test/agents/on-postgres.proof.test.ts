import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { openStage } from '../promises/stage.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { impatientClock } from '../support/impatient-clock.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { type Agent, agentOf, countedWorld, orderNamed } from './agent-world.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

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

/** A server that is a process, and a client that writes lines to it. */
function serverIn(child: ChildProcessWithoutNullStreams) {
  const answers = new Map<number, (answer: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = fieldsIn(JSON.parse(line));
    answers.get(Number(id))?.(result);
  });
  const closed = once(child, 'close');
  let ids = 0;
  /** The result; undefined where the server has ended before its answer. */
  const ask = async (method: string, params: object): Promise<Readonly<Record<string, unknown>> | undefined> => {
    ids += 1;
    const answered = new Promise<unknown>((resolve) => answers.set(ids, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ids, method, params })}\n`);
    const result = await Promise.race([answered, closed.then(() => undefined)]);
    return result === undefined ? undefined : fieldsIn(result);
  };
  return {
    closed,
    async begin() {
      const clientInfo = { name: 'test', version: '1' };
      await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    },
    call: async (name: string, given: object) =>
      fieldsIn((await ask('tools/call', { name, arguments: given }))?.structuredContent),
  };
}

// Each is killed while a request is on its way, once it has arrived, or once the answer is on its way back; all at once, since
// each waits for the lease of the one that was killed.
it.skipIf(postgresPrograms === undefined)(
  'servers that are killed among the rows of a plan send each row once, and caps count what they reserved',
  () => Promise.all((['before', 'behind', 'answered'] as const).map(killedAmongRows)),
);

async function killedAmongRows(end: 'before' | 'behind' | 'answered') {
  const stage = await openStage(program);
  const machine = await stage.machine();
  const SHOPCTL_WORKSPACE = await (await sharedPostgres()).newDatabase();
  const home = { PATH: process.env.PATH, HOME: machine.directory, SHOPCTL_CONFIG_DIR: machine.directory };
  const start = async () => {
    const child = spawn(...program.line('mcp'), { env: { ...home, SHOPCTL_WORKSPACE }, stdio: 'pipe' });
    const server = serverIn(child);
    await server.begin();
    return { child, ...server };
  };
  // A person has accepted this policy.
  const policy = 'version: 1\nallow:\n  - command: ship\ncaps:\n  hour: { records: 12 }\n';
  const file = join(machine.directory, 'agents.yaml');
  await machine.run(['agents', 'log'], { env: { SHOPCTL_WORKSPACE } });
  const store = new pg.Client({ connectionString: SHOPCTL_WORKSPACE });
  await store.connect();
  const digest = createHash('sha256').update(policy).digest('hex');
  await store.query('insert into agent_facts (name, value) values ($1, $2)', [`policy ${file}`, digest]);
  await store.end();
  writeFileSync(file, policy, { mode: 0o600 });
  const buyers = Array.from({ length: 12 }, (_, number) => `Buyer ${number}`);
  const rows = buyers.map((buyer, number) => stage.plain(buyer, { external_id: `A-${number}` }));
  const killed = await start();
  const { plan } = await killed.call('plan', { command: 'ship', rows });
  let arrived = 0;
  machine.proxy.plans = [
    {
      operation: 'CreateAndConfirmOrder',
      times: 100,
      async deed(way) {
        arrived += 1;
        if (arrived === 2 && end === 'before') killed.child.kill('SIGKILL');
        const answer = await way.deliver();
        if (arrived >= 2 && end === 'behind') killed.child.kill('SIGKILL');
        way.answer(answer);
        if (arrived >= 2 && end === 'answered') killed.child.kill('SIGKILL');
      },
    },
  ];
  expect([end, await killed.call('apply', { plan })]).toEqual([end, {}]);
  await killed.closed;
  machine.proxy.plans = [];
  const server = await start();
  expect(await server.call('apply', { plan })).toMatchObject({ state: 'done', counts: { done: 12, unclear: 0 } });
  const live = await Promise.all(buyers.map((buyer) => stage.liveOrders(buyer)));
  expect(live.map((orders) => orders.length)).toEqual(buyers.map(() => 1));
  const one = await server.call('plan', { command: 'ship', rows: [stage.plain('Other', { external_id: 'B-1' })] });
  expect(one).toMatchObject({ allowed: 'person' });
  expect(await server.call('apply', { plan: one.plan })).toMatchObject({ state: 'needs_approval' });
  server.child.stdin.end();
  await server.closed;
}
