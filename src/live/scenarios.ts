import { fieldNames } from '../contract/needs.ts';
import type { Operation } from '../contract/operation.ts';

/** What each check demands of a service, in words. */
export const demands = {
  answer: 'an answer has the declared fields, types and values, as JSON with status 200',
  speed: 'an answer comes in time',
  headers: 'an answer says that it is JSON',
  ids: 'ids keep all their digits',
  cursors: 'next leads on, prev leads back',
  pages: 'small pages hold the same records as a large one, in the same order',
  'pages backwards': 'pages before a cursor hold the same records',
  'page size': 'a page has no more records than asked for',
  sort: 'records come in the order asked for',
  filter: 'a filter leaves out what does not match',
  deleted: 'deleted records are listed only on request',
  'by id': 'the id of a listed record leads to it',
  'by code': 'the code of a listed record leads to it',
  'by external_id': 'the external_id of a listed record leads to it',
  'by shipping_code': 'the shipping_code of a listed record leads to it',
  'wrong key': 'a wrong key is refused with 401 unauthenticated',
  'unknown path': 'an unknown operation is answered with 404 bad_route',
  'wrong method': 'a GET is refused',
  'wrong content type': 'a body that is not declared as JSON is answered with 404 bad_route',
  'malformed body': 'a body that is no JSON is answered with 400 invalid_argument',
  'unknown id': 'an id that no record has is answered with 404 not_found',
  'wrong totals': 'an order with a wrong sum is refused with 400 invalid_argument',
  create: 'what is created is answered as it was sent',
  duplicate: 'a second order with the same external_id is refused with 409 already_exists and meta.duplicated',
  update: 'a change is stored',
  transition: 'an order is confirmed and cancelled',
  delete: 'what was deleted is gone, and listed no more',
} as const;

/** The name of a check. */
export type CheckName = keyof typeof demands;

/** Names by which records are looked up. */
const lookups = ['id', 'code', 'external_id', 'shipping_code'] as const;

/** A name by which a record is looked up. */
export type LookupName = (typeof lookups)[number];

/** The fields of the record that an operation answers, also where shipments stand beside it. */
export const recordFields = ({ response }: Operation): readonly string[] =>
  response.shape.order === undefined ? Object.keys(response.shape) : fieldNames(response.shape.order);

/** The lookup names of an operation that its record declares too; others cannot be taken from a list. */
export function namesOf(operation: Operation): readonly LookupName[] {
  const record = recordFields(operation);
  return lookups.filter((name) => Object.hasOwn(operation.request.shape, name) && record.includes(name));
}

/** The command group of an operation's records: `customers`. */
export const groupOf = ({ command, idsOf }: Operation) => idsOf ?? command.split(' ')[0] ?? '';

/** Whether an operation reads one record by its name. */
export const isGet = ({ effect, page, request }: Operation) =>
  effect === 'read' && page === undefined && Object.hasOwn(request.shape, 'id');

/** Whether an operation lists records of the shop. */
export const isList = ({ effect, page, request }: Operation) =>
  effect === 'read' && page !== undefined && (page.cursors || Object.hasOwn(request.shape, 'filter'));

const always: readonly CheckName[] = ['answer', 'headers', 'speed'];
const refusals: readonly CheckName[] = ['wrong key', 'wrong method', 'wrong content type', 'malformed body'];
const ofPages: readonly CheckName[] = ['cursors', 'pages', 'pages backwards', 'page size', 'sort'];

/** The checks of a reading operation, derived from its declaration: a new operation has them without new code. */
export function readChecks(operation: Operation): readonly CheckName[] {
  const { page, request, response } = operation;
  const has = (name: string) => Object.hasOwn(request.shape, name);
  const ids = page !== undefined && fieldNames(response.shape[page.items]).includes('id');
  return [
    ...always,
    ...(isList(operation) && ids ? (['ids'] as const) : []),
    ...(isList(operation) && page?.cursors === true ? ofPages : []),
    ...(has('filter') ? (['filter'] as const) : []),
    ...(has('include_deleted') ? (['deleted'] as const) : []),
    ...(isGet(operation) ? [...namesOf(operation).map((name) => `by ${name}` as const), 'unknown id' as const] : []),
    ...refusals,
  ];
}

/** The checks of a writing operation, derived from its declaration. */
export function writeChecks({ effect, settlement }: Operation): readonly CheckName[] {
  if (effect === 'create')
    return ['create', ...(settlement === undefined ? [] : (['wrong totals', 'duplicate'] as const))];
  if (effect === 'update') return ['update'];
  return effect === 'delete' ? ['delete'] : ['transition'];
}
