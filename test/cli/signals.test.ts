/* What a signal ends, and with which exit: no timer has to run out for it, so the clock stands still in all of them. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../../src/client/call.ts';
import { GetCustomer } from '../../src/contract/shop/customer.ts';
import { acquireLock } from '../../src/platform/files/file-lock.ts';
import { TransportError, type WireRequest } from '../../src/platform/http/transport.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { InterruptedError, patienceFor, untilAborted, waitedFor } from '../../src/platform/process/interruptible.ts';
import { openPostgresWorkspace } from '../../src/store/postgres-workspace.ts';
import { patientBy } from '../../src/store/sqlite-file.ts';
import { testMachine } from '../support/context.ts';
import { httpAnswer, rawServer } from '../support/raw-server.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { testConnection } from '../support/test-connection.ts';

const clock = standingClock();
const forever = () => new Promise<never>(() => {});
const newDirectory = () => testMachine(async () => Promise.reject(new Error('nobody is asked'))).directory;

/** A server that takes connections, and never says a word. */
async function silentServer() {
  const server = await rawServer(() => {});
  onTestFinished(server.close);
  return server;
}

describe('a signal ends at once', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  const waits: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
    'a database file that another program holds': (signal) =>
      patientBy(clock, '/work.db', { signal })(() => Promise.reject(busy)),
    'a database that hangs': (signal) =>
      waitedFor(clock, { signal }, { what: 'it', mostMs: 60_000, stepMs: () => 50, work: forever, again: () => true }),
    'a database that is away': (signal) =>
      waitedFor(
        clock,
        { signal },
        { what: 'it', mostMs: 60_000, stepMs: () => 50, work: () => Promise.reject(busy), again: () => true },
      ),
    'a server of a database that says nothing': async (signal) => {
      const { port } = await silentServer();
      return openPostgresWorkspace(`postgres://u@127.0.0.1:${port}/db`, clock, { waiting: { signal } });
    },
    'a database that is opened after it': async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return openPostgresWorkspace('postgres://u@127.0.0.1:1/db', clock, { waiting: { signal } });
    },
    'a lock': async (signal) => {
      const path = join(newDirectory(), 'x.lock');
      await acquireLock(path);
      return acquireLock(path, { clock, signal });
    },
    'standard input': (signal) => untilAborted(signal, forever()),
    'the pause before another attempt': (signal) => {
      const failed = new TransportError('refused', 'no', 'no connection');
      return call(GetCustomer, { id: '1' }, { ...testConnection(() => Promise.reject(failed)), clock, signal });
    },
  };

  it.each(Object.entries(waits))('%s', async (_, wait) => {
    const ending = new AbortController();
    const waiting = wait(ending.signal).then(
      () => 'done',
      (error: Error) => error,
    );
    // It is at its wait once everything else that it does has been done.
    for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
    ending.abort('SIGTERM');
    const ended = await waiting;
    expect(ended).toBeInstanceOf(Error);
    if (!(ended instanceof InterruptedError)) expect(ended).toMatchObject({ failure: 'aborted' });
  });
});

describe('a wait for the database', () => {
  it('says what for once it has lasted a second, and a look ends sooner than a write', async () => {
    const said: string[] = [];
    const own = standingClock();
    const failing = { what: 'the database', mostMs: 60_000, stepMs: () => 50, again: () => true };
    let tries = 0;
    const work = async () => {
      tries += 1;
      throw new Error('away');
    };
    const waiting = waitedFor(own, { onWait: (what) => said.push(what), patienceMs: 5_000 }, { ...failing, work });
    const ended = waiting.catch((error: Error) => error.message);
    const pass = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 50) {
        own.advance(50);
        await new Promise(setImmediate);
      }
    };
    await pass(900);
    expect(said).toEqual([]);
    await pass(200);
    expect(said).toEqual(['the database']);
    await pass(4_000);
    expect([await ended, said.length, tries > 50]).toEqual(['away', 1, true]);
  });

  it('is broken off after the signal once nothing was sent, and lasts where something was', () => {
    for (const [hasSent, isAborted] of [
      [false, true],
      [true, false],
    ] as const) {
      const [first, again] = [new AbortController(), new AbortController()];
      const own = standingClock();
      const patience = patienceFor(first.signal, { clock: own, again: again.signal });
      if (hasSent) patience.sent();
      first.abort('SIGHUP');
      expect(patience.signal.aborted).toBe(isAborted);
      again.abort('SIGHUP');
      expect(patience.signal.aborted).toBe(true);
    }
  });

  it('lasts 30 seconds where something was sent', async () => {
    const first = new AbortController();
    const own = standingClock();
    const patience = patienceFor(first.signal, { clock: own });
    patience.sent();
    first.abort('SIGINT');
    own.advance(29_000);
    await new Promise(setImmediate);
    expect(patience.signal.aborted).toBe(false);
    own.advance(1_000);
    await new Promise(setImmediate);
    expect([patience.signal.aborted, patience.signal.reason]).toEqual([true, 'SIGINT']);
  });
});

describe('a request', () => {
  const request = (url: string, more: Partial<WireRequest>): WireRequest => ({
    method: 'POST',
    url,
    headers: {},
    body: '{}',
    ...more,
  });

  it('that was sent is waited for after the first signal, and not after the second', async () => {
    let answer = () => {};
    const arrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const sockets: { write(text: string): unknown }[] = [];
    const server = await rawServer((socket) => {
      sockets.push(socket);
      answer();
    });
    const { transport, close } = createTransport();
    onTestFinished(async () => {
      await close();
      await server.close();
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const signals = { signal: first.signal, sentSignal: second.signal };
    const answered = transport(request(server.origin, signals));
    await arrived;
    first.abort('SIGINT');
    await new Promise(setImmediate);
    sockets[0]?.write(httpAnswer(200, '{"ok":true}'));
    expect(await answered).toMatchObject({ status: 200 });
    const given = new AbortController();
    const arrivedToo = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const lost = transport(request(server.origin, { signal: given.signal, sentSignal: second.signal }));
    await arrivedToo;
    given.abort('SIGINT');
    second.abort('SIGINT');
    await expect(lost).rejects.toMatchObject({ failure: 'aborted', sent: 'maybe' });
  });

  it('that was not sent is given up at the first signal', async () => {
    const proxy = await silentServer();
    const open = createTransport({ proxies: { https: `http://127.0.0.1:${proxy.port}` } });
    onTestFinished(open.close);
    const [first, second] = [new AbortController(), new AbortController()];
    const signals = { signal: first.signal, sentSignal: second.signal };
    const failure = open.transport(request('https://shop.example/', signals));
    while (proxy.connections() === 0) await new Promise(setImmediate);
    first.abort('SIGINT');
    await expect(failure).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
  });
});

const codes = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;
const create = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop', '--json'];

describe.each(codes)('after %s', (name, code) => {
  it(`a write that is answered is printed, and ends with ${code}`, async () => {
    const ending = new AbortController();
    const world = await shopWorld((transport) => async (request) => {
      if (request.url.endsWith('/CreateCustomer')) ending.abort(name);
      return transport(request);
    });
    const { exit, stdout } = await world.run(create, { signal: ending.signal });
    expect([exit, JSON.parse(stdout)]).toMatchObject([code, { full_name: 'Lan' }]);
  });

  it('a write whose answer is lost ends with 10, and says how to find out', async () => {
    const ending = new AbortController();
    const world = await shopWorld((transport) => async (request) => {
      if (!request.url.endsWith('/CreateCustomer')) return transport(request);
      ending.abort(name);
      throw new TransportError('closed', 'maybe', 'the connection closed');
    });
    const { exit, stdout, stderr } = await world.run(create, { signal: ending.signal });
    expect([exit, stdout]).toEqual([10, '']);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      outcome: 'unknown',
      code: 'outcome_unknown',
      exit_code: 10,
      hint: expect.stringContaining('shopctl '),
    });
    expect(stderr).not.toContain('bug');
  });

  it(`a read ends with ${code}, and says nothing`, async () => {
    const ending = new AbortController();
    const world = await shopWorld(() => async () => {
      ending.abort(name);
      throw new TransportError('aborted', 'no', 'given up');
    });
    const { exit, stdout, stderr } = await world.run(['customers', 'list', '--profile', 'shop', '--json'], {
      signal: ending.signal,
    });
    expect([exit, stdout, stderr]).toEqual([code, '', '']);
  });
});

describe('a listener that is interrupted', () => {
  /** A listener of a shop, and its webhooks; `between` sees each request. */
  async function listening(words: readonly string[], between: (request: WireRequest, end: () => void) => void) {
    const service = await openTestSandbox();
    const ending = new AbortController();
    const { handle } = service.sandbox;
    const machine = testMachine(async (request) => {
      const answer = await handle(request);
      between(request, () => ending.abort('SIGINT'));
      // As over a socket: only an answer that is waited for comes.
      if (ending.signal.aborted && request.signal?.aborted && request.sentSignal?.aborted !== false) {
        throw new TransportError('aborted', 'maybe', 'given up');
      }
      return answer;
    });
    await machine.save({
      version: 1,
      current_profile: 'shop',
      profiles: { shop: { kind: 'shop', base_url: 'http://127.0.0.1:4010', api_key: service.shop.apiKey } },
    });
    const listen = ['webhooks', 'listen', '--register', '--port', '0', '--json', ...words];
    const ended = await machine.run(listen, {
      signal: ending.signal,
      onStdout: (text) =>
        text.includes('"ready"') && between({ ...request0, url: 'ready' }, () => ending.abort('SIGINT')),
    });
    const { body } = await service.post('shop.Webhook/GetWebhooks', {}, service.shop.apiKey);
    return { ...ended, webhooks: body.webhooks };
  }
  const request0: WireRequest = { method: 'POST', url: '', headers: {}, body: '' };

  it.each([[['--count', '2']], [['--expect', "entity == 'zzz'"]]])(
    'while it waits (%s) ends with 130, and is no bug',
    async (words) => {
      const { exit, stderr, webhooks } = await listening(words, ({ url }, end) => url === 'ready' && end());
      expect([exit, webhooks]).toEqual([130, []]);
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
        code: 'interrupted',
        outcome: 'applied',
        exit_code: 130,
      });
    },
  );

  it('while it registers leaves no webhook behind', async () => {
    const create = ({ url }: WireRequest, end: () => void) => url.endsWith('/CreateWebhook') && end();
    const { exit, webhooks, stderr } = await listening([], create);
    expect([exit, webhooks]).toEqual([0, []]);
    expect(stderr).not.toContain('cancelled before it was sent');
  });
});
