import * as z from 'zod';
import type { Action, Subject } from '../../action/action.ts';
import type { AgentUse } from '../../action/declared.ts';
import type { Ports } from '../../action/ports.ts';
import { call, encodeRequest } from '../../client/call.ts';
import { type Connection, readingToo } from '../../client/connection.ts';
import { CallError, ContractBrokenError, ServiceError } from '../../client/errors.ts';
import { Refusal } from '../../client/refusal.ts';
import { isWrite } from '../../client/retry.ts';
import { isOver, recordIn } from '../../client/settle/found-record.ts';
import { isAreaKey, loadArea, loadOperation } from '../../contract/areas.ts';
import type { BeforeEnd, Effect, Operation } from '../../contract/operation.ts';
import type { Hint, Offer } from '../../contract/schema/hint.ts';
import { flag } from '../../contract/schema/scalars.ts';
import { structureOf } from '../../contract/schema/structure.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { requireNoShop } from '../../settings/keys.ts';
import { stateNames } from './list-filters.ts';
import { atFirstSight, listHints, listInput, listOutput, listRequest, listRows } from './listing.ts';
import { say } from './texts.ts';
import { groupsOf, viewOf } from './views.ts';

/** The ids that the fields of an operation's request take, by path: top-level fields, and those of a filter. */
function offersOf({ command, idsOf, request }: Operation): Readonly<Record<string, Offer>> {
  const own = idsOf ?? command.split(' ')[0];
  const offerOf = (name: string): Offer | undefined => {
    const group = name === 'id' ? own : Object.hasOwn(groupsOf, name) ? groupsOf[name] : undefined;
    return group === undefined ? undefined : `ids ${group}`;
  };
  const { filter } = request.shape;
  const inner = filter === undefined ? [] : fieldsOf(filter).map((name) => [`filter.${name}`, offerOf(name)] as const);
  const top = Object.keys(request.shape).map((name) => [name, offerOf(name)] as const);
  return Object.fromEntries([...top, ...inner].filter((entry): entry is [string, Offer] => entry[1] !== undefined));
}

/** The field names of a record, which may be optional. */
function fieldsOf(schema: Parameters<typeof structureOf>[0]): string[] {
  const structure = structureOf(schema);
  if (structure.kind === 'around') return fieldsOf(structure.inner);
  return structure.kind === 'record' ? Object.keys(structure.fields) : [];
}

type Input = Fields;

interface Problem {
  readonly code?: string | null;
  readonly msg?: string | null;
}

/** Reports problems of individual shipments in a response; an entry with code ok is not one (decisions, section 6). */
export function tellProblems(
  answer: { readonly fulfillment_errors?: readonly Problem[] | null },
  { report }: Ports,
): void {
  for (const { code, msg } of answer.fulfillment_errors ?? []) {
    if (code === undefined || code === null || code === '' || code === 'ok') continue;
    report.notice(say().parcelFailed({ code, message: msg || undefined }));
    report.verdict('partial');
  }
}

/** Reports what went wrong according to a response and, if the response is silent, that it was done. */
export function tellDone(operation: Operation, answer: object, input: Input, ports: Ports): void {
  const { tells, effect, response, command, positional, before } = operation;
  const reported = tells?.(answer, input);
  if (before !== undefined && reported !== undefined) {
    // That its parcel goes on was agreed to.
    const isAgreed = input.order_only === true && isOver(recordIn(answer) ?? {});
    if (!isAgreed) ports.report.verdict('partial');
    if (isAgreed) ports.report.notice(reported);
    else ports.report.alone(reported);
    return;
  }
  tellProblems(answer, ports);
  if (reported !== undefined) ports.report.notice(reported);
  else if (effect === 'delete' || (effect !== 'read' && Object.keys(response.shape).length === 0)) {
    const named = positional === undefined ? undefined : input[positional];
    ports.report.notice(say().done({ command, name: named === undefined ? undefined : String(named) }));
  }
}

/** Calls an operation; if the service lacks it and the contract has an illustration, that is returned. */
async function called(operation: Operation, input: Input, { connection, report }: Ports) {
  const { illustration } = operation;
  try {
    return await call(operation, input, connection());
  } catch (error) {
    if (illustration === undefined || !(error instanceof ServiceError) || error.code !== 'unimplemented') throw error;
    report.notice(say().illustration);
    return illustration;
  }
}

/** Whether an operation makes a record; what answers none, like a new membership, is a change of what is there. */
function makesRecord({ effect, response }: Operation): boolean {
  return effect === 'create' && Object.keys(response.shape).length > 0;
}

/**
 * Throws a Refusal where a record that is to be ended goes on, and was not given up for that, or where what is to go on
 * would end with it.
 */
function requireEnd({ goesOn, endsToo }: BeforeEnd, { order_only: isAlone }: Input): void {
  if (goesOn !== undefined && isAlone !== true) throw new Refusal('picked_up', goesOn, { kind: 'conflict' });
  if (endsToo !== undefined && isAlone === true) throw new Refusal('not_picked_up', endsToo, { kind: 'conflict' });
}

/** The code of the ledger is loaded only where something is written. */
async function written(operation: Operation, input: Input, ports: Ports) {
  if (!isWrite(operation.effect)) return called(operation, input, ports);
  const { changeRecord, createOnce } = await import('./create-once.ts');
  const { again, order_only, ...request } = input;
  if (makesRecord(operation)) return createOnce(operation, request, again === true, ports);
  const { before } = operation;
  if (before === undefined) return changeRecord(operation, request, ports);
  return changeRecord(operation, request, ports, {
    first: async (named, lookups) => requireEnd(await seenBefore(before, named, lookups), { order_only }),
  });
}

/** How often a record is read whose answers do not say what becomes of it: one may be a gateway's. */
const TIMES_READ = 2;

/** What a record is before it is ended. Throws a CallError: a ContractBrokenError where the answers do not say it. */
async function seenBefore({ lookup, of }: NonNullable<Operation['before']>, input: Input, connection: Connection) {
  const read = await loadOperation(lookup);
  for (let time = 1; time <= TIMES_READ; time += 1) {
    const seen = of(await call(read, namesOf(read, input), connection));
    if (seen !== undefined) return seen;
  }
  throw new ContractBrokenError(lookup, 'fulfillments', say().notSeen, 200, 'not_applied');
}

async function run(operation: Operation, input: Input, ports: Ports) {
  requireNoShop(operation.credential, ports.settings);
  if (operation.page !== undefined) return listRows(operation, input, ports);
  const answer = await written(operation, input, ports);
  tellDone(operation, answer, input, ports);
  return answer;
}

/** What of an input names the record that an operation reads. */
function namesOf({ request: { shape } }: Operation, input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(shape, name)));
}

/** Asks an operation that reads about the record that the input names; undefined if it cannot be read. */
async function readRecord(operation: Operation, input: Input, ports: Ports): Promise<unknown> {
  try {
    return await call(operation, namesOf(operation, input), readingToo(ports.connection()));
  } catch (error) {
    if (error instanceof CallError && !ports.signal.aborted) return undefined;
    throw error;
  }
}

const CALLED_BY = ['full_name', 'name', 'code'];

/**
 * What people call the record that an operation removes: its name, otherwise its code. Of what is read before it is ended
 * also what becomes of it: throws a Refusal where it goes on, and what the read throws.
 */
async function subjectOf(operation: Operation, input: Input, ports: Ports): Promise<Subject | undefined> {
  const { before } = operation;
  if (before !== undefined) {
    const seen = await seenBefore(before, input, readingToo(ports.connection()));
    requireEnd(seen, input);
    return { called: seen.subject, effect: seen.effect };
  }
  const { lookupOf } = await import('../../ledger/read-operations.ts');
  const lookup = await lookupOf(operation, 'id');
  if (lookup === undefined) return undefined;
  const answer = fieldsIn(await readRecord(lookup, input, ports));
  const names = [answer, ...Object.values(answer).map(fieldsIn)].flatMap((record) => CALLED_BY.map((by) => record[by]));
  const called = names.find((name): name is string => typeof name === 'string' && name !== '');
  return called === undefined ? undefined : { called };
}

function hintsOf(operation: Operation): Readonly<Record<string, Hint>> {
  const { page, positional, effect } = operation;
  const beside = [
    ...(makesRecord(operation) ? ['again'] : []),
    ...(operation.before === undefined ? [] : ['order_only']),
  ];
  const names = effect === 'transition' && positional === 'id' ? OTHER_NAMES : [];
  const aliases = names.filter((name) => Object.hasOwn(operation.request.shape, name));
  const hints: Readonly<Record<string, Hint>> =
    page === undefined ? Object.fromEntries(beside.map((name) => [name, { beside: true }])) : listHints;
  const offers = Object.entries(offersOf(operation));
  const states = page === undefined ? [] : stateNames(operation);
  return {
    ...hints,
    ...(states.length === 0 ? {} : { status: { ...hints.status, values: states } }),
    ...Object.fromEntries(offers.map(([path, offers]) => [path, { ...hints[path], offers }])),
    ...Object.fromEntries(aliases.map((name) => [name, { ...hints[name], alias: true }])),
    ...(positional === undefined ? {} : { [positional]: { ...offersHint(operation, positional), named: true } }),
  };
}

function offersHint(operation: Operation, name: string): Hint {
  const offers = offersOf(operation)[name];
  return offers === undefined ? {} : { offers };
}

function inputOf(operation: Operation): z.ZodObject {
  if (operation.page !== undefined) return listInput(operation);
  if (operation.before !== undefined) return operation.request.extend({ order_only: orderOnly });
  return makesRecord(operation) ? operation.request.extend({ again }) : operation.request;
}

/** What takes back what an operation makes or confirms: of its area, what deletes its record, or cancels it. */
function undoOf({ id, effect, destructive }: Operation, among: readonly Operation[]): Pick<Action, 'undo'> {
  if (destructive === true) return { undo: { whyNot: 'what is cancelled stays cancelled' } };
  if (effect !== 'create' && effect !== 'transition') return {};
  const area = id.slice(0, id.indexOf('/') + 1);
  const ofArea = among.filter((other) => other.id.startsWith(area) && other.id !== id);
  const back = ofArea.find((other) => other.effect === 'delete') ?? ofArea.find((other) => other.destructive === true);
  return back === undefined ? {} : { undo: back.command };
}

const OTHER_NAMES = ['code', 'external_id', 'shipping_code'];

/** What reads the record in the place of an operation's id by the other names that people have for it. */
function lookupByName({ id, effect, before, positional = '', command, idsOf }: Operation, among: readonly Operation[]) {
  const isOwn = positional === 'id' || groupsOf[positional] === (idsOf ?? command.split(' ')[0]);
  const takes = ({ request: { shape } }: Operation, names: readonly string[]) =>
    names.some((name) => Object.hasOwn(shape, name));
  const area = id.slice(0, id.indexOf('/') + 1);
  const reads = among.filter((other) => other.effect === 'read' && other.page === undefined);
  const own =
    effect === 'read'
      ? reads.find((other) => other.id === id)
      : reads.find((other) =>
          before === undefined ? other.id.startsWith(area) && takes(other, ['id']) : other.id === before.lookup,
        );
  return isOwn && own !== undefined && takes(own, OTHER_NAMES) ? own : undefined;
}

/** How an agent may use an operation: what costs money is planned where its fee is quoted, which is not known here. */
function agentUseOf({ effect, credential, costs, peopleOnly }: Operation): AgentUse {
  if (peopleOnly === true || effect === 'authorize') return 'none';
  if (effect === 'read') return 'read';
  return costs === true || credential === 'partner-api-key' ? 'none' : 'plan';
}

/** A service operation as an action: its request is the input, and a list returns its records. */
export function actionOf(operation: Operation, among: readonly Operation[] = []): Action {
  const { id, command, summary, description, examples = [], effect, positional, destructive, page } = operation;
  const [group = '', ...words] = command.split(' ');
  const lookup = lookupByName(operation, among);
  // Made at the first use, for whoever runs the action often.
  let input: z.ZodObject | undefined;
  return {
    id,
    words: [group, ...words],
    summary,
    ...(description === undefined ? {} : { description }),
    examples,
    get input() {
      input ??= inputOf(operation);
      return input;
    },
    get output() {
      return page === undefined ? operation.response : listOutput(operation);
    },
    effect,
    ...undoOf(operation, among),
    needs: ['key'],
    destructive: effect === 'delete' || destructive === true,
    view: viewOf(operation),
    ...(positional === undefined ? {} : { positional: [positional] }),
    whole: true,
    hints: hintsOf(operation),
    operations: [id],
    agents: agentUseOf(operation),
    // What authorizes answers keys.
    ...(effect === 'authorize' ? {} : { page: 'allowed' as const }),
    ...(lookup === undefined
      ? {}
      : {
          find: async (text: string, ports: Ports) =>
            (await import('./find-record.ts')).findRecord(operation, lookup, text, ports),
        }),
    ...(positional === undefined
      ? {}
      : { subject: (input: Input, ports: Ports) => subjectOf(operation, input, ports) }),
    ...(operation.before === undefined ? {} : { readsFirst: true }),
    ...(page === undefined ? {} : { atFirstSight: (input: Input) => atFirstSight(operation, input) }),
    check(given) {
      const { again: _, order_only: __, ...request } = listRequest(operation, given);
      encodeRequest(operation, request);
      return given;
    },
    run: (input, ports) => run(operation, input, ports),
  };
}

const orderOnly = z.optional(
  flag(
    'cancel the order although its parcel was picked up: the parcel goes on, and so does its cash; refused where the parcel was not picked up, as it would be cancelled too',
  ),
);

const again = z.optional(flag('create another one, even if an equal one was or may have been created'));

const effects: readonly Effect[] = ['read', 'create', 'update', 'transition', 'delete', 'authorize'];

/** Subgroups come last; before them lists, then reads, creates, changes and deletions. */
function rankOf({ command, page, effect }: Operation): number {
  return command.split(' ').length * 100 + (page === undefined ? 1 + effects.indexOf(effect) : 0);
}

/** Sorted explicitly: the order of a module's exports differs between the bundle and the sources. */
function inOrder(one: Operation, other: Operation): number {
  return rankOf(one) - rankOf(other) || (one.command < other.command ? -1 : one.command > other.command ? 1 : 0);
}

/** The actions of a group, derived from those operations of some areas that belong to it. */
export async function actionsOfAreas(group: string, areas: readonly string[]): Promise<Action[]> {
  const modules = await Promise.all(areas.filter(isAreaKey).map((area) => loadArea(area)));
  const operations = modules.flatMap((module): Operation[] => Object.values(module));
  return operations
    .filter(({ command }) => command.split(' ')[0] === group)
    .sort(inOrder)
    .map((one) => actionOf(one, operations));
}
