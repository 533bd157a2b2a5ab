import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { openTestSandbox } from '../support/sandbox.ts';
import { quotedOrder } from '../support/sandbox-order.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const createOrder = 'partner.Shipping/CreateAndConfirmOrder';
const getOrder = 'partner.Shipping/GetOrder';

async function temporaryDirectory(parent = tmpdir()) {
  const directory = await mkdtemp(join(parent, '.shopctl-durability-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

it('an answered order is there after closing and opening again, with its changes', async () => {
  const data = await temporaryDirectory();
  const first = await openTestSandbox({ data });
  const { body } = await first.post(createOrder, await quotedOrder(first, { external_id: 'WEB-1' }), first.shopKey);
  const changes = await first.changes();
  await first.sandbox.close();

  const second = await openTestSandbox({ data });
  expect((await second.post(getOrder, { id: body.order.id }, first.shopKey)).body).toEqual(body);
  expect(await second.changes()).toEqual(changes);
  const again = await second.post(createOrder, await quotedOrder(second, { external_id: 'WEB-1' }), second.shopKey);
  expect(again.status).toBe(409);
});

/** Starts a sandbox in a process of its own, which is killed at the end of the test if it still runs. */
async function startProcess(data: string, program: string) {
  const child = spawn(process.execPath, [program, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, ...(JSON.parse(String(line)) as { baseUrl: string }) };
}

async function killed(child: ChildProcess) {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

it('an answered order is there after the process was killed, and its lock is gone', async () => {
  // The bundle must lie in the project, to find better-sqlite3 from there.
  const built = await temporaryDirectory(join(project, 'node_modules'));
  const program = join(built, 'sandbox-process.mjs');
  await build({
    entryPoints: [join(project, 'test/sandbox/sandbox-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });

  const data = await temporaryDirectory();
  const prepared = await openTestSandbox({ data });
  const order = await quotedOrder(prepared, { external_id: 'WEB-1' });
  const webhook = { url: 'http://127.0.0.1:9/', entities: ['customer_group'] };
  expect((await prepared.post('shop.Webhook/CreateWebhook', webhook, prepared.shop.apiKey)).status).toBe(200);
  await prepared.sandbox.close();

  for (const external_id of ['KILL-1', 'KILL-2', 'KILL-3']) {
    const { child, baseUrl } = await startProcess(data, program);
    await expect(openTestSandbox({ data })).rejects.toThrow('another sandbox has this data open');
    const answer = await fetch(`${baseUrl}/v1/${createOrder}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${prepared.shopKey}` },
      body: JSON.stringify({ ...order, external_id }),
    });
    const body = (await answer.json()) as { order: { id: string } };
    await killed(child);
    expect(answer.status).toBe(200);

    const reopened = await openTestSandbox({ data });
    expect((await reopened.post(getOrder, { external_id }, prepared.shopKey)).body).toEqual(body);
    const changes = await reopened.changes();
    expect(changes.at(-1)).toMatchObject({ name: 'order update', latest: body.order });
    await reopened.sandbox.close();
  }
});
