// Start-up of the command line, compared in one run: medians and ratios to `node -e 0` and, for one call, to a bare
// node program that makes the same call with fetch.
//
//   node bench/startup.mjs [--runs 31] [--node PATH]
//
// Then the first run of each group that has a list, without cached code, compared with one that has it (Node 22 and
// later). It starts an ephemeral sandbox, ships one order, and measures against that. Nothing outside this machine is
// contacted.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'shopctl.js');
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '31' }, node: { type: 'string', default: process.execPath } },
});
const runs = Number(values.runs);

const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const env = { ...process.env, SHOPCTL_CONFIG_DIR: directory, SHOPCTL_OUTPUT: 'json', NO_COLOR: '1' };

function shopctl(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { cwd: root, env, encoding: 'utf8' });
  if (status !== 0 && status !== 8) throw new Error(`shopctl ${words.join(' ')}: exit ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Signs the demo shop in and ships one order, to have a record to read. */
function shipOne() {
  const [shop] = shopctl('sandbox', 'credentials').shops;
  const pending = shopctl('auth', 'login', '--no-input');
  shopctl('sandbox', 'sign-in', pending.auth_token, '--shop', shop.id);
  shopctl('auth', 'login', '--shop-id', shop.id);
  const file = join(directory, 'order.json');
  writeFileSync(file, JSON.stringify(shopctl('totals', 'fill', 'examples/order.json')));
  const [service] = shopctl('quote', '--order', file);
  const chosen = [
    '--shipping.shipping-service-code',
    service.code,
    '--shipping.shipping-service-fee',
    String(service.fee),
  ];
  return shopctl('shipping', 'create', '--input', file, ...chosen).order.id;
}

/** The same call as `shipping get`, by a node program that uses only fetch. */
function bareProgram(id) {
  const settings = JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'));
  const { base_url, shops } = settings.profiles.sandbox;
  const key = Object.values(shops)[0].shop_key;
  const file = join(directory, 'bare.mjs');
  writeFileSync(
    file,
    `const answer = await fetch(${JSON.stringify(`${base_url}/v1/partner.Shipping/GetOrder`)}, {
       method: 'POST',
       headers: { authorization: ${JSON.stringify(`Bearer ${key}`)}, 'content-type': 'application/json' },
       body: ${JSON.stringify(JSON.stringify({ id }))},
     });
     console.log(JSON.stringify(await answer.json(), null, 2));\n`,
  );
  return file;
}

/** Makes each program report its processor time at exit, on a separate pipe. */
function toldAtTheEnd() {
  const hook = join(directory, 'at-the-end.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => {
       const { user, system } = process.cpuUsage();
       process.getBuiltinModule('node:fs').writeSync(3, String((user + system) / 1000));
     });\n`,
  );
  return hook;
}

/**
 * Elapsed and processor time of one program, in milliseconds; other load on the machine affects only the elapsed time.
 */
function time(words, hook, variables = {}, input = '') {
  const began = process.hrtime.bigint();
  const { status, stderr, output } = spawnSync(values.node, ['--require', hook, ...words], {
    cwd: root,
    env: { ...env, ...variables },
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const clock = Number(process.hrtime.bigint() - began) / 1e6;
  if (status !== 0) throw new Error(`${words.join(' ')}: exit ${status}: ${stderr}`);
  return { clock, cpu: Number(output[3]) };
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

const both = (all) => ({ clock: median(all.map(({ clock }) => clock)), cpu: median(all.map(({ cpu }) => cpu)) });

const ratio = (one, other) => ['clock', 'cpu'].map((kind) => (one[kind] / other[kind]).toFixed(2)).join(' and ');

/**
 * The first run of each group and the next one, as ratios to one fetch: each has its own cache directory for compiled
 * code.
 */
function measureFirstRuns(bare) {
  const hook = toldAtTheEnd();
  const lists = shopctl('commands').filter(
    ({ command, group, operations }) => command === `${group} list` && operations[0]?.credential === 'shop-api-key',
  );
  const fetches = [];
  const times = new Map(lists.map(({ group }) => [group, { first: [], next: [] }]));
  for (let run = 0; run < Math.max(3, Math.ceil(runs / 6)); run += 1) {
    for (const { group } of lists) {
      const cache = { XDG_CACHE_HOME: mkdtempSync(join(directory, 'cache-')) };
      const words = [bin, group, 'list', '--limit', '1', '--profile', 'sandbox-shop'];
      fetches.push(time(bare, hook));
      for (const which of ['first', 'next']) times.get(group)[which].push(time(words, hook, cache));
    }
  }
  console.log('the first run of each group, and the next one, to one fetch: by the clock, and of processor time');
  for (const [group, { first, next }] of times) {
    const [one, other] = [first, next].map((all) => ratio(both(all), both(fetches)));
    console.log(`${`shopctl ${group} list`.padEnd(29)} first ${one}, next ${other}`);
  }
}

/** A server for agents that answers one request, and ends. */
const MCP = 'shopctl mcp, one answer';
const clientInfo = { name: 'bench', version: '1' };
const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
});

function measure(id, bare) {
  const cases = {
    'node -e 0': ['-e', '0'],
    'shopctl --version': [bin, '--version'],
    'shopctl --help': [bin, '--help'],
    'shopctl orders --help': [bin, 'orders', '--help'],
    'shopctl orders create --help': [bin, 'orders', 'create', '--help'],
    'shopctl __complete fields': [bin, '__complete', 'fields', '--', 'orders', 'list'],
    'shopctl totals check': [bin, 'totals', 'check', join(directory, 'order.json')],
    'shopctl config list': [bin, 'config', 'list'],
    'shopctl batch list': [bin, 'batch', 'list'],
    'shopctl commands -o json': [bin, 'commands', '-o', 'json'],
    [MCP]: [bin, 'mcp'],
    'node, one fetch': bare,
    'shopctl shipping get': [bin, 'shipping', 'get', id],
  };
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  const hook = toldAtTheEnd();
  const once = (name) => time(cases[name], hook, {}, name === MCP ? `${INITIALIZE}\n` : '');
  for (const name of Object.keys(cases)) once(name);
  for (let run = 0; run < runs; run += 1) {
    for (const name of Object.keys(cases)) times[name].push(once(name));
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, both(all)]));
}

function report(medians) {
  const version = spawnSync(values.node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  console.log(`node ${version}, medians of ${runs} interleaved runs`);
  const to = (name, yardstick) => ratio(medians[name], medians[yardstick]);
  console.log('milliseconds and ratios: by the clock, and of processor time');
  for (const [name, { clock, cpu }] of Object.entries(medians)) {
    const toFetch = name === 'shopctl shipping get' ? `, ${to(name, 'node, one fetch')} x one fetch` : '';
    const times = `${clock.toFixed(0).padStart(5)} ${cpu.toFixed(0).padStart(5)} ms`;
    console.log(`${name.padEnd(29)} ${times}  ${to(name, 'node -e 0')} x node -e 0${toFetch}`);
  }
}

/** Our own files that `--help` loads, as reported by Node at exit. */
function modulesOfHelp() {
  const hook = join(directory, 'loaded.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => process.getBuiltinModule('node:fs').writeSync(3, Object.keys(require.cache).join('\\n')));\n`,
  );
  const { output } = spawnSync(values.node, ['--require', hook, bin, '--help'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return output[3].split('\n').flatMap((path) => (path === hook ? [] : [path.replace(root, '')]));
}

const server = spawn(process.execPath, [bin, 'sandbox', 'start', '--ephemeral', '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  for await (const line of createInterface(server.stdout)) if (JSON.parse(line).event === 'ready') break;
  const id = shipOne();
  const bare = [bareProgram(id)];
  report(measure(id, bare));
  measureFirstRuns(bare);
  console.log(`shopctl --help loads: ${modulesOfHelp().join(', ')}`);
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(directory, { recursive: true, force: true });
}
