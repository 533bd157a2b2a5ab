import type { Entity } from './kinds.ts';

/** A whole record as stored: JSON in the wire form, for an answer that returns it unchanged. */
export class StoredJson {
  readonly kind: Entity;
  readonly json: string;

  constructor(kind: Entity, json: string) {
    this.kind = kind;
    this.json = json;
  }
}
