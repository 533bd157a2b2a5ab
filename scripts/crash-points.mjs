// Kills the built program at each of its system calls that write or synchronise, and fails each of them once with a full
// disk and a broken one, under strace. After each, the same command runs once more, and the referee counts at the sandbox.
//
//   npm run crash-points [-- --only NAME,NAME] [--calls fsync,fdatasync,write,pwrite64] [--every N] [--how KILL,ENOSPC,EIO]
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    calls: { type: 'string', default: 'fsync,fdatasync,pwrite64,write' },
    how: { type: 'string', default: 'KILL,ENOSPC,EIO' },
    every: { type: 'string', default: '1' },
  },
});
if (spawnSync('strace', ['--version']).status !== 0) {
  process.stderr.write('strace is not installed: crash points need it (Linux: apt-get install strace)\n');
  process.exit(1);
}
const program = fileURLToPath(new URL('../bin/shopctl.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'shopctl-crash-points-'));
const print = (line) => process.stdout.write(`${line}\n`);

const place = {
  address1: '12 Hai Bà Trưng',
  province: 'Hà Nội',
  district: 'Quận Hoàn Kiếm',
  ward: 'Phường Tràng Tiền',
};
const order = (phone) => ({
  customer_address: { full_name: 'Khách', phone, ...place },
  shipping_address: { full_name: 'Khách', phone, ...place },
  lines: [{ product_name: 'Hàng', quantity: 1, list_price: 90_000, retail_price: 90_000, payment_price: 90_000 }],
  shipping: {
    pickup_address: { full_name: 'Kho', phone: '0900000000', ...place },
    ...{ gross_weight: 500, length: 10, width: 10, height: 10, cod_amount: 90_000, try_on: 'open' },
  },
});

let phones = 0;
/** So many phone numbers that nobody else has: orders are told apart by them. */
const newPhones = (many) => Array.from({ length: many }, () => `09${String(10_000_000 + phones++)}`);

/** What is run, how often each order has to be there afterwards, and what runs before it. */
const scripts = {
  single: {
    phones: 1,
    live: 1,
    words: (home, [phone]) => {
      writeFileSync(join(home, 'order.json'), JSON.stringify(order(phone)));
      return ['ship', '--input', join(home, 'order.json'), '--pick', 'cheapest', '--yes', '-o', 'json'];
    },
  },
  batch: { phones: 20, live: 1, words: (home, of) => batch(home, of) },
  undo: {
    phones: 5,
    live: 0,
    before: (home, of) => batch(home, of),
    words: (home) => ['batch', 'undo', JSON.parse(run(home, ['batch', 'list', '-o', 'json']).stdout)[0].batch, '--yes'],
    // What was undone already is no failure.
    exits: [0, 2],
  },
  mirror: { phones: 0, live: 0, words: () => ['mirror', 'sync', '-q'], after: () => ['mirror', 'verify'] },
};

function batch(home, of) {
  writeFileSync(join(home, 'rows.json'), JSON.stringify(of.map(order)));
  return ['batch', 'run', join(home, 'rows.json'), '--do', 'ship', '--yes', '-o', 'json'];
}

const environment = (home) => ({
  PATH: process.env.PATH,
  HOME: home,
  SHOPCTL_CONFIG_DIR: home,
});

function run(home, words, under = []) {
  const [name, ...rest] = [...under, process.execPath, program, ...words, '--profile', 'sandbox-shop'];
  return spawnSync(name, rest, { env: environment(home), encoding: 'utf8', timeout: 120_000 });
}

/** A machine of its own, that has the sandbox's profiles and nothing else. */
function machine(script) {
  const home = mkdtempSync(join(directory, 'home-'));
  cpSync(join(directory, 'sandbox', 'config.json'), join(home, 'config.json'));
  const of = newPhones(script.phones);
  const before = script.before?.(home, of);
  if (before !== undefined && run(home, before).status !== 0) throw new Error(`${before.join(' ')} fails`);
  return { home, of, words: script.words(home, of) };
}

/** How often a thread of the program calls each of these at most, as injections count them. */
function countsOf(script) {
  const { home, words } = machine(script);
  const log = join(home, 'calls');
  run(home, words, ['strace', '-ff', '-o', log, '-e', `trace=${values.calls}`]);
  const counts = new Map(values.calls.split(',').map((name) => [name, 0]));
  for (const file of readdirSync(home).filter((name) => name.startsWith('calls.'))) {
    const text = readFileSync(join(home, file), 'utf8');
    for (const name of counts.keys()) {
      const times = text.split('\n').filter((line) => line.startsWith(`${name}(`)).length;
      counts.set(name, Math.max(counts.get(name), times));
    }
  }
  return counts;
}

/** One call on a connection of its own: this process stands still while others run, and a kept one would be closed. */
function post({ base_url, api_key }, operation, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${api_key}` };
    const asked = request(`${base_url}/v1/${operation}`, { method: 'POST', agent: false, headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      resolve(JSON.parse(text));
    });
    asked.once('error', reject);
    asked.end(JSON.stringify(body));
  });
}

async function liveOrders(service) {
  const counts = new Map();
  for (let after = '.'; ; ) {
    const { orders, paging } = await post(service, 'shop.Order/ListOrders', { paging: { after, limit: 100 } });
    for (const { status, shipping_address } of orders) {
      if (status !== 'N') counts.set(shipping_address.phone, (counts.get(shipping_address.phone) ?? 0) + 1);
    }
    if (orders.length === 0 || !paging.next) return counts;
    after = paging.next;
  }
}

/** What is wrong after a fault at one call, once the same has been run again. */
async function tryPoint(service, script, how, call, when) {
  const { home, of, words } = machine(script);
  const what = how === 'KILL' ? 'signal=KILL' : `error=${how}`;
  const inject = [
    'strace',
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${call}`,
    '-e',
    `inject=${call}:${what}:when=${when}`,
  ];
  const first = run(home, words, inject);
  const again = run(home, words);
  const checked = script.after === undefined ? again : run(home, script.after());
  const live = await liveOrders(service);
  const wrong = of.filter((phone) => (live.get(phone) ?? 0) !== script.live);
  // An order that was told is not sent again.
  const isTold = again.status === 5 && first.stdout.includes('"order"');
  const isOver =
    (isTold || (script.exits ?? [0]).includes(again.status)) && (script.after === undefined || checked.status === 0);
  rmSync(home, { recursive: true, force: true });
  if (wrong.length === 0 && isOver) return undefined;
  const counts = wrong.map((phone) => live.get(phone) ?? 0);
  return `exit ${first.status ?? first.signal}, then ${again.status}; ${wrong.length} of ${of.length} orders wrong (${counts}): ${again.stderr.slice(0, 300)}`;
}

async function all(service) {
  const names = values.only?.split(',') ?? Object.keys(scripts);
  let failures = 0;
  for (const name of names) {
    const counts = countsOf(scripts[name]);
    for (const [call, most] of counts) {
      for (const how of values.how.split(',')) {
        let points = 0;
        for (let when = 1; when <= most; when += Number(values.every)) {
          points += 1;
          const wrong = await tryPoint(service, scripts[name], how, call, when);
          if (wrong === undefined) continue;
          failures += 1;
          print(`${name}: ${how} at ${call} ${when}: ${wrong}`);
        }
        print(`${name}: ${how} at ${points} of ${most} ${call}`);
      }
    }
  }
  return failures;
}

const home = join(directory, 'sandbox');
mkdirSync(home, { mode: 0o700 });
const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--no-console', '-o', 'json'];
const sandbox = spawn(process.execPath, [program, ...words], {
  env: environment(home),
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await new Promise((resolve) => sandbox.stdout.once('data', resolve));
  const service = JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).profiles['sandbox-shop'];
  process.exitCode = (await all(service)) === 0 ? 0 : 1;
} finally {
  sandbox.kill();
  rmSync(directory, { recursive: true, force: true });
}
