import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpDeliver } from '../../../src/sandbox/service/webhooks/deliver.ts';
import { judge, noAnswer } from '../../../src/sandbox/service/webhooks/verdict.ts';
import { listeningReceiver } from '../../support/receiver.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { selfSigned } from '../../support/self-signed.ts';

describe('an acknowledgement', () => {
  const judged = (status: number, body: string | Uint8Array) => judge({ status, body: Buffer.from(body) });

  it('is status 200 with the body ok, or that with one newline', () => {
    for (const body of ['ok', 'ok\n']) expect(judged(200, body)).toEqual({ accepted: true, resp_status: 200 });
  });

  it('is nothing else with status 200', () => {
    const wrong = [
      '',
      'OK',
      'Ok',
      'ok ',
      ' ok',
      'ok\n\n',
      'ok\r\n',
      '\nok',
      'ok.',
      '"ok"',
      '{"ok":true}',
      '\uFEFFok',
      'o',
      'ok\0',
    ];
    for (const body of wrong) {
      expect(judged(200, body)).toMatchObject({ accepted: false, error: 'unexpected response', resp_status: 200 });
    }
  });

  it('has no other status, whatever the body', () => {
    for (const status of [201, 202, 204, 206, 301, 302, 307, 308, 400, 404, 429, 500, 503]) {
      expect(judged(status, 'ok')).toEqual({
        accepted: false,
        error: `unexpected status: ${status}`,
        resp_status: status,
        resp_body: '',
      });
    }
  });

  it('that is none is kept up to 256 bytes, without half a character at the end', () => {
    const shown = (body: string | Uint8Array) => (judged(200, body) as { resp_body: string }).resp_body;
    expect(shown('a'.repeat(300))).toBe('a'.repeat(256));
    expect(shown(`${'a'.repeat(255)}đ`)).toBe('a'.repeat(255));
    expect(shown('đ'.repeat(200))).toBe('đ'.repeat(128));
    expect(shown(Uint8Array.of(0xff, 0x6f, 0x6b))).toBe('\uFFFDok');
  });

  it('that does not come is told in the words of the transport', () => {
    const none = { accepted: false, resp_status: 0, resp_body: '' };
    expect(noAnswer(new Error('socket hang up'))).toEqual({ ...none, error: 'socket hang up' });
    expect(noAnswer(new AggregateError([new Error('connect ECONNREFUSED ::1:9')]))).toEqual({
      ...none,
      error: 'connect ECONNREFUSED ::1:9',
    });
    expect(noAnswer(Object.assign(new Error(''), { code: 'ENOTFOUND' }))).toEqual({ ...none, error: 'ENOTFOUND' });
  });
});

describe('a delivery over HTTP', () => {
  const deliver = httpDeliver(new Set());
  const send = (url: string, signal = new AbortController().signal) => deliver({ url, body: '{"id":"1"}', signal });

  it('is a POST of JSON without a signature or key', async () => {
    const { url, requests } = await listeningReceiver();
    expect(await send(url)).toEqual({ status: 200, body: Buffer.from('ok') });
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/hook?token=1',
        headers: {
          host: new URL(url).host,
          'content-type': 'application/json',
          'content-length': '10',
          'user-agent': 'shopctl-sandbox',
          connection: 'close',
        },
        callback: { id: '1' },
      },
    ]);
  });

  it('follows no redirect', async () => {
    const elsewhere = await listeningReceiver();
    const { url } = await listeningReceiver((response) =>
      response.writeHead(307, { location: elsewhere.url }).end('ok'),
    );
    expect((await send(url)).status).toBe(307);
    expect(elsewhere.requests).toEqual([]);
  });

  it('over TLS is not made to a receiver that nobody vouches for', async () => {
    let requests = 0;
    const server = createServer(selfSigned, (_, response) => {
      requests += 1;
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expect(send(`https://localhost:${port}/hook`)).rejects.toThrow('self-signed certificate');
    expect(requests).toBe(0);
  });

  it('reads no more of an endless answer than it needs', async () => {
    const { url } = await listeningReceiver((response) => {
      const more = () => {
        while (response.write('x'.repeat(1000)));
      };
      response.on('drain', more);
      more();
    });
    const { status, body } = await send(url);
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(256);
  });

  it('does not wait for the body of an answer that is no acknowledgement', async () => {
    const { url } = await listeningReceiver((response) => response.writeHead(500).write('still'));
    expect((await send(url)).status).toBe(500);
  });

  it('is not accepted by half an answer, a broken one or none', async () => {
    const half = await listeningReceiver((response) => {
      response.writeHead(200, { 'content-length': '3' });
      response.write('ok', () => response.destroy());
    });
    await expect(send(half.url)).rejects.toThrow('aborted');
    const none = await listeningReceiver((response) => response.destroy());
    await expect(send(none.url)).rejects.toThrow('socket hang up');
    const nonsense = await listeningReceiver((response) => response.socket?.end('ok\r\n\r\n'));
    await expect(send(nonsense.url)).rejects.toThrow(/Parse Error/);
  });

  it('fails where nobody listens', async () => {
    await expect(send('http://127.0.0.1:9/')).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:9');
  });

  it('ends when nobody waits for it any longer', async () => {
    let closed = () => {};
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const controller = new AbortController();
    const { url } = await listeningReceiver((response) => {
      response.once('close', closed);
      controller.abort();
    });
    await expect(send(url, controller.signal)).rejects.toThrow('aborted');
    await ended;
  });

  it('is refused when the name leads elsewhere, before a connection is made', async () => {
    const asked: string[] = [];
    // A resolver that answers as somebody who wants in: the name is this machine's, one of its addresses is not.
    const lookup = ((name: string, _options: object, callback: (error: null, addresses: object[]) => void) => {
      asked.push(name);
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '192.0.2.1', family: 4 },
      ]);
    }) as unknown as Parameters<typeof httpDeliver>[1];
    const guarded = httpDeliver(new Set(), lookup);
    const { url, requests } = await listeningReceiver();
    const target = url.replace('127.0.0.1', 'localhost');
    await expect(guarded({ url: target, body: '{}', signal: new AbortController().signal })).rejects.toThrow(
      'localhost leads to 192.0.2.1, not to this machine',
    );
    expect(asked).toEqual(['localhost']);
    expect(requests).toEqual([]);
  });

  it('reaches this machine by its name', async () => {
    const { url, requests } = await listeningReceiver();
    expect((await send(url.replace('127.0.0.1', 'localhost'))).status).toBe(200);
    expect(requests).toHaveLength(1);
  });

  it('is refused for a host that was allowed once and is no longer', async () => {
    await expect(send('http://192.0.2.1/')).rejects.toThrow('--allow-host 192.0.2.1');
  });
});

describe('the sandbox', () => {
  it('delivers to a receiver that listens', async () => {
    const { url, requests } = await listeningReceiver();
    const { core, sandbox, shop, post } = await openTestSandbox();
    await post('shop.Webhook/CreateWebhook', { url, entities: ['customer_group'] }, shop.apiKey);
    await core.write((work) => work.records('customer_group', shop.id).insert({ name: 'One' }));
    await sandbox.control.clock.advance('5s', { untilIdle: true });
    expect(requests.map(({ callback }) => callback.changes.length)).toEqual([1]);
    const { deliveries } = await sandbox.control.deliveries();
    expect(deliveries).toMatchObject([{ callback_id: requests[0]?.callback.id, outcome: 'ok', status: 200 }]);
  });

  it('gives up a receiver where nobody listens after 44 h, which it does not wait for', async () => {
    const { core, sandbox, shop, post } = await openTestSandbox();
    const request = { url: 'http://127.0.0.1:9/', entities: ['customer_group'] };
    await post('shop.Webhook/CreateWebhook', request, shop.apiKey);
    await core.write((work) => work.records('customer_group', shop.id).insert({ name: 'One' }));
    await sandbox.control.clock.advance('44h1m', { untilIdle: true });
    const { body } = await post('shop.Webhook/GetWebhooks', {}, shop.apiKey);
    expect(body.webhooks[0].states).toMatchObject({
      state: 'stop',
      last_error: { error: 'connect ECONNREFUSED 127.0.0.1:9', resp_status: 0, retried: 13 },
    });
  });

  it('delivers by itself when real time has passed', async () => {
    const { url, requests } = await listeningReceiver();
    const start = Date.now();
    // A machine whose clock runs a hundred times as fast.
    const clock = { now: () => start + (Date.now() - start) * 100, wait: async () => {}, advance: () => {} };
    const { core, shop, post } = await openTestSandbox({ clock });
    await post('shop.Webhook/CreateWebhook', { url, entities: ['customer_group'] }, shop.apiKey);
    await core.write((work) => work.records('customer_group', shop.id).insert({ name: 'One' }));
    await expect.poll(() => requests.length).toBe(1);
  });
});
