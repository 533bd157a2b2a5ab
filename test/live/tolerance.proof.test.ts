import { describe, expect, it } from 'vitest';
import { formatNames } from '../../src/cli/print/formats.ts';
import { loadTree } from '../../src/cli/tree/tree.ts';
import { allOperations } from '../../src/contract/areas.ts';
import type { Transport, WireResponse } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { runnableWords } from '../support/example-words.ts';
import { errorAnswer, json, lookedAtFirst } from '../support/scripted-transport.ts';
import { shellWords } from '../support/shell-words.ts';

const baseUrl = 'http://127.0.0.1:4010';

async function machineWith(answer: (url: string) => WireResponse, around = (transport: Transport) => transport) {
  const machine = testMachine(around(async ({ url }) => answer(url)));
  await machine.save({
    version: 1,
    current_profile: 'own',
    profiles: {
      own: { kind: 'shop', base_url: baseUrl, api_key: '8:secret-of-its-own' },
      partner: {
        kind: 'partner',
        base_url: baseUrl,
        api_key: '7:secret-of-partner',
        shops: { '8': { name: 'Tea', shop_key: 'shop8:secret-of-the-shop' } },
        current_shop: '8',
      },
    },
  });
  return machine;
}

const { commands } = await loadTree();
const operations = new Map((await allOperations()).map((operation) => [operation.id as string, operation]));
const answeringEmpty = commands.filter(({ operations: [called] }) => {
  const operation = called && operations.get(called.id);
  return operation !== undefined && Object.keys(operation.response.shape).length === 0;
});

describe('an operation that answers Empty', () => {
  it('is answered by a dozen commands', () => {
    expect(answeringEmpty.length).toBeGreaterThan(10);
  });

  it.each(answeringEmpty.map((command) => [command.command, command] as const))(
    'is done when its answer is {}, null or nothing: %s',
    async (_, command) => {
      for (const body of ['{}', 'null', '', ' \n']) {
        const machine = await machineWith(() => ({ ...json(200, {}), body }));
        const { exit, stdout, stderr } = await machine.run([...runnableWords(command), '--yes', '--json']);
        expect([body, exit, stdout.trim(), stderr]).toEqual([body, 0, '{}', expect.not.stringContaining('error')]);
      }
    },
  );

  it('is not done when its answer is cut', async () => {
    const machine = await machineWith(() => ({ ...json(200, {}), body: '{' }));
    const { exit } = await machine.run(['customers', 'delete', '--id', '5', '--yes']);
    expect(exit).toBe(10);
  });
});

it('a record is not there when its answer is empty: a read has to answer something', async () => {
  const machine = await machineWith(() => ({ ...json(200, {}), body: '' }));
  expect((await machine.run(['customers', 'get', '5'])).exit).toBe(13);
});

const customers = (...records: unknown[]) => json(200, { customers: records, paging: {} });

describe('a record that cannot be read', () => {
  const page = customers({ id: '1', full_name: 'Lan' }, { id: '2', full_name: 17 }, null, {
    id: '4',
    full_name: 'Hoa',
  });

  it.each([...formatNames])('hides nothing of its list as %s, and is named', async (format) => {
    const machine = await machineWith(() => page);
    const { exit, stdout, stderr } = await machine.run(['customers', 'list', '-o', format]);
    expect(exit).toBe(9);
    expect(stdout).toMatch(format === 'name' ? /^4\n1\n|^1\n4\n/ : /Lan[\s\S]*Hoa/);
    expect(stderr).toContain('a record cannot be read and was left out: customers[1].full_name must be text (id 2)');
    expect(stderr).toContain('customers[2] is required');
  });

  it('is named with --quiet too', async () => {
    const machine = await machineWith(() => page);
    expect((await machine.run(['customers', 'list', '-q'])).stderr).toContain('customers[1].full_name must be text');
  });

  it('hides nothing of a list without pages', async () => {
    const machine = await machineWith(() => json(200, { relationships: [{ product_id: [] }, { product_id: '3' }] }));
    const { exit, stdout } = await machine.run(['collections', 'members', 'list', '--collection-id', '1', '--json']);
    expect([exit, JSON.parse(stdout)]).toEqual([9, [{ product_id: '3' }]]);
  });

  it('is one of many: the first ones are described, however many there are', async () => {
    const bad = Array.from({ length: 300 }, (_, index) => ({ id: String(index + 1), phone: {}, email: [] }));
    const machine = await machineWith(() => customers(...bad, { id: '900' }));
    const { exit, stdout, stderr } = await machine.run(['customers', 'list', '--json']);
    expect([exit, JSON.parse(stdout)]).toEqual([9, [{ id: '900' }]]);
    expect(stderr.split('\n').filter((line) => line.includes('left out'))).toHaveLength(6);
  });

  it('makes the whole answer unreadable only where the list itself is none', async () => {
    const machine = await machineWith(() => json(200, { customers: { id: '1' } }));
    expect((await machine.run(['customers', 'list'])).exit).toBe(13);
  });
});

/** Commands that are named between backticks, or in a hint that is one. */
const namedIn = (text: string) => [...text.matchAll(/`(shopctl [^`]+)`/g)].map(([, line = '']) => line);

describe('a command that a hint names', () => {
  const writing = commands.filter(({ operations: [called] }) => called !== undefined && called.effect !== 'read');

  it.each(writing.map((command) => [command.command, command] as const))(
    'can be typed as it is, after an unknown outcome of %s',
    async (_, command) => {
      // What is cancelled is read first, which tells nothing of its outcome.
      const isEnd = command.flags.some(({ name }) => name === 'order-only');
      const machine = await machineWith(() => errorAnswer(500, 'internal'), isEnd ? lookedAtFirst : undefined);
      const profile = command.operations[0]?.credential === 'shop-api-key' ? 'own' : 'partner';
      const { exit, stderr } = await machine.run([
        ...runnableWords(command),
        ...(isEnd ? ['--order-only'] : []),
        '--yes',
        '--profile',
        profile,
        '--max-retries',
        '0',
      ]);
      if (command.operations[0]?.effect !== 'authorize') expect(exit, stderr).toBe(10);
      for (const line of namedIn(stderr)) {
        const next = await machine.run([...shellWords(line).slice(1), '--dry-run']);
        expect([line, next.exit, next.stderr]).toEqual([line, 0, expect.stringContaining('nothing was')]);
      }
    },
  );

  it('looks for a membership in its group', async () => {
    const machine = await machineWith(() => errorAnswer(500, 'internal'));
    const words = ['groups', 'members', 'add', '--group-id', '5', '--customer-id', '6'];
    expect((await machine.run(words)).stderr).toContain('`shopctl groups members list --group-id 5');
  });
});
