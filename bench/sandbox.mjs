// The sandbox under load, compared in one run: medians of interleaved rounds, and the table in the README.
//
//   node bench/sandbox.mjs [--rounds 3] [--seconds 4] [--orders 100000] [--only NAME] [--profile DIR] [--bin bin/shopctl.js]
//
// Everything runs on this machine: the sandbox with its data on disk, the yardsticks of bench/bare-server.mjs, and
// json-server, whose start-up is compared. autocannon and json-server are installed into a temporary directory, so that
// they are not dependencies of the project. `--only` runs the cases whose name contains NAME; `--profile` saves a V8
// profile of each sandbox. Requests per second depend on other load on the machine; processor time per request (Linux
// only) hardly does.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    orders: { type: 'string', default: '100000' },
    only: { type: 'string' },
    profile: { type: 'string' },
    bin: { type: 'string', default: join(root, 'bin', 'shopctl.js') },
  },
});
const [rounds, seconds, manyOrders] = [Number(values.rounds), Number(values.seconds), Number(values.orders)];
const bin = resolve(values.bin);
const FEW_ORDERS = 1000;
const CONNECTIONS = 16;
const READS_OF_A_PAGE = 51;
const READ_AT_RANDOM = 20_000;
const WRITE_EVERY_MS = 50;
const RUNS_OF_HELP = 21;

const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const env = { ...process.env, SHOPCTL_CONFIG_DIR: join(directory, 'config'), SHOPCTL_OUTPUT: 'json', NO_COLOR: '1' };
const running = new Set();

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** Installs the two external tools; returns how to load one and the entry point of the other. */
function installTools() {
  const tools = ['autocannon@8', 'json-server@0.17'];
  const words = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefix',
    directory,
    ...tools,
  ];
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  const load = createRequire(join(directory, 'here.js'));
  return { autocannon: load('autocannon'), jsonServer: load.resolve('json-server/lib/cli/bin.js') };
}

/** Starts a program; resolves with the first line of its output that `isReady` accepts. */
async function start(words, isReady) {
  const began = performance.now();
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    if (isReady(line)) return { line, child, ms: performance.now() - began };
  }
  throw new Error(`${words.join(' ')} ended before it was ready`);
}

async function stop({ child }) {
  const ended = child.exitCode === null ? new Promise((done) => child.once('exit', done)) : undefined;
  child.kill('SIGTERM');
  await ended;
  running.delete(child);
}

async function startSandbox(data, seed) {
  const profiling = values.profile ? ['--cpu-prof', '--cpu-prof-dir', values.profile] : [];
  const words = [...profiling, bin, 'sandbox', 'start', '--data', data, '--port', '0', '--seed', seed, '--quiet'];
  // Two sandboxes cannot run under the same name.
  words.push('--name', basename(data));
  const { line, ...started } = await start(words, (text) => text.includes('"ready"'));
  return { ...started, baseUrl: JSON.parse(line).base_url };
}

/** The yardsticks; see bench/bare-server.mjs. */
async function startBare() {
  const program = join(root, 'bench', 'bare-server.mjs');
  const { line, ...started } = await start([program, join(directory, 'bare.sqlite')], (text) =>
    text.startsWith('http'),
  );
  return { ...started, baseUrl: line };
}

async function startJsonServer(program) {
  const file = join(directory, 'json-server.json');
  writeFileSync(file, '{"orders":[]}');
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const words = [program, '--host', '127.0.0.1', '--port', String(port), '--quiet', file];
  const began = performance.now();
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  const baseUrl = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(`${baseUrl}/orders`).catch(() => undefined);
    if (answer?.ok) return { child, baseUrl, ms: performance.now() - began };
    if (child.exitCode !== null) throw new Error('json-server did not start');
    await new Promise((later) => setTimeout(later, 5));
  }
}

async function call(baseUrl, operation, key, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(`${baseUrl}/v1/${operation}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${operation}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** What a command prints about the sandbox with these data: a profile may lead to another one, that has stopped. */
const ofSandbox = (data, ...words) =>
  execFileSync(process.execPath, [bin, 'sandbox', ...words, '--name', basename(data)], { env, encoding: 'utf8' });
const credentials = (data) => JSON.parse(ofSandbox(data, 'credentials'));

const address = {
  full_name: 'Nguyễn Thị Lan',
  phone: '0901234567',
  province: 'Hà Nội',
  district: 'Cầu Giấy',
  ward: 'Dịch Vọng',
  address1: '12 ngõ 5',
};

const amounts = { basket_value: 900_000, total_discount: 100_000, total_amount: 800_000, total_items: 2 };

/** An order with the first quoted service, and the request of that quote. */
async function orderRequest(baseUrl, shopKey, family = 'partner') {
  const parcel = {
    gross_weight: 1200,
    length: 30,
    width: 25,
    height: 20,
    cod_amount: 800_000,
    include_insurance: true,
  };
  const places = { pickup_address: address, shipping_address: address };
  const asked = { ...places, ...parcel, basket_value: amounts.basket_value };
  const [{ code, fee }] = (await call(baseUrl, `${family}.Shipping/GetShippingServices`, shopKey, asked)).services;
  const line = {
    product_name: 'Áo khoác',
    quantity: 2,
    list_price: 500_000,
    retail_price: 450_000,
    payment_price: 400_000,
  };
  const service = { shipping_service_code: code, shipping_service_fee: fee };
  const order = {
    ...amounts,
    customer_address: address,
    shipping_address: address,
    lines: [line],
    shipping: { ...parcel, pickup_address: address, try_on: 'open', ...service },
  };
  return { order, quote: asked };
}

/** The key of the demo shop that the demo partner acts for. */
async function signIn(baseUrl, data) {
  const { partner, shops } = credentials(data);
  const asked = await call(baseUrl, 'partner.Shop/AuthorizeShop', partner.api_key, { shop_id: shops[0].id }).catch(() =>
    call(baseUrl, 'partner.Shop/AuthorizeShop', partner.api_key, {}),
  );
  if (asked.type === 'shop_key') return asked.auth_token;
  ofSandbox(data, 'sign-in', asked.auth_token, '--shop', shops[0].id);
  return (await call(baseUrl, 'partner.Shop/AuthorizeShop', partner.api_key, { shop_id: shops[0].id })).auth_token;
}

/**
 * Requests per second, and latencies in milliseconds, of one load; every response must be a success. `between` is called
 * from time to time meanwhile.
 */
async function load(autocannon, { url, headers = {}, next, pid, between }) {
  const before = processorTime(pid);
  const writing = between && setInterval(between, WRITE_EVERY_MS);
  const setupRequest = (request) => ({ ...request, ...next() });
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, setupRequest }],
  });
  clearInterval(writing);
  if (result.errors + result.timeouts + result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.timeouts} timeouts, ${result.non2xx} refusals`);
  }
  const microseconds = (processorTime(pid) - before) / result['2xx'];
  return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99, microseconds };
}

/** Processor time of a process in microseconds; NaN without /proc. */
function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
}

/** The cases to measure: the sandbox's requests, those of its yardstick, and the required ratio. */
async function casesOf({ baseUrl, shopKey, child }, listing, bare) {
  const { order: request, quote } = await orderRequest(baseUrl, shopKey);
  const answer = await call(baseUrl, 'partner.Shipping/CreateAndConfirmOrder', shopKey, request);
  const services = await call(baseUrl, 'partner.Shipping/GetShippingServices', shopKey, quote);
  const page = await call(listing.baseUrl, 'shop.Order/ListOrders', listing.key, {});
  await put(bare, 'page', page);
  const ids = await idsOf(listing, READ_AT_RANDOM);
  // A bare server keeps answers as objects, by their ids, and writes JSON for each response, like any small service.
  for (const id of ids) await put(bare, 'answers', [id, await call(listing.baseUrl, GET_ORDER, listing.key, { id })]);
  const { order: other } = await orderRequest(listing.baseUrl, listing.key, 'shop');
  let count = 0;
  const numbered = (order) => `${JSON.stringify(order).slice(0, -1)},"external_id":"BENCH-${++count}"}`;
  const randomId = () => JSON.stringify({ id: ids[Math.floor(Math.random() * ids.length)] });
  let turn = 0;
  const inTen = (read, write) => () => (turn++ % 10 === 9 ? write() : read());
  const to = (path, body) => () => ({ path, body: typeof body === 'function' ? body() : body });
  const headers = (key) => ({ authorization: `Bearer ${key}` });
  const small = { pid: child.pid, url: baseUrl, headers: headers(shopKey) };
  const large = { pid: listing.child.pid, url: listing.baseUrl, headers: headers(listing.key) };
  const yardstick = { pid: bare.child.pid, url: bare.baseUrl };
  const echo = (value) => ({ ...yardstick, next: to('/echo', JSON.stringify(value)) });
  const read = to(`/v1/${GET_ORDER}`, randomId);
  const bareRead = to('/read', randomId);
  const bareInsert = to('/insert', () => numbered(other));
  // Whatever is written, nothing that was remembered before is valid any more.
  const between = () =>
    call(listing.baseUrl, 'shop.Customer/CreateCustomer', listing.key, {
      full_name: 'Lan',
      phone: `08${String(10_000_000 + ++count)}`,
    });
  return [
    {
      name: 'GetOrder, the same each time',
      yardstick: 'node:http, echo of that answer',
      budget: 0.5,
      work: { ...small, next: to('/v1/partner.Shipping/GetOrder', JSON.stringify({ id: answer.order.id })) },
      bare: echo(answer),
    },
    {
      name: `GetOrder, random of ${ids.length.toLocaleString('en')}, a write every ${WRITE_EVERY_MS} ms`,
      yardstick: 'node:http, that answer by its id',
      budget: 0.5,
      work: { ...large, next: read, between },
      bare: { ...yardstick, next: bareRead },
    },
    {
      name: 'nine such reads and a CreateAndConfirmOrder, on disk before it answers',
      yardstick: 'node:http, nine answers and an insert, synchronous=FULL',
      budget: 0.45,
      work: {
        ...large,
        next: inTen(
          read,
          to(`/v1/${CREATE_ORDER}`, () => numbered(other)),
        ),
      },
      bare: { ...yardstick, next: inTen(bareRead, bareInsert) },
    },
    {
      name: 'CreateAndConfirmOrder, on disk before it answers',
      yardstick: 'node:http with one SQLite insert, synchronous=FULL',
      budget: 0.5,
      work: { ...small, next: to('/v1/partner.Shipping/CreateAndConfirmOrder', () => numbered(request)) },
      bare: { ...yardstick, next: bareInsert },
    },
    {
      name: `ListOrders, 100 of ${listing.count.toLocaleString('en')}`,
      yardstick: 'node:http, sending that page',
      budget: 0.4,
      work: { ...large, next: to('/v1/shop.Order/ListOrders', '{}') },
      bare: { ...yardstick, next: to('/page', '{}') },
    },
    {
      name: 'GetShippingServices',
      yardstick: 'node:http, echo of that answer',
      budget: 0.35,
      work: { ...small, next: to('/v1/partner.Shipping/GetShippingServices', JSON.stringify(quote)) },
      bare: echo(services),
    },
  ];
}

const GET_ORDER = 'shop.Order/GetOrder';
const CREATE_ORDER = 'shop.Shipping/CreateAndConfirmOrder';

/** Stores JSON in the bare server. */
async function put({ baseUrl }, path, value) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/${path}`, { method: 'PUT', headers, body: JSON.stringify(value) });
  await answer.text();
}

/** That many order ids, page by page. */
async function idsOf({ baseUrl, key }, count) {
  const ids = [];
  let after;
  while (ids.length < count) {
    const { orders, paging } = await call(baseUrl, 'shop.Order/ListOrders', key, { paging: { after } });
    if (orders.length === 0) break;
    ids.push(...orders.map(({ id }) => id));
    after = paging.next;
  }
  return ids;
}

/** `orders --help` and `node -e 0`, alternating: elapsed milliseconds. */
function measureHelp() {
  const times = { help: [], node: [] };
  const time = (words) => {
    const began = performance.now();
    spawnSync(process.execPath, words, { cwd: root, env });
    return performance.now() - began;
  };
  for (let run = 0; run < RUNS_OF_HELP; run += 1) {
    times.help.push(time([bin, 'orders', '--help']));
    times.node.push(time(['-e', '0']));
  }
  return times;
}

/** Each case and its yardstick, alternating: the results of both, and the ratio of each round. */
async function measureLoads({ autocannon }, { count, data, key }) {
  const small = join(directory, 'load');
  const sandbox = await startSandbox(small, 'demo');
  const shopKey = await signIn(sandbox.baseUrl, small);
  const many = await startSandbox(data, 'none');
  const bare = await startBare();
  const all = await casesOf({ ...sandbox, shopKey }, { ...many, count, key }, bare);
  const cases = all.filter(({ name }) => name.includes(values.only ?? ''));
  const results = cases.map(({ name, yardstick, budget }) => ({ name, yardstick, budget, work: [], bare: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, one] of cases.entries()) {
      results[index].work.push(await load(autocannon, one.work));
      results[index].bare.push(await load(autocannon, one.bare));
    }
  }
  for (const server of [bare, many, sandbox]) await stop(server);
  return results;
}

/** Time from start to ready: a new sandbox, a reopened one, and json-server. */
async function measureStarts({ jsonServer }) {
  const starts = { 'sandbox, new data with the demo seed': [], 'sandbox, data that is there': [], 'json-server': [] };
  for (let round = 0; round < Math.max(rounds, 5); round += 1) {
    const data = join(directory, `start-${round}`);
    for (const name of Object.keys(starts)) {
      const server = name === 'json-server' ? await startJsonServer(jsonServer) : await startSandbox(data, 'demo');
      starts[name].push(server.ms);
      await stop(server);
    }
  }
  return starts;
}

/**
 * Data with that many orders, created from a seed file by the sandbox itself in one transaction, and its shop's key.
 */
async function plantOrders(count) {
  const variants = [{ code: 'TRA-1', name: 'Trà sen', retail_price: 60_000 }];
  const phone = (index) => `09${String(10_000_000 + index)}`;
  const customers = Array.from({ length: 500 }, (_, index) => {
    const { full_name, ...place } = address;
    const named = { ...place, full_name, phone: phone(index) };
    return { full_name, phone: phone(index), addresses: [named] };
  });
  const orders = Array.from({ length: count }, (_, index) => ({
    customer: phone(index % 500),
    external_id: `SEED-${index}`,
    lines: [{ variant: 'TRA-1', quantity: 1 + (index % 3) }],
    hours_ago: 1000 - (1000 * index) / count,
  }));
  const file = join(directory, `seed-${count}.json`);
  const products = [{ name: 'Trà sen', variants }];
  writeFileSync(file, JSON.stringify({ shops: [{ name: 'Bench Shop', customers, products, orders }] }));
  const data = join(directory, `orders-${count}`);
  const { ms, ...planting } = await startSandbox(data, file);
  const key = credentials(data).shops[0].api_key;
  await stop(planting);
  return { count, data, key, plantedMs: ms };
}

/** Reads the first page of ListOrders and returns how long that took. */
async function readFirstPage({ baseUrl, key }) {
  const began = performance.now();
  const { orders } = await call(baseUrl, 'shop.Order/ListOrders', key, {});
  const ms = performance.now() - began;
  if (orders.length !== 100) throw new Error(`a first page of ${orders.length} orders`);
  return ms;
}

/** Time for the first page with few and with many orders, alternating, and the memory of each process afterwards. */
async function measureOrders(counts) {
  const planted = [];
  for (const count of counts) planted.push(await plantOrders(count));
  const opened = [];
  for (const { data, ...rest } of planted) opened.push({ ...rest, ...(await startSandbox(data, 'none')), times: [] });
  for (const sandbox of opened) await readFirstPage(sandbox);
  for (let read = 0; read < READS_OF_A_PAGE; read += 1) {
    for (const sandbox of opened) sandbox.times.push(await readFirstPage(sandbox));
  }
  const sizes = opened.map(({ count, plantedMs, ms, times, child }) => {
    const rss = execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' });
    return { count, plantedMs, firstPageMs: median(times), rssMegabytes: Number(rss) / 1024, readyMs: ms };
  });
  for (const sandbox of opened) await stop(sandbox);
  return { sizes, planted: planted.at(-1) };
}

function report({ loads, help, starts, sizes }) {
  console.log(
    `node ${process.version}, ${cpus().length} cores; medians of ${rounds} interleaved rounds of ${seconds} s, ${CONNECTIONS} connections\n`,
  );
  const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
  const ratioOf = (work, bare, field) => median(work.map((one, round) => one[field] / bare[round][field])).toFixed(2);
  row(['Work', 'Yardstick', 'Requests a second, ratio', 'Processor time, ratio', 'To be held']);
  row(Array(5).fill('---'));
  for (const { name, yardstick, budget, work, bare } of loads) {
    const ratios = [ratioOf(work, bare, 'perSecond'), ratioOf(bare, work, 'microseconds')];
    row([name, yardstick, ...ratios, `≥ ${budget}`]);
  }
  if (help) {
    const ratio = (median(help.help) / median(help.node)).toFixed(2);
    row(['`shopctl orders --help`', '`node -e 0`', `${ratio} of its time`, '', '≤ 1.4']);
  }
  console.log(
    '\nrequests a second, p50 and p99 in ms, microseconds of processor time a request; then of the yardstick',
  );
  for (const { name, work, bare } of loads) {
    const of = (results, field) => median(results.map((result) => result[field])).toFixed(0);
    const reported = [work, bare].map((all) =>
      ['perSecond', 'p50', 'p99', 'microseconds'].map((field) => of(all, field).padStart(6)).join(' '),
    );
    console.log(`${name.padEnd(50)} ${reported.join('  |')}`);
  }
  console.log('\nstart to ready');
  for (const [name, all] of Object.entries(starts)) {
    const ratio = (median(all) / median(starts['json-server'])).toFixed(2);
    console.log(`${name.padEnd(38)}${median(all).toFixed(0).padStart(6)} ms, ${ratio} of json-server`);
  }
  console.log('\norders in one shop, planted from a seed file, then opened anew');
  for (const { count, plantedMs, firstPageMs, rssMegabytes, readyMs } of sizes) {
    const perSecond = ((1000 * count) / plantedMs).toFixed(0);
    const planted = `planted in ${(plantedMs / 1000).toFixed(1)} s, ${perSecond} a second; ready in ${readyMs.toFixed(0)} ms`;
    const page = `first page of ListOrders ${firstPageMs.toFixed(1)} ms, RSS ${rssMegabytes.toFixed(0)} MB`;
    console.log(`${count.toLocaleString('en').padStart(8)}  ${page} (${planted})`);
  }
}

try {
  const tools = installTools();
  const whole = values.only === undefined;
  const starts = whole ? await measureStarts(tools) : {};
  const help = whole ? measureHelp() : undefined;
  const { sizes, planted } = await measureOrders([FEW_ORDERS, manyOrders]);
  const loads = await measureLoads(tools, planted);
  report({ loads, help, starts, sizes });
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}
