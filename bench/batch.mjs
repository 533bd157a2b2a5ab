// A batch and a bare loop, compared in one run, and the cost of a large batch.
//
//   node bench/batch.mjs [--orders 20000] [--rounds 3] [--rows 1000000] [--bin bin/shopctl.js]
//
// Everything runs on this machine. The bare loop sends the same requests with undici, 16 at a time, without a journal:
// first all quotes, then all orders. Like the batch it is a separate process, which starts cold. Two ratios: of the time
// with requests in flight, from the first quote to the last answer; and of the whole processes, in which the batch also
// loads its program and reads, checks and stores its file, and the loop does nothing of that. A first pair warms the
// sandbox up and is not counted, and the order of the two alternates between rounds, since the sandbox stores more with
// every order. Compare ratios and medians, not seconds; on a busy machine, processor time (Linux only).
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000000' },
    bin: { type: 'string', default: join(root, 'bin', 'shopctl.js') },
    bare: { type: 'string' },
  },
});
const [orders, rounds, many] = [Number(values.orders), Number(values.rounds), Number(values.rows)];
const bin = resolve(values.bin);
const IN_FLIGHT = 16;

const directory = values.bare === undefined ? mkdtempSync(join(tmpdir(), 'shopctl-bench-')) : tmpdir();
const env = { ...process.env, SHOPCTL_CONFIG_DIR: join(directory, 'config'), SHOPCTL_OUTPUT: 'json', NO_COLOR: '1' };
const hook = fileURLToPath(new URL('request-times.cjs', import.meta.url));
const times = join(directory, 'request-times');
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
  return started([bin, ...words]);
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
        done({ code, stdout, stderr, peakKb, ms: performance.now() - began, inFlightMs: last - first });
      }),
    ),
  };
}

/** The same requests without a journal: quote, then order, 16 at a time. */
async function bareLoop(baseUrl, key, count, prefix) {
  const pool = new Pool(baseUrl, { connections: IN_FLIGHT });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'bare-loop/1.0.0',
  };
  const post = async (operation, body) => {
    const { statusCode, body: answer } = await pool.request({
      path: `/v1/shop.Shipping/${operation}`,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const value = await answer.json();
    if (statusCode !== 200) throw new Error(`${operation}: ${statusCode} ${JSON.stringify(value)}`);
    return value;
  };
  const chosen = [];
  const inTurns = async (work) => {
    let next = 1;
    const worker = async () => {
      while (next <= count) await work(next++);
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  };
  const parcel = { gross_weight: 500, chargeable_weight: 500 };
  await inTurns(async (number) => {
    const { services } = await post('GetShippingServices', {
      pickup_address: { province: pickup.province, district: pickup.district, ward: pickup.ward },
      shipping_address: { province: 'Hà Nội', district: 'Cầu Giấy', ward: 'Dịch Vọng' },
      ...parcel,
      basket_value: 900000,
    });
    chosen[number] = services.reduce((least, service) => (service.fee < least.fee ? service : least));
  });
  await inTurns(async (number) => {
    const address = {
      full_name: `Khách ${number}`,
      phone: `09${String(10_000_000 + number)}`,
      province: 'Hà Nội',
      district: 'Cầu Giấy',
      ward: 'Dịch Vọng',
      address1: `${number} ngõ 5`,
    };
    const { code, fee, carrier, connection_id, name } = chosen[number];
    await post('CreateAndConfirmOrder', {
      external_id: `${prefix}-${number}`,
      shipping_address: address,
      customer_address: address,
      lines: [{ product_name: 'Áo', quantity: 2, retail_price: 450000, payment_price: 450000 }],
      total_items: 2,
      basket_value: 900000,
      total_discount: 0,
      total_fee: 0,
      total_amount: 900000,
      shipping: {
        ...parcel,
        try_on: 'open',
        pickup_address: pickup,
        carrier,
        connection_id,
        shipping_service_code: code,
        shipping_service_name: name,
        shipping_service_fee: fee,
      },
    });
  });
  await pool.close();
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
  const bareOnce = (round, count) => () =>
    started([fileURLToPath(import.meta.url), '--orders', String(count), '--bare', `A${round}`], {
      BASE_URL: sandbox.baseUrl,
      API_KEY: key,
    });
  const batchOnce = async (round, count) => {
    const file = join(directory, `orders-${round}.csv`);
    await writeSheet(file, count, `B${round}`);
    const words = ['batch', 'run', file, '--profile', 'sandbox-shop', '--yes', '--concurrency', String(IN_FLIGHT)];
    return () => shopctl(words);
  };
  const once = async (round, count) => {
    const ways = { bare: bareOnce(round, count), batch: await batchOnce(round, count) };
    const results = {};
    for (const name of round % 2 === 0 ? ['batch', 'bare'] : ['bare', 'batch'])
      results[name] = await measured(sandbox, ways[name]);
    return results;
  };
  await once(0, Math.min(orders, 1000));
  const rows = [];
  const said = ({ ms, inFlightMs, clientMs, serviceMs }) =>
    `${Math.round(ms)} ms, ${Math.round(inFlightMs)} in flight (processors: ${(clientMs / orders).toFixed(2)} ms a row, and ${(serviceMs / orders).toFixed(2)} for the sandbox)`;
  for (let round = 1; round <= rounds; round += 1) {
    const { bare, batch } = await once(round, orders);
    const own = batch.clientMs / bare.clientMs;
    const all = (bare.clientMs + bare.serviceMs) / (batch.clientMs + batch.serviceMs);
    rows.push({ inFlight: bare.inFlightMs / batch.inFlightMs, whole: bare.ms / batch.ms, own, all });
    print(
      `round ${round}: bare ${said(bare)}, batch ${said(batch)}, ratio ${(bare.inFlightMs / batch.inFlightMs).toFixed(2)} in flight, ${(bare.ms / batch.ms).toFixed(2)} in all, peak ${Math.round(batch.peakKb / 1024)} MB`,
    );
  }
  const of = (name) => median(rows.map((row) => row[name])).toFixed(2);
  print(
    `a batch of ${orders} orders, 16 in flight: ${of('inFlight')} of a bare undici loop (median of ${rounds}); with start, reading and checking ${of('whole')}`,
  );
  print(
    `processor time: ${of('own')} times what the bare loop takes; with the sandbox, its pace would be ${of('all')}`,
  );
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
  await writeSheet(file, many, 'M', (name, number) => [name, `Khách ${number}`, `09${String(10_000_000 + number)}`], [
    'external_id',
    'full_name',
    'phone',
  ]);
  const planned = await shopctl(['batch', 'plan', file, '--do', 'customers create', '--profile', 'sandbox-shop']).ended;
  if (planned.code !== 0) throw new Error(planned.stderr);
  print(`${many} planned rows: ${Math.round(planned.ms / 1000)} s, peak ${Math.round(planned.peakKb / 1024)} MB`);
  const { default: Database } = await import('better-sqlite3');
  const journal = join(directory, 'config', 'state', 'workspaces', 'sandbox-shop.db');
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
  const resumed = await shopctl(['batch', 'resume', '--profile', 'sandbox-shop']).ended;
  if (resumed.code !== 0) throw new Error(resumed.stderr);
  print(`resume with ${open} rows left of ${many}: ${(resumed.ms / 1000).toFixed(2)} s`);
}

if (values.bare !== undefined) {
  await bareLoop(process.env.BASE_URL, process.env.API_KEY, orders, values.bare);
  process.exit(0);
}

const sandbox = await startSandbox();
try {
  await ratio(sandbox);
  if (many > 0) await large();
} finally {
  const over = new Promise((done) => sandbox.child.once('exit', done));
  sandbox.child.kill('SIGTERM');
  await over;
  rmSync(directory, { recursive: true, force: true });
}
