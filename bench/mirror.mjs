// A shop copied into its mirror: `shopctl mirror sync` beside a bare program that fetches the same pages with undici, one
// after another, parses them and drops them. Then a sync without changes, a verification by sample, and `mirror sql`
// beside a bare node program that opens the file with the same driver and runs the statement.
//
//   node bench/mirror.mjs [--orders 100000] [--runs 3] [--workspace postgres://…]
//
// A sandbox in a process of its own has the history of orders (`--seed history:N`); the programs alternate. Ratios are
// medians; memory is the peak of the process.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'shopctl.js');
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    workspace: { type: 'string' },
  },
});
const runs = Number(values.runs);
const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const peak = join(directory, 'peak.json');
const env = {
  ...process.env,
  SHOPCTL_CONFIG_DIR: directory,
  NO_COLOR: '1',
  BENCH_PEAK: peak,
  ...(values.workspace ? { SHOPCTL_WORKSPACE: values.workspace } : {}),
};

/** The programs that are measured use the key of the shop itself. */
const ofShop = { ...env, SHOPCTL_PROFILE: 'sandbox-shop' };

/** The statement that both programs run: an aggregate over every order. */
const QUESTION =
  'SELECT status, count(*) AS orders, sum(total_amount) AS amount FROM orders WHERE deleted_at IS NULL GROUP BY status';

const LISTS = [
  ['shop.Order/ListOrders', 'orders', true],
  ['shop.Fulfillment/ListFulfillments', 'fulfillments', true],
  ['shop.Customer/ListCustomers', 'customers', true],
  ['shop.CustomerAddress/ListAddresses', 'addresses', false],
  ['shop.Product/ListProducts', 'products', true],
  ['shop.Variant/ListVariants', 'shop_variants', false],
  ['shop.Inventory/ListInventoryLevels', 'inventory_levels', true],
];

/** The same pages by a program that uses only undici. */
const bareLoop = (baseUrl, key) => `
import { Client } from ${JSON.stringify(pathToFileURL(join(root, 'node_modules', 'undici', 'index.js')).href)};
const client = new Client(${JSON.stringify(baseUrl)});
let records = 0;
for (const [operation, items, sorted] of ${JSON.stringify(LISTS)}) {
  for (let after; ; ) {
    const { body } = await client.request({
      method: 'POST',
      path: '/v1/' + operation,
      headers: { authorization: ${JSON.stringify(`Bearer ${key}`)}, 'content-type': 'application/json' },
      body: JSON.stringify({ paging: { limit: 100, after, ...(sorted ? { sort: 'updated_at' } : {}) } }),
    });
    const answer = JSON.parse(await body.text());
    records += answer[items].length;
    if (answer[items].length === 0) break;
    after = answer.paging.next;
  }
}
await client.close();
console.log(records);`;

/** The statement by a bare program with the same driver. */
const bareQuery = (path) => `
import Database from ${JSON.stringify(pathToFileURL(join(root, 'node_modules', 'better-sqlite3', 'lib', 'index.js')).href)};
console.log(JSON.stringify(new Database(${JSON.stringify(path)}, { readonly: true }).prepare(${JSON.stringify(QUESTION)}).all()));`;

/** Runs a program to its end; throws if it fails. */
function measure(words) {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', join(directory, 'peak.mjs'), ...words], {
    env: ofShop,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - began) / 1000;
  if (status !== 0) throw new Error(`${words.join(' ')}: exit ${status}: ${stderr}`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(peak, 'utf8'));
  return { seconds, stdout, processor: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const reported = ({ seconds, processor, megabytes }) =>
  `${seconds.toFixed(2)} s, ${processor.toFixed(2)} s of processor time, peak ${megabytes.toFixed(0)} MiB`;

writeFileSync(
  join(directory, 'peak.mjs'),
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.BENCH_PEAK, JSON.stringify(process.resourceUsage())));`,
);
const data = join(directory, 'data');
const planted = performance.now();
const words = ['sandbox', 'start', '--data', data, '--port', '0', '--seed', `history:${values.orders}`, '--json'];
const sandbox = spawn(process.execPath, [bin, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  let ready;
  for await (const line of createInterface({ input: sandbox.stdout })) {
    ready = JSON.parse(line);
    break;
  }
  const orders = Number(values.orders);
  const perSecond = (1000 * orders) / (performance.now() - planted);
  console.log(`${orders} orders over two years, planted at ${perSecond.toFixed(0)} orders a second`);
  const { stdout } = spawnSync(process.execPath, [bin, 'sandbox', 'credentials', '-o', 'json'], {
    env,
    encoding: 'utf8',
  });
  const key = JSON.parse(stdout).shops[0].api_key;
  writeFileSync(join(directory, 'loop.mjs'), bareLoop(ready.base_url, key));
  const [bare, ours] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    bare.push(measure([join(directory, 'loop.mjs')]));
    if (run > 0) measure([bin, 'mirror', 'forget', '--yes']);
    ours.push(measure([bin, 'mirror', 'sync', '-o', 'json']));
    console.log(`  bare loop ${reported(bare.at(-1))}\n  sync      ${reported(ours.at(-1))}`);
  }
  const read = JSON.parse(ours[0].stdout).reduce((sum, area) => sum + area.read, 0);
  const speed = median(bare.map(({ seconds }, run) => seconds / ours[run].seconds));
  console.log(
    `first sync of ${read} records (${bare[0].stdout.trim()} by the bare loop): ${speed.toFixed(2)} of its speed (>= 0.8)`,
  );
  console.log(`peak of the sync: ${Math.max(...ours.map(({ megabytes }) => megabytes)).toFixed(0)} MiB (< 200)`);
  console.log(`sync without changes: ${reported(measure([bin, 'mirror', 'sync', '-o', 'json']))}`);
  console.log(`verify by sample: ${reported(measure([bin, 'mirror', 'verify']))}`);
  const asked = [];
  const path = measure([bin, 'mirror', 'path']).stdout.trim();
  writeFileSync(join(directory, 'query.mjs'), bareQuery(path));
  for (let run = 0; run < 2 * runs + 1; run += 1) {
    const mine = measure([bin, 'mirror', 'sql', QUESTION, '-o', 'json']);
    if (values.workspace) console.log(`mirror sql: ${reported(mine)}`);
    else asked.push(mine.seconds / measure([join(directory, 'query.mjs')]).seconds);
  }
  if (asked.length > 0) console.log(`mirror sql: ${median(asked).toFixed(2)} times a bare program (<= 2.2)`);
} finally {
  const ended = once(sandbox, 'exit');
  sandbox.kill('SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
}
