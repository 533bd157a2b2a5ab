import type { lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHands } from '../../src/events/listen/forward/hands.ts';
import { isForbiddenAddress } from '../../src/events/listen/forward/target-address.ts';
import type { Target } from '../../src/events/store/targets.ts';
import { guardedLookup } from '../../src/platform/http/guarded-lookup.ts';
import { listeningReceiver } from '../support/receiver.ts';
import { noteChange } from './changes.ts';

const change = {
  id: '4000000000000000001',
  text: JSON.stringify(noteChange('1000000000000000011', "'; touch hacked; $(touch hacked)")),
};
const signal = new AbortController().signal;

async function handing(target: Partial<Target>, env: Record<string, string> = {}) {
  const workingDirectory = await mkdtemp(join(tmpdir(), 'shopctl-hands-'));
  const hands = openHands({
    env: { PATH: process.env.PATH ?? '', ...env },
    workingDirectory,
    userAgent: 'shopctl/test',
  });
  onTestFinished(async () => {
    await hands.close();
    await rm(workingDirectory, { recursive: true, force: true });
  });
  const whole = { kind: 'url', accept: 'ok', address: '', ...target } as Target;
  return { workingDirectory, hands, hand: hands.handFor(whole) };
}

describe('a url', () => {
  it.each([
    [200, 'ok', true, true],
    [200, 'ok\n', true, true],
    [200, 'OK', false, true],
    [201, 'ok', false, true],
    [204, '', false, true],
    [301, 'ok', false, false],
    [500, 'ok', false, false],
  ])('that answers %d and %j accepts: %s, with 2xx: %s', async (status, body, isAccepted, isAcceptedLaxly) => {
    const receiver = await listeningReceiver((response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(body),
    );
    for (const [accept, expected] of [
      ['ok', isAccepted],
      ['2xx', isAcceptedLaxly],
    ] as const) {
      const { hand } = await handing({ address: receiver.url, accept });
      const verdict = await hand(change, signal);
      expect(verdict.accepted).toBe(expected);
      if (!verdict.accepted) expect(verdict.answered).toBe(true);
    }
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[0]).toMatchObject({
      path: '/hook?token=1',
      headers: { 'x-shopctl-change': change.id, 'content-type': 'application/json' },
      callback: { id: change.id, changes: [JSON.parse(change.text)] },
    });
  });

  it('that is slow holds up no other target at the same host', async () => {
    const receiver = await listeningReceiver((response, { path }) => {
      if (path === '/hook?token=1') response.end('ok');
    });
    const { hands, hand } = await handing({ name: 'quick', address: receiver.url });
    const ending = new AbortController();
    const slow = hands.handFor({ kind: 'url', accept: 'ok', name: 'slow', address: `${receiver.url}2` } as Target);
    const waiting = Array.from({ length: 16 }, () => slow(change, ending.signal).catch(() => {}));
    expect(await hand(change, signal)).toMatchObject({ accepted: true });
    ending.abort();
    await Promise.all(waiting);
  });

  it('that is not there has not answered', async () => {
    const { hand } = await handing({ address: 'http://127.0.0.1:1/' });
    expect(await hand(change, signal)).toMatchObject({
      accepted: false,
      answered: false,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://metadata.google.internal/',
    'http://100.100.100.200/',
  ])('that leads to a link-local or metadata address is never asked: %s', async (address) => {
    const { hand } = await handing({ address });
    expect(await hand(change, signal)).toMatchObject({
      accepted: false,
      error: expect.stringContaining('link-local or metadata'),
    });
  });

  it('whose name leads to such an address is not connected to', async () => {
    const leadsThere = ((_: string, __: object, callback: (error: null, addresses: object[]) => void) =>
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ])) as unknown as typeof lookup;
    const guarded = guardedLookup(
      (address) => (isForbiddenAddress(address) ? 'a metadata address' : undefined),
      leadsThere,
    );
    const error = await new Promise((resolve) => guarded('innocent.example', {}, resolve as never));
    expect(String(error)).toContain('leads to 169.254.169.254, a metadata address');
  });
});

describe.skipIf(process.platform === 'win32')('a command', () => {
  it('gets the change on stdin alone, and accepts with exit 0', async () => {
    const { hand, workingDirectory } = await handing({
      kind: 'command',
      address: 'cat > "got-$SHOPCTL_CHANGE_ID"; ls > files',
    });
    expect(await hand(change, signal)).toMatchObject({ accepted: true });
    expect(readFileSync(join(workingDirectory, `got-${change.id}`), 'utf8')).toBe(`${change.text}\n`);
    expect(readFileSync(join(workingDirectory, 'files'), 'utf8')).not.toContain('hacked');
  });

  it('that ends otherwise has refused, and need not read', async () => {
    const { hand } = await handing({ kind: 'command', address: 'exit 3' });
    expect(await hand({ ...change, text: `"${'x'.repeat(1_000_000)}"` }, signal)).toEqual({
      accepted: false,
      answered: true,
      error: 'ended with exit 3',
    });
  });

  it('is ended with all that it began when nobody waits any longer', async () => {
    const { hand } = await handing({ kind: 'command', address: 'sleep 60 & sleep 60' });
    const ending = new AbortController();
    const handed = hand(change, ending.signal);
    setImmediate(() => ending.abort(new Error('closing')));
    await expect(handed).rejects.toThrow('closing');
  });
});
