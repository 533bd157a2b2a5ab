// What it costs to compare every answer with the contract, where nothing deviates: this tree, and a copy of it in which
// the comparison is taken out, side by side.
//
//   node bench/drift.mjs [--runs 41] [--calls 10000]
//
// First whole processes, `orders get` from its start to its end; then calls within one process, each of another order.
// Both against a server of this program on loopback, alternating run by run and call by call, so that whatever else the
// machine does hits both alike.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { changeFile, copyTree } from '../scripts/mutants/tree-copy.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '41' },
    calls: { type: 'string', default: '10000' },
  },
});
const [runs, calls] = [values.runs, values.calls].map(Number);

/** Everything that reading an answer does for the sake of comparing it. */
const comparing = [
  { file: 'src/contract/schema/parse.ts', from: 'this.deviates ||= !structure.values.includes(given);', to: '' },
  {
    file: 'src/contract/schema/parse.ts',
    from: 'this.deviates ||= structure.isFaithful?.(given) === false;',
    to: '',
  },
  { file: 'src/contract/schema/parse.ts', from: 'if (isThere) known += 1;', to: '' },
  {
    file: 'src/contract/schema/parse.ts',
    from: 'this.deviates ||= Object.keys(given).length > known || lacks(required, given);',
    to: '',
  },
  { file: 'src/contract/schema/as-declared.ts', from: 'if (fits === undefined) return false;', to: '' },
  { file: 'src/contract/schema/as-declared.ts', from: '!fits(field)', to: 'fits?.(field) === false' },
  {
    file: 'src/contract/schema/as-declared.ts',
    from: 'return required.length === 0 || !lacks(required, given);',
    to: 'return true;',
  },
  { file: 'src/contract/schema/as-declared.ts', from: 'fits(given) && isFaithful(given)', to: 'fits(given)' },
  { file: 'src/contract/schema/as-declared.ts', from: 'known.has(given)', to: "typeof given === 'string'" },
  {
    file: 'src/contract/schema/structure.ts',
    from: "Object.entries(def.shape).flatMap(([name, { _zod }]) => (_zod.def.type === 'optional' ? [] : [name]))",
    to: '[]',
  },
  {
    file: 'src/client/answer.ts',
    from: 'hadLongNumber || !response.ok || response.deviates === true || missingNeeds(operation, value).length > 0',
    to: '!response.ok',
  },
];

const address = (turn) => ({
  full_name: `Nguyễn Thị ${turn}`,
  phone: '0901234567',
  province: 'Hà Nội',
  district: 'Quận Cầu Giấy',
  ward: 'Phường Dịch Vọng',
  address1: `${turn} Trần Thái Tông`,
});

/** An order as the contract has it, none like another. */
function orderOf(id) {
  const turn = Number(id.slice(-6));
  return {
    id,
    shop_id: '2790187891246001495',
    code: `DH${turn}`,
    external_id: `WEB-${turn}`,
    customer_address: address(turn),
    shipping_address: address(turn + 1),
    lines: Array.from({ length: 1 + (turn % 3) }, (_, index) => ({
      product_name: `Áo ${turn} ${index}`,
      quantity: 1 + index,
      list_price: 1000 * turn,
      retail_price: 900 * turn,
      payment_price: 900 * turn,
      product_id: String(2790187891246024381n + BigInt(turn)),
      variant_id: String(2790187891246025649n + BigInt(turn)),
      attributes: [{ name: 'Cỡ', value: String(turn) }],
    })),
    total_items: 1 + (turn % 3),
    basket_value: 1000 * turn,
    total_amount: 1000 * turn,
    fee_lines: [{ type: 'shipping', name: 'Phí giao hàng', amount: 15_000 }],
    shipping: { pickup_address: address(7), cod_amount: 1000 * turn, chargeable_weight: 500, try_on: 'open' },
    status: 'S',
    confirm_status: 'P',
    fulfillment_shipping_status: 'S',
    created_at: new Date(1_790_000_000_000 + turn * 1000).toISOString(),
    updated_at: new Date(1_790_000_000_000 + turn * 2000).toISOString(),
  };
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ order: orderOf(JSON.parse(body).id), fulfillments: [], fulfillment_errors: [] }));
  });
});

/** The client of one tree, as a module: reads the order with an id. A deviation ends the program. */
const client = (base) => `
import { call } from './src/client/call.ts';
import { loadOperation } from './src/contract/areas.ts';
import { createTransport } from './src/platform/http/undici-transport.ts';
import { systemClock } from './src/platform/process/clock.ts';
import { Secret } from './src/platform/settings/secret.ts';
const operation = await loadOperation('shop.Order/GetOrder');
export const { transport, close } = createTransport({ proxies: {} });
const key = { secret: new Secret('8:a-key-for-the-measurement') };
const connection = {
  baseUrl: ${JSON.stringify(base)}, key: () => key, transport, clock: systemClock, random: () => 0.5, timeoutMs: 10000,
  maxRetries: 0, userAgent: 'bench', drift: () => { throw new Error('an answer of the bench deviates'); },
};
export const read = (turn) => call(operation, { id: String(2790187891246000000n + BigInt(turn)) }, connection);
`;

/** The milliseconds that a process takes of a processor, from its start to its end. */
function cpuOf(file, words, env) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--require', env.BENCH_HOOK, file, ...words], {
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    let reported = '';
    child.stdio[3].on('data', (chunk) => {
      reported += chunk;
    });
    child.once('close', (code) =>
      code === 0 ? done(Number(reported)) : fail(new Error(`${file} ended with ${code}`)),
    );
  });
}

/** Makes a program report its processor time at its end, on a separate pipe. */
const HOOK = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.getBuiltinModule('node:fs').writeSync(3, String((user + system) / 1000));
});`;

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** Measures both in turn, the first of a pair being the second of the next; prints medians and what comparing adds. */
async function compare(title, unit, count, measure) {
  const taken = { with: [], without: [] };
  for (let turn = 0; turn < count; turn += 1) {
    for (const name of turn % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
      taken[name].push(await measure(name, turn));
    }
  }
  const [given, bare] = [median(taken.with), median(taken.without)];
  const added = ((given / bare - 1) * 100).toFixed(2);
  process.stdout.write(
    `${title}: ${given.toFixed(1)} ${unit} with, ${bare.toFixed(1)} ${unit} without: ${added} % more\n`,
  );
}

const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const trees = { with: copyTree(), without: copyTree() };
try {
  for (const change of comparing) changeFile(trees.without.path, change);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${server.address().port}`;
  for (const { path } of Object.values(trees)) {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: path });
    writeFileSync(join(path, 'client.ts'), client(base));
    await build({
      entryPoints: [join(path, 'client.ts')],
      outfile: join(path, 'client.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
  }
  const env = {
    ...process.env,
    SHOPCTL_CONFIG_DIR: directory,
    SHOPCTL_BASE_URL: base,
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: '8:a-key-for-the-measurement',
    NO_COLOR: '1',
    BENCH_HOOK: join(directory, 'hook.cjs'),
  };
  writeFileSync(env.BENCH_HOOK, HOOK);
  const words = ['orders', 'get', '2790187891246000042', '--json'];
  await compare('a whole `orders get`, processor time', 'ms', runs, (name) =>
    cpuOf(join(trees[name].path, 'bin', 'shopctl.js'), words, env),
  );
  const clients = {
    with: await import(join(trees.with.path, 'client.mjs')),
    without: await import(join(trees.without.path, 'client.mjs')),
  };
  for (let turn = 0; turn < 300; turn += 1) for (const { read } of Object.values(clients)) await read(turn);
  await compare('a call of a process that made others', 'µs', calls, async (name, turn) => {
    const began = performance.now();
    await clients[name].read(1000 + turn);
    return (performance.now() - began) * 1000;
  });
  for (const { close } of Object.values(clients)) await close();
} finally {
  server.close();
  for (const { remove } of Object.values(trees)) remove();
  rmSync(directory, { recursive: true, force: true });
}
