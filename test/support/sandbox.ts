import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/platform/process/clock.ts';
import { betterSqlite, connectionOf } from '../../src/platform/sqlite/sqlite.ts';
import { allowedHosts } from '../../src/sandbox/engine/allowed-hosts.ts';
import { type Core, openCore } from '../../src/sandbox/engine/core.ts';
import type { Random } from '../../src/sandbox/engine/store/ids.ts';
import { changedOf } from '../../src/sandbox/engine/store/outbox.ts';
import { tables } from '../../src/sandbox/engine/store/statement.ts';
import type { Seed } from '../../src/sandbox/lab/snapshot-part.ts';
import { type Sandbox, serveCore } from '../../src/sandbox/sandbox.ts';
import type { Deliver } from '../../src/sandbox/service/webhooks/deliver.ts';
import { rows } from './rows.ts';

/** The time at which every test sandbox starts. */
export const testStart = Date.parse('2026-01-31T08:00:00Z');

/** A clock that stands still until it is advanced. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that stands at `testStart`; nothing waits on it. */
export function frozenClock(): TestClock {
  let now = testStart;
  return {
    now: () => now,
    wait: async () => {},
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

/** Pseudo-random values, the same in every run; `drawn` are the blocks that others have drawn before. */
export function fixedRandom(seed = 'test', drawn = { blocks: 0 }): Random {
  return (bytes) => {
    const blocks: Buffer[] = [];
    while (blocks.length * 32 < bytes)
      blocks.push(
        createHash('sha256')
          .update(`${seed} ${drawn.blocks++}`)
          .digest(),
      );
    return Buffer.concat(blocks).subarray(0, bytes);
  };
}

/** A response whose body has been read; 19-digit ids are strings in it, as the sandbox sends them. */
export interface Answer {
  readonly status: number;
  // Tests read answers of every shape; what they expect of them says the test itself.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** A sandbox with everything that a test of the service needs. It closes itself when the test ends. */
export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly core: Core;
  readonly clock: TestClock;
  readonly partner: { readonly id: string; readonly apiKey: string };
  /** The two demo shops; the first has signed in through the partner. */
  readonly shop: TestShop;
  readonly otherShop: TestShop;
  /** The partner's key for `shop`. */
  readonly shopKey: string;
  /** Calls an operation, for example `partner.Shipping/GetOrder`; a body that is not text is sent as JSON. */
  post(operation: string, body: unknown, key?: string): Promise<Answer>;
  /** Signs a shop in through the partner and returns the partner's key for it. */
  signIn(shopId: string): Promise<string>;
  /** The changes recorded so far, oldest first, each like `order create` with its record. */
  changes(): Promise<{ name: string; changed: Record<string, unknown>; latest: Record<string, unknown> }[]>;
}

export interface TestShop {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

let openings = 0;

/** What a new sandbox in memory is after its seed and the first shop's sign-in, always the same. */
interface Begun {
  readonly bytes: Buffer;
  readonly drawn: number;
  readonly shopKey: string;
}
const begun = new Map<string, Begun>();

/** Sandboxes larger than this are made each time. */
const MOST_BYTES = 4 * 1024 ** 2;

/** Opens an ephemeral sandbox, or one in the directory `data`; a 500 response fails the test unless it expects one. */
export async function openTestSandbox(
  options: {
    data?: string;
    clock?: TestClock;
    random?: Random;
    deliver?: Deliver;
    allowHosts?: readonly string[];
    /** `none` when absent: the demo accounts and no records. */
    seed?: Seed;
    onInternalError?: (error: unknown) => void;
    /** Yes when absent: tests look at changes, with and without webhooks. */
    recordsUnheard?: boolean;
  } = {},
): Promise<TestSandbox> {
  const { data, clock = frozenClock(), deliver, allowHosts, seed = 'none', onInternalError = failOn } = options;
  const { recordsUnheard = true } = options;
  const isNew = data === undefined && options.random === undefined && clock.now() === testStart;
  // Undefined where the program has another driver, which opens no copy.
  const sqliteIn = isNew ? await betterSqlite().catch(() => undefined) : undefined;
  const known = JSON.stringify([seed, recordsUnheard]);
  const before = sqliteIn === undefined ? undefined : begun.get(known);
  const drawn = { blocks: before?.drawn ?? 0 };
  // Reopened data must not generate again the secrets that it was created with.
  const own = fixedRandom(data === undefined ? 'test' : `opening ${openings++}`, drawn);
  // What opening a copy draws, the first one has drawn before: from there on, both draw the same.
  let drawing = before === undefined ? own : fixedRandom('copy');
  const { random = (bytes) => drawing(bytes) } = options;
  const inMemory = sqliteIn === undefined ? undefined : new sqliteIn(before?.bytes ?? ':memory:');
  const memory = inMemory === undefined ? undefined : connectionOf(inMemory);
  const core = await openCore({ data, clock, random, recordsUnheard, allowedHosts: allowedHosts(allowHosts), memory });
  const sandbox = await serveCore(core, { seed, deliver, onInternalError });
  drawing = own;
  onTestFinished(() => sandbox.close());

  const post: TestSandbox['post'] = async (operation, body, key) => {
    const answer = await sandbox.handle({
      method: 'POST',
      url: `http://127.0.0.1:4010/v1/${operation}`,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, body: JSON.parse(answer.body) };
  };
  const { partner, shops } = await sandbox.control.credentials();
  const [shop, otherShop] = shops.map(({ id, name, api_key }) => ({ id, name, apiKey: api_key }));
  if (!shop || !otherShop) throw new Error('the sandbox has no demo shops');

  const signIn = async (shopId: string) => {
    const asked = await post('partner.Shop/AuthorizeShop', {}, partner.api_key);
    await sandbox.control.signIn(asked.body.auth_token, shopId);
    const granted = await post('partner.Shop/AuthorizeShop', { shop_id: shopId }, partner.api_key);
    return String(granted.body.auth_token);
  };
  const shopKey = before?.shopKey ?? (await signIn(shop.id));
  if (inMemory !== undefined && sqliteIn !== undefined && before === undefined) {
    const copy = new sqliteIn(inMemory.serialize());
    // Each sandbox is one of its own.
    copy.exec("DELETE FROM settings WHERE name = 'instance'");
    const bytes = copy.serialize();
    copy.close();
    if (bytes.length <= MOST_BYTES) begun.set(known, { bytes, drawn: drawn.blocks, shopKey });
  }
  return {
    sandbox,
    core,
    clock,
    partner: { id: partner.id, apiKey: partner.api_key },
    shop,
    otherShop,
    shopKey,
    post,
    signIn,
    changes: async () =>
      core.read(({ database }) => {
        return rows(database, tables.selectFrom('outbox').selectAll().orderBy('seq')).map(
          ({ entity, change_type, changed, latest }) => ({
            name: `${entity} ${change_type}`,
            changed: JSON.parse(changedOf({ changed, latest })),
            latest: JSON.parse(latest),
          }),
        );
      }),
  };
}

function failOn(error: unknown): void {
  console.error(error);
}
