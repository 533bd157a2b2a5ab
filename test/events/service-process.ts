import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/platform/process/clock.ts';
import { openCore } from '../../src/sandbox/engine/core.ts';
import { systemRandom } from '../../src/sandbox/engine/store/ids.ts';
import { tables } from '../../src/sandbox/engine/store/statement.ts';
import { serveCore } from '../../src/sandbox/sandbox.ts';
import { randomFrom } from '../support/random-from.ts';
import { rows } from '../support/rows.ts';
import { dieAtWrite } from '../support/watched-sqlite.ts';

// Run as a process of its own: the service, whose webhooks lead to the urls. It dies by SIGKILL before the nth statement
// that writes; 0 never. Its first line on stdin tells it so; each further one is one thing to do, `write` or `advance 6s`,
// and is answered by a line that tells how the webhook stands that stands worst.
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const begun = await lines.next();
if (begun.done === true) process.exit(0);
const [data = '', nth, seed, ...urls] = JSON.parse(begun.value) as string[];
const random = randomFrom(Number(seed));
let armed = false;
await dieAtWrite(Number(nth), () => armed);
const core = await openCore({ data, clock: systemClock, random: systemRandom });
const sandbox = await serveCore(core, {
  seed: 'none',
  onInternalError(error) {
    throw error;
  },
});
const [shop] = (await sandbox.control.credentials()).shops;
if (shop === undefined) throw new Error('the sandbox has no shop');
const shopId = shop.id;

async function call(operation: string, body: object) {
  const answer = await sandbox.handle({
    method: 'POST',
    url: `http://127.0.0.1/v1/shop.Webhook/${operation}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${shop?.api_key}` },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(answer.body);
  return JSON.parse(answer.body);
}

/** Within one second: groups that are renamed to B and back to A, and now and then a new one. */
function write(): void {
  core.write((work) => {
    const groups = work.records('customer_group', shopId);
    const known = rows(work.database, tables.selectFrom('customer_groups').select('id').orderBy('id'));
    if (known.length === 0 || (known.length < 4 && random() < 0.3)) groups.insert({ name: 'A' });
    for (let time = 0; time < 3 && known.length > 0; time += 1) {
      const group = groups.get(String(known[Math.floor(random() * known.length)]?.id));
      if (group !== undefined) groups.update(group, { name: group.record.name === 'A' ? 'B' : 'A' });
    }
  });
}

const { webhooks } = await call('GetWebhooks', {});
for (const url of urls.slice(webhooks.length)) await call('CreateWebhook', { url, entities: ['customer_group'] });
armed = true;
writeSync(1, '{}\n');
for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const [deed, by = ''] = line.value.split(' ');
  if (deed === 'write') write();
  else await sandbox.control.clock.advance(by, { untilIdle: true });
  const standing = core.read(({ database }) => rows(database, tables.selectFrom('webhooks').selectAll()));
  const last = core
    .read(({ database }) => rows(database, tables.selectFrom('outbox').selectAll().orderBy('seq')))
    .at(-1);
  const state =
    standing.find((webhook) => webhook.state === 'stop')?.state ??
    standing.find((webhook) => webhook.state !== 'ok')?.state ??
    'ok';
  const failures = Math.max(0, ...standing.map((webhook) => Number(webhook.failures)));
  const passed = Math.min(...standing.map((webhook) => Number(webhook.passed_seq)));
  writeSync(1, `${JSON.stringify({ state, failures, left: Number(last?.seq ?? 0) - passed })}\n`);
}
await sandbox.close();
