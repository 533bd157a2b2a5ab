// What each situation is played with: the program as a process with a home of its own, and servers on this machine that
// misbehave as it is said. Nothing leaves the loopback interface.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as requestHttp } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A failed expectation of a situation. */
export class Failed extends Error {}

/** Throws with what was seen unless it is so. */
export function expect(isSo, what, seen) {
  if (isSo) return;
  throw new Failed(`${what}${seen === undefined ? '' : `: ${JSON.stringify(seen).slice(0, 600)}`}`);
}

/** What no run may print, whatever happened. */
const neverPrinted =
  /this is a bug in shopctl|\n\s+at .+:\d+:\d+|ExperimentalWarning|DeprecationWarning|UnhandledPromise/;

/** Expects an exit code, one of several, and an output without a stack or a bug. */
export function expectExit({ code, stdout, stderr }, ...codes) {
  expect(codes.includes(code), `exit ${codes.join(' or ')}, not ${code}`, stderr || stdout);
  expect(!neverPrinted.test(stderr), 'no stack, no warning of Node and no bug', stderr);
  expect(stderr.length < 8_000, 'few words', stderr.length);
}

/** Expects that a text has each of these words, or matches them. */
export function expectSays(text, ...parts) {
  for (const part of parts)
    expect(part instanceof RegExp ? part.test(text) : text.includes(part), `says ${part}`, text);
}

/** The last line of stderr as the error that it is in JSON. */
export const errorIn = ({ stderr }) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}').error ?? {};

/** A process that is waited for, and what it has said so far. */
function follow(child) {
  const said = { stdout: '', stderr: '' };
  const wakers = new Set();
  for (const name of ['stdout', 'stderr']) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      said[name] += text;
      for (const wake of wakers) wake();
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    for (const wake of wakers) wake();
    return { code, signal, ...said };
  });
  /** Resolves once what it said matches; rejects if it ends before. */
  const saying = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!pattern.test(said.stdout + said.stderr)) return;
        wakers.delete(look);
        resolve(said);
      };
      wakers.add(look);
      look();
      ended.then(() => reject(new Failed(`it ended before it said ${pattern}: ${said.stderr.slice(0, 600)}`)), reject);
    });
  return { child, said, saying, ended, kill: (signal) => child.kill(signal) };
}

/** The stage of one situation; `close` ends whatever it has begun. */
export function openStage({ bin, service }) {
  const home = mkdtempSync(join(tmpdir(), 'shopctl-situation-'));
  const closing = [];
  const base = { PATH: process.env.PATH, HOME: home };
  const asShop = { SHOPCTL_BASE_URL: service.baseUrl, SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: service.shopKey };
  const asPartner = { SHOPCTL_BASE_URL: service.baseUrl, SHOPCTL_API_KEY: service.partnerKey };

  /** Starts a program; an environment of its own, the shop's key unless another one is given. */
  function begin(words, { env = asShop, stdin = 'ignore', cwd = home } = {}) {
    const [program, ...rest] = words;
    const child = spawn(program, rest, { env: { ...base, ...env }, cwd, stdio: [stdin, 'pipe', 'pipe'] });
    const followed = follow(child);
    closing.push(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await followed.ended.catch(() => {});
    });
    return followed;
  }

  const start = (words, options) => begin([process.execPath, bin, ...words], options);

  /** A server of TCP connections. */
  async function tcp(handle, host = '127.0.0.1') {
    const sockets = new Set();
    const server = createTcp((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      handle(socket);
    });
    await listening(server, host);
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(done));
    });
    return server.address().port;
  }

  /** A server that answers each request with what the handler returns; `forward` asks the sandbox. */
  async function http(handle, { host = '127.0.0.1', create = createServer } = {}) {
    const seen = [];
    const server = create(async (request, response) => {
      let body = '';
      for await (const piece of request.setEncoding('utf8')) body += piece;
      const asked = { path: request.url, method: request.method, headers: request.headers, body };
      seen.push(asked);
      const forward = () => ask(service.baseUrl, asked);
      const answer = await handle(asked, { forward, response, socket: request.socket, count: seen.length });
      if (answer === undefined || response.destroyed) return;
      const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...headers } = answer.headers ?? {};
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...headers });
      response.end(answer.body ?? '');
    });
    server.on('clientError', (_, socket) => socket.destroy());
    await listening(server, host);
    closing.push(() => {
      server.closeAllConnections?.();
      return new Promise((done) => server.close(done));
    });
    const { port } = server.address();
    return {
      port,
      seen,
      url: `http://127.0.0.1:${port}`,
      shop: { ...asShop, SHOPCTL_BASE_URL: `http://127.0.0.1:${port}` },
    };
  }

  return {
    home,
    service,
    asShop,
    asPartner,
    bin,
    begin,
    start,
    run: (words, options) => start(words, options).ended,
    /** Runs it with a text on stdin. */
    async fed(words, text, options = {}) {
      const running = start(words, { ...options, stdin: 'pipe' });
      running.child.stdin.on('error', () => {});
      running.child.stdin.end(text);
      return running.ended;
    },
    tcp,
    http,
    later: (work) => closing.push(work),
    async close() {
      for (const work of closing.reverse()) await work();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function listening(server, host) {
  server.listen(0, host);
  await once(server, 'listening');
}

/** Asks a server for what another one was asked for. */
function ask(baseUrl, { path, method, headers, body }) {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...kept } = headers;
  return new Promise((resolve, reject) => {
    const sent = requestHttp(new URL(path, baseUrl), { method, headers: kept, agent: false }, async (response) => {
      let text = '';
      for await (const piece of response.setEncoding('utf8')) text += piece;
      resolve({ status: response.statusCode, headers: response.headers, body: text });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Starts the sandbox that all situations share. */
export async function openService(bin) {
  const home = mkdtempSync(join(tmpdir(), 'shopctl-situations-'));
  const env = { PATH: process.env.PATH, HOME: home };
  const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--no-console', '-o', 'json'];
  const server = follow(spawn(process.execPath, [bin, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  const { stdout } = await server.saying(/"event":"ready".*\n/);
  const asked = spawn(process.execPath, [bin, 'sandbox', 'credentials', '-o', 'json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { partner, shops } = JSON.parse((await follow(asked).ended).stdout);
  return {
    baseUrl: JSON.parse(stdout).base_url,
    partnerKey: partner.api_key,
    shopKey: shops[0].api_key,
    async close() {
      server.kill('SIGTERM');
      await server.ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
