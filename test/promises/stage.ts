import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import type { BuiltProgram } from '../support/built-program.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { orderFields, quotedOrder, shippingFields } from '../support/sandbox-order.ts';
import { priceOf, twoStops } from '../support/shipnow.ts';
import { type ServiceProxy, startProxy } from './proxy.ts';

const hook = pathToFileURL(resolve('test/promises/fault-hook.mjs')).href;

/** How a run of the program ended. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The points that it passed, where it was run with the hook. */
  readonly points: readonly string[];
}

/** What may befall a run. */
export interface Doom {
  /** The number of the point at which it gets the signal. */
  readonly at?: number;
  readonly signal?: NodeJS.Signals;
  /** So many milliseconds after that point, in the midst of whatever it does then. */
  readonly delayMs?: number;
  /** Passes its points without being told so. */
  readonly counting?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: string;
  /** Whether nothing can be written to stdout. */
  readonly fullStdout?: boolean;
  /** The directory whose points count: the state directory where absent. */
  readonly below?: string;
}

/** A machine of its own with the real program on it, and a proxy of its own before the one sandbox. */
export interface Machine {
  readonly directory: string;
  /** What the ledger has of single commands, latest first: the id, and the state, which is `reported` where it was told. */
  intents(): Promise<{ readonly id: string; readonly state: string }[]>;
  readonly proxy: ServiceProxy;
  run(words: readonly string[], doom?: Doom): Promise<Ran>;
  /** Writes an input file; its path. */
  file(name: string, content: object): string;
  /** Sends a signal to every run that is under way. */
  killAll(signal: NodeJS.Signals): void;
  /** From now on every write to the state directory fails so; undefined: no more. */
  breakDisk(code: string | undefined): void;
}

/** The sandbox of a test, and machines that reach it. */
export interface Stage {
  readonly service: TestSandbox;
  machine(): Promise<Machine>;
  /** The live orders with this content: everything that tells one from another, the recipient's name above all. */
  liveOrders(recipient: string): Promise<readonly LiveOrder[]>;
  liveDeliveries(note: string): Promise<readonly { id: string }[]>;
  /** The demo order for a recipient of this name; `quoted` with a service. */
  plain(recipient: string, changes?: object): object;
  quoted(recipient: string, changes?: object): Promise<object>;
  delivery(note: string): Promise<object>;
}

export interface LiveOrder {
  readonly id: string;
  readonly external_id: string;
  readonly confirm_status: string;
}

type Record_ = Readonly<Record<string, unknown>>;

/** Opens a sandbox for a test, to be reached by the built program. */
export async function openStage(program: BuiltProgram): Promise<Stage> {
  const service = await openTestSandbox();
  const scratch = mkdtempSync(join(tmpdir(), 'shopctl-promises-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  let machines = 0;

  const orderFor = (recipient: string, changes: object) => ({
    ...orderFields,
    shipping_address: { ...orderFields.shipping_address, full_name: recipient },
    shipping: shippingFields,
    ...changes,
  });

  return {
    service,
    plain: (recipient, changes = {}) => orderFor(recipient, changes),
    async quoted(recipient, changes = {}) {
      const { shipping } = (await quotedOrder(service)) as { shipping: object };
      return orderFor(recipient, { shipping, ...changes });
    },
    async delivery(shipping_note) {
      const { body } = await priceOf(service);
      const [{ code, fee }] = body.services;
      return { ...twoStops, shipping_note, shipping_service_code: code, shipping_service_fee: fee };
    },
    async liveOrders(recipient) {
      const all = (await service.changes())
        .filter(({ name }) => name.startsWith('order '))
        .map(({ latest }) => latest as Record_);
      const latest = new Map(all.map((order) => [String(order.id), order]));
      return [...latest.values()]
        .filter((order) => {
          const {
            shipping_address: to,
            lines,
            total_amount,
            status,
          } = order as {
            shipping_address: { full_name: string; phone: string };
            lines: { quantity: number; retail_price: number }[];
            total_amount: number;
            status: string;
          };
          return (
            status !== 'N' &&
            to.full_name === recipient &&
            to.phone === orderFields.shipping_address.phone &&
            total_amount === orderFields.total_amount &&
            JSON.stringify(lines.map(({ quantity, retail_price }) => [quantity, retail_price])) ===
              JSON.stringify(orderFields.lines.map(({ quantity, retail_price }) => [quantity, retail_price]))
          );
        })
        .map(({ id, external_id, confirm_status }) => ({
          id: String(id),
          external_id: String(external_id),
          confirm_status: String(confirm_status),
        }));
    },
    async liveDeliveries(note) {
      const changes = await service.changes();
      const latest = new Map<string, Record_>();
      for (const { latest: record } of changes)
        if (record.shipping_note === note) latest.set(String(record.id), record);
      return [...latest.values()].filter(({ status }) => status !== 'N').map(({ id }) => ({ id: String(id) }));
    },
    async machine() {
      machines += 1;
      const directory = join(scratch, `machine-${machines}`);
      mkdirSync(directory, { mode: 0o700 });
      const proxy = await startProxy(service.sandbox.handle);
      onTestFinished(() => proxy.close());
      const { partner, shop, shopKey } = service;
      const { baseUrl: base_url } = proxy;
      const shops = { [shop.id]: { shop_key: shopKey } };
      await settingsIn(directory).update(() => ({
        version: 1,
        current_profile: 'test',
        profiles: {
          test: { kind: 'partner', base_url, api_key: partner.apiKey, shops, current_shop: shop.id },
          shop: { kind: 'shop', base_url, api_key: shop.apiKey },
        },
      }));
      const state = join(directory, 'state');
      const disk = join(directory, 'disk-is-broken');
      let runs = 0;
      const running = new Set<ChildProcess>();
      return {
        killAll(signal) {
          for (const child of running) child.kill(signal);
        },
        directory,
        intents: () => intentsBelow(state),
        proxy,
        file(name, content) {
          const path = join(directory, name);
          writeFileSync(path, JSON.stringify(content));
          return path;
        },
        breakDisk(code) {
          if (code === undefined) rmSync(disk, { force: true });
          else writeFileSync(disk, code);
        },
        async run(
          words,
          { at, signal, delayMs, counting, env = {}, nodeOptions = '', fullStdout = false, below = state } = {},
        ) {
          runs += 1;
          const log = join(directory, `points-${runs}`);
          const hooked = at !== undefined || counting === true;
          const full = fullStdout ? openSync('/dev/full', 'w') : undefined;
          const child = spawn(...program.line(...words), {
            env: {
              PATH: process.env.PATH,
              HOME: directory,
              SHOPCTL_CONFIG_DIR: directory,
              NODE_OPTIONS: `${hooked ? `--import ${hook}` : ''} ${nodeOptions}`.trim(),
              ...(hooked ? { FAULT_LOG: log, FAULT_BELOW: below, FAULT_DISK: disk } : {}),
              ...(at === undefined ? {} : { FAULT_AT: String(at), FAULT_SIGNAL: signal ?? 'SIGKILL' }),
              ...(delayMs === undefined ? {} : { FAULT_DELAY_MS: String(delayMs) }),
              ...env,
            },
            stdio: ['ignore', full ?? 'pipe', 'pipe'],
          });
          let [stdout, stderr] = ['', ''];
          running.add(child);
          child.once('close', () => running.delete(child));
          if (full !== undefined) closeSync(full);
          child.stdout?.on('data', (chunk) => {
            stdout += chunk;
          });
          child.stderr?.on('data', (chunk) => {
            stderr += chunk;
          });
          const [code, ended] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
          return { code, signal: ended, stdout, stderr, points: hooked ? pointsIn(log) : [] };
        },
      };
    },
  };
}

/** The intents in all ledgers of a directory. */
async function intentsBelow(directory: string): Promise<{ id: string; state: string }[]> {
  const files = existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith('.db')) : [];
  const found: { id: string; state: string }[] = [];
  for (const file of files) {
    const database = await openSqlite(join(directory, file));
    const rows = database.prepare('select id, state, reported_at from intents order by updated_at desc').all([]);
    database.close();
    for (const row of rows) {
      const { id, state, reported_at } = fieldsIn(row);
      found.push({ id: String(id), state: reported_at === null ? String(state) : 'reported' });
    }
  }
  return found;
}

function pointsIn(log: string): string[] {
  try {
    return readFileSync(log, 'utf8').trim().split('\n');
  } catch {
    // It was killed before its first point.
    return [];
  }
}
