import type { Account } from '../../client/account.ts';
import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError } from '../../client/errors.ts';
import { requestDigest } from '../../client/settle/compare.ts';
import type { Operation, RequestOf } from '../../contract/operation.ts';
import { newId } from '../../platform/process/new-id.ts';
import {
  type Key,
  keysAt,
  makersOf,
  settleKeys,
  takeKeys,
  takeOverKey,
  type Want,
} from '../../workspace/ledger/keys.ts';
import { setUndone } from '../../workspace/ledger/undone.ts';
import type { Sql } from '../../workspace/sql/sql.ts';
import { heldBy } from './errors.ts';
import { ledgerAccount, nameIdentity, targetIdentity } from './identity.ts';
import { endsRecord, NAMES, resourceOf } from './lookup.ts';
import { type Writing, type WritingContext, writing } from './writing.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a change depends on. */
export interface ChangeContext extends WritingContext {
  readonly account: Account;
  /** Calls the operation, where that is not done with the request itself. */
  readonly send?: (connection: Connection) => Promise<unknown>;
}

/** What a change calls its record by: its first name; a membership is all of its fields together. */
function targetOf({ id, positional }: Operation, request: Fields): readonly [field: string, value: string] {
  if (id.includes('Relationship/')) return ['membership', JSON.stringify(Object.entries(request).sort())];
  const named = [...NAMES, ...(positional === undefined ? [] : [positional])];
  const field = named.find((name) => typeof request[name] === 'string' && request[name] !== '') ?? 'id';
  return [field, String(request[field] ?? '')];
}

/** One change of one record on its way through the ledger. */
class Change<Op extends Operation> {
  readonly #writing: Writing;
  readonly #send: ChangeContext['send'];
  readonly #operation: Op;
  readonly #request: RequestOf<Op>;
  readonly #want: Want;
  readonly #target: readonly [field: string, value: string];

  constructor({ account, send }: ChangeContext, own: Writing, operation: Op, request: RequestOf<Op>) {
    this.#writing = own;
    this.#send = send;
    this.#operation = operation;
    this.#request = request;
    this.#target = targetOf(operation, request);
    const [field, value] = this.#target;
    this.#want = {
      account: ledgerAccount(account),
      resource: resourceOf(operation),
      identity: targetIdentity(field, value),
      holder: `change ${operation.id} ${newId().slice(0, 8)}`,
      family: account.family,
      derived: false,
      name: `${field} ${value}`,
      equal: null,
      request: requestDigest([operation.id, request]),
      owner: own.owner,
      at: own.now,
    };
  }

  async run(): Promise<unknown> {
    let key: Key | Want | undefined;
    while (key === undefined) key = await this.#take();
    const { connection } = this.#writing;
    try {
      const answer = await (this.#send?.(connection) ?? call(this.#operation, this.#request, connection));
      // The change is made, whether or not the ledger can be written.
      await this.#over(key, 'free', true).catch(() => {});
      return answer;
    } catch (error) {
      const known = this.#writing.known(error, this.#request);
      const isProven = this.#writing.left === 0 || (known instanceof CallError && known.outcome === 'not_applied');
      await this.#over(key, isProven ? 'free' : 'unclear', false).catch(() => {});
      throw known;
    }
  }

  /** Takes the record's key, or that of an equal change whose outcome nobody knows; undefined to try again. */
  async #take(): Promise<Key | Want | undefined> {
    const { store, owner, now } = this.#writing;
    const want = this.#want;
    const held = await store.write(async (sql) => {
      const makers = endsRecord(this.#operation) ? await this.#makers(sql) : [];
      const maker = makers.find(({ state }) => state === 'sending' || state === 'unclear');
      if (maker !== undefined) return maker;
      if ((await takeKeys(sql, [want])).size > 0) return undefined;
      return (await keysAt(sql, want.account, want.resource, [want.identity])).get(want.identity);
    });
    if (held === undefined) return want;
    if (await this.#writing.waitsFor(held)) return undefined;
    // The same change once more has the same effect, whatever became of the first.
    if (held.identity === want.identity && held.request === want.request) {
      return (await store.write((sql) => takeOverKey(sql, held, owner, now))) ? held : undefined;
    }
    const { holder, name, resource } = held;
    throw heldBy(`a write of ${resource} ${name ?? holder} was sent before`, {
      intent: holder.split(' ').at(-1) ?? holder,
    });
  }

  /** Who made the record, if it was made through this ledger. */
  async #makers(sql: Sql): Promise<Key[]> {
    const [field, value] = this.#target;
    const { account, resource } = this.#want;
    if (field === 'id') return makersOf(sql, account, resource, value);
    if (field !== 'external_id') return [];
    return [...(await keysAt(sql, account, resource, [nameIdentity(value)])).values()];
  }

  async #over({ account, resource, identity, holder }: Want | Key, state: 'free' | 'unclear', isMade: boolean) {
    const at = this.#writing.now;
    await this.#writing.store.write(async (sql) => {
      await settleKeys(sql, [{ account, resource, identity, holder, state, at }]);
      if (!isMade || !endsRecord(this.#operation)) return;
      const made = (await this.#makers(sql)).filter((maker) => maker.state === 'done');
      const holders = made.map((maker) => maker.holder);
      await setUndone(sql, { account, resource, at }, holders, made);
    });
  }
}

/**
 * Changes, deletes, confirms or cancels one record while nobody else writes it: its key is held from before the first
 * byte until the outcome is known. Throws what the call throws, and a LedgerRefusal (`held_by`) where an earlier write of
 * the same record has an unknown outcome.
 */
export function changeOnce<Op extends Operation>(
  context: ChangeContext,
  operation: Op,
  request: RequestOf<Op>,
): Promise<unknown> {
  return writing(context, (own) => new Change(context, own, operation, request).run());
}
