// An export of many orders as JSON lines: peak memory, time and processor time of `shopctl orders list --all -o jsonl`,
// beside a bare node program that fetches the same pages and prints them; and the same list as a table: whole, with the
// parcels that it asks for page by page, and of the records alone, beside their ids alone, which are read in the same way.
// What the last two differ in is what the rows of a table cost.
//
//   node bench/export.mjs [--orders 100000] [--runs 3] [--node PATH] [--to pipe|file]
//
// The pages come from a server of this script on 127.0.0.1, which makes them up, so that the client is what is measured.
// The two programs run in turns, each with the server to itself; medians.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    node: { type: 'string', default: process.execPath },
    to: { type: 'string', default: 'pipe' },
  },
});
const total = Number(values.orders);
const FIRST_ID = 1_000_000_000_000_000_000n;
/** The lines of a table that are no rows. */
const HEADING = 1;
/** What a table of orders shows of the record itself. */
const OWN_FIELDS = 'id,code,external_code,status,shipping_address.full_name,total_items,total_amount,created_at';
const MARK = '"#ID#"';

/** An order of the size that real ones have, its id still a mark. */
function template() {
  const { shipping, ...order } = JSON.parse(readFileSync(join(root, 'examples', 'order-complete.json'), 'utf8'));
  const stamps = { created_at: '2026-01-31T08:00:00Z', updated_at: '2026-01-31T08:00:00Z' };
  const text = JSON.stringify({ id: '#ID#', shop_id: '1', code: 'A-117', ...order, shipping, status: 'Z', ...stamps });
  return text.split(MARK);
}

const pieces = template();
const orderText = (index) => pieces.join(`"${FIRST_ID + BigInt(index)}"`);

/** A page of generated orders behind a cursor, which is the number of orders before it; the last page is an empty one. */
function pageText({ paging = {} }) {
  const from = Number(paging.after ?? 0);
  const to = Math.min(total, from + (paging.limit || 100));
  const orders = [];
  for (let index = from; index < to; index += 1) orders.push(orderText(index));
  return `{"orders":[${orders.join(',')}],"paging":{"next":"${to}","limit":${to - from}}}`;
}

/** A parcel of each order that is asked for, as the table shows it. */
function parcelsText({ filter = {} }) {
  const parcels = (filter.order_id ?? '').split(',').map((order_id, index) => {
    const id = String(FIRST_ID + BigInt(index));
    return { id, order_id, shipping_code: `VN${index}`, shipping_state: 'delivering' };
  });
  return JSON.stringify({ fulfillments: parcels, paging: { limit: 100 } });
}

async function serve() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.setHeader('content-type', 'application/json');
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    response.end(request.url.endsWith('/ListFulfillments') ? parcelsText(asked) : pageText(asked));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The same export by a program with nothing but fetch. */
const bareProgram = (url) => `
for (let after; ; ) {
  const answer = await fetch(${JSON.stringify(url)}, {
    method: 'POST',
    headers: { authorization: 'Bearer 1:key-of-a-bench', 'content-type': 'application/json' },
    body: JSON.stringify({ paging: { limit: 100, after } }),
  });
  const { orders, paging } = await answer.json();
  if (orders.length === 0) break;
  for (const order of orders) {
    const text = JSON.stringify(order) + '\\n';
    if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
  after = paging.next;
}`;

/** Told to node before the program, it writes what the process used of the machine into a file when it ends. */
const peakProgram = `
import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.BENCH_PEAK, JSON.stringify(process.resourceUsage())));`;

/** Runs a program to its end: seconds by the clock and of processor time, peak memory in MiB, and what it printed. */
async function measure(directory, { words, heading }, env) {
  const peak = join(directory, 'peak');
  const output = join(directory, 'orders.jsonl');
  const file = values.to === 'file' ? openSync(output, 'w') : undefined;
  const began = process.hrtime.bigint();
  const child = spawn(values.node, ['--import', join(directory, 'peak.mjs'), ...words], {
    env: { ...process.env, ...env, BENCH_PEAK: peak },
    stdio: ['ignore', file ?? 'pipe', 'inherit'],
  });
  let lines = 0;
  let bytes = 0;
  child.stdout?.on('data', (chunk) => {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  const [exit] = await once(child, 'close');
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  if (file !== undefined) {
    closeSync(file);
    bytes = statSync(output).size;
    lines = readFileSync(output, 'utf8').split('\n').length - 1;
  }
  if (exit !== 0 || lines !== total + heading)
    throw new Error(`${words.join(' ')}: exit ${exit}, ${lines} of ${total} orders`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(peak, 'utf8'));
  return { seconds, processor: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024, bytes };
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const server = await serve();
try {
  const origin = `http://127.0.0.1:${server.address().port}`;
  writeFileSync(join(directory, 'peak.mjs'), peakProgram);
  writeFileSync(join(directory, 'bare.mjs'), bareProgram(`${origin}/v1/shop.Order/ListOrders`));
  const env = {
    SHOPCTL_CONFIG_DIR: directory,
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: '1:key-of-a-bench',
    SHOPCTL_BASE_URL: origin,
  };
  const list = [join(root, 'bin', 'shopctl.js'), 'orders', 'list', '--all', '-o'];
  const programs = {
    'bare loop': { words: [join(directory, 'bare.mjs')], heading: 0 },
    'shopctl orders list': { words: [...list, 'jsonl'], heading: 0 },
    'the same as a table': { words: [...list, 'table'], heading: HEADING },
    'without the parcels': { words: [...list, 'table', '--fields', OWN_FIELDS], heading: HEADING },
    'the ids alone': { words: [...list, 'name'], heading: 0 },
  };
  const results = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let run = 0; run < Number(values.runs); run += 1) {
    for (const [name, words] of Object.entries(programs)) results[name].push(await measure(directory, words, env));
  }
  const [{ bytes }] = results['shopctl orders list'];
  console.log(
    `${total} orders, ${(bytes / 2 ** 20).toFixed(0)} MiB of JSON lines to a ${values.to}, ${values.runs} runs`,
  );
  const medians = {};
  for (const [name, all] of Object.entries(results)) {
    const [seconds, processor] = ['seconds', 'processor'].map((field) => median(all.map((run) => run[field])));
    medians[name] = { seconds, processor };
    const peak = Math.max(...all.map((run) => run.megabytes)).toFixed(0);
    const times = `${seconds.toFixed(1).padStart(6)} s, ${processor.toFixed(1).padStart(5)} s of processor time`;
    console.log(`${name.padEnd(20)} ${times}  ${Math.round(total / seconds)} orders/s  peak ${peak} MiB`);
  }
  const [bare, own] = [medians['bare loop'], medians['shopctl orders list']];
  const ratios = ['seconds', 'processor'].map((field) => (own[field] / bare[field]).toFixed(2));
  const rows = medians['without the parcels'].processor - medians['the ids alone'].processor;
  console.log(`the rows of the table take ${rows.toFixed(2)} s of processor time more than their ids alone`);
  console.log(`jsonl takes ${ratios[0]} x the time of the bare loop, and ${ratios[1]} x its processor time`);
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true, force: true });
}
