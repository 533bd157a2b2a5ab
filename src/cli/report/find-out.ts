import type { LedgerEntry } from '../../client/ledger.ts';
import { findOperation, isAreaKey, operationsIn } from '../../contract/areas.ts';
import { fieldNames } from '../../contract/needs.ts';
import type { Operation } from '../../contract/operation.ts';
import { shellWord } from '../errors/advice.ts';
import { say } from '../errors/texts.ts';
import type { Report } from './report.ts';

/** The operations of an area that read one record, and list them. */
async function readersOf(area: string): Promise<{ get?: Operation | undefined; list?: Operation | undefined }> {
  if (!isAreaKey(area)) return {};
  const reads = (await operationsIn(area)).filter(({ effect }) => effect === 'read');
  return {
    get: reads.find(({ page, positional }) => page === undefined && positional !== undefined),
    list: reads.find(({ page }) => page !== undefined),
  };
}

/** The command that shows the record of a write: by the identifier in its request, else the list to search. */
async function commandFor({ operation: id, names }: LedgerEntry): Promise<string | undefined> {
  const operation = await findOperation(id);
  if (operation === undefined) return undefined;
  const settling = operation.settlement && (await findOperation(operation.settlement.lookup));
  const { get: own, list } = await readersOf(id.split('/')[0] ?? '');
  const get = settling ?? own;
  const record = names.id ?? names.order_id;
  if (get !== undefined && record !== undefined) return `shopctl ${get.command} ${shellWord(record)}`;
  for (const name of ['external_id', 'shipping_code', 'code'] as const) {
    const value = names[name];
    if (get === undefined || value === undefined || !Object.hasOwn(get.request.shape, name)) continue;
    return `shopctl ${get.command} --${name.replaceAll('_', '-')} ${shellWord(value)}`;
  }
  if (list === undefined) return undefined;
  const filter = filterFor(list, names);
  if (filter === undefined) return undefined;
  return `shopctl ${list.command}${filter}${list.page?.cursors ? ' --sort=-updated_at' : ''}`;
}

/**
 * The filter that a list refuses to do without, by a name of the write: a membership is looked for in its group. Empty if
 * the list needs none, undefined if there is nothing to filter by.
 */
function filterFor({ request, rules }: Operation, names: LedgerEntry['names']): string | undefined {
  if (rules === undefined || rules({}).length === 0) return '';
  const name = fieldNames(request.shape.filter).find((field) => names[field] !== undefined && field !== 'customer_id');
  return name === undefined ? undefined : ` --${name.replaceAll('_', '-')} ${shellWord(names[name] ?? '')}`;
}

/** The write of an earlier run that a failure leaves unknown, by the name in its facts; undefined if it names none. */
export function earlierWrite({ operation, outcome, meta }: Report): LedgerEntry | undefined {
  const external_id = meta?.external_id;
  if (outcome !== 'unknown' || operation === undefined || !external_id) return undefined;
  return { operation, outcome, names: { external_id } };
}

/**
 * A sentence that says how to find out what became of a write, and under which name it may be sent again.
 */
export async function wayToFindOut(entry: LedgerEntry): Promise<string | undefined> {
  const command = await commandFor(entry);
  if (command === undefined) return undefined;
  const isCreate = (await findOperation(entry.operation))?.effect === 'create';
  const { external_id } = entry.names;
  const texts = say().findOut;
  const way = isCreate ? texts.created({ command }) : texts.applied({ command });
  if (entry.outcome === 'applied') return way;
  return external_id === undefined ? texts.thenCheck({ way }) : texts.thenUnderName({ way });
}
