/*
 * A program for together.proof.test.ts: one machine that helps with a batch, with the real files, sockets and time. It says what
 * became of the batch as a line of JSON.
 */
import { randomBytes } from 'node:crypto';
import { openContext } from '../../src/batch/open-context.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { batchNamed, help } from '../../src/batch/runs.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { Secret } from '../../src/platform/settings/secret.ts';
import { randomHere } from '../support/random-from.ts';

const given = JSON.parse(process.env.TOGETHER ?? '{}');
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort('SIGTERM'));
const { transport, close } = createTransport({ proxies: {} });
const context = await openContext({
  workspace: given.workspace,
  family: 'shop',
  connection: {
    baseUrl: given.baseUrl,
    key: (credential) =>
      credential === 'shop-api-key' ? { secret: new Secret(given.apiKey), shop: given.shop } : undefined,
    transport,
    clock: systemClock,
    random: randomHere(),
    timeoutMs: 60_000,
    maxRetries: 0,
    userAgent: 'shopctl/test',
  },
  signal: ending.signal,
  randomBytes: (length) => randomBytes(length),
  tell: () => {},
  concurrency: given.concurrency,
  lease: given.lease,
});
try {
  const batch = await batchNamed(context, given.batch);
  const { summary, failure } = await help(context, batch, await findWork(batch.do, context.account.family));
  process.stdout.write(`${JSON.stringify({ summary, failure: failure?.message })}\n`);
} finally {
  await context.close();
  await close();
}
