import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { findOperation } from '../../src/contract/areas.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { valueAt } from '../../src/domain/json/values.ts';
import { type TestMachine, testMachine } from '../support/context.ts';
import { withWords } from '../support/example-words.ts';
import { sampleAnswer } from '../support/sample-answer.ts';
import { json } from '../support/scripted-transport.ts';
import { own, tried, viewOf } from './every-result/commands.ts';
import { stories } from './every-result/stories.ts';

const ofService = tried.flatMap(({ name, words, actions, operations }) =>
  actions.flatMap((action, index) => {
    const operation = operations[index];
    return operation === undefined ? [] : [[`${name} (${operation.id})`, { words, action, operation }] as const];
  }),
);

/** An answer whose records say that they are of the shop of the key. */
const inShop = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) => (name === 'shop_id' ? '8' : value));

/** A machine whose service answers every operation as declared, with the shop's own key where the operation takes one. */
async function machineFor({ id, credential }: Operation): Promise<{ machine: TestMachine; answered: () => unknown }> {
  let answered: unknown;
  const machine = testMachine(async ({ url, body }) => {
    const asked = url.replace(/^.*\/v1\//, '');
    const operation = await findOperation(asked);
    if (operation === undefined) throw new TypeError(`no operation ${asked}`);
    const answer = inShop(sampleAnswer(operation, JSON.parse(body)));
    if (asked === id) answered = answer;
    return json(200, answer);
  });
  const base_url = 'http://127.0.0.1:4010';
  await machine.save({
    version: 1,
    current_profile: credential === 'shop-api-key' ? 'shop' : 'partner',
    profiles: {
      partner: {
        kind: 'partner',
        base_url,
        api_key: '7:key',
        shops: { '8': { shop_key: 'shop8:key' } },
        current_shop: '8',
      },
      shop: { kind: 'shop', base_url, api_key: '8:key' },
    },
  });
  return { machine, answered: () => answered };
}

/** The result in JSON: all that the service answered, and nothing else. */
describe('an operation of the service', () => {
  it.each(ofService)('prints its answer as JSON: %s', async (_, { words, operation }) => {
    const { machine, answered } = await machineFor(operation);
    const { exit, stdout } = await machine.run(withWords(words, ['-o', 'json', '--yes']));
    expect(exit).toBe(0);
    const answer = answered();
    expect(JSON.parse(stdout)).toEqual(operation.page === undefined ? answer : valueAt(answer, operation.page.items));
  });

  it.each(ofService)('shows a person each of its columns: %s', async (_, { words, action, operation }) => {
    const { machine } = await machineFor(operation);
    const { answered, ...other } = await machineFor(operation);
    const view = viewOf(action);
    // A machine of its own for each: the same create once more would be no other record.
    const [csv, table] = await Promise.all([
      machine.run(withWords(words, ['-o', 'csv', '--yes'])),
      other.machine.run(withWords(words, ['-o', 'table', '--yes'])),
    ]);
    expect([csv.exit, table.exit]).toEqual([0, 0]);
    if (Object.keys(operation.response.shape).length === 0) {
      expect(table).toMatchObject({ stdout: '', stderr: expect.stringMatching(/./) });
      return;
    }
    const [heading = [], ...rows]: string[][] = parse(csv.stdout, { relax_column_count: false });
    expect(rows).toHaveLength(1);
    const derived = (view.beside ?? []).filter((beside) => 'of' in beside).map(({ as }) => as);
    for (const { path } of view.columns) {
      expect(heading).toContain(path);
      // A column whose path leads nowhere is empty; what follows from a record does not follow from every one.
      if (!derived.includes(path)) expect([path, rows[0]?.[heading.indexOf(path)]]).not.toEqual([path, '']);
    }
    const list = view.list ?? operation.page?.items;
    // A person who deletes has not asked for what remains.
    if (operation.effect === 'delete' && view.list !== undefined) {
      expect(table).toMatchObject({ stdout: '', stderr: expect.stringContaining('done: ') });
      return;
    }
    const record = list === undefined ? answered() : valueAt(answered(), `${list}`);
    const seen = view.columns.filter(({ path }) => !derived.includes(path) && view.brief?.includes(path) !== false);
    for (const { path, header } of seen) {
      expect(table.stdout.toLowerCase()).toContain((header ?? path).toLowerCase());
      const value = valueAt(Array.isArray(record) ? record[0] : record, path);
      if (typeof value === 'string' && value.startsWith('<')) expect(table.stdout).toContain(value);
    }
  });
});

describe('a command of our own', () => {
  it('has a story in which it is run', () => {
    expect(Object.keys(stories).sort()).toEqual([...new Set(own.map(({ group }) => group))].sort());
  });

  it.each(Object.entries(stories))(
    'prints what it declares, for a program and for a person: %s',
    async (group, story) => {
      const judged = new Set<string>();
      await story(judged);
      const names = own.filter((command) => command.group === group).map(({ name }) => name);
      expect([...judged].sort()).toEqual(names.sort());
    },
  );
});
