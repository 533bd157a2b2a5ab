// Several workers on one batch in one database: rows per second, as the service sees them.
//
//   node bench/together.mjs [--rows 600] [--rounds 2] [--workers 1,2,4] [--bin bin/shopctl.js]
//
// Everything runs on this machine: a sandbox, a private PostgreSQL server (requires Debian's package), and the workers,
// each `shopctl batch work` with 4 concurrent requests. A proxy between them and the sandbox counts orders, and adds
// latency to simulate a slow service; another one between them and the server can add 25 ms each way. The rate is that
// of the middle eight tenths of the orders. The rounds are interleaved; compare the median of each line, and how it
// scales with the number of workers: on a machine with few cores, workers that wait for nothing do not scale, those
// that wait for a slow service do.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './postgres-server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '2' },
    workers: { type: 'string', default: '1,2,4' },
    bin: { type: 'string', default: join(root, 'bin', 'shopctl.js') },
  },
});
const [rows, rounds] = [Number(values.rows), Number(values.rounds)];
const counts = values.workers.split(',').map(Number);
const bin = resolve(values.bin);
const IN_FLIGHT = '4';
const SLOW_SERVICE_MS = 100;
const FAR_SERVER_MS = 50;

const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const ownEnv = { ...process.env, SHOPCTL_CONFIG_DIR: join(directory, 'config'), NO_COLOR: '1' };
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const print = (line) => process.stdout.write(`${line}\n`);
const running = new Set();

function start(words, env) {
  const child = spawn(process.execPath, [bin, ...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let [out, reported] = ['', ''];
  let look = () => {};
  child.stdout.on('data', (chunk) => {
    out += chunk;
    look();
  });
  child.stderr.on('data', (chunk) => {
    reported += chunk;
    look();
  });
  const ended = new Promise((done) =>
    child.once('close', (code) => {
      running.delete(child);
      done({ code, out, reported });
    }),
  );
  const said = (pattern) =>
    new Promise((done, fail) => {
      look = () => {
        const match = pattern.exec(out + reported);
        if (match !== null) done(match);
      };
      look();
      ended.then(({ code }) => fail(new Error(`${words.join(' ')} ended with ${code}: ${reported}`)));
    });
  return { child, ended, said };
}

async function startSandbox() {
  const words = ['sandbox', 'start', '--data', join(directory, 'data'), '--port', '0', '--seed', 'none', '--quiet'];
  const child = spawn(process.execPath, [bin, ...words, '--json'], {
    cwd: root,
    env: ownEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"ready"')) return JSON.parse(line).base_url;
  }
  throw new Error('the sandbox did not start');
}

/** In front of the sandbox: counts created orders, and delays each request as configured. */
async function startProxy(baseUrl) {
  const { hostname, port } = new URL(baseUrl);
  const proxy = { holdMs: 0, times: [], onOrder: () => {} };
  const server = createHttpServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      setTimeout(() => {
        const { method, url: path, headers } = request;
        const upstream = httpRequest({ hostname, port, method, path, headers }, (answer) => {
          if (path.endsWith('/CreateAndConfirmOrder') && answer.statusCode === 200) {
            proxy.times.push(performance.now());
            proxy.onOrder();
          }
          response.writeHead(answer.statusCode, answer.headers);
          answer.pipe(response);
        });
        upstream.on('error', () => response.destroy());
        upstream.end(Buffer.concat(chunks));
      }, proxy.holdMs);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  proxy.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return proxy;
}

/** A proxy to the server that delays everything, in order. */
async function startDelay(port, holdMs) {
  const sockets = new Set();
  const server = createTcpServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => setTimeout(() => to.write(chunk), holdMs));
      from.on('error', () => {});
      from.on('close', () => setTimeout(() => to.destroy(), holdMs));
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: server.address().port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const header = [
  ...['external_id', 'shipping_address.full_name', 'shipping_address.phone', 'shipping_address.province'],
  ...['shipping_address.district', 'shipping_address.ward', 'shipping_address.address1', 'lines.product_name'],
  ...['lines.quantity', 'lines.retail_price', 'shipping.gross_weight', 'shipping.try_on'],
  ...['full_name', 'phone', 'province', 'district', 'ward', 'address1'].map(
    (name) => `shipping.pickup_address.${name}`,
  ),
];
const pickup = ['Kho', '0905123456', 'Đà Nẵng', 'Liên Chiểu', 'Hòa Khánh Nam', 'Lô 7'];

function writeSheet(path, prefix) {
  const lines = Array.from({ length: rows }, (_, number) => [
    ...[`${prefix}-${number}`, `Khách ${number}`, `09${10_000_000 + number}`, 'Hà Nội', 'Cầu Giấy', 'Dịch Vọng'],
    ...[`${number} ngõ 5`, 'Áo', '2', '450000', '500', 'open', ...pickup],
  ]);
  writeFileSync(path, `${[header, ...lines].map((line) => line.join(',')).join('\n')}\n`);
}

/** Orders per second that the given number of workers process of a batch that was started and left. */
async function measure({ proxy, key, place, nearPlace, holdMs, workers, name }) {
  const file = join(directory, `${name}.csv`);
  writeSheet(file, name);
  const env = {
    ...ownEnv,
    SHOPCTL_BASE_URL: proxy.url,
    SHOPCTL_API_KEY: key,
    SHOPCTL_AS: 'shop',
    SHOPCTL_OUTPUT: 'json',
  };
  proxy.holdMs = 0;
  proxy.times = [];
  const begun = new Promise((done) => {
    proxy.onOrder = done;
  });
  // The first run plans the whole batch, and is stopped at its first order; only the workers are measured.
  const first = start(['batch', 'run', file, '--pick', 'cheapest', '--yes', '--concurrency', '1'], {
    ...env,
    SHOPCTL_WORKSPACE: nearPlace,
  });
  const [, batch] = await first.said(/^batch (\S+)/m);
  await begun;
  first.child.kill('SIGINT');
  await first.ended;
  const done = proxy.times.length;
  proxy.holdMs = holdMs;
  proxy.onOrder = () => {};
  const helpers = Array.from({ length: workers }, () =>
    start(['batch', 'work', batch, '--concurrency', IN_FLIGHT], { ...env, SHOPCTL_WORKSPACE: place }),
  );
  for (const { code, reported } of await Promise.all(helpers.map(({ ended }) => ended))) {
    if (code !== 0) throw new Error(reported);
  }
  if (proxy.times.length !== rows) throw new Error(`${proxy.times.length} orders were made of ${rows} rows`);
  const times = proxy.times.slice(done);
  const [from, to] = [Math.floor(times.length * 0.1), Math.floor(times.length * 0.9) - 1];
  return (to - from) / ((times[to] - times[from]) / 1000);
}

const cleanUp = [];
try {
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const baseUrl = await startSandbox();
  const credentials = execFileSync(process.execPath, [bin, 'sandbox', 'credentials', '-o', 'json'], {
    env: ownEnv,
    encoding: 'utf8',
  });
  const key = JSON.parse(credentials).shops[0].api_key;
  const cluster = await startServer(directory);
  cleanUp.unshift(() => cluster.remove());
  const proxy = await startProxy(baseUrl);
  cleanUp.unshift(() => proxy.close());
  const delay = await startDelay(cluster.port, FAR_SERVER_MS / 2);
  cleanUp.unshift(() => delay.close());
  print(
    `node ${process.version}, ${cpus().length} cores; ${rows} rows, ${IN_FLIGHT} requests under way a worker, medians of ${rounds} interleaved rounds`,
  );
  const settings = [
    { label: 'the sandbox', holdMs: 0, isFar: false },
    { label: `a service that answers in ${SLOW_SERVICE_MS} ms`, holdMs: SLOW_SERVICE_MS, isFar: false },
    { label: `the sandbox, with ${FAR_SERVER_MS} ms to PostgreSQL`, holdMs: 0, isFar: true },
  ];
  const rates = settings.map(() => counts.map(() => []));
  for (let round = 0; round < rounds; round += 1) {
    for (const [which, { holdMs, isFar }] of settings.entries()) {
      for (const [index, workers] of counts.entries()) {
        const nearPlace = cluster.newDatabase();
        const place = isFar ? nearPlace.replace(`:${cluster.port}/`, `:${delay.port}/`) : nearPlace;
        const name = `R${round}S${which}W${workers}`;
        rates[which][index].push(await measure({ proxy, key, place, nearPlace, holdMs, workers, name }));
      }
    }
  }
  for (const [which, { label }] of settings.entries()) {
    const of = rates[which].map(median);
    const shown = counts.map(
      (workers, index) =>
        `${workers} worker${workers === 1 ? '' : 's'} ${of[index].toFixed(0)}/s (× ${(of[index] / of[0]).toFixed(2)})`,
    );
    print(`${label}: ${shown.join(', ')}`);
  }
} finally {
  const ends = [...running].map((child) => new Promise((done) => child.once('close', done)));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ends);
  for (const step of cleanUp) await step();
  rmSync(directory, { recursive: true, force: true });
}
