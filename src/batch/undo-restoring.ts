import { requestErrors } from '../contract/schema/parse.ts';
import { type Fields, readFields } from '../domain/json/values.ts';
import { type Found, isSameValue } from '../ledger/look-up.ts';
import type { RowWork } from '../ledger/work.ts';
import { clearing } from '../sheets/values.ts';
import { failed, type RowOutcome, unclear } from './send/row-outcome.ts';
import type { RowWithRequest, WholeRow } from './store/row.ts';
import { batchTexts } from './texts.ts';
import type { UndoneAlready } from './undone-already.ts';

/** How a record stands to an update that is to be undone. */
type Standing =
  | { readonly state: 'gone' | 'old' | 'ours' }
  /** Somebody else has changed these fields since: they are not overwritten. */
  | { readonly state: 'changed'; readonly fields: readonly string[] };

/** Compares a record with the values that an undo restores, and with those that it replaces. */
function standingOf(found: Found, old: Fields, ours: Fields): Standing {
  if (found.state === 'none' || found.record.deleted === true) return { state: 'gone' };
  const { record } = found;
  const names = Object.keys(ours);
  const isOld = (name: string) => isSameValue(old[name], record[name]);
  if (names.every(isOld)) return { state: 'old' };
  const fields = names.filter((name) => !isOld(name) && !isSameValue(ours[name], record[name]));
  return fields.length > 0 ? { state: 'changed', fields } : { state: 'ours' };
}

const stored = () => batchTexts.row;

/**
 * What a record says about the row that restores it, which may have been sent before; undefined if it still has the
 * values of the update, and is to be restored.
 */
export function conflictBy(found: Found, row: RowWithRequest, sentBefore: boolean): RowOutcome | undefined {
  const standing = standingOf(found, readFields(row.payload), readFields(row.old_values ?? '{}'));
  switch (standing.state) {
    case 'ours':
      return undefined;
    case 'old':
      return { state: sentBefore ? 'done' : 'existed' };
    case 'gone':
      return sentBefore ? unclear(stored().lostAnd({ why: stored().gone })) : failed('not_found', stored().gone);
    default: {
      const why = stored().changedSince({ fields: standing.fields.join(', ') });
      return sentBefore ? unclear(stored().lostAnd({ why })) : failed('changed_since', why);
    }
  }
}

/**
 * What gives a field its old value again; undefined if nothing does, or if the service never shows it, so that its old
 * value is not known. A field without a value is cleared.
 */
export function restoredValue({ operation, targets, schema, shown }: RowWork, field: string, old: unknown): unknown {
  const declared = schema.properties?.[field];
  if (declared === undefined || !shown.some(({ properties }) => properties?.[field] !== undefined)) return undefined;
  const value = old ?? clearing(declared);
  // Any id is as good as that of the record.
  const target = Object.fromEntries(targets.map((name) => [name, '1']));
  const isWrong = value === undefined || requestErrors(operation, { ...target, [field]: value }).length > 0;
  return isWrong ? undefined : value;
}

/** The row that undoes an update, or why it is left. */
export interface Restoring extends Pick<WholeRow, 'payload' | 'old_values'> {
  readonly already?: UndoneAlready;
  /** Fields that stay as the update left them. */
  readonly stays: readonly string[];
}

const left = (error_code: string, error_message: string): UndoneAlready => ({
  state: 'failed',
  error_code,
  error_message,
});

/** What undoes the update of a row, whose record is as found. */
export function restoringOf(work: RowWork, row: WholeRow, found: Found): Restoring {
  const request = readFields(row.payload);
  const target = Object.fromEntries(work.targets.map((name) => [name, request[name]]));
  if (row.old_values === null) {
    const already = left('old_values_unknown', stored().notStored);
    return { payload: row.payload, old_values: null, already, stays: [] };
  }
  const all = Object.entries(readFields(row.old_values));
  const restored = all.map(([field, was]) => [field, restoredValue(work, field, was)] as const);
  const back = restored.filter(([, value]) => value !== undefined);
  const stays = restored.filter(([, value]) => value === undefined).map(([field]) => field);
  const old = Object.fromEntries(back);
  const ours = Object.fromEntries(back.map(([field]) => [field, request[field]]));
  const texts = { payload: JSON.stringify({ ...target, ...old }), old_values: JSON.stringify(ours), stays };
  if (back.length === 0)
    return { ...texts, already: left('cannot_restore', stored().notRestored({ fields: stays.join(', ') })) };
  const standing = standingOf(found, old, ours);
  switch (standing.state) {
    case 'gone':
      return { ...texts, already: left('not_found', stored().gone) };
    case 'old':
      return { ...texts, already: { state: 'existed', error_code: null, error_message: null, error_fields: null } };
    case 'changed':
      return {
        ...texts,
        already: left('changed_since', stored().changedSince({ fields: standing.fields.join(', ') })),
      };
    default:
      return texts;
  }
}
