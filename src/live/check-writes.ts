import { asSeen } from '../client/authorization.ts';
import { recordIn } from '../client/settle/found-record.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, fieldsIn, recordsIn } from '../domain/json/values.ts';
import { checkNames, judgeAnswer, judgeRefusal, statusOf } from './check-refusals.ts';
import { areaOf, toolsOf } from './clean-writes.ts';
import type { Notebook, Verdict, Wrong } from './notebook.ts';
import { answered, isSuccess, type Probe, type Reported, whyUnreached } from './probe.ts';
import { type CheckName, groupOf, isGet, isList, writeChecks } from './scenarios.ts';
import type { WriteJournal } from './write-journal.ts';
import { changeOf, FeeBudget, isShipment, type Offered, offered, sampleOf } from './write-sample.ts';

/** What the checks that write need. */
export interface Writing {
  readonly probe: Probe;
  readonly notebook: Notebook;
  readonly operations: readonly Operation[];
  /** Every operation that the key reaches, for what is created along the way. */
  readonly reachable: readonly Operation[];
  readonly journal: WriteJournal;
  readonly mark: string;
  readonly service: string;
  readonly shop: string;
  readonly webhookUrl: string;
  /** The most that shipments may cost together, in currency units; absent where nothing is shipped. */
  readonly maxFee?: number | undefined;
}

const wrong = (path: string, expected: string, seen: string): Wrong => ({ path, kind: 'breaks', expected, seen });

/** Makers in the order in which one needs what another made: the fewer ids of others a request takes, the earlier. */
function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const needs = ({ request }: Operation) =>
    Object.keys(request.shape).filter((name) => /^(?!external_|brand_).*_id$/.test(name)).length;
  return [...operations].sort((one, other) => needs(one) - needs(other));
}

/** The records in an answer to a creation, by the command group that reads them. */
function recordsByGroup(create: Operation, reported: Reported): readonly (readonly [string, Fields])[] {
  const record = recordIn(reported.value);
  if (record === undefined) return [];
  const [shipment] = recordsIn(answered(reported).fulfillments);
  if (shipment === undefined) return [[groupOf(create), record]];
  return [
    ['orders', record],
    ['fulfillments', shipment],
  ];
}

/** One record of the run, and the operations of its area. */
interface Made {
  readonly create: Operation;
  readonly write: number;
  readonly id: string | undefined;
  readonly request: Fields;
}

/** The writing part of a run: marked records are created, read back, changed and deleted. */
export class WriteChecks {
  readonly #with: Writing;
  readonly #ids = new Map<string, string>();
  readonly #budget: FeeBudget;
  /** Whether the journal has what orders create along the way: one address gives one customer. */
  #hasMore = false;

  constructor(writing: Writing) {
    this.#with = writing;
    this.#budget = new FeeBudget(writing.maxFee ?? 0);
  }

  /** Makes all checks. What it leaves is in the journal. */
  async run(): Promise<void> {
    const { operations, notebook, maxFee } = this.#with;
    const makers = operations.filter((one) => one.effect === 'create' && (maxFee !== undefined || !isShipment(one)));
    const makes = new Set(makers.map(areaOf));
    for (const operation of operations) {
      if (operation.effect === 'read' || makes.has(areaOf(operation))) continue;
      for (const check of writeChecks(operation))
        notebook.skip(operation.id, check, 'not asked', 'nothing may be shipped');
    }
    const made: Made[] = [];
    for (const create of inOrder(makers)) {
      const one = await this.#make(create);
      if (one !== undefined) made.push(one);
    }
    for (const one of made) await this.#change(one);
    for (const one of made.reverse()) await this.#remove(one);
    this.#rest();
  }

  /** Writing operations that no record led to. */
  #rest(): void {
    const { operations, notebook } = this.#with;
    const known = new Set(notebook.checks.map(({ operation }) => operation));
    for (const operation of operations) {
      if (operation.effect === 'read' || known.has(operation.id)) continue;
      for (const check of writeChecks(operation))
        notebook.skip(operation.id, check, 'unchecked', 'no record could be made for it');
    }
  }

  /** Records what a creation may create along the way; it is looked for by the mark when the run tidies up. */
  async #intendMore({ alsoCreates = [] }: Operation, { shipping_address: address }: Fields): Promise<void> {
    if (this.#hasMore || address === undefined || alsoCreates.length === 0) return;
    this.#hasMore = true;
    const { journal, mark, reachable, service, shop } = this.#with;
    for (const group of alsoCreates) {
      const create = reachable.find(({ command }) => command === `${group} create`);
      if (create === undefined) continue;
      await journal.intend({ operation: create.id, mark, request: fieldsIn(address), service, shop });
    }
  }

  async #send(
    create: Operation,
    { request, fee }: Offered,
    isChecked = true,
  ): Promise<{ reported: Reported; write: number; id: string | undefined }> {
    const { journal, mark, probe, service, shop } = this.#with;
    await this.#intendMore(create, request);
    const write = await journal.intend({ operation: create.id, mark, request, service, shop });
    const reported = isChecked ? await probe.ask(create, request) : await probe.askUnchecked(create, request);
    const found = recordIn(reported.value)?.id;
    const id = isSuccess(reported) && typeof found === 'string' ? found : undefined;
    const status = reported.response?.status ?? 0;
    if (isSuccess(reported)) await journal.settle(write, 'made', id);
    else if (status >= 400 && status < 500) {
      await journal.settle(write, 'refused');
      this.#budget.giveBack(fee);
    }
    return { reported, write, id };
  }

  /** Whether a check that might ship may be made: its fee is set aside before it is sent. */
  #affords(create: Operation, check: CheckName, fee: number): boolean {
    if (this.#budget.take(fee)) return true;
    const why = `it would cost ${fee}, which is more than is left of the limit`;
    this.#with.notebook.skip(create.id, check, 'unchecked', why);
    return false;
  }

  /** The request that creates a record, with an offer where it ships; a text says why there is none. */
  async #requestFor(create: Operation): Promise<Offered | string> {
    const { mark, probe, webhookUrl, operations } = this.#with;
    const sample = sampleOf(create, { mark, made: this.#ids, webhookUrl });
    if (sample === undefined) return 'a record that it needs could not be made';
    // Several operations make orders, and no two of them may have one name.
    const own = sample.external_id === mark ? { external_id: `${mark}-${create.command.replace(' ', '-')}` } : {};
    const request = { ...sample, ...own };
    return isShipment(create) ? offered(probe, operations, create, request) : { request, fee: 0 };
  }

  async #make(create: Operation): Promise<Made | undefined> {
    const { notebook } = this.#with;
    const what = await this.#requestFor(create);
    if (typeof what === 'string') {
      for (const check of writeChecks(create)) notebook.skip(create.id, check, 'unchecked', what);
      return undefined;
    }
    const { request, fee } = what;
    if (create.settlement !== undefined) await this.#wrongTotals(create, what);
    if (!this.#affords(create, 'create', fee)) {
      if (create.settlement !== undefined) notebook.skip(create.id, 'duplicate', 'unchecked', 'nothing was created');
      return undefined;
    }
    const { reported, write, id } = await this.#send(create, what);
    notebook.note(create.id, 'create', this.#judgeCreate(reported, request), reported.curl);
    if (!isSuccess(reported)) return undefined;
    if (id !== undefined) this.#ids.set(create.command.split(' ')[0] ?? '', id);
    if (!(await this.#readBack(create, reported))) return undefined;
    if (create.settlement !== undefined) await this.#duplicate(create, what);
    return { create, write, id, request };
  }

  /** Whether what was created is found again by each of its names. */
  async #readBack(create: Operation, reported: Reported): Promise<boolean> {
    const { notebook, operations, probe } = this.#with;
    for (const [group, record] of recordsByGroup(create, reported)) {
      for (const get of operations.filter((one) => isGet(one) && groupOf(one) === group)) {
        for (const { check, verdict } of await checkNames(probe, get, [record])) {
          if ('unchecked' in verdict) continue;
          // What no listed record has, the record of the run has.
          notebook.reopen(get.id, check);
          notebook.note(get.id, check, verdict, reported.curl);
          // What is not there cannot be changed or deleted either.
          if (verdict.length > 0) return false;
        }
      }
    }
    return true;
  }

  #judgeCreate(reported: Reported, request: Fields): Verdict {
    const why = whyUnreached(reported);
    if (why !== undefined) return { unchecked: why };
    if (!isSuccess(reported)) return [wrong('', 'status 200', statusOf(reported))];
    const record = recordIn(reported.value);
    if (record === undefined) return [];
    return Object.entries(request).flatMap(([name, sent]) => {
      const came = record[name];
      const differs =
        typeof sent === 'string' && typeof came === 'string' && came !== sent && sent.startsWith(this.#with.mark);
      return differs ? [wrong(name, 'the text that was sent', 'another text')] : [];
    });
  }

  async #wrongTotals(create: Operation, { request, fee }: Offered): Promise<void> {
    const { total_amount: total } = request;
    if (typeof total !== 'number' || !this.#affords(create, 'wrong totals', fee)) return;
    const external_id = `${request.external_id}-totals`;
    const wrongly = { request: { ...request, external_id, total_amount: total + 1 }, fee };
    const { reported } = await this.#send(create, wrongly, false);
    this.#with.notebook.note(
      create.id,
      'wrong totals',
      judgeRefusal(reported, { status: 400, code: 'invalid_argument' }),
      reported.curl,
    );
  }

  async #duplicate(create: Operation, what: Offered): Promise<void> {
    if (!this.#affords(create, 'duplicate', what.fee)) return;
    const { reported } = await this.#send(create, what);
    const verdict = judgeRefusal(reported, { status: 409, code: 'already_exists' });
    const meta = Object.keys(fieldsIn(answered(reported).meta));
    const isSilent = !('unchecked' in verdict) && verdict.length === 0 && !meta.includes('duplicated');
    const silent = [wrong('meta.duplicated', 'the name of the field that collides', 'nothing')];
    this.#with.notebook.note(create.id, 'duplicate', isSilent ? silent : verdict, reported.curl);
  }

  async #change({ create, id }: Made): Promise<void> {
    const { operations, probe, notebook, mark } = this.#with;
    const { update, get, confirm } = toolsOf(operations, create);
    if (id === undefined) return;
    if (confirm !== undefined) {
      const reported = await probe.ask(confirm, { order_id: id });
      notebook.note(confirm.id, 'transition', judgeAnswer(reported), reported.curl);
    }
    const change = update === undefined ? undefined : changeOf(update, id, mark);
    if (update === undefined || change === undefined) return;
    const reported = await probe.ask(update, { id, [change.field]: change.value });
    const answer = judgeAnswer(reported);
    const stored = get === undefined ? reported : await probe.ask(get, { id });
    const isStored = recordIn(stored.value)?.[change.field] === change.value;
    const isOk = !('unchecked' in answer) && isSuccess(reported);
    notebook.note(
      update.id,
      'update',
      isOk && !isStored ? [wrong(change.field, 'the changed text', 'another text')] : statusOnly(answer, reported),
      reported.curl,
    );
  }

  async #remove({ create, id, request, write }: Made): Promise<void> {
    const { operations, probe, notebook, journal, mark } = this.#with;
    const { remove, get, list } = toolsOf(operations, create);
    if (remove === undefined) return;
    const names = Object.keys(remove.request.shape);
    const named = names.includes('id') ? { id } : Object.fromEntries(names.map((name) => [name, request[name]]));
    if (Object.values(named).includes(undefined)) return;
    const isCancel = names.includes('cancel_reason');
    const reported = await probe.ask(remove, isCancel ? { ...named, cancel_reason: mark } : named);
    const check = remove.effect === 'delete' ? 'delete' : 'transition';
    if (!isSuccess(reported)) return notebook.note(remove.id, check, judgeAnswer(reported), reported.curl);
    const found: Wrong[] = [];
    if (get !== undefined && id !== undefined) found.push(...this.#stillThere(await probe.ask(get, { id }), isCancel));
    if (!isCancel && list !== undefined && (await this.#isListed(list, id, request))) {
      found.push(wrong(list.page?.items ?? 'webhooks', 'a list without the deleted record', 'the deleted record'));
    }
    notebook.note(remove.id, check, found, reported.curl);
    if (found.length === 0) await journal.settle(write, 'gone');
  }

  #stillThere(reported: Reported, isCancel: boolean): readonly Wrong[] {
    const record = recordIn(reported.value);
    if (!isSuccess(reported) || record === undefined) return [];
    if (isCancel) return record.status === 'N' ? [] : [wrong('status', 'N', asSeen(String(record.status)))];
    return record.deleted === true ? [] : [wrong('deleted', 'true, or 404 not_found', 'the record')];
  }

  async #isListed(list: Operation, id: string | undefined, request: Fields): Promise<boolean> {
    const names = Object.keys(request).filter((name) => name.endsWith('_id'));
    const [first] = names;
    const isFiltered = list.rules !== undefined && first !== undefined;
    const filter = isFiltered ? { filter: { [first]: request[first] } } : {};
    const paging = list.page?.cursors === true ? { paging: { limit: 100, sort: '-created_at' } } : {};
    const reported = await this.#with.probe.ask(list, isList(list) ? { ...filter, ...paging } : {});
    const records = recordsIn(answered(reported)[list.page?.items ?? 'webhooks']).filter(
      ({ deleted }) => deleted !== true,
    );
    const isIt = (record: Fields) =>
      id === undefined ? names.every((name) => record[name] === request[name]) : record.id === id;
    return records.some(isIt);
  }
}

/** The refusal of a change is its own finding; how its answer is formed belongs to the check of answers. */
const statusOnly = (verdict: Verdict, reported: Reported): Verdict => (isSuccess(reported) ? [] : verdict);
