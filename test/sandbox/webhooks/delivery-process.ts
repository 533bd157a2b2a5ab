import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/platform/process/clock.ts';
import { openCore } from '../../../src/sandbox/engine/core.ts';
import { systemRandom } from '../../../src/sandbox/engine/store/ids.ts';
import { tables } from '../../../src/sandbox/engine/store/statement.ts';
import { serveCore } from '../../../src/sandbox/sandbox.ts';
import { randomHere } from '../../support/random-from.ts';
import { rows } from '../../support/rows.ts';

// Run as a process of its own, to be killed: makes customer groups named 1, 2, 3, … up to the total, goes on where an
// earlier run was killed, and delivers them to the url while its business clock runs ahead. Says `written N` after each
// commit, and at its start (one before it may have been killed after a commit, before it said so), and `done` once
// everything was accepted; one that is doomed goes on until it is killed.
const [, , data = '', url = '', count = '0', fate = 'lives'] = process.argv;
const total = Number(count);
const random = randomHere();
const core = await openCore({ data, clock: systemClock, random: systemRandom });
const sandbox = await serveCore(core, {
  seed: 'none',
  onInternalError(error) {
    throw error;
  },
});
const [shop] = (await sandbox.control.credentials()).shops;
if (shop === undefined) throw new Error('the sandbox has no shop');

async function call(operation: string, body: object): Promise<{ webhooks: { states: { state: string } }[] }> {
  const answer = await sandbox.handle({
    method: 'POST',
    url: `http://127.0.0.1/v1/shop.Webhook/${operation}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${shop?.api_key}` },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(answer.body);
  return JSON.parse(answer.body);
}

const shopId = shop.id;
const { webhooks } = await call('GetWebhooks', {});
if (webhooks.length === 0) await call('CreateWebhook', { url, entities: ['customer_group'] });
const made = core.read(({ database }) => rows(database, tables.selectFrom('customer_groups').select('id')).length);
writeSync(1, `ready\nwritten ${made}\n`);

async function write(): Promise<void> {
  for (let last = made; last < total; ) {
    const next = Math.min(total, last + 1 + Math.floor(random() * 20));
    await core.write((work) => {
      const groups = work.records('customer_group', shopId);
      for (let number = last + 1; number <= next; number += 1) groups.insert({ name: String(number) });
    });
    last = next;
    writeSync(1, `written ${last}\n`);
  }
}

let writing = true;
const written = write().then(() => {
  writing = false;
});
for (;;) {
  const finishing = !writing;
  const { next_due } = await sandbox.control.clock.advance('1h', { untilIdle: true });
  const [webhook] = (await call('GetWebhooks', {})).webhooks;
  if (webhook?.states.state === 'stop') throw new Error('the webhook has stopped');
  if (finishing && fate !== 'doomed' && webhook?.states.state === 'ok' && next_due === null) break;
}
await written;
await sandbox.close();
writeSync(1, 'done\n');
