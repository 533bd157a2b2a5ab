import type { Entity } from './kinds.ts';

/** A whole answer, put together of stored records by the statement that read them: its JSON in UTF-8. */
export class StoredAnswer {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** A page of records that are sent as they are stored: those of one field of an answer, in UTF-8, and its paging. */
export class StoredPage {
  readonly field: string;
  /** The records, separated by commas. */
  readonly records: Uint8Array;
  readonly paging: object;

  constructor(field: string, records: Uint8Array, paging: object) {
    this.field = field;
    this.records = records;
    this.paging = paging;
  }
}

/** A whole record as stored: JSON in the wire form, for an answer that returns it unchanged. */
export class StoredJson {
  readonly kind: Entity;
  readonly json: string;

  constructor(kind: Entity, json: string) {
    this.kind = kind;
    this.json = json;
  }
}
