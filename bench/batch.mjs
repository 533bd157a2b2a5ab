// A batch and a bare loop, compared in one run, and the cost of a large batch.
//
//   node bench/batch.mjs [--orders 20000] [--rounds 3] [--work ship|customers] [--store file|postgres]
//     [--delay MS] [--earlier 0] [--rows 1000000]
//
// Everything runs on this machine. The bare loop reads the same csv and sends the same requests with undici, 16 at a
// time, without a journal: first all quotes, then all orders. Like the batch it is a separate process, which starts cold.
// `--store postgres` has the workspace in a private PostgreSQL server (requires Debian's package), `--delay` lets the service wait that long before each answer, `--earlier` begins with that many intents in the ledger,
// `--profile DIR` saves V8 profiles of the batches. Two ratios: of the time with requests in flight, from the first quote
// to the last answer; and of the whole processes, in which the batch also loads its program and checks and stores its
// rows. What each takes with one row is start and end alone. A first pair warms the sandbox up and is not counted, and the order of the two alternates between rounds, since
// the sandbox stores more with every order. Compare ratios and medians, not seconds; on a busy machine, processor time
// (Linux only).
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse';
import { Pool } from 'undici';
import { startServer } from './postgres-server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000000' },
    bin: { type: 'string', default: join(root, 'bin', 'shopctl.js') },
    work: { type: 'string', default: 'ship' },
    store: { type: 'string', default: 'file' },
    delay: { type: 'string', default: '0' },
    earlier: { type: 'string', default: '0' },
    profile: { type: 'string' },
    bare: { type: 'string' },
  },
});
const [orders, rounds, many] = [Number(values.orders), Number(values.rounds), Number(values.rows)];
const [delayMs, earlier] = [Number(values.delay), Number(values.earlier)];
const isShipping = values.work === 'ship';
const bin = resolve(values.bin);
const IN_FLIGHT = 16;

const directory = values.bare === undefined ? mkdtempSync(join(tmpdir(), 'shopctl-bench-')) : tmpdir();
const env = { ...process.env, SHOPCTL_CONFIG_DIR: join(directory, 'config'), SHOPCTL_OUTPUT: 'json', NO_COLOR: '1' };
const hook = fileURLToPath(new URL('request-times.cjs', import.meta.url));
const times = join(directory, 'request-times');
const journal = join(directory, 'config', 'state', 'workspace.db');
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const print = (line) => process.stdout.write(`${line}\n`);

async function startSandbox() {
  const words = [
    bin,
    'sandbox',
    'start',
    '--data',
    join(directory, 'data'),
    '--port',
    '0',
    '--seed',
    'none',
    '--quiet',
  ];
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"ready"')) return { child, baseUrl: JSON.parse(line).base_url };
  }
  throw new Error('the sandbox did not start');
}

const pickup = {
  full_name: 'Kho',
  phone: '0905123456',
  province: 'Đà Nẵng',
  district: 'Liên Chiểu',
  ward: 'Hòa Khánh Nam',
  address1: 'Lô 7',
};
const header = [
  ...['external_id', 'shipping_address.full_name', 'shipping_address.phone', 'shipping_address.province'],
  ...['shipping_address.district', 'shipping_address.ward', 'shipping_address.address1', 'lines.product_name'],
  ...['lines.quantity', 'lines.retail_price', 'shipping.gross_weight', 'shipping.try_on'],
  ...Object.keys(pickup).map((name) => `shipping.pickup_address.${name}`),
];
const cells = (name, number) => [
  ...[
    name,
    `Khách ${number}`,
    `09${String(10_000_000 + number)}`,
    'Hà Nội',
    'Cầu Giấy',
    'Dịch Vọng',
    `${number} ngõ 5`,
  ],
  ...['Áo', '2', '450000', '500', 'open', ...Object.values(pickup)],
];

async function writeSheet(path, count, prefix, line = cells, columns = header) {
  const file = createWriteStream(path);
  file.write(`${columns.join(',')}\n`);
  for (let number = 1; number <= count; number += 1) {
    if (!file.write(`${line(`${prefix}-${number}`, number).join(',')}\n`))
      await new Promise((go) => file.once('drain', go));
  }
  await new Promise((done) => file.end(done));
}

const writeCustomers = (file, count, prefix) =>
  writeSheet(file, count, prefix, (name, number) => [name, `Khách ${number}`, `09${String(10_000_000 + number)}`], [
    'external_id',
    'full_name',
    'phone',
  ]);

/**
 * Processor time of a process, with or without its exited children, in milliseconds; NaN where the system does not
 * report it.
 */
function processorMs(pid, { children = false } = {}) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    // Clock ticks: a hundred per second.
    return (children ? [13, 14] : [11, 12]).reduce((sum, field) => sum + Number(fields[field]) * 10, 0);
  } catch {
    return Number.NaN;
  }
}

function shopctl(words) {
  const profiling = values.profile ? ['--cpu-prof', '--cpu-prof-dir', values.profile] : [];
  return started([...profiling, bin, ...words]);
}

function started(words, more = {}) {
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...env, NODE_OPTIONS: `--require ${hook}`, REQUEST_TIMES: times, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr, peakKb] = ['', '', 0];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // It has exited, or this system does not report it.
    }
  }, 100);
  const began = performance.now();
  return {
    child,
    ended: new Promise((done) =>
      child.once('close', (code) => {
        clearInterval(look);
        const { first, last } = JSON.parse(readFileSync(times, 'utf8'));
        const ms = performance.now() - began;
        done({ code, stdout, stderr, peakKb, ms, startMs: first, endMs: ms - last, inFlightMs: last - first });
      }),
    ),
  };
}

/** The rows of a csv, each with the names of its columns. */
async function rowsOf(file) {
  const rows = [];
  for await (const row of createReadStream(file).pipe(parse({ columns: true }))) rows.push(row);
  return rows;
}

/** The cells of a row whose columns begin with that prefix, without it. */
const below = (row, prefix) =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, cell]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), cell]] : [])),
  );

/** The same requests without a journal, 16 at a time: quotes, then orders; or customers. */
async function bareLoop(baseUrl, key, file) {
  const pool = new Pool(baseUrl, { connections: IN_FLIGHT });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'bare-loop/1.0.0',
  };
  const post = async (operation, body) => {
    const { statusCode, body: answer } = await pool.request({
      path: `/v1/${operation}`,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const value = await answer.json();
    if (statusCode !== 200) throw new Error(`${operation}: ${statusCode} ${JSON.stringify(value)}`);
    return value;
  };
  const inTurns = async (rows, work) => {
    let next = 0;
    const worker = async () => {
      while (next < rows.length) await work(rows[next++]);
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  };
  const rows = await rowsOf(file);
  if (isShipping) await shipBare(rows, inTurns, post);
  else await inTurns(rows, (row) => post('shop.Customer/CreateCustomer', row));
  await pool.close();
}

async function shipBare(rows, inTurns, post) {
  const placeOf = ({ province, district, ward }) => ({ province, district, ward });
  const orders = rows.map((row) => {
    const gross = Number(row['shipping.gross_weight']);
    const price = Number(row['lines.retail_price']);
    const quantity = Number(row['lines.quantity']);
    return {
      external_id: row.external_id,
      address: below(row, 'shipping_address.'),
      pickup: below(row, 'shipping.pickup_address.'),
      line: { product_name: row['lines.product_name'], quantity, retail_price: price, payment_price: price },
      value: price * quantity,
      parcel: { gross_weight: gross, chargeable_weight: gross },
      tryOn: row['shipping.try_on'],
    };
  });
  await inTurns(orders, async (order) => {
    const { services } = await post('shop.Shipping/GetShippingServices', {
      pickup_address: placeOf(order.pickup),
      shipping_address: placeOf(order.address),
      ...order.parcel,
      basket_value: order.value,
    });
    order.chosen = services.reduce((least, service) => (service.fee < least.fee ? service : least));
  });
  await inTurns(orders, async ({ external_id, address, pickup, line, value, parcel, tryOn, chosen }) => {
    const { code, fee, carrier, connection_id, name } = chosen;
    await post('shop.Shipping/CreateAndConfirmOrder', {
      external_id,
      shipping_address: address,
      customer_address: address,
      lines: [line],
      total_items: line.quantity,
      basket_value: value,
      total_discount: 0,
      total_fee: 0,
      total_amount: value,
      shipping: {
        ...parcel,
        try_on: tryOn,
        pickup_address: pickup,
        carrier,
        connection_id,
        shipping_service_code: code,
        shipping_service_name: name,
        shipping_service_fee: fee,
      },
    });
  });
}

/** Runs something against the sandbox: how long it took, and the processor time of both. */
async function measured(sandbox, run) {
  const [own, service] = [processorMs('self', { children: true }), processorMs(sandbox.child.pid)];
  const ended = await run().ended;
  if (ended.code !== 0) throw new Error(ended.stderr);
  const clientMs = processorMs('self', { children: true }) - own;
  return { ...ended, clientMs, serviceMs: processorMs(sandbox.child.pid) - service };
}

async function ratio(sandbox) {
  const credentials = JSON.parse(
    execFileSync(process.execPath, [bin, 'sandbox', 'credentials'], { env, encoding: 'utf8' }),
  );
  const key = credentials.shops[0].api_key;
  const sheet = async (prefix, count) => {
    const file = join(directory, `${prefix}.csv`);
    await (isShipping ? writeSheet(file, count, prefix) : writeCustomers(file, count, prefix));
    return file;
  };
  const bareOnce = async (round, count) => {
    const file = await sheet(`A${round}`, count);
    const words = [fileURLToPath(import.meta.url), '--work', values.work, '--bare', file];
    return () => started(words, { BASE_URL: sandbox.baseUrl, API_KEY: key });
  };
  const batchOnce = async (round, count) => {
    const words = ['batch', 'run', await sheet(`B${round}`, count), '--profile', 'sandbox-shop', '--yes'];
    words.push('--concurrency', String(IN_FLIGHT), ...(isShipping ? [] : ['--do', 'customers create']));
    return () => shopctl(words);
  };
  const once = async (round, count) => {
    const ways = { bare: await bareOnce(round, count), batch: await batchOnce(round, count) };
    const results = {};
    for (const name of round % 2 === 0 ? ['batch', 'bare'] : ['bare', 'batch'])
      results[name] = await measured(sandbox, ways[name]);
    return results;
  };
  await once(0, Math.min(orders, 1000));
  if (earlier > 0) await fillLedger();
  if (delayMs > 0) {
    const words = ['sandbox', 'faults', 'add', '*', '--every', '1', '--do', `delay=${delayMs}`];
    execFileSync(process.execPath, [bin, ...words], { env });
  }
  const rows = [];
  const said = ({ ms, startMs, inFlightMs, endMs, clientMs, serviceMs }) =>
    `${Math.round(ms)} ms, ${Math.round(inFlightMs)} in flight, ${Math.round(startMs)} before and ${Math.round(endMs)} after that (processors: ${(clientMs / orders).toFixed(2)} ms a row, and ${(serviceMs / orders).toFixed(2)} for the sandbox)`;
  for (let round = 1; round <= rounds; round += 1) {
    const { bare, batch } = await once(round, orders);
    const own = batch.clientMs / bare.clientMs;
    const all = (bare.clientMs + bare.serviceMs) / (batch.clientMs + batch.serviceMs);
    rows.push({ inFlight: bare.inFlightMs / batch.inFlightMs, whole: bare.ms / batch.ms, own, all });
    print(
      `round ${round}: bare ${said(bare)}, batch ${said(batch)}, ratio ${(bare.inFlightMs / batch.inFlightMs).toFixed(2)} in flight, ${(bare.ms / batch.ms).toFixed(2)} in all, peak ${Math.round(batch.peakKb / 1024)} MB`,
    );
  }
  const single = [];
  for (let round = 1; round <= rounds; round += 1) single.push(await once(rounds + round, 1));
  const [bareMs, batchMs] = ['bare', 'batch'].map((name) => Math.round(median(single.map((pair) => pair[name].ms))));
  print(`with one row: bare ${bareMs} ms, batch ${batchMs} ms`);
  const of = (name) => median(rows.map((row) => row[name])).toFixed(2);
  print(
    `a batch of ${orders} rows (${values.work}${values.store === 'file' ? '' : ', its workspace in PostgreSQL'}${delayMs > 0 ? `, a service of ${delayMs} ms` : ''}${earlier > 0 ? `, after ${earlier} earlier intents` : ''}), 16 in flight: ${of('inFlight')} of a bare undici loop (median of ${rounds}); with start, reading and checking ${of('whole')}`,
  );
  print(
    `processor time: ${of('own')} times what the bare loop takes; with the sandbox, its pace would be ${of('all')}`,
  );
}

/** Adds that many finished intents with their keys, as single commands leave them. */
async function fillLedger() {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(journal);
  const { account } = database.prepare('select account from ledger_keys limit 1').get();
  const columns = 'account, resource, identity, holder, state, family, derived, name, equal, request, record_id, at';
  // Digests in no order, as they are: in one, no new one would come to their pages, or each would have to split one.
  const digest = 'lower(hex(randomblob(16)))';
  database.pragma('cache_size = -400000');
  database.exec(`begin;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${earlier})
      insert into ledger_keys (${columns})
        select '${account}', 'order', identity, printf('%010x', n), 'done', 'shop', 0, 'E-' || n, ${digest}, null,
          cast(3000000000000000000 + n as text), 1 from (select n, ${digest} as identity from numbers);
    insert into intents
        (id, account, resource, identity, operation, state, record_id, attempts, updated_at, reported_at, body)
      select holder, account, resource, identity, 'shop.Shipping/CreateAndConfirmOrder', 'done', record_id, 1, 1, 1, '{}'
      from ledger_keys where at = 1;
    commit`);
  database.close();
}

/** Number of finished rows in the journal. */
function doneIn(Database, journal) {
  const database = new Database(journal, { readonly: true });
  try {
    return database.prepare("select count(*) as done from batch_rows where state = 'done'").get().done;
  } finally {
    database.close();
  }
}

/** A million rows of which all but ten are done, as a run would leave them, and how long a resume takes for those. */
async function large() {
  const file = join(directory, 'many.csv');
  await writeCustomers(file, many, 'M');
  const planned = await shopctl(['batch', 'plan', file, '--do', 'customers create', '--profile', 'sandbox-shop']).ended;
  if (planned.code !== 0) throw new Error(planned.stderr);
  print(`${many} planned rows: ${Math.round(planned.ms / 1000)} s, peak ${Math.round(planned.peakKb / 1024)} MB`);
  const { default: Database } = await import('better-sqlite3');
  const before = doneIn(Database, journal);
  const running = shopctl(['batch', 'run', file, '--do', 'customers create', '--profile', 'sandbox-shop', '--yes']);
  // Stopped once the service has received a row, which a resume looks up; the rest, which would take hours, is written
  // into the journal.
  let over = false;
  const ended = running.ended.then((end) => {
    over = true;
    return end;
  });
  while (!over && doneIn(Database, journal) === before) await new Promise((look) => setTimeout(look, 1000));
  running.child.kill('SIGINT');
  const stopped = await ended;
  if (stopped.code !== 130) throw new Error(`the run ended by ${stopped.code}: ${stopped.stderr}`);
  const database = new Database(journal);
  database
    .prepare("update batch_rows set state = 'done', id = '1' where state = 'planned' and row <= ?")
    .run(many - 10);
  const { open } = database
    .prepare("select count(*) as open from batch_rows where state in ('planned', 'sending')")
    .get();
  database.close();
  const resumed = await shopctl(['batch', 'resume', '--yes', '--profile', 'sandbox-shop']).ended;
  if (resumed.code !== 0) throw new Error(resumed.stderr);
  print(`resume with ${open} rows left of ${many}: ${(resumed.ms / 1000).toFixed(2)} s`);
}

if (values.bare !== undefined) {
  await bareLoop(process.env.BASE_URL, process.env.API_KEY, values.bare);
  process.exit(0);
}

const server = values.store === 'postgres' ? await startServer(directory) : undefined;
if (server !== undefined) env.SHOPCTL_WORKSPACE = server.newDatabase();
const sandbox = await startSandbox();
try {
  await ratio(sandbox);
  if (many > 0) await large();
} finally {
  const over = new Promise((done) => sandbox.child.once('exit', done));
  sandbox.child.kill('SIGTERM');
  await over;
  await server?.remove();
  rmSync(directory, { recursive: true, force: true });
}
