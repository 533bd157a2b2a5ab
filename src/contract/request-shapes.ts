import { pageInfo, paging } from './records/paging.ts';
import { type FieldSchemas, flag, id, nested, record, requiring, text } from './schema/scalars.ts';

// The shapes that requests and lists share (contract, "Shared request shapes"). The field that identifies the record of
// a call is required unless there is another way to identify it.

/** A record by its id alone (contract, IDRequest). */
export const byId = (kind: string) => requiring({ id: id(`Id of the ${kind}`) }, {});

/**
 * The three identifiers of a record; which of them are required is a rule of the operation (contract, LookupRequest).
 */
export const lookup = (kind: string) => ({
  id: id(`Id of the ${kind}`),
  code: text(`Code of the ${kind}`),
  external_id: text(`Id of the ${kind} in the caller's system`),
});

/** The three identifiers of a shipment (contract, GetFulfillment and the Shipnow operations). */
export const shipmentLookup = (kind: string) => ({
  id: id(`Id of the ${kind}`),
  shipping_code: text("The carrier's code of the parcel"),
  external_id: text(`Id of the ${kind} in the caller's system`),
});

/** The filter of a list (contract, ListRequest). */
export const filtered = <Filter extends FieldSchemas>(filter: Filter) => ({
  filter: nested(record(filter), 'Which records are wanted; all of them when absent'),
});

/** The switch for lists that can include soft-deleted records (contract, ListRequest). */
export const withDeleted = { include_deleted: flag('Whether deleted records are included, as id and deleted only') };

/** The requested page of a list (contract, ListRequest). */
export const paged = { paging: nested(paging, 'Which page, how long and in which order') };

/** The position of a page in a list response (contract, "Paging"). */
export const atPage = { paging: nested(pageInfo, 'Where this page stands') };
