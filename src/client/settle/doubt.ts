import type { Operation } from '../../contract/operation.ts';
import { say } from '../../contract/texts.ts';
import { type Fields, fieldsIn, isRecord } from '../../domain/json/values.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { differences } from './compare.ts';
import { endsRecord, isOver, recordIn, shipmentError, textIn } from './found-record.ts';

/** Why an answer with a success status does not prove that its call was carried out, or is no answer to it. */
export interface Doubt {
  readonly reason: string;
  /** The id of its record, where nothing but the name is missing: reading it may prove what the answer does not. */
  readonly id?: string;
}

const isSilent = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Whether a record brings back all that its operation declares as proof of a create without a name; places by whatever
 * name the tree has for them.
 */
export function bringsBack({ proves = [] }: Operation, request: Fields, record: Fields, tree: LocationTree): boolean {
  const sent = Object.fromEntries(
    proves.flatMap((field) => (isSilent(request[field]) ? [] : [[field, request[field]]])),
  );
  const names = Object.keys(sent);
  if (names.length === 0 || names.some((field) => record[field] === undefined)) return false;
  return differences(sent, record, tree).length === 0;
}

/**
 * Whether an answer is no answer of its operation at all: no object, or one that has something, and nothing of what is
 * declared. Of an operation that answers nothing that is whatever says anything.
 */
function isForeign({ response }: Operation, answer: unknown): boolean {
  const names = Object.keys(fieldsIn(answer));
  return !isRecord(answer) || (names.length > 0 && !names.some((name) => Object.hasOwn(response.shape, name)));
}

const foreign = (): Doubt => ({ reason: say().doubt.foreign });

/**
 * Why an answer does not prove that a create was carried out; undefined if it does. An operation that answers nothing is
 * done with an empty success; any other with the id of a record that has the name that was sent, or, where none was sent, all
 * that its declaration says.
 */
export function doubtOfCreate(
  operation: Operation,
  request: Fields,
  answer: unknown,
  tree: LocationTree,
): Doubt | undefined {
  if (Object.keys(operation.response.shape).length === 0) return isForeign(operation, answer) ? foreign() : undefined;
  const [name, record] = [textIn(request.external_id), recordIn(answer)];
  const id = textIn(record?.id);
  if (record === undefined || id === '') return { reason: say().doubt.namesNone };
  const found = textIn(record.external_id);
  if (name !== '' && found !== '') return found === name ? undefined : { reason: say().doubt.ofAnother };
  if (name === '' && bringsBack(operation, request, record, tree)) return undefined;
  return { reason: name === '' ? say().doubt.withoutContent : say().doubt.withoutName, id };
}

/** Whether an answer says of a record that it stands as before: one whose parcel travels on says so itself. */
function isStanding(answer: unknown): boolean {
  const record = recordIn(answer);
  return record !== undefined && !isOver(record) && shipmentError(fieldsIn(answer)) === undefined;
}

/**
 * Why an answer does not prove that a record was changed; undefined if it does. An operation that answers a record has to
 * bring one, which has ended if that was asked for, and one that answers a count has to say it; others, which answer
 * nothing or what is left, say nothing else.
 */
export function doubtOfChange(operation: Operation, answer: unknown): Doubt | undefined {
  const { shape } = operation.response;
  const answers = (...fields: readonly string[]) => fields.some((field) => Object.hasOwn(shape, field));
  const ofRecord = answers('id', 'order', 'fulfillment');
  if (ofRecord && recordIn(answer) === undefined) return { reason: say().doubt.aboutNone };
  if (ofRecord && endsRecord(operation) && isStanding(answer)) return { reason: say().doubt.notEnded };
  if (!ofRecord && isForeign(operation, answer)) return foreign();
  if (!answers('updated') || !isSilent(fieldsIn(answer).updated)) return undefined;
  return { reason: say().doubt.noCount };
}
