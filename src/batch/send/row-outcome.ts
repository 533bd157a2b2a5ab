import { type CallError, ServiceError } from '../../client/errors.ts';
import { recordIn } from '../../client/settle/found-record.ts';
import type { FoundVerdict } from '../../client/settle/settle-lost.ts';
import { type Fields, recordsIn } from '../../domain/json/values.ts';
import type { Row } from '../store/row.ts';
import { notShipped } from '../store/row-keys.ts';
import { asStored, batchTexts } from '../texts.ts';

/** The final outcome of a row. */
export type RowOutcome = Partial<
  Pick<Row, 'id' | 'code' | 'shipping_code' | 'error_code' | 'error_message' | 'error_fields'>
> & {
  readonly state: 'done' | 'existed' | 'failed' | 'skipped' | 'unclear';
  /** Of a row that ends its record: whether nothing is left of that, where the state does not tell. */
  readonly isGone?: boolean;
};

/** A row that was refused, and why. */
export const failed = (error_code: string, error_message: string): RowOutcome => ({
  state: 'failed',
  error_code,
  error_message: asStored(error_message),
});

/** The fields that a service refused, as they are stored with a row. */
export const refusedFields = (error: Error): Pick<Row, 'error_fields'> => {
  const fields = error instanceof ServiceError ? error.fieldErrors : [];
  return { error_fields: fields.length === 0 ? null : JSON.stringify(fields) };
};

/** A row that the service refused, with the field that it names. */
export const refusedBy = (error: CallError, message = error.message): RowOutcome => ({
  ...failed(error.code, message),
  ...refusedFields(error),
});
/** A row whose outcome is unknown, and why. */
export const unclear = (error_message: string): RowOutcome => ({
  state: 'unclear',
  error_code: 'outcome_unknown',
  error_message: asStored(error_message),
});

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** The fields of an answer that a result shows. */
export function factsOf(answer: Fields): Pick<RowOutcome, 'id' | 'code' | 'shipping_code'> {
  const record = recordIn(answer) ?? {};
  const [shipment] = recordsIn(answer.fulfillments);
  const shipping_code = text(shipment?.shipping_code ?? record.shipping_code);
  return { id: text(record.id), code: text(record.code), shipping_code };
}

/** A live record under a row's name. */
export type Live = Exclude<FoundVerdict, { state: 'none' | 'over' }>;

/** How a record is told that the service has otherwise than it was sent, in these fields. */
export const changedIn = (fields: readonly string[]) =>
  fields.length === 0
    ? {}
    : { error_code: 'changed', error_message: batchTexts.row.changed({ fields: fields.join(', ') }) };

/** What a live record under a row's name says about it; `maybeSent` is whether the row itself may have made it. */
export function outcomeOf({ state, answer, different }: Live, name: string, maybeSent: boolean): RowOutcome {
  const fields = different.join(', ');
  const { differs, lostAndDiffers, halfDone } = batchTexts.row;
  switch (state) {
    case 'conflict':
      return failed('differs', differs({ name, fields }));
    case 'unclear':
      return unclear(lostAndDiffers({ name, fields }));
    case 'half done':
      return maybeSent ? unclear(halfDone({ name })) : notShipped(name);
    default: {
      // Nobody else can have made it; the service keeps text in its own way.
      return { state, ...factsOf(answer), ...changedIn(different) };
    }
  }
}
