import type { Account } from '../../client/account.ts';
import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { requestDigest } from '../../client/settle/compare.ts';
import type { Operation, RequestOf } from '../../contract/operation.ts';
import {
  type Key,
  keysAt,
  makersOf,
  settleKeys,
  takeKeys,
  takeOverKey,
  type Want,
} from '../../workspace/ledger/keys.ts';
import { newId } from '../../workspace/ledger/new-id.ts';
import type { Owner } from '../../workspace/ledger/owner.ts';
import type { LedgerStore } from '../../workspace/ledger/store.ts';
import { setUndone } from '../../workspace/ledger/undone.ts';
import type { Sql } from '../../workspace/sql/sql.ts';
import { DraftError, HeldByError } from './errors.ts';
import { ledgerAccount, nameIdentity, targetIdentity } from './identity.ts';
import { resourceOf } from './lookup.ts';
import { asKnown, type Sending, sendingOver } from './sending.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a change depends on. */
export interface ChangeDesk {
  readonly open: () => Promise<LedgerStore>;
  readonly account: Account;
  readonly connection: Connection;
  /** How long to wait for another process that changes the same record. */
  readonly waitMs: number;
  readonly onWait?: () => void;
  /** Calls the operation, where that is not done with the request itself. */
  readonly send?: (connection: Connection) => Promise<unknown>;
}

const NAMES = ['id', 'code', 'external_id', 'shipping_code'];
const WAIT_STEP_MS = 100;

/** What a change calls its record by: its first name; a membership is all of its fields together. */
function targetOf({ id, positional }: Operation, request: Fields): readonly [field: string, value: string] {
  if (id.includes('Relationship/')) return ['membership', JSON.stringify(Object.entries(request).sort())];
  const named = [...NAMES, ...(positional === undefined ? [] : [positional])];
  const field = named.find((name) => typeof request[name] === 'string' && request[name] !== '') ?? 'id';
  return [field, String(request[field] ?? '')];
}

/** Whether a change ends its record: then the intent that made it counts as undone. */
function ends({ effect, destructive }: Operation): boolean {
  return effect === 'delete' || (effect === 'transition' && destructive === true);
}

/** The open ledger, and who sends. */
interface Held {
  readonly store: LedgerStore;
  readonly owner: Owner;
}

/** One change of one record on its way through the ledger. */
class Change<Op extends Operation> {
  readonly #desk: ChangeDesk;
  readonly #store: LedgerStore;
  readonly #operation: Op;
  readonly #request: RequestOf<Op>;
  readonly #sending: Sending;
  readonly #want: Want;
  readonly #target: readonly [field: string, value: string];
  readonly #deadline: number;
  #waited = false;

  constructor(desk: ChangeDesk, { store, owner }: Held, operation: Op, request: RequestOf<Op>) {
    this.#desk = desk;
    this.#store = store;
    this.#operation = operation;
    this.#request = request;
    this.#sending = sendingOver(desk.connection, owner);
    this.#deadline = desk.connection.clock.now() + desk.waitMs;
    this.#target = targetOf(operation, request);
    const [field, value] = this.#target;
    this.#want = {
      account: ledgerAccount(desk.account),
      resource: resourceOf(operation),
      identity: targetIdentity(field, value),
      holder: `change ${operation.id} ${newId().slice(0, 8)}`,
      family: desk.account.family,
      derived: false,
      name: `${field} ${value}`,
      equal: null,
      request: requestDigest([operation.id, request]),
      owner: owner.id,
      at: this.#sending.now(),
    };
  }

  async run(): Promise<unknown> {
    let key: Key | Want | undefined;
    while (key === undefined) key = await this.#take();
    try {
      const { connection } = this.#sending;
      const send = this.#desk.send ?? (() => call(this.#operation, this.#request, connection));
      const answer = await send(connection);
      // The change is made, whether or not the ledger can be written.
      await this.#over(key, 'free', true).catch(() => {});
      return answer;
    } catch (error) {
      const before = this.#sending.left() > 1;
      const body = JSON.stringify(this.#request);
      const known = error instanceof CallError ? asKnown(error, before, this.#desk.connection, body) : error;
      const isProven = this.#sending.left() === 0 || (known instanceof CallError && known.outcome === 'not_applied');
      await this.#over(key, isProven ? 'free' : 'unclear', false).catch(() => {});
      throw known;
    }
  }

  /** Takes the record's key, or that of an equal change whose outcome nobody knows; undefined to try again. */
  async #take(): Promise<Key | Want | undefined> {
    const held = await this.#store.write(async (sql) => {
      const makers = ends(this.#operation) ? await this.#makers(sql) : [];
      const maker = makers.find(({ state }) => state === 'sending' || state === 'unclear');
      if (maker !== undefined) return maker;
      if ((await takeKeys(sql, [this.#want])).size > 0) return undefined;
      const { account, resource, identity } = this.#want;
      return (await keysAt(sql, account, resource, [identity])).get(identity);
    });
    if (held === undefined) return this.#want;
    const isAlive = held.state === 'sending' && held.owner !== null && (await this.#store.isAlive(held.owner));
    if (isAlive) {
      await this.#wait();
      return undefined;
    }
    // The same change once more has the same effect, whatever became of the first.
    if (held.identity === this.#want.identity && held.request === this.#want.request) {
      const isOurs = await this.#store.write((sql) => takeOverKey(sql, held, this.#want.owner, this.#sending.now()));
      return isOurs ? held : undefined;
    }
    throw heldBy(held);
  }

  async #wait(): Promise<void> {
    const { clock, signal } = this.#desk.connection;
    if (clock.now() >= this.#deadline) {
      throw new DraftError('draft_busy', 'another shopctl is writing this record: nothing was sent now');
    }
    if (!this.#waited) this.#desk.onWait?.();
    this.#waited = true;
    await clock.wait(WAIT_STEP_MS, signal);
  }

  /** Who made the record, if it was made through this ledger. */
  async #makers(sql: Sql): Promise<Key[]> {
    const [field, value] = this.#target;
    const { account, resource } = this.#want;
    if (field === 'id') return makersOf(sql, account, resource, value);
    if (field !== 'external_id') return [];
    const identity = nameIdentity(value);
    const key = (await keysAt(sql, account, resource, [identity])).get(identity);
    return key === undefined ? [] : [key];
  }

  async #over(key: Key | Want, state: 'free' | 'unclear', isMade: boolean): Promise<void> {
    const at = this.#sending.now();
    const { account, resource, identity, holder } = key;
    await this.#store.write(async (sql) => {
      await settleKeys(sql, [{ account, resource, identity, holder, state, at }]);
      if (!isMade || !ends(this.#operation)) return;
      const made = (await this.#makers(sql)).filter((maker) => maker.state === 'done');
      const holders = made.map((maker) => maker.holder);
      await setUndone(sql, { account, resource, at }, holders, made);
    });
  }
}

function heldBy({ holder, name, resource }: Key): HeldByError {
  const message = `a write of ${resource} ${name ?? holder} was sent before, and its outcome is not known`;
  return new HeldByError(`${message}; nothing was sent now`, { intent: holder.split(' ').at(-1) ?? holder });
}

/**
 * Changes, deletes, confirms or cancels one record while nobody else writes it: its key is held from before the first
 * byte until the outcome is known. Throws what the call throws, and a HeldByError where an earlier write of the same
 * record has an unknown outcome.
 */
export async function changeOnce<Op extends Operation>(
  desk: ChangeDesk,
  operation: Op,
  request: RequestOf<Op>,
): Promise<unknown> {
  const store = await desk.open();
  try {
    return await new Change(desk, { store, owner: await store.own() }, operation, request).run();
  } finally {
    await store.close().catch(() => {});
  }
}
