import type { PlaceBook } from './carriers/places.ts';
import type { Random } from './random.ts';
import type { Entity } from './store/kinds.ts';
import type { ChangeRecorder } from './store/outbox.ts';
import type { Records } from './store/records.ts';
import type { Database } from './store/tables.ts';
import type { AllowedHosts } from './webhooks/target.ts';

/**
 * One unit of work: what a handler or a control function reads and writes with. A unit that writes is one transaction;
 * its changes are heard only when it is committed.
 */
export interface Work {
  /** The tables, inside this unit's transaction. */
  readonly database: Database;
  /** The moment of this unit by the business clock, milliseconds since 1970. */
  readonly now: number;
  /** The same moment as the wire shows it. */
  readonly time: string;
  readonly random: Random;
  /** Hosts outside this machine that webhooks may lead to. */
  readonly allowedHosts: AllowedHosts;
  /** The records of one kind in one shop. Each write there records its change. */
  records<K extends Entity>(kind: K, shopId: string): Records<K>;
  /** Only for changes that no write of `records` makes. */
  readonly changes: ChangeRecorder;
  /** A new id for what is not a record of a kind, such as a webhook. */
  nextId(): string;
  /** The next number under a name in the shop, from 1. */
  nextNumber(shopId: string, name: string): number;
  /** The next code in the shop under that prefix, for example KH000001 (decisions, section 6). */
  nextCode(shopId: string, prefix: string): string;
  /** The place names that addresses are matched with (decisions, section 9). */
  readonly places: PlaceBook;
}
