import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BatchStopped, Tally } from '../../src/batch/send/tally.ts';
import { exitOf } from '../../src/cli/errors/exit.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { WorkspaceError } from '../../src/store/workspace.ts';
import { json } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { manyOrders } from './batch-world.ts';

const isCreate = ({ url }: { url: string }) => url.endsWith('/CreateAndConfirmOrder');
const lost = () => new TransportError('closed', 'maybe', 'the connection closed');

/** A batch of three orders, one after the other; the first one's answer and its look-ups are lost, if so. */
async function world(options: {
  readonly isLost: boolean;
  readonly onCreate: (nth: number) => ReturnType<typeof json> | Error | undefined;
}) {
  let creates = 0;
  const shop = await shopWorld((transport) => async (request) => {
    if (options.isLost && request.url.endsWith('/GetOrder')) throw lost();
    if (!isCreate(request)) return transport(request);
    creates += 1;
    const answer = options.onCreate(creates);
    if (answer instanceof Error) throw answer;
    if (answer !== undefined) return answer;
    const made = await transport(request);
    if (options.isLost && creates === 1) throw lost();
    return made;
  });
  writeFileSync(join(shop.directory, 'orders.csv'), manyOrders(3));
  return shop;
}

const words = ['batch', 'run', 'orders.csv', '--yes', '--concurrency', '1', '--max-outage', '1s', '-o', 'json'];

describe('a batch that is stopped ends with 10 while the outcome of a row is unknown, and says how to go on', () => {
  it.each([
    ['SIGINT', true, 10],
    ['SIGTERM', true, 10],
    ['SIGINT', false, 130],
    ['SIGTERM', false, 143],
  ] as const)('by %s, an answer lost: %s', async (signal, isLost, exit) => {
    const stop = new AbortController();
    const shop = await world({ isLost, onCreate: () => void stop.abort(signal) });
    const ended = await shop.run(words, { signal: stop.signal, clock: steppedClock() });
    expect([ended.exit, JSON.parse(ended.stdout).next]).toEqual([exit, expect.stringContaining('batch resume')]);
    expect(JSON.parse(ended.stdout).counts.left).toBeGreaterThan(0);
  });

  it('says of what it leaves how many rows were being sent, to whoever wants it quiet too', async () => {
    const stop = new AbortController();
    const shop = await world({ isLost: true, onCreate: () => void stop.abort('SIGINT') });
    const quiet = words.toSpliced(-2, 2, '-q');
    const ended = await shop.run(quiet, { signal: stop.signal, clock: steppedClock() });
    const said = '1 of the 3 left was being sent, perhaps done: run the same again, it looks first\n';
    expect([ended.exit, ended.stderr]).toEqual([10, expect.stringContaining(said)]);
    const stopped = await shop.run(quiet, { clock: steppedClock() });
    expect([stopped.exit, stopped.stderr]).toEqual([10, expect.stringContaining(said)]);
  });

  it('says nothing of rows in flight where there are none', async () => {
    const stop = new AbortController();
    const shop = await world({ isLost: false, onCreate: () => void stop.abort('SIGINT') });
    const ended = await shop.run(words, { signal: stop.signal, clock: steppedClock() });
    expect(ended.stderr).not.toContain('being sent');
  });

  it.each([
    ['a key that is refused', json(403, { code: 'permission_denied', msg: 'no' }), 4],
    ['a service that takes no connection', new TransportError('refused', 'no', 'connection refused'), 7],
  ])('by %s', async (_, refusal, exit) => {
    for (const isLost of [true, false]) {
      const shop = await world({ isLost, onCreate: (nth) => (nth > 1 ? refusal : undefined) });
      const ended = await shop.run(words, { clock: steppedClock() });
      expect([isLost, ended.exit]).toEqual([isLost, isLost ? 10 : exit]);
    }
  });
});

it.each(['workspace_away', 'workspace_full', 'workspace_damaged'] as const)(
  'ends with 10 if its workspace fails as well: %s',
  (code) => {
    const stopped = (applied: number, unknown: number) => {
      const tally = new Tally();
      for (let row = 0; row < applied + unknown; row += 1) tally.begin();
      for (let row = 0; row < applied; row += 1) tally.end('done');
      return exitOf({ ...new BatchStopped('B', new WorkspaceError(code, 'no'), tally.outcome, tally) });
    };
    expect(stopped(1, 1)).toBe('unknownOutcome');
    expect(stopped(1, 0)).toBe(code === 'workspace_away' ? 'network' : 'partial');
    expect(stopped(0, 0)).toBe(code === 'workspace_away' ? 'network' : 'failure');
  },
);

describe('an undo', () => {
  it('ends with 10 where it leaves a row whose outcome is unknown', async () => {
    let isAway = true;
    const shop = await shopWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (isAway && isCreate(request) && request.body.includes('0910000001')) throw lost();
      if (isAway && request.url.endsWith('/GetOrder')) return json(200, { id: '7', external_id: 'another', code: 'X' });
      return answer;
    });
    writeFileSync(join(shop.directory, 'orders.csv'), manyOrders(2));
    const ran = await shop.run(words, { clock: steppedClock() });
    expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([10, { done: 1, unclear: 1 }]);
    isAway = false;
    const { batch } = JSON.parse(ran.stdout);
    const undone = await shop.run(['batch', 'undo', batch, '--yes', '-o', 'json'], { clock: steppedClock() });
    expect([undone.exit, undone.stderr]).toEqual([10, expect.stringContaining('settle them first')]);
  });
});
