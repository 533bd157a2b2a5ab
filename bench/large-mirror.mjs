// A mirror of many orders, for benches of what reads it: a sandbox's history is copied by `mirror sync`, and then
// multiplied in the file by SQL, with the sums per day. No service is needed afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import pg from 'pg';

export const bin = fileURLToPath(new URL('../bin/shopctl.js', import.meta.url));

/** The columns that name a record of another table or a parcel: each copy has names of its own. */
const NAMES = new Set(['id', 'order_id', 'shipping_code', 'code', 'external_id', 'external_code', 'fulfillment_id']);

/** Runs SQL on a mirror, a file or the database of a workspace, in one transaction. */
async function opened(place, work) {
  if (place.startsWith('postgres')) {
    const client = new pg.Client({ connectionString: place });
    await client.connect();
    await client.query('set search_path to mirror');
    await work({
      run: (sql) => client.query(sql),
      columnsOf: async (table) => {
        const { rows } = await client.query(
          `select attname as name, atttypid::regtype::text as type, coalesce(attnum = any(indkey), false) as pk
           from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
           where attrelid = 'mirror.${table}'::regclass and attnum > 0 and not attisdropped`,
        );
        return rows;
      },
    });
    // What autovacuum does within a minute.
    await client.query('vacuum analyze');
    return client.end();
  }
  const database = new Database(place);
  database.pragma('journal_mode = WAL');
  await work({ run: (sql) => database.exec(sql), columnsOf: (table) => database.pragma(`table_info(${table})`) });
  database.close();
}

/** Multiplies every order and shipment of a mirror, and the sums per day. */
const multiply = (place, times) =>
  opened(place, async ({ run, columnsOf }) => {
    await run('begin');
    for (const table of ['orders', 'order_lines', 'fulfillments']) {
      const columns = (await columnsOf(table)).map(({ name }) => name);
      const values = columns.map((name) => (NAMES.has(name) ? `${name} || 'x' || n` : name));
      await run(`with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${times - 1})
insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${table}, copies where ${times} > 1`);
    }
    for (const table of ['daily_orders', 'daily_parcels', 'daily_cod', 'daily_lines', 'open_parcels']) {
      const sums = (await columnsOf(table)).filter(({ pk, type }) => !pk && /int/i.test(type));
      await run(`update ${table} set ${sums.map(({ name }) => `${name} = ${name} * ${times}`).join(', ')}`);
    }
    await run('commit');
  });

/** Runs the program; throws if it ends otherwise than with one of these codes. */
export function shopctl(words, env, codes = [0]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 29,
  });
  if (!codes.includes(status)) throw new Error(`${words.join(' ')}: exit ${status}: ${stderr}`);
  return stdout;
}

/**
 * A directory with such a mirror, made unless it is there, or the `workspace` of a server with one; returns the environment
 * in which the program uses it.
 */
export async function largeMirror(directory, { orders, base, workspace }) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const machine = { ...process.env, SHOPCTL_CONFIG_DIR: directory, NO_COLOR: '1' };
  if (workspace !== undefined) machine.SHOPCTL_WORKSPACE = workspace;
  const env = { ...machine, SHOPCTL_PROFILE: 'sandbox-shop' };
  const made = join(directory, 'made.json');
  if (existsSync(made)) return { env, ...JSON.parse(readFileSync(made, 'utf8')) };
  const first = Math.min(base, orders);
  const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--seed', `history:${first}`, '--json'];
  const sandbox = spawn(process.execPath, [bin, ...words], {
    env: machine,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const _ of createInterface({ input: sandbox.stdout })) break;
    shopctl(['mirror', 'sync', '-q'], env);
  } finally {
    const ended = once(sandbox, 'exit');
    sandbox.kill('SIGTERM');
    await ended;
  }
  const path = shopctl(['mirror', 'path'], env).trim();
  const times = Math.round(orders / first);
  await multiply(workspace ?? path, times);
  writeFileSync(made, JSON.stringify({ path, orders: first * times }));
  return { env, path, orders: first * times };
}

/** A module that notes the time inside of the process that loads it, and its peak, when that ends. */
export function withPeak(directory) {
  const module = join(directory, 'peak.mjs');
  const to = join(directory, 'peak.json');
  writeFileSync(
    module,
    `import { writeFileSync } from 'node:fs';
const began = performance.now();
process.on('exit', () => writeFileSync(${JSON.stringify(to)}, JSON.stringify({ inside: performance.now() - began, maxRSS: process.resourceUsage().maxRSS })));`,
  );
  return {
    /** Runs the program once: seconds inside of its process, the peak of its memory, and what it printed unless ignored. */
    measure(words, env, codes = [0], printed = 'pipe') {
      const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', module, bin, ...words], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', printed, 'pipe'],
        maxBuffer: 2 ** 29,
      });
      if (!codes.includes(status)) throw new Error(`${words.join(' ')}: exit ${status}: ${stderr}`);
      const { inside, maxRSS } = JSON.parse(readFileSync(to, 'utf8'));
      return { seconds: inside / 1000, megabytes: maxRSS / 1024, stdout };
    },
  };
}

export const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
