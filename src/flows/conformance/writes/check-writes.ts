import { recordIn } from '../../../client/settle/found-record.ts';
import type { Operation } from '../../../contract/operation.ts';
import { isRecord, recordsIn } from '../../../domain/json/value-at.ts';
import { codeOf, judgeAnswer, judgeRefusal } from '../checks/answers.ts';
import { checkNames } from '../checks/gets.ts';
import type { Notebook, Verdict, Wrong } from '../notebook.ts';
import { answered, isSuccess, type Probe, type Told, whyUnreached } from '../probe.ts';
import { groupOf, isGet, isList, writeChecks } from '../scenarios.ts';
import { areaOf, toolsOf } from './clean.ts';
import type { WriteJournal } from './journal.ts';
import { changeOf, type Material, sampleOf } from './sample.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the checks that write need. */
export interface Writing {
  readonly probe: Probe;
  readonly notebook: Notebook;
  readonly operations: readonly Operation[];
  readonly journal: WriteJournal;
  readonly mark: string;
  readonly service: string;
  readonly shop: string;
  readonly webhookUrl: string;
}

const wrong = (path: string, expected: string, seen: string): Wrong => ({ path, kind: 'breaks', expected, seen });

/** Creates that cost nothing: what ships is not among them. */
const isFree = ({ effect, response, command }: Operation) =>
  effect === 'create' && response.shape.fulfillments === undefined && !command.startsWith('shipnow');

/** Makers in the order in which one needs what another made: the fewer ids of others a request takes, the earlier. */
function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const needs = ({ request }: Operation) =>
    Object.keys(request.shape).filter((name) => /^(?!external_|brand_).*_id$/.test(name)).length;
  return operations.filter(isFree).sort((one, other) => needs(one) - needs(other));
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

  constructor(writing: Writing) {
    this.#with = writing;
  }

  /** Makes all checks. What it leaves is in the journal. */
  async run(): Promise<void> {
    const { operations, notebook } = this.#with;
    const makes = new Set(operations.filter(isFree).map(areaOf));
    for (const operation of operations) {
      if (operation.effect === 'read' || makes.has(areaOf(operation))) continue;
      for (const check of writeChecks(operation))
        notebook.skip(operation.id, check, 'not asked', 'it needs a shipment');
    }
    const made: Made[] = [];
    for (const create of inOrder(operations)) {
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

  async #send(
    create: Operation,
    request: Fields,
    isChecked = true,
  ): Promise<{ told: Told; write: number; id: string | undefined }> {
    const { journal, mark, probe, service, shop } = this.#with;
    const write = await journal.intend({ operation: create.id, mark, request, service, shop });
    const told = isChecked ? await probe.ask(create, request) : await probe.askUnchecked(create, request);
    const found = recordIn(told.value)?.id;
    const id = isSuccess(told) && typeof found === 'string' ? found : undefined;
    const status = told.response?.status ?? 0;
    if (isSuccess(told)) await journal.settle(write, 'made', id);
    else if (status >= 400 && status < 500) await journal.settle(write, 'refused');
    return { told, write, id };
  }

  async #make(create: Operation): Promise<Made | undefined> {
    const { mark, notebook, probe, webhookUrl, operations } = this.#with;
    const material: Material = { mark, made: this.#ids, webhookUrl };
    const request = sampleOf(create, material);
    if (request === undefined) {
      for (const check of writeChecks(create))
        notebook.skip(create.id, check, 'unchecked', 'a record that it needs could not be made');
      return undefined;
    }
    if (create.settlement !== undefined) await this.#wrongTotals(create, request);
    const { told, write, id } = await this.#send(create, request);
    const verdict = this.#judgeCreate(told, request);
    notebook.note(create.id, 'create', verdict, told.curl);
    if (!isSuccess(told)) return undefined;
    if (id !== undefined) this.#ids.set(create.command.split(' ')[0] ?? '', id);
    const record = recordIn(told.value);
    const gets = record === undefined ? [] : operations.filter((one) => isGet(one) && groupOf(one) === groupOf(create));
    for (const get of gets) {
      for (const { check, verdict } of await checkNames(probe, get, [record ?? {}])) {
        if ('unchecked' in verdict) continue;
        // What no listed record has, the record of the run has.
        notebook.reopen(get.id, check);
        notebook.note(get.id, check, verdict, told.curl);
        // What is not there cannot be changed or deleted either.
        if (verdict.length > 0) return undefined;
      }
    }
    if (create.settlement !== undefined) await this.#duplicate(create, request);
    return { create, write, id, request };
  }

  #judgeCreate(told: Told, request: Fields): Verdict {
    const why = whyUnreached(told);
    if (why !== undefined) return { unchecked: why };
    if (!isSuccess(told)) return [wrong('', 'status 200', `${told.response?.status} ${codeOf(told) ?? ''}`.trim())];
    const record = recordIn(told.value);
    if (record === undefined) return [];
    return Object.entries(request).flatMap(([name, sent]) => {
      const came = record[name];
      const differs = typeof sent === 'string' && typeof came === 'string' && came !== sent && sent === this.#with.mark;
      return differs ? [wrong(name, 'the text that was sent', 'another text')] : [];
    });
  }

  async #wrongTotals(create: Operation, request: Fields): Promise<void> {
    const { total_amount: total } = request;
    if (typeof total !== 'number') return;
    const external_id = `${this.#with.mark}-totals`;
    const { told } = await this.#send(create, { ...request, external_id, total_amount: total + 1 }, false);
    this.#with.notebook.note(
      create.id,
      'wrong totals',
      judgeRefusal(told, { status: 400, code: 'invalid_argument' }),
      told.curl,
    );
  }

  async #duplicate(create: Operation, request: Fields): Promise<void> {
    const { told } = await this.#send(create, request);
    const verdict = judgeRefusal(told, { status: 409, code: 'already_exists' });
    const meta = isRecord(answered(told).meta) ? Object.keys(answered(told).meta as object) : [];
    const isSilent = !('unchecked' in verdict) && verdict.length === 0 && !meta.includes('duplicated');
    const silent = [wrong('meta.duplicated', 'the name of the field that collides', 'nothing')];
    this.#with.notebook.note(create.id, 'duplicate', isSilent ? silent : verdict, told.curl);
  }

  async #change({ create, id }: Made): Promise<void> {
    const { operations, probe, notebook, mark } = this.#with;
    const { update, get, confirm } = toolsOf(operations, create);
    if (id === undefined) return;
    if (confirm !== undefined) {
      const told = await probe.ask(confirm, { order_id: id });
      notebook.note(confirm.id, 'transition', judgeAnswer(told), told.curl);
    }
    const change = update === undefined ? undefined : changeOf(update, id, mark);
    if (update === undefined || change === undefined) return;
    const told = await probe.ask(update, { id, [change.field]: change.value });
    const answer = judgeAnswer(told);
    const stored = get === undefined ? told : await probe.ask(get, { id });
    const isStored = recordIn(stored.value)?.[change.field] === change.value;
    const isOk = !('unchecked' in answer) && isSuccess(told);
    notebook.note(
      update.id,
      'update',
      isOk && !isStored ? [wrong(change.field, 'the changed text', 'another text')] : statusOnly(answer, told),
      told.curl,
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
    const told = await probe.ask(remove, isCancel ? { ...named, cancel_reason: mark } : named);
    const check = remove.effect === 'delete' ? 'delete' : 'transition';
    if (!isSuccess(told)) return notebook.note(remove.id, check, judgeAnswer(told), told.curl);
    const found: Wrong[] = [];
    if (get !== undefined && id !== undefined) found.push(...this.#stillThere(await probe.ask(get, { id }), isCancel));
    if (!isCancel && list !== undefined && (await this.#isListed(list, id, request))) {
      found.push(wrong(list.page?.items ?? 'webhooks', 'a list without the deleted record', 'the deleted record'));
    }
    notebook.note(remove.id, check, found, told.curl);
    if (found.length === 0) await journal.settle(write, 'gone');
  }

  #stillThere(told: Told, isCancel: boolean): readonly Wrong[] {
    const record = recordIn(told.value);
    if (!isSuccess(told) || record === undefined) return [];
    if (isCancel) return record.status === 'N' ? [] : [wrong('status', 'N', String(record.status))];
    return record.deleted === true ? [] : [wrong('deleted', 'true, or 404 not_found', 'the record')];
  }

  async #isListed(list: Operation, id: string | undefined, request: Fields): Promise<boolean> {
    const names = Object.keys(request).filter((name) => name.endsWith('_id'));
    const [first] = names;
    const isFiltered = list.rules !== undefined && first !== undefined;
    const filter = isFiltered ? { filter: { [first]: request[first] } } : {};
    const paging = list.page?.cursors === true ? { paging: { limit: 100, sort: '-created_at' } } : {};
    const told = await this.#with.probe.ask(list, isList(list) ? { ...filter, ...paging } : {});
    const records = recordsIn(answered(told)[list.page?.items ?? 'webhooks']).filter(({ deleted }) => deleted !== true);
    const isIt = (record: Fields) =>
      id === undefined ? names.every((name) => record[name] === request[name]) : record.id === id;
    return records.some(isIt);
  }
}

/** The refusal of a change is its own finding; how its answer is formed belongs to the check of answers. */
const statusOnly = (verdict: Verdict, told: Told): Verdict => (isSuccess(told) ? [] : verdict);
