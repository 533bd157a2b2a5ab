import { tableFrom } from '../../domain/json/keys-of.ts';
import type { Work } from '../engine/call.ts';
import { invalid, notFound } from '../engine/refusal.ts';
import type { Entity } from '../engine/store/record-kinds.ts';
import type { Lookup } from '../engine/store/records.ts';
import type { Stored } from '../engine/store/rows.ts';

/** The names of a record (contract, LookupRequest); "" and "0" count as absent. */
export interface Names {
  readonly id?: string | undefined;
  readonly code?: string | undefined;
  readonly external_id?: string | undefined;
}

/** The kinds of records that have all three names. */
type Named = 'customer' | 'product' | 'variant';

/** The given names, in the order id, code, external_id; 400 without any (decisions, section 5). */
export function givenNames({ id, code, external_id }: Names): readonly [keyof Names, string][] {
  const given = Object.entries({ id, code, external_id }).filter(
    (name): name is [keyof Names, string] => name[1] !== undefined && name[1] !== '' && name[1] !== '0',
  );
  if (given.length === 0) throw invalid('id', 'is missing: give id, code or external_id');
  return given;
}

/**
 * The record that matches all given names; 400 without any, 404 if there is none in the shop (decisions, section 5).
 * Only codes are unique: if several records share an external id, the oldest is returned.
 */
export function findByAllNames<K extends Named>(work: Work, shopId: string, kind: K, names: Names) {
  return findOldest(work, shopId, kind, tableFrom(givenNames(names)));
}

/** Like `findByAllNames`, but by the first given name only; the others are ignored. */
export function findByFirstName<K extends Named>(work: Work, shopId: string, kind: K, names: Names) {
  return findOldest(work, shopId, kind, tableFrom(givenNames(names).slice(0, 1)));
}

/** The record with that id; 400 if the request's id field of that name is absent, 404 if there is no such record. */
export function findById<K extends Entity>(
  work: Work,
  shopId: string,
  kind: K,
  id: string | undefined,
  field = 'id',
): Stored<K> {
  if (id === undefined || id === '0') throw invalid(field, 'is missing');
  return present(kind, work.records(kind, shopId).get(id));
}

function findOldest<K extends Entity>(work: Work, shopId: string, kind: K, lookup: Lookup<K>) {
  return present(kind, work.records(kind, shopId).find(lookup)[0]);
}

function present<K extends Entity>(kind: K, found: Stored<K> | undefined): Stored<K> {
  if (found === undefined) throw notFound(kind.replaceAll('_', ' '));
  return found;
}
