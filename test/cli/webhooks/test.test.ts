import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { testMachine } from '../../support/context.ts';
import { fetchTransport } from '../../support/fetch-transport.ts';
import { listeningReceiver } from '../../support/receiver.ts';

/** Runs `webhooks test` on a receiver. */
async function examined(...answering: Parameters<typeof listeningReceiver>) {
  const machine = testMachine(fetchTransport);
  const receiver = await listeningReceiver(...answering);
  const junit = join(machine.directory, 'reports', 'of-ci', 'webhooks.xml');
  return { junit, ...(await machine.run(['webhooks', 'test', receiver.url, '--junit', junit, '--within', '30s'])) };
}

it('says once what is wrong with every check, and how many passed', async () => {
  const { exit, stderr } = await examined((response) => response.end('{"ok":true}'));
  expect(exit).toBe(11);
  expect(stderr.trim().split('\n')).toEqual([
    '0 of 9 checks passed',
    expect.stringMatching(/^9 for one reason: it answered 200 with .*; the body must be exactly ok, not JSON$/),
  ]);
});

it('explains a check that fails for a reason of its own', async () => {
  const { exit, stderr } = await examined((response, { headers }) => {
    if (Number(headers['content-length']) > 500_000) response.writeHead(413).end();
    else response.end('ok');
  });
  expect(exit).toBe(11);
  expect(stderr.trim().split('\n')).toEqual([
    '8 of 9 checks passed',
    expect.stringContaining('a body of 1 MiB: a receiver must accept large bodies'),
  ]);
});

it.skipIf(process.platform === 'win32')('writes its report where a collector of another user can read it', async () => {
  const { exit, junit, stderr } = await examined();
  expect([exit, stderr.trim()]).toEqual([0, '9 of 9 checks passed']);
  for (const [path, mode] of [
    [junit, 0o644],
    [dirname(junit), 0o755],
    [dirname(dirname(junit)), 0o755],
  ] as const) {
    expect([path, statSync(path).mode & 0o777]).toEqual([path, mode]);
  }
});
