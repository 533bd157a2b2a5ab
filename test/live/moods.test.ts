import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadTree } from '../../src/cli/tree/tree.ts';
import { allOperations } from '../../src/contract/areas.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { testMachine } from '../support/context.ts';
import { runnableWords } from '../support/example-words.ts';
import { isDescribed, type Mood, moods, PAGE, plainRecords, textOf } from './service/moods.ts';
import type { Fields } from './service/values.ts';

const { commands } = await loadTree();

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
    command.command !== 'webhooks status',
);

/** The records of an operation in a mood, as they come and as they are to be read. */
function recordsIn(operation: string, { bend, read, count = 1 }: Mood) {
  const { list, records } = plainRecords(operation, list0(operation) ? count : 1);
  const came = records.map((record) => bend(record));
  return { list, came, read: came.map((record) => read?.(record) ?? record) };
}

const list0 = (operation: string) => plainRecords(operation, 0).list !== undefined;

/** A service that answers each operation in a mood. */
function answering(mood: Mood): (url: string, body: string) => string {
  return (url, body) => {
    const operation = url.replace(/^.*\/v1\//, '');
    const { list, came } = recordsIn(operation, mood);
    if (list === undefined) return textOf(came[0]);
    const { paging } = JSON.parse(body || '{}') as { paging?: { after?: string } };
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
      shop: { kind: 'shop', base_url, api_key: '8:secret-of-its-own' },
      partner: {
        kind: 'partner',
        base_url,
        api_key: '7:secret-of-partner',
        shops: { '8': { name: 'Tea', shop_key: 'shop8:secret-of-shop' } },
        current_shop: '8',
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

async function expectAsItCame(
  id: string,
  words: readonly string[],
  mood: Mood,
  transport: Transport,
  baseUrl?: string,
) {
  const machine = await machineWith(transport, baseUrl);
  const { exit, stdout, stderr } = await machine.run([
    ...words,
    '--yes',
    '--json',
    '--profile',
    id.split('.')[0] ?? '',
  ]);
  const { list, read } = recordsIn(id, mood);
  const limit = words.includes('--limit') ? Number(words[words.indexOf('--limit') + 1]) : undefined;
  const expected = list === undefined ? printedOf(id, read[0] ?? {}) : read.slice(0, limit);
  // A webhook that the service has stopped is part of its answer, and reported.
  expect(id.endsWith('GetWebhooks') ? [0, 9] : [0], stderr).toContain(exit);
  // As text, so that the order of the fields counts too.
  expect(JSON.stringify(JSON.parse(stdout.replace(/\b(\d{16,})\b(?!")/g, '"$1"')))).toBe(
    JSON.stringify(expected ?? []),
  );
}

it('every operation of the interface has a command that meets the moods; a sign-in has tests of its own', async () => {
  const known = new Set<string>(own.map(({ id }) => id));
  const others = (await allOperations()).map(({ id }) => id).filter((id) => !known.has(id));
  expect(others).toEqual(['partner.Shop/AuthorizeShop']);
});

describe.each(Object.entries(moods))('%s', (_, mood) => {
  it.each(own.map((one) => [one.id, one] as const))('is printed as it came: %s', async (id, { command }) => {
    const answer = answering(mood);
    await expectAsItCame(id, runnableWords(command), mood, async ({ url, body }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: answer(url, body),
    }));
  });
});

/** A real server that writes its answers in a way of its own. */
async function serving(write: (text: string, put: (chunk: string) => void, end: () => void) => void) {
  const answer = answering(moods['everything set'] ?? { bend: (record) => record });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const text = answer(request.url ?? '', Buffer.concat(chunks).toString());
      write(
        text,
        (chunk) => response.write(chunk),
        () => response.end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { transport, close } = createTransport({ proxies: {} });
  onTestFinished(async () => {
    await close();
    server.close();
  });
  return { transport, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('over a socket', () => {
  it.each([
    [
      'chunked byte by byte',
      (text: string, put: (chunk: string) => void, end: () => void) => {
        for (const character of text) put(character);
        end();
      },
    ],
    [
      'slow: a part now, and a part later',
      (text: string, put: (chunk: string) => void, end: () => void) => {
        put(text.slice(0, 10));
        setTimeout(() => {
          put(text.slice(10));
          end();
        }, 30);
      },
    ],
  ])('is printed as it came: %s', async (_, write) => {
    const { transport, baseUrl } = await serving(write);
    for (const { id, command } of own) {
      await expectAsItCame(id, runnableWords(command), { bend: (record) => record }, transport, baseUrl);
    }
  });
});
