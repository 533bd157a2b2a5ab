import { isWrite } from '../client/retry.ts';
import { endsRecord } from '../client/settle/found-record.ts';
import { allOperations, findOperation, operationsIn } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';
import type { Family } from '../contract/operation-id.ts';
import { jsonSchema } from '../contract/schema/json-schema.ts';
import { nameOfField } from '../ledger/read-operations.ts';
import { areaOf, fieldsOf, type RowWork, shownBy, workOf } from '../ledger/work.ts';
import { columnsOf } from '../sheets/fields.ts';
import { BatchError } from './batch-error.ts';
import { say } from './texts.ts';

/** Whether rows make records: a membership is there or not, and is a change of what is there. */
export const makesRecords = ({ operation, lookup }: RowWork) => operation.effect === 'create' && lookup?.by !== 'list';

/** Whether rows change records that they may call by another name than the id, or end them. */
export const callsRecords = ({ operation, lookup, targets, undoes }: RowWork) =>
  operation.effect !== 'create' &&
  undoes === undefined &&
  lookup?.by !== 'list' &&
  (endsRecord(operation) || targets.some((name) => nameOfField(name) !== 'id'));

/** Prefix of the command words of an undo batch; it cannot be typed, because its rows come from another batch. */
export const UNDO = 'undo ';

/** Whether the rows of a batch are compared with the records that they change, whose values can be restored. */
export const isComparable = ({ operation, lookup }: RowWork) => operation.effect === 'update' && lookup?.by === 'name';

/** Refuses to undo a command. */
const noWayBack = (words: string, why: ReturnType<typeof say>['undo']['onlyThese']) =>
  new BatchError('no_way_back', why({ quoted: JSON.stringify(words) }));

/**
 * The inverse of an operation: for an update itself, with the values before; otherwise the delete of its area that takes
 * the same names, or the cancel.
 */
async function inverseOf(made: RowWork): Promise<RowWork> {
  const { operation } = made;
  if (made.undoes !== undefined) throw noWayBack(made.do, say().undo.insteadRun);
  if (isComparable(made)) return { ...made, do: `${UNDO}${made.do}`, undoes: made };
  const own = fieldsOf(operation);
  const inArea = await operationsIn(areaOf(operation));
  const takesBack = (other: Operation) =>
    endsRecord(other) && fieldsOf(other).some((name) => name === 'id' || own.includes(name));
  const inverse = operation.effect === 'create' ? inArea.find(takesBack) : undefined;
  if (inverse !== undefined) return { ...(await workOf(`${UNDO}${made.do}`, inverse)), undoes: made };
  throw noWayBack(made.do, say().undo.onlyThese);
}

const writing = async (): Promise<readonly Operation[]> =>
  (await allOperations()).filter(({ effect, credential }) => isWrite(effect) && credential !== 'partner-api-key');

/**
 * The command whose records have all the columns of a header, as a list that was exported: the update that can set most
 * of them if their ids are there, otherwise the only create that knows them all. Undefined if there is none.
 */
export async function commandFor(header: readonly string[]): Promise<string | undefined> {
  const effect = header.includes('id') ? 'update' : 'create';
  const fitting = (await writing()).flatMap((operation) => {
    if (operation.effect !== effect) return [];
    const schema = jsonSchema(operation.request);
    const { columns, faults } = columnsOf(header, { schema, shown: shownBy(operation, undefined), ignored: [] });
    const settable = columns.filter(({ kind }) => kind === 'field').length;
    return faults.length === 0 && settable > 0 ? [{ settable, command: operation.command }] : [];
  });
  const [best, another] = fitting.sort((one, other) => other.settable - one.settable);
  return effect === 'create' && another !== undefined ? undefined : best?.command;
}

/**
 * The work that a batch's command stands for, in the current family; also handles `ship`. Throws a BatchError,
 * including for a batch that cannot be undone.
 */
export async function findWork(words: string, family: Family): Promise<RowWork> {
  const bare = words.trim().replaceAll(/\s+/g, ' ');
  if (bare.startsWith(UNDO)) return inverseOf(await findWork(bare.slice(UNDO.length), family));
  if (bare === 'ship') {
    const create = await findOperation(`${family}.Shipping/CreateAndConfirmOrder`);
    const quote = await findOperation(`${family}.Shipping/GetShippingServices`);
    if (create !== undefined && quote !== undefined) return workOf(bare, create, quote);
  }
  const all = await writing();
  const found = all.filter(({ command }) => command === bare);
  const operation = found.find(({ id }) => id.startsWith(`${family}.`));
  if (operation !== undefined) return workOf(bare, operation);
  if (found.length > 0) throw new BatchError('work_unknown', say().refused.needsShopKey({ command: bare }));
  const { nearestName } = await import('../domain/nearest-name.ts');
  const names = ['ship', ...new Set(all.map(({ command }) => command))];
  const meant = nearestName(bare, names);
  const quoted = JSON.stringify(bare);
  const { noCommand, noCommandMeant } = say().refused;
  const message = meant === undefined ? noCommand({ quoted, names: names.sort() }) : noCommandMeant({ quoted, meant });
  throw new BatchError('work_unknown', message);
}
