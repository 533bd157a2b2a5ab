import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openHands } from '../../src/events/listen/forward/hands.ts';
import { startListener } from '../../src/events/listen/listen.ts';
import { type Clock, systemClock } from '../../src/platform/process/clock.ts';
import { listenForPosts } from '../../src/platform/server/http-server.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import { randomHere } from '../support/random-from.ts';
import { dieAtStatement } from '../support/watched-postgres.ts';
import { dieAtWrite } from '../support/watched-sqlite.ts';

// Run as a process of its own, which dies by SIGKILL before the nth statement that writes, counted from when it is
// ready; 0 never. Its first line on stdin tells it where and for whom it listens: until then it has only loaded. Says where
// it listens; at each further line, that all is handed on.
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const begun = await lines.next();
if (begun.done === true) process.exit(0);
const [place, port, nth, ...urls] = JSON.parse(begun.value) as string[];
if (place === undefined) throw new Error('no workspace is given');

/** A hundred times as fast as the machine's: what is tried again after a second comes after 10 ms. */
const fastClock: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now() * 100),
  wait: (milliseconds, signal) => systemClock.wait(Math.min(milliseconds / 100, 50), signal),
};

let armed = false;
await dieAtWrite(Number(nth), () => armed);
dieAtStatement(Number(nth), () => armed);
const workspace = await openWorkspace(place);
const hands = openHands({ env: {}, workingDirectory: '.', userAgent: 'test' });
const year = 365 * 24 * 3_600_000;
const listener = await startListener({
  signal: new AbortController().signal,
  onWait: () => {},
  workspace,
  account: '',
  name: 'test',
  host: '127.0.0.1',
  port: Number(port),
  targets: urls.map((address, index) => ({
    name: `target-${index}`,
    kind: 'url',
    address,
    entity: null,
    change_type: null,
    accept: 'ok',
    give_up_ms: year,
  })),
  clock: fastClock,
  random: randomHere(),
  randomBytes: (length) => Buffer.alloc(length, 7),
  listen: listenForPosts,
  handFor: hands.handFor,
  lease: { leaseMs: 1500, heartbeatMs: 300 },
});
armed = true;
writeSync(1, `${JSON.stringify({ url: `${listener.origin}${listener.path}` })}\n`);

for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const waiting = () =>
    workspace.read(async (database) => {
      const [{ least }] = (await database
        .selectFrom('event_targets')
        .select(({ fn }) => fn.min('cursor').as('least'))
        .execute()) as [{ least: number }];
      const handoffs = await database.selectFrom('event_handoffs').select('seq').limit(1).execute();
      const last = await database
        .selectFrom('events')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .executeTakeFirst();
      return handoffs.length > 0 || Number(least) < (last?.seq ?? 0);
    });
  while (await waiting()) await fastClock.wait(100, undefined);
  writeSync(1, '{"handedOn":true}\n');
}
await listener.close();
await hands.close();
await workspace.close();
