import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommandData, loadTree } from '../../src/cli/tree/tree.ts';
import { allOperations } from '../../src/contract/areas.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { runnableWords } from '../support/example-words.ts';
import { lookedAtFirst } from '../support/scripted-transport.ts';
import { isDescribed, type Mood, moods, PAGE, plainRecords, textOf } from './service/moods.ts';
import type { Fields } from './service/values.ts';
import { answeredBy, ways } from './socket.ts';

const { commands } = await loadTree();
const everyOperation = await allOperations();

/** The words of a command's example, without a limit: what is printed is everything. */
function wholeWords(command: CommandData): readonly string[] {
  const words = runnableWords(command);
  const at = words.indexOf('--limit');
  return at < 0 ? words : words.toSpliced(at, 2);
}

/** Each operation with the command that calls it and nothing else. */
const called = commands.flatMap((command) =>
  command.operations
    .filter(({ id }) => command.operations.every((other) => other.id.split('/')[1] === id.split('/')[1]))
    .map((operation) => ({ ...operation, command })),
);
const own = called.filter(
  ({ id, command }) =>
    isDescribed(id) &&
    /^[a-z]+( [a-z]+)+$/.test(command.command) &&
    command.group !== 'auth' &&
    command.group !== 'wait' &&
    command.command !== 'webhooks status',
);

/** A plain record that is the one that was asked for: it has what the request calls it by, and what a create has sent. */
function asAsked(record: Fields, operation: string, asked: Fields): Fields {
  const creates = everyOperation.find(({ id }) => id === operation)?.effect === 'create';
  const names = creates ? Object.keys(asked) : ['id', 'code', 'shipping_code', 'external_id'];
  const own = 'order' in record ? Object(record.order) : record;
  const same = Object.fromEntries(
    names.filter((name) => name in own && name in asked).map((name) => [name, asked[name]]),
  );
  return 'order' in record ? { ...record, order: { ...own, ...same } } : { ...record, ...same };
}

const SHOP = '1234567890123450008';

/** The records of an operation in a mood, as they come and as they are to be read. */
function recordsIn(operation: string, { bend, read, count = 1 }: Mood, asked: Fields = {}) {
  const { list, records } = plainRecords(operation, list0(operation) ? count : 1);
  // What is listed is of the key's shop.
  const listed = () => records.map((record) => ('shop_id' in record ? { ...record, shop_id: SHOP } : record));
  const plain = list === undefined ? records.map((record) => asAsked(record, operation, asked)) : listed();
  const came = plain.map((record) => bend(record));
  return { list, came, read: came.map((record) => read?.(record) ?? record) };
}

const list0 = (operation: string) => plainRecords(operation, 0).list !== undefined;

/** What each operation was last asked for. */
const lastAsked = new Map<string, Fields>();

/** A service that answers each operation in a mood. */
function answering(mood: Mood): (url: string, body: string) => string {
  return (url, body) => {
    const operation = url.replace(/^.*\/v1\//, '');
    const asked: Fields = JSON.parse(body || '{}');
    lastAsked.set(operation, asked);
    const { list, came } = recordsIn(operation, mood, asked);
    if (list === undefined) return textOf(came[0]);
    const { paging } = asked as { paging?: { after?: string } };
    const start = Number(paging?.after ?? 0);
    const page = paging === undefined ? came : came.slice(start, start + PAGE);
    return textOf({ paging: { next: String(start + page.length), prev: String(start) }, [list]: page });
  };
}

async function machineWith(transport: Transport, base_url = 'http://127.0.0.1:4010') {
  const machine = testMachine(transport);
  await machine.save({
    version: 1,
    current_profile: 'shop',
    profiles: {
      shop: { kind: 'shop', base_url, api_key: `${SHOP}:secret-of-its-own` },
      partner: {
        kind: 'partner',
        base_url,
        api_key: '7:secret-of-partner',
        shops: { [SHOP]: { name: 'Tea', shop_key: `shop${SHOP}:secret-of-shop` } },
        current_shop: SHOP,
      },
    },
  });
  return machine;
}

/** What the service's list of offers or webhooks is printed as: its records. */
const printedOf = (operation: string, read: Fields): unknown =>
  operation.endsWith('Services')
    ? read.services
    : operation.endsWith('GetWebhooks')
      ? read.webhooks
      : operation.endsWith('GetLocationList')
        ? read.provinces
        : read;

/**
 * Whether the answer to a write has no record or count, something where none is due, or a record that stands where it was
 * to end; or that to a create not the name that was sent, or without one not what was sent.
 */
function provesNothing(operation: string, came: Fields, asked: Fields): boolean {
  const { effect = 'read', response } = everyOperation.find(({ id }) => id === operation) ?? {};
  const own: Fields = 'order' in came ? Object(came.order) : came;
  const answers = (...fields: string[]) => fields.some((field) => field in (response?.shape ?? {}));
  if (effect === 'read' || effect === 'authorize') return false;
  if (Object.keys(response?.shape ?? {}).length === 0) return Object.keys(came).length > 0;
  if (operation.endsWith('/CancelOrder') && answers('id', 'order')) {
    const errors = Array.isArray(came.fulfillment_errors) ? came.fulfillment_errors : [];
    const travels = errors.some((error) => error?.code && error.code !== 'ok');
    const hasEnded = own.status === 'N' || own.status === 'NS' || Boolean(own.cancelled_at) || own.deleted === true;
    return !own.id || !(hasEnded || travels);
  }
  if (effect !== 'create') return answers('id', 'order') ? !own.id : answers('updated') && own.updated == null;
  const names = 'external_id' in own && asked.external_id !== undefined ? ['external_id'] : Object.keys(asked);
  // A number may be written as a text.
  const textOfOne = (value: unknown) => JSON.stringify(value)?.replace(/"(?:number )?(\d+)"/g, '$1');
  const isOther = (name: string) => name in own && textOfOne(own[name]) !== textOfOne(asked[name]);
  return !own.id || names.some(isOther);
}

async function expectAsItCame(
  id: string,
  words: readonly string[],
  mood: Mood,
  transport: Transport,
  baseUrl?: string,
) {
  const isEnd = id.endsWith('/CancelOrder');
  const machine = await machineWith(isEnd ? lookedAtFirst(transport) : transport, baseUrl);
  const { exit, stdout, stderr } = await machine.run([
    ...words,
    ...(isEnd ? ['--order-only'] : []),
    '--yes',
    '--json',
    '--profile',
    id.split('.')[0] ?? '',
  ]);
  const asked = lastAsked.get(id) ?? {};
  const { list, came, read } = recordsIn(id, mood, asked);
  if (provesNothing(id, came[0] ?? {}, asked)) {
    // A record that is to be deleted is read: gone, it was.
    const reported = /\/Delete(?!Relationship)/.test(id)
      ? [
          [10, ''],
          [0, '{}\n'],
        ]
      : [[10, '']];
    expect(reported, `${id}: ${stderr}`).toContainEqual([exit, stdout]);
    return;
  }
  const expected = list === undefined ? printedOf(id, read[0] ?? {}) : read;
  // A webhook that the service has stopped is part of its answer, and reported.
  expect(id.endsWith('GetWebhooks') ? [0, 9] : [0], `${id}: ${stderr}`).toContain(exit);
  // As text, so that the order of the fields counts too.
  expect(JSON.stringify(JSON.parse(stdout.replace(/\b(\d{16,})\b(?!")/g, '"$1"'))), id).toBe(
    JSON.stringify(expected ?? []),
  );
}

it('the lists of the mood of pages have several, which are walked to the end', async () => {
  const lists = own.filter(({ id }) => plainRecords(id, 0).list !== undefined);
  expect(lists.length).toBeGreaterThan(8);
  for (const { id, command } of lists) {
    const mood = moods['pages of 20'] ?? { bend: (record) => record };
    const answer = answering(mood);
    let pages = 0;
    const machine = await machineWith(async ({ url, body }) => {
      pages += 1;
      return { status: 200, headers: { 'content-type': 'application/json' }, body: answer(url, body) };
    });
    await machine.run([...wholeWords(command), '--json', '--profile', id.split('.')[0] ?? '']);
    const isPaged = everyOperation.find((one) => one.id === id)?.page?.cursors === true;
    expect([id, pages > 1]).toEqual([id, isPaged]);
  }
});

it('the second service and its moods read nothing of the sandbox or of our declarations', () => {
  const directory = new URL('./service/', import.meta.url);
  const imported = readdirSync(directory).flatMap((name) =>
    [...readFileSync(new URL(name, directory), 'utf8').matchAll(/^import (type )?.*? from '([^']+)'/gm)]
      .filter(([, isType]) => isType === undefined)
      .map(([, , from = '']) => from),
  );
  expect(imported.length).toBeGreaterThan(3);
  expect(imported.filter((from) => !from.startsWith('./'))).toEqual([]);
});

it('every operation of the interface has a command that meets the moods; a sign-in has tests of its own', async () => {
  const known = new Set<string>(own.map(({ id }) => id));
  const others = everyOperation.map(({ id }) => id).filter((id) => !known.has(id));
  expect(others).toEqual(['partner.Shop/AuthorizeShop']);
});

describe.each(Object.entries(moods))('%s', (_, mood) => {
  it.each(own.map((one) => [one.id, one] as const))('is printed as it came: %s', async (id, { command }) => {
    const answer = answering(mood);
    await expectAsItCame(id, wholeWords(command), mood, async ({ url, body }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: answer(url, body),
    }));
  });
});

/** One operation for each form of answer: a record, or a list of it. */
const forms = own.filter(({ id }, index) => {
  const formOf = (operation: string) => JSON.stringify([plainRecords(operation, 0).record, list0(operation)]);
  return own.findIndex((other) => formOf(other.id) === formOf(id)) === index;
});

/** Everything set goes both ways whatever the operation; of the other moods, each form goes one of them. */
function metOverSocket(name: string, mood: Mood, turn: number) {
  if (name === 'everything set') return own;
  return forms.filter(({ id }, index) => index % 2 === turn && (mood.count === undefined || list0(id)));
}

describe.each(Object.entries(ways).map(([name, way], turn) => ({ name, way, turn })))(
  'over a socket, $name',
  ({ way, turn }) => {
    it.each(Object.entries(moods))('forms of answers are printed as they came: %s', async (name, mood) => {
      const { transport, baseUrl } = await answeredBy(way, answering(mood));
      const conflict = metOverSocket(name, mood, turn);
      expect(conflict.length).toBeGreaterThan(3);
      await Promise.all(
        conflict.map(({ id, command }) => expectAsItCame(id, wholeWords(command), mood, transport, baseUrl)),
      );
    });
  },
);
