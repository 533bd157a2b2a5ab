import { recordIn } from '../client/settle/found-record.ts';
import { fieldNames } from '../contract/needs.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, fieldsIn, recordsIn } from '../domain/json/values.ts';
import { englishOf } from '../domain/language.ts';
import { codeOf } from './check-refusals.ts';
import { answered, isSuccess, type Probe, type Reported } from './probe.ts';
import { isGet, isList, recordFields } from './scenarios.ts';
import type { Remaining, WriteJournal } from './write-journal.ts';

/** What is still at the service, and how a person finds it. */
export interface LeftOver {
  readonly operation: string;
  readonly id: string | null;
  readonly mark: string;
  readonly reason: string;
}

/** What cleaning did. */
export interface Cleaned {
  readonly removed: number;
  readonly left: readonly LeftOver[];
}

/** The area of an operation, for example `shop.Customer`. */
export const areaOf = ({ id }: Operation) => id.split('/')[0] ?? '';
const failureOf = ({ error, response }: Reported) =>
  error === undefined ? `the service answered ${response?.status}` : englishOf(error.message);
const holds = (record: Fields, mark: string) => JSON.stringify(record).includes(mark);

/** How many of the newest records of a list are searched for a mark. */
const SEARCHED = 500;

/** The operations of one area, by what they are for; `get` reads what `create` makes, and no other record of the area. */
export function toolsOf(operations: readonly Operation[], create: Operation) {
  const own = operations.filter((operation) => areaOf(operation) === areaOf(create));
  return {
    get: own.find((one) => isGet(one) && recordFields(one).join() === recordFields(create).join()),
    list: own.find((one) => isList(one) || (one.effect === 'read' && 'webhooks' in one.response.shape)),
    update: own.find(({ effect }) => effect === 'update'),
    remove: own.find(({ effect }) => effect === 'delete') ?? own.find(({ destructive }) => destructive === true),
    confirm: own.find(({ effect, destructive }) => effect === 'transition' && destructive !== true),
  };
}

/** Removes what a run made. It asks for a record by its own id, or by the mark that only this run has, and nothing else. */
export class Cleaning {
  readonly #probe: Probe;
  readonly #operations: readonly Operation[];

  constructor(probe: Probe, operations: readonly Operation[]) {
    this.#probe = probe;
    this.#operations = operations;
  }

  /** Removes everything in the journal, the latest first, and closes it if nothing is left. */
  async clean(journal: WriteJournal): Promise<Cleaned> {
    const left: LeftOver[] = [];
    let removed = 0;
    for (const entry of await journal.remaining()) {
      const reason = await this.#remove(entry);
      if (reason === undefined || reason === NOTHING) await journal.settle(entry.write, 'gone');
      else left.push({ operation: entry.operation, id: entry.id ?? null, mark: entry.mark, reason });
      if (reason === undefined) removed += 1;
    }
    if (left.length === 0) await journal.close();
    return { removed, left };
  }

  /** Why a record could not be removed; undefined if it was, NOTHING if there is none. */
  async #remove(entry: Remaining): Promise<string | undefined> {
    const create = this.#operations.find(({ id }) => id === entry.operation);
    if (create === undefined) return 'the operation is unknown';
    if (this.#probe.connection.key(create.credential) === undefined)
      return 'it was made with a key of another kind, that of another profile';
    const { get, list, remove } = toolsOf(this.#operations, create);
    if (remove === undefined) return 'the contract has no operation that deletes it';
    const names = Object.keys(remove.request.shape);
    if (!names.includes('id'))
      return this.#sent(remove, Object.fromEntries(names.map((name) => [name, entry.request[name]])));
    const found = entry.id === undefined ? await this.#search(entry, get, list) : { id: entry.id };
    if (typeof found === 'string') return found;
    return this.#sent(remove, names.includes('cancel_reason') ? { ...found, cancel_reason: entry.mark } : found);
  }

  async #sent(remove: Operation, request: Fields): Promise<string | undefined> {
    const reported = await this.#probe.ask(remove, request);
    if (isSuccess(reported)) return undefined;
    if (codeOf(reported) === 'not_found') return NOTHING;
    // An order that is cancelled already is as gone as an order can be.
    if (remove.effect !== 'delete' && codeOf(reported) === 'failed_precondition') return undefined;
    return failureOf(reported);
  }

  /** The id of a record whose creation was sent and not answered, by its own name or its mark. */
  async #search(
    entry: Remaining,
    get: Operation | undefined,
    list: Operation | undefined,
  ): Promise<{ id: string } | string> {
    const name = entry.request.external_id;
    if (get !== undefined && typeof name === 'string' && Object.hasOwn(get.request.shape, 'external_id')) {
      const reported = await this.#probe.ask(get, { external_id: name });
      const record = recordIn(reported.value);
      if (isSuccess(reported) && typeof record?.id === 'string' && holds(record, entry.mark)) return { id: record.id };
      if (codeOf(reported) === 'not_found') return NOTHING;
      if (!isSuccess(reported)) return failureOf(reported);
    }
    return list === undefined ? 'no list of the contract names it' : this.#listed(list, entry);
  }

  /** The same in a list, the newest records first. */
  async #listed(list: Operation, entry: Remaining): Promise<{ id: string } | string> {
    const filters = fieldNames(list.request.shape.filter).filter((name) => name !== 'id' && name in entry.request);
    const filter = Object.fromEntries(filters.map((name) => [name, entry.request[name]]));
    let after: string | undefined;
    for (let searched = 0; searched < SEARCHED; ) {
      const paging = { sort: '-created_at', limit: 100, ...(after === undefined ? {} : { after }) };
      const request = list.page?.cursors === true ? { ...(filters.length > 0 ? { filter } : {}), paging } : {};
      const reported: Reported = await this.#probe.ask(list, request);
      if (!isSuccess(reported)) return failureOf(reported);
      const page = recordsIn(answered(reported)[list.page?.items ?? 'webhooks']);
      const found = page.find((record) => holds(record, entry.mark));
      if (typeof found?.id === 'string') return { id: found.id };
      searched += page.length;
      const { next } = fieldsIn(answered(reported).paging);
      if (page.length === 0 || typeof next !== 'string' || next === after || list.page?.cursors !== true)
        return NOTHING;
      after = next;
    }
    return `it is not among the newest ${SEARCHED} records of ${list.id}`;
  }
}

/** There is no such record: its creation never took place. */
const NOTHING = 'there is none';
