import type { Operation } from '../../contract/operation.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { call } from '../call.ts';
import type { Connection } from '../connection.ts';
import { CallError, OutcomeUnknownError } from '../errors.ts';
import { differences } from './compare.ts';
import { bringsBack } from './doubt.ts';
import { isOver, recordIn, textIn } from './found-record.ts';
import type { Seen } from './settle-lost.ts';

/** The id that the answer to a create gave without its name, if that is why its outcome is unknown. */
export function answeredId(error: unknown): string | undefined {
  return error instanceof OutcomeUnknownError ? error.meta.answered_id : undefined;
}

/** The record of a create, if it has the name that was sent, or all that was sent. */
function ownRecord(operation: Operation, request: Fields, answer: Fields, tree: LocationTree): Seen | undefined {
  const record = recordIn(answer);
  if (record === undefined || isOver(record)) return undefined;
  const different = differences(request, record, tree);
  const name = textIn(request.external_id);
  const isNamed = name !== '' && textIn(record.external_id) === name;
  const isEqual = different.every((path) => path === 'external_id' && textIn(record[path]) === '');
  return isNamed || (isEqual && bringsBack(operation, request, record, tree))
    ? { record, answer, different }
    : undefined;
}

/**
 * Reads once the record whose id the answer to a create gave without its name: undefined if it is not the one that was
 * asked for, or cannot be read. An id alone proves nothing.
 */
export async function readAnswered(
  { operation, request }: { readonly operation: Operation; readonly request: Fields },
  id: string,
  { lookup, lookups }: { readonly lookup: Operation; readonly lookups: Connection },
): Promise<Seen | undefined> {
  if (!Object.hasOwn(lookup.request.shape, 'id')) return undefined;
  const { locationTree } = await import('../../domain/places/place-data.ts');
  try {
    return ownRecord(operation, request, fieldsIn(await call(lookup, { id }, lookups)), locationTree);
  } catch (error) {
    if (error instanceof CallError) return undefined;
    throw error;
  }
}
