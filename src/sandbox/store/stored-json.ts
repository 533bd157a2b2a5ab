import type { Entity } from './kinds.ts';

/** A whole record as it stands in the data: the JSON that the wire shows, for an answer that changes nothing of it. */
export class StoredJson {
  readonly kind: Entity;
  readonly json: string;

  constructor(kind: Entity, json: string) {
    this.kind = kind;
    this.json = json;
  }
}
