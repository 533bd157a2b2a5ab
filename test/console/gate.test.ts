import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { navigating, ofOwnPage, send, servedConsole, signedIn } from './served-console.ts';

const json = { 'content-type': 'application/json' };
const input = JSON.stringify({ input: {} });

describe('the address of a console', () => {
  it('opens it once, and is exchanged for a cookie that scripts and other sites cannot use', async () => {
    const console = await servedConsole();
    const path = `/?secret=${console.secret()}`;
    const first = await send(console.origin, path, { headers: navigating });
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    const { port } = new URL(console.origin);
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^shopctl_console_${port}=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict$`)),
    ]);
    expect(await send(console.origin, path, { headers: navigating })).toMatchObject({ status: 403 });
  });

  it('has 128 bits, each time others', async () => {
    const console = await servedConsole();
    const secrets = [console.secret(), console.secret()];
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each(['', '0'.repeat(32), 'undefined'])('is not guessed: %j', async (secret) => {
    const console = await servedConsole();
    console.secret();
    const { status, headers } = await send(console.origin, `/?secret=${secret}`, { headers: navigating });
    expect([status, headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('stays open beside others, in any order, until there are sixteen newer ones', async () => {
    const console = await servedConsole();
    const secrets = Array.from({ length: 18 }, () => console.secret());
    const open = async (secret: string | undefined) =>
      (await send(console.origin, `/?secret=${secret}`, { headers: navigating })).status;
    const order = [17, 2, 9, 3, 1, 0, 16];
    const statuses: number[] = [];
    for (const place of order) statuses.push(await open(secrets[place]));
    expect(statuses).toEqual([303, 303, 303, 303, 403, 403, 303]);
    // Those that were used make room: the others do not expire for the newer ones.
    for (let more = 0; more < 5; more += 1) console.secret();
    expect(await open(secrets[4])).toBe(303);
    for (let more = 0; more < 2; more += 1) console.secret();
    expect([await open(secrets[5]), await open(secrets[6])]).toEqual([403, 303]);
  });

  it('opens nothing in a frame, and not by a link on another page', async () => {
    const console = await servedConsole();
    const path = `/?secret=${console.secret()}`;
    const framed = { ...navigating, 'sec-fetch-dest': 'iframe' };
    const linked = { ...navigating, 'sec-fetch-site': 'cross-site' };
    for (const headers of [framed, linked, {}])
      expect((await send(console.origin, path, { headers })).status).toBe(403);
    expect((await send(console.origin, path, { headers: navigating })).status).toBe(303);
  });
});

describe('a request with the cookie', () => {
  it('is answered when it comes from the own page', async () => {
    const console = await servedConsole();
    const cookie = await signedIn(console);
    const headers = { ...ofOwnPage, cookie };
    expect(await send(console.origin, '/api/actions', { headers })).toMatchObject({ status: 200 });
    const post = { method: 'POST', headers: { ...headers, ...json, origin: console.origin }, body: input };
    expect(await send(console.origin, '/api/run/shop.known', post)).toMatchObject({ status: 200 });
    expect(console.ran).toEqual([
      { id: 'shop.known', request: { input: {}, look: false, early: false, agreed: [], columns: [], files: {} } },
    ]);
  });

  it.each([
    ['another name that leads here', { host: 'evil.example' }, 421],
    ['another port', { host: '127.0.0.1:1' }, 421],
    ['another name of this machine', { host: 'localhost' }, 421],
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['the sandbox', { origin: 'http://127.0.0.1:4010' }, 403],
    ['no origin that is told', { origin: 'null' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another port of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a frame of its own', { 'sec-fetch-dest': 'iframe' }, 403],
  ])('is refused when it comes from %s', async (_, strange, status) => {
    const console = await servedConsole();
    const cookie = await signedIn(console);
    for (const path of ['/api/actions', '/api/changes', '/', '/assets/page.js']) {
      const headers = { ...ofOwnPage, cookie, ...strange };
      expect([path, (await send(console.origin, path, { headers })).status]).toEqual([path, status]);
    }
  });

  it.each([
    ['no origin', {}, 403],
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['a form', { origin: 'own', 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { origin: 'own', 'content-type': 'text/plain;application/json' }, 415],
  ])('runs nothing with %s', async (_, strange: Readonly<Record<string, string>>, status) => {
    const console = await servedConsole();
    const cookie = await signedIn(console);
    const origin = strange.origin === 'own' ? { origin: console.origin } : {};
    const headers = { ...ofOwnPage, ...json, cookie, ...strange, ...origin };
    const { status: came } = await send(console.origin, '/api/run/shop.known', {
      method: 'POST',
      headers,
      body: input,
    });
    expect([came, console.ran]).toEqual([status, []]);
  });

  it('runs only what is in the closed set, whatever it is called', async () => {
    const console = await servedConsole();
    const cookie = await signedIn(console);
    const headers = { ...ofOwnPage, ...json, cookie, origin: console.origin };
    for (const id of ['__proto__', 'constructor', 'toString', 'api', 'shop.known%2F..', '..%2Fapi%2Factions']) {
      const { status } = await send(console.origin, `/api/run/${id}`, { method: 'POST', headers, body: input });
      expect([id, status]).toEqual([id, 403]);
    }
    expect(console.ran).toEqual([]);
  });

  it.each(['', 'null', '[]', '{"input":[]}', '{"input":{}', '{"input":"{}"}'])(
    'runs nothing for the body %j',
    async (body) => {
      const console = await servedConsole();
      const cookie = await signedIn(console);
      const headers = { ...ofOwnPage, ...json, cookie, origin: console.origin };
      expect((await send(console.origin, '/api/run/shop.known', { method: 'POST', headers, body })).status).toBe(400);
      expect(console.ran).toEqual([]);
    },
  );
});

describe('without the cookie', () => {
  it.each(['/', '/api/actions', '/api/changes', '/assets/page.js', '/icon.svg', '/orders?status=N'])(
    '%s is refused',
    async (path) => {
      const console = await servedConsole();
      const { port } = new URL(console.origin);
      for (const cookie of ['', `shopctl_console_${port}=`, `shopctl_console_${port}=${'0'.repeat(64)}`]) {
        expect((await send(console.origin, path, { headers: { ...ofOwnPage, cookie } })).status).toBe(403);
      }
    },
  );

  it('another process of this user gets an address with the token, and a page never does', async () => {
    const console = await servedConsole();
    const authorization = `Bearer ${console.token}`;
    const ask = (headers: Readonly<Record<string, string>>) =>
      send(console.origin, '/api/address', { method: 'POST', headers });
    expect(JSON.parse((await ask({ authorization })).body)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?secret=[0-9a-f]{32}$/),
    });
    expect((await ask({ authorization: 'Bearer x' })).status).toBe(403);
    expect((await ask({ authorization, origin: console.origin })).status).not.toBe(200);
    expect((await ask({ authorization, ...ofOwnPage })).status).not.toBe(200);
    expect((await ask({ authorization, host: 'evil.example' })).status).toBe(421);
  });
});

describe('every answer', () => {
  it('forbids foreign scripts, frames and readers, and is not stored', async () => {
    const console = await servedConsole();
    const cookie = await signedIn(console);
    for (const path of ['/api/actions', '/nothing', '/api/nothing']) {
      const { headers } = await send(console.origin, path, { headers: { ...ofOwnPage, cookie } });
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('repeats of an address nothing that is markup', async () => {
    const console = await servedConsole();
    const cookie = await signedIn(console);
    const headers = { ...ofOwnPage, cookie };
    const { status, body } = await send(console.origin, '/orders"><script>alert(1)</script>', { headers });
    expect([status, body.match(/<script/g)]).toEqual([200, ['<script']]);
  });
});

it('600 idle connections keep nobody out', async () => {
  const console = await servedConsole();
  const { hostname, port } = new URL(console.origin);
  const idle = Array.from({ length: 600 }, () => connect(Number(port), hostname).on('error', () => {}));
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  await Promise.all(idle.map((socket) => new Promise((open) => socket.once('connect', open).once('close', open))));
  const cookie = await signedIn(console);
  expect((await send(console.origin, '/api/actions', { headers: { ...ofOwnPage, cookie } })).status).toBe(200);
});

it('a tab that leaves the stream is forgotten, and so many listen at most', async () => {
  const console = await servedConsole();
  const cookie = await signedIn(console);
  const { hostname, port } = new URL(console.origin);
  const lines = [
    `GET /api/changes HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Cookie: ${cookie}`,
    'Sec-Fetch-Site: same-origin',
    '',
    '',
  ];
  const open = () =>
    new Promise<{ readonly status: string; leave(): Promise<unknown> }>((opened) => {
      const socket = connect(Number(port), hostname, () => socket.write(lines.join('\r\n')));
      onTestFinished(() => void socket.destroy());
      socket.once('data', (data: Buffer) => {
        const leave = () => new Promise((left) => socket.once('close', left).destroy());
        opened({ status: data.toString().slice(9, 12), leave });
      });
    });
  const streams = [];
  for (let count = 0; count < 25; count += 1) streams.push(await open());
  expect(streams.map(({ status }) => status)).toEqual([...Array.from({ length: 24 }, () => '200'), '503']);
  expect(console.watchers.size).toBe(24);
  await Promise.all(streams.map(({ leave }) => leave()));
  await expect.poll(() => console.watchers.size).toBe(0);
});
