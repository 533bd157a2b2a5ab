import { expect, it } from 'vitest';
import * as z from 'zod';
import { action } from '../../src/action/action.ts';
import type { Means } from '../../src/action/means.ts';
import type { StoredFiles } from '../../src/console/run/files.ts';
import { type Shown, shown } from '../../src/console/run/result.ts';
import { actionsContext } from '../support/actions-context.ts';
import { scripted } from '../support/scripted-transport.ts';
import { ofOwnPage, send, servedConsole, signedIn } from './served-console.ts';

/** A list that is looked for: so many rows come at once, and the others when they are released. */
async function lookedFor(atOnce: number, passed: number) {
  let release = () => {};
  const released = new Promise<void>((free) => (release = free));
  async function* rows() {
    for (let at = 1; at <= atOnce; at += 1) yield { id: `${at}` };
    await released;
    yield { id: 'last' };
  }
  const { transport } = scripted();
  const { ports } = await actionsContext({
    transport,
    profile: { kind: 'shop', base_url: 'http://127.0.0.1:1', api_key: 'x' },
  });
  let now = 0;
  const clock = {
    now: () => {
      now += passed;
      return now;
    },
    wait: (_: number, over?: AbortSignal) =>
      new Promise<void>((_over, left) => over?.addEventListener('abort', () => left(over.reason))),
  };
  const early: Shown[] = [];
  let hear = () => {};
  const reported = new Promise<void>((heard) => (hear = heard));
  const list = action({
    id: 'things.list',
    words: ['things', 'list'],
    summary: 'List things',
    examples: ['shopctl things list'],
    effect: 'read',
    needs: [],
    page: 'allowed',
    input: z.object({}),
    output: z.array(z.object({ id: z.string() })),
    run: rows,
  });
  const means: Pick<Means, 'cell'> = { cell: (value) => ({ text: String(value) }) };
  const result = shown(rows(), {
    action: list,
    input: {},
    request: { input: {}, early: true },
    means: Object.assign(Object.create(null), means),
    ports: Object.create(ports, { clock: { value: clock } }),
    kept: Object.create(null) satisfies StoredFiles,
    rest: () => undefined,
    early: (found) => {
      early.push(found);
      hear();
    },
  });
  return { early, reported, release, result };
}

const names = (found: Shown | undefined) => (found?.kind === 'list' ? found.table.rows.map(({ name }) => name) : []);

it('shows a screenful of a list while others are still looked for, and says so', async () => {
  const { early, reported, release, result } = await lookedFor(30, 200);
  await reported;
  expect([names(early[0]).length, early[0]]).toMatchObject([30, { isComing: true }]);
  release();
  const whole = await result;
  expect(whole).not.toHaveProperty('isComing');
  expect([names(whole).length, names(whole).at(-1), early.length]).toEqual([31, 'last', 1]);
});

it.each([
  ['that is there soon', 30, 1],
  ['of which less than a screenful was found a moment ago', 5, 100],
])('shows nothing early of a list %s', async (_, atOnce, passed) => {
  const { early, release, result } = await lookedFor(atOnce, passed);
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  release();
  expect([names(await result).length, early]).toEqual([atOnce + 1, []]);
});

it('sends each part of a result as a line, the whole of it last', async () => {
  const console = await servedConsole();
  const cookie = await signedIn(console);
  const headers = { ...ofOwnPage, cookie, origin: console.origin, 'content-type': 'application/json' };
  const ask = (body: object) =>
    send(console.origin, '/api/run/shop.known', { method: 'POST', headers, body: JSON.stringify(body) });
  const parts = await ask({ input: {}, early: true });
  expect([parts.status, parts.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  expect(parts.body.split('\n').map((line) => JSON.parse(line).kind)).toEqual(['text', 'text', 'nothing']);
  expect(JSON.parse((await ask({ input: {} })).body).kind).toBe('nothing');
});
