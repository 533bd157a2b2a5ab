// How cost grows with what there is: the work is doubled five times, and the exponent is printed.
//
//   npm run bench:growth [-- --only orders,rows,batches,changes,drafts,customers,profiles] [--runs 3]
//
// A cost is the processor time of a whole process (all threads), of its service or of one function, which other programs
// disturb less than its time by the clock. The exponent is the slope of its logarithm over the last three doublings, where a
// start-up that costs the same each time weighs least: 0 is flat, 1 is as much as there is, and above 1.1 fails.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'shopctl.js');
const kinds = 'orders,rows,batches,changes,drafts,customers,profiles';
const { values } = parseArgs({
  options: { only: { type: 'string', default: kinds }, runs: { type: 'string', default: '3' } },
});
const only = new Set(values.only.split(','));
const HIGHEST = 1.1;
const DOUBLINGS = 5;
const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const machine = {
  ...process.env,
  SHOPCTL_CONFIG_DIR: join(directory, 'config'),
  SHOPCTL_WORKSPACE: join(directory, 'workspace.db'),
  NO_COLOR: '1',
};
// The sandbox makes the profile.
const env = { ...machine, SHOPCTL_PROFILE: 'sandbox-shop' };
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

const noted = join(directory, 'spent.json');
const note = join(directory, 'spent.mjs');
writeFileSync(
  note,
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => { const { user, system } = process.cpuUsage(); writeFileSync(${JSON.stringify(noted)}, String((user + system) / 1000)); });`,
);

/** Runs the program; returns what it printed and its processor time in ms. */
function shopctl(words, codes = [0]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', note, bin, ...words], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 29,
  });
  if (!codes.includes(status)) throw new Error(`${words.join(' ')}: exit ${status}: ${stderr}`);
  return { stdout, spentMs: Number(readFileSync(noted, 'utf8')) };
}

/** Median of a command's processor time. */
const spent = (words, codes) =>
  median(Array.from({ length: Number(values.runs) }, () => shopctl(words, codes).spentMs));

const processorMs = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  // Clock ticks: a hundred per second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

async function startSandbox(seed) {
  const words = [
    bin,
    'sandbox',
    'start',
    '--ephemeral',
    '--no-console',
    '--port',
    '0',
    '--seed',
    seed,
    '--json',
    '--quiet',
  ];
  const child = spawn(process.execPath, words, { cwd: root, env: machine, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"ready"')) return { child, baseUrl: JSON.parse(line).base_url };
  }
  throw new Error('the sandbox did not start');
}

async function end({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

let workspaces = 0;

/** An empty workspace, as the program creates it, and settings that do not remember the one before. */
function freshWorkspace() {
  workspaces += 1;
  const settings = join(env.SHOPCTL_CONFIG_DIR, 'config.json');
  const { ledgers: _, ...others } = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify(others));
  env.SHOPCTL_STATE_DIR = join(directory, `state-${workspaces}`);
  env.SHOPCTL_WORKSPACE = join(directory, `workspace-${workspaces}.db`);
  shopctl(['batch', 'list']);
}

function inWorkspace(work) {
  const database = new Database(env.SHOPCTL_WORKSPACE);
  database.transaction(() => work(database))();
  database.close();
}

/** Adds copies of one row of a table until there are so many; `changed` are the columns that each copy has its own in. */
function copies(database, table, count, changed) {
  const columns = database
    .pragma(`table_info(${table})`)
    .map(({ name }) => name)
    .filter((name) => changed[name] !== null);
  const own = columns.map((name) => changed[name] ?? name);
  database.exec(`with recursive n(n) as (select 2 union all select n + 1 from n where n < ${count})
insert into ${table} (${columns.join(', ')}) select ${own.join(', ')} from (select * from ${table} limit 1), n`);
}

const sheetHead =
  'external_id,shipping_address.full_name,shipping_address.phone,shipping_address.province,shipping_address.district,shipping_address.ward,shipping_address.address1,lines.product_name,lines.quantity,lines.retail_price,shipping.gross_weight,shipping.try_on,shipping.pickup_address.full_name,shipping.pickup_address.phone,shipping.pickup_address.province,shipping.pickup_address.district,shipping.pickup_address.ward,shipping.pickup_address.address1';

let lines = 0;

/** A sheet of orders, none of which is equal to another one of any sheet. */
function writeSheet(name, rows) {
  const line = () => {
    lines += 1;
    return `${name}-${lines},Nguyễn Thị Lan,09${String(10_000_000 + lines)},Hà Nội,Cầu Giấy,Dịch Vọng,${lines} ngõ 5,Áo khoác,1,450000,600,open,Kho,0905123456,Đà Nẵng,Liên Chiểu,Hòa Khánh Nam,Lô 7`;
  };
  const file = join(directory, `${name}.csv`);
  writeFileSync(file, `${[sheetHead, ...Array.from({ length: rows }, line)].join('\n')}\n`);
  return file;
}

/** Each kind of work: how much there is at first, and its costs in ms for so much of it. */
const works = {
  orders: {
    first: 1_000,
    async costs(count) {
      const sandbox = await startSandbox(`history:${count}`);
      const loadMs = processorMs(sandbox.child.pid);
      const key = JSON.parse(execFileSync(process.execPath, [bin, 'sandbox', 'credentials', '-o', 'json'], { env }))
        .shops[0].api_key;
      const ask = async (operation, body) => {
        const answer = await fetch(`${sandbox.baseUrl}/v1/${operation}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(`${operation}: ${answer.status}`);
        return answer.json();
      };
      const each = async (times, work) => {
        const before = processorMs(sandbox.child.pid);
        for (let at = 0; at < times; at += 1) await work(at);
        return (processorMs(sandbox.child.pid) - before) / times;
      };
      const { orders } = await ask('shop.Order/ListOrders', {});
      let written = 0;
      // A write between, so that no remembered answer helps.
      const writing = () => {
        written += 1;
        return ask('shop.Customer/CreateCustomer', { full_name: 'Lan', phone: `09${10_000_000 + written}` });
      };
      await each(50, writing);
      const pageMs = await each(100, async () => {
        await writing();
        await ask('shop.Order/ListOrders', {});
      });
      const getMs = await each(300, async (at) => {
        await writing();
        await ask('shop.Order/GetOrder', { id: orders[at % orders.length].id });
      });
      await end(sandbox);
      return { 'planted, in all': loadMs, 'a write and the first page': pageMs, 'a write and one order': getMs };
    },
  },
  rows: {
    first: 250,
    async costs(count) {
      freshWorkspace();
      const file = writeSheet(`rows${count}`, count);
      const planned = spent(['batch', 'plan', file]);
      const people = join(directory, `people${count}.csv`);
      const line = (_, at) => `people${count}-${at},Nguyễn Thị Lan,09${10_000_000 + at}`;
      writeFileSync(people, `external_id,full_name,phone\n${Array.from({ length: count }, line).join('\n')}\n`);
      const sent = shopctl(['batch', 'run', people, '--do', 'customers create', '--yes']).spentMs;
      const resumed = median(
        Array.from({ length: Number(values.runs) }, () => {
          inWorkspace((database) => {
            database.exec(`update batches set state = 'open', finished_at = null;
update batch_rows set state = 'planned', id = null, worker = null where row = ${count};
delete from ledger_keys where name = 'people${count}-${count - 1}'`);
          });
          return shopctl(['batch', 'resume', '--yes']).spentMs;
        }),
      );
      return { 'orders, planned': planned, 'customers, sent': sent, 'resumed with one row left': resumed };
    },
  },
  batches: {
    first: 100,
    async costs(count) {
      freshWorkspace();
      shopctl(['batch', 'run', writeSheet('first', 1), '--yes']);
      inWorkspace((database) => {
        copies(database, 'batches', count, { number: null, id: "id || '-' || n" });
        const rows = { batch: 'n' };
        for (const table of ['batch_rows', 'batch_contents']) copies(database, table, count, rows);
      });
      const file = writeSheet(`run${count}`, 10);
      return {
        'all listed': spent(['batch', 'list', '-o', 'json']),
        'one run': shopctl(['batch', 'run', file, '--yes']).spentMs,
      };
    },
  },
  changes: {
    first: 10_000,
    async costs(count) {
      freshWorkspace();
      shopctl(['events', 'list']);
      inWorkspace((database) => {
        const insert = database.prepare(
          `insert into events (hook, received_at, entity, change_type, record_id, shop_id, time, content, occurrence)
           values ('default', ?, 'order', 'update', ?, '1', ?, ?, 1)`,
        );
        const whole = database.prepare('insert into event_contents (seq, change) values (?, ?)');
        for (let index = 0; index < count; index += 1) {
          const moment = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
          const id = String(1_000_000_000_000_000_000n + BigInt(index % 5_000));
          const { lastInsertRowid } = insert.run(moment, id, moment, `content-${index}`);
          const change = { entity: 'order', time: moment, change_type: 'update', latest: { id } };
          whole.run(lastInsertRowid, JSON.stringify(change));
        }
      });
      return {
        'first page': spent(['events', 'list']),
        'of one record': spent(['events', 'list', '--record', '1000000000000000007']),
      };
    },
  },
  drafts: {
    first: 200,
    async costs(count) {
      freshWorkspace();
      shopctl(['customers', 'create', '--full-name', 'Lan', '--phone', '0909000123']);
      inWorkspace((database) => {
        database.exec("update intents set resource = 'order', state = 'open', reported_at = null");
        copies(database, 'intents', count, { id: "id || '-' || n" });
      });
      return {
        'all listed': spent(['ship', 'drafts', 'list', '--all', '-o', 'json']),
        'the ledger': spent(['ledger', 'list', '-o', 'json']),
        'a create': spent(['customers', 'create', '--full-name', 'An', '--phone', '0909000124', '--again']),
      };
    },
  },
  customers: {
    first: 4_000,
    async costs(count) {
      const { matching } = await wizard();
      const surnames = ['Nguyễn', 'Trần', 'Lê', 'Phạm', 'Huỳnh', 'Võ', 'Đặng'];
      const people = () =>
        Array.from({ length: count }, (_, at) => ({ full_name: `${surnames[at % 7]} Thị Số ${at}`, phone: `09${at}` }));
      const label = ({ full_name, phone }) => `${full_name}, ${phone}`;
      const took = (work) =>
        median(
          Array.from({ length: Number(values.runs) * 3 }, () => {
            const all = people();
            const before = process.cpuUsage();
            work(all);
            const { user, system } = process.cpuUsage(before);
            return (user + system) / 1_000;
          }),
        );
      const typed = ['l', 'le', 'le t', 'le th', 'le thi', 'le thi s'];
      return { 'the wizard: six keys typed': took((all) => typed.map((text) => matching(all, text, label))) };
    },
  },
  profiles: {
    first: 25,
    async costs(count) {
      const path = join(env.SHOPCTL_CONFIG_DIR, 'config.json');
      const stored = readFileSync(path, 'utf8');
      const config = JSON.parse(stored);
      const one = config.profiles['sandbox-shop'];
      for (let at = 0; at < count; at += 1) config.profiles[`shop-${at}`] = one;
      writeFileSync(path, JSON.stringify(config));
      const costs = { listed: spent(['profiles', 'list', '-o', 'json']), 'one setting': spent(['config', 'list']) };
      writeFileSync(path, stored);
      return costs;
    },
  },
};

/** The wizard's search, from its source. */
async function wizard() {
  const file = join(directory, 'shop-lists.mjs');
  await build({
    entryPoints: [join(root, 'src', 'flows', 'ship', 'lists', 'shop-lists.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return import(pathToFileURL(file).href);
}

/** The slope of a line through points by least squares. */
function slope(points) {
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, cost]) => cost))];
  const over = points.reduce((sum, [at, cost]) => sum + (at - x) * (cost - y), 0);
  return over / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}

mkdirSync(env.SHOPCTL_CONFIG_DIR, { mode: 0o700 });
let sandbox = only.size === 1 && only.has('orders') ? undefined : await startSandbox('none');
try {
  const names = kinds.split(',').filter((name) => only.has(name));
  // Orders have sandboxes of their own, which take the place of this one in the settings.
  for (const name of names.toSorted((one, other) => Number(one === 'orders') - Number(other === 'orders'))) {
    if (name === 'orders' && sandbox !== undefined) {
      await end(sandbox);
      sandbox = undefined;
    }
    const { first, costs } = works[name];
    const series = new Map();
    for (let doubling = 0; doubling <= DOUBLINGS; doubling += 1) {
      for (const [what, ms] of Object.entries(await costs(first * 2 ** doubling)))
        series.set(what, [...(series.get(what) ?? []), ms]);
    }
    for (const [what, all] of series) {
      const points = all.map((ms, doubling) => [doubling, Math.log2(Math.max(ms, 0.01))]).slice(-4);
      const exponent = slope(points);
      if (exponent > HIGHEST) process.exitCode = 1;
      const shown = all.map((ms) => ms.toFixed(ms < 10 ? 2 : 0)).join(', ');
      console.log(
        `${name}, ${first} to ${first * 2 ** DOUBLINGS}; ${what}: ${exponent.toFixed(2)} (<= ${HIGHEST})  ${shown} ms`,
      );
    }
  }
} finally {
  if (sandbox !== undefined) await end(sandbox);
  rmSync(directory, { recursive: true, force: true });
}
