import type { Connection } from '../client/connection.ts';
import type { CallError } from '../client/errors.ts';
import { fieldNames } from '../contract/needs.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, recordsIn } from '../domain/json/values.ts';
import { ListChecks } from './check-lists.ts';
import { checkNames, checkRefusal, judgeAnswer, judgeHeaders, judgeSpeed, NO_ID } from './check-refusals.ts';
import { areaOf } from './clean-writes.ts';
import { Notebook, type Verdict } from './notebook.ts';
import { answered, isSuccess, Probe, type Reported, type SentRequest, whyUnreached } from './probe.ts';
import { type CheckName, groupOf, isGet, isList, readChecks } from './scenarios.ts';

/** What a run is about. */
export interface ConformanceRun {
  readonly connection: Connection;
  /** Every operation of the contract. */
  readonly operations: readonly Operation[];
  /** Only operations of these areas, for example `shop.Customer`; all when absent. */
  readonly areas?: readonly string[];
  /** The longest time that an answer may take. */
  readonly slowMs: number;
  /** Called with each ordinary answer. */
  readonly onAnswer?: (reported: Reported) => void;
  /** Called before the checks of each operation. */
  readonly onOperation?: (operation: Operation) => void;
  /** How a request is worded for a person, as a command without its key. */
  readonly shown: (request: SentRequest) => string;
  /** Whether writes are checked as well; the checks are made by whoever does. */
  readonly writes: boolean;
}

/** The field of a filter or request that names a record of another group: `customer_id` those of `customers`. */
const groupNamed = (field: string) => (field.endsWith('_id') ? `${field.slice(0, -3)}s` : undefined);

/** How many records are tried as the filter of a list, and how many it should hold for its pages to be checked. */
const MOST_TRIED = 3;
const ENOUGH = 3;

/** The reading part of a run. Each operation gets the checks that follow from its declaration. */
export class Reading {
  readonly notebook = new Notebook();
  readonly probe: Probe;
  readonly records = new Map<string, readonly Fields[]>();
  /** Why the service cannot be reached, if no answer has arrived. */
  away: CallError | undefined;
  readonly #run: ConformanceRun;
  readonly #areasAsked = new Set<string>();

  readonly #scope: ReadonlySet<string>;

  /** `scope` are the ids of the operations that are judged; others are read only for the records that they name. */
  constructor(run: ConformanceRun, scope: ReadonlySet<string>) {
    this.#run = run;
    this.#scope = scope;
    this.probe = new Probe(run.connection, (reported) => this.#see(reported), run.shown);
  }

  /** Each ordinary answer is judged by what is declared, whatever it was asked for. */
  #see(reported: Reported): void {
    const { operation, curl, error, response } = reported;
    this.away = response === undefined && error?.kind === 'network' ? error : undefined;
    if (!this.#scope.has(operation.id)) return;
    this.#run.onAnswer?.(reported);
    const status = reported.response?.status ?? 0;
    // A refusal is judged by the check that provoked it.
    if (status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429) return;
    this.notebook.note(operation.id, 'answer', judgeAnswer(reported), curl);
    for (const [check, verdict] of [
      ['headers', judgeHeaders(reported)],
      ['speed', judgeSpeed(reported, this.#run.slowMs)],
    ] as const) {
      if (verdict !== undefined) this.notebook.note(operation.id, check, verdict, curl);
    }
  }

  /** Makes the checks of one operation. */
  async read(operation: Operation): Promise<void> {
    const { id } = operation;
    const checks = readChecks(operation);
    const request = await this.#requestFor(operation);
    if (typeof request === 'string') {
      for (const check of checks) this.notebook.skip(id, check, 'unchecked', request);
      return;
    }
    const reported = isList(operation)
      ? await this.#list(operation, request, checks)
      : await this.#one(operation, request, checks);
    if (reported !== undefined && whyUnreached(reported) !== undefined)
      return this.#unreached(operation, checks, whyUnreached(reported) ?? '');
    await this.#refusals(operation, request, checks);
  }

  /** Throws the failure of the first call if the service is not there at all: that is a failure of the run. */
  async throwIfAway(): Promise<void> {
    const { away } = this;
    if (away === undefined) return;
    const other = this.#run.operations.find(
      (one) => one.effect === 'read' && one.id !== away.operation && one.credential === 'shop-api-key',
    );
    const reported = other && (await this.probe.raw(other, {}, (request) => request));
    if (reported?.response === undefined) throw away;
  }

  #unreached({ id }: Operation, checks: readonly CheckName[], why: string): void {
    for (const check of checks) this.notebook.skip(id, check, 'unchecked', why);
  }

  /** A request that a service answers without changing anything; a text says why there is none. */
  async #requestFor(operation: Operation): Promise<Fields | string> {
    if (operation.sample !== undefined) return operation.sample;
    if (isGet(operation)) return { id: NO_ID };
    if (!isList(operation) || operation.rules === undefined || operation.rules({}).length === 0) return {};
    return (await this.#fullest(operation)) ?? 'it needs a record of another list, and there is none';
  }

  /** The filter of a list that refuses to do without one: of a few records that it can name, the one with the most. */
  async #fullest(operation: Operation): Promise<Fields | undefined> {
    let best: { readonly request: Fields; readonly count: number } | undefined;
    for (const field of fieldNames(operation.request.shape.filter)) {
      for (const { id } of ((await this.#recordsOf(groupNamed(field) ?? '')) ?? []).slice(0, MOST_TRIED)) {
        if (typeof id !== 'string') continue;
        const request = { filter: { [field]: id } };
        const reported = await new ListChecks(this.probe, operation, request).first();
        const count = recordsIn(answered(reported)[operation.page?.items ?? '']).length;
        if (best === undefined || count > best.count) best = { request, count };
        if (count >= ENOUGH) return request;
      }
    }
    return best?.request;
  }

  async #list(operation: Operation, base: Fields, checks: readonly CheckName[]): Promise<Reported> {
    const { id } = operation;
    const lists = new ListChecks(this.probe, operation, base);
    const first = await lists.first();
    if (!isSuccess(first) || first.plain === undefined) return this.#unread(operation, first, checks);
    const note = (check: CheckName, verdict: Verdict) => {
      if (checks.includes(check)) this.notebook.note(id, check, verdict, first.curl);
    };
    note('ids', lists.ids(first));
    if (this.notebook.failed(id, 'ids')) {
      for (const check of checks.filter((one) => ofRecords.includes(one))) {
        this.notebook.skip(id, check, 'unchecked', 'the ids of the list cannot be used');
      }
      return first;
    }
    this.#keep(operation, recordsIn(answered(first)[operation.page?.items ?? '']));
    if (checks.includes('cursors')) {
      const cursors = await lists.cursors(first);
      note('cursors', cursors);
      const none = 'unchecked' in cursors ? cursors : { unchecked: 'the cursors of the list cannot be used' };
      const isUsable = !('unchecked' in cursors) && cursors.length === 0;
      const pages = isUsable ? await lists.pages(first) : { forward: none, backward: none, size: none };
      note('pages', pages.forward);
      note('pages backwards', pages.backward);
      note('page size', pages.size);
      note('sort', await lists.sort(first));
    }
    if (checks.includes('filter')) note('filter', await lists.filter(first));
    if (checks.includes('deleted')) note('deleted', await lists.deleted(first));
    return first;
  }

  /** Takes note of a list whose first page cannot be used: nothing else of it can be decided. */
  #unread({ id }: Operation, first: Reported, checks: readonly CheckName[]): Reported {
    if (!isSuccess(first)) this.notebook.note(id, 'answer', judgeAnswer(first), first.curl);
    const why = whyUnreached(first) ?? 'the list cannot be read';
    for (const check of checks) {
      if (check !== 'answer' && !isRefusal(check)) this.notebook.skip(id, check, 'unchecked', why);
    }
    return first;
  }

  /** The list of a group of records, if the key reaches it. */
  #listOf(group: string): Operation | undefined {
    const { connection, operations } = this.#run;
    const list = operations.find((one) => isList(one) && one.command === `${group} list`);
    return list !== undefined && connection.key(list.credential) !== undefined ? list : undefined;
  }

  /** Records of a group; those of a list out of the run's scope are read when they are needed. */
  async #recordsOf(group: string): Promise<readonly Fields[] | undefined> {
    const list = this.#listOf(group);
    if (list !== undefined && !this.#scope.has(list.id) && !this.records.has(group)) {
      const reported = await new ListChecks(this.probe, list, {}).first();
      this.#keep(list, recordsIn(answered(reported)[list.page?.items ?? '']));
    }
    return this.records.get(group);
  }

  #keep(operation: Operation, records: readonly Fields[]): void {
    const isMain = operation.command === `${groupOf(operation)} list`;
    if (isMain)
      this.records.set(
        groupOf(operation),
        records.filter(({ deleted }) => deleted !== true),
      );
  }

  async #one(operation: Operation, request: Fields, checks: readonly CheckName[]): Promise<Reported | undefined> {
    const { id } = operation;
    if (!isGet(operation)) {
      const reported = await this.probe.ask(operation, request);
      if (!isSuccess(reported)) this.notebook.note(id, 'answer', judgeAnswer(reported), reported.curl);
      return reported;
    }
    const { reported, verdict } = await checkRefusal(this.probe, operation, 'unknown id', request);
    this.notebook.note(id, 'unknown id', verdict, reported.curl);
    if (reported.response === undefined) return reported;
    const source = groupOf(operation);
    const records = await this.#recordsOf(source);
    if (records !== undefined && records.length > 0) {
      for (const { check, verdict } of await checkNames(this.probe, operation, records)) {
        this.notebook.note(id, check, verdict, reported.curl);
      }
      return undefined;
    }
    const isListed = this.#listOf(source) !== undefined;
    const why = isListed
      ? `no ${source} are listed, or their ids cannot be used`
      : 'no list that the key reaches names such a record';
    for (const check of checks.filter((one) => one !== 'unknown id' && !isRefusal(one))) {
      this.notebook.skip(id, check, isListed ? 'unchecked' : 'not asked', why);
    }
    return undefined;
  }

  async #refusals(operation: Operation, request: Fields, checks: readonly CheckName[]): Promise<void> {
    const area = areaOf(operation);
    const own = checks.filter(isRefusal);
    for (const check of this.#areasAsked.has(area) ? own : [...own, 'unknown path' as const]) {
      const { reported, verdict } = await checkRefusal(this.probe, operation, check, request);
      this.notebook.note(operation.id, check, verdict, reported.curl);
    }
    this.#areasAsked.add(area);
  }
}

const ofRecords: readonly CheckName[] = [
  'cursors',
  'pages',
  'pages backwards',
  'page size',
  'sort',
  'filter',
  'deleted',
];

const isRefusal = (check: CheckName) =>
  ['wrong key', 'wrong method', 'wrong content type', 'malformed body'].includes(check);
