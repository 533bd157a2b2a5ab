import type { AllowedHosts } from './allowed-hosts.ts';
import type { PlaceBook } from './places.ts';
import type { Random } from './random.ts';
import type { ChangeRecorder } from './store/outbox.ts';
import type { Entity } from './store/records/kinds.ts';
import type { Records } from './store/records/records.ts';
import type { Database } from './store/sql/statement.ts';

/**
 * One unit of work: what a handler or a control function reads and writes with. A unit that writes is one transaction;
 * webhooks get its changes only after the commit.
 */
export interface Work {
  /** The tables, within this unit's transaction. */
  readonly database: Database;
  /** The time of this unit by the business clock, milliseconds since 1970. */
  readonly now: number;
  /** The same time in the wire's format. */
  readonly time: string;
  readonly random: Random;
  /** Hosts outside this machine that webhook urls may have. */
  readonly allowedHosts: AllowedHosts;
  /** The records of one kind in one shop. Each write through it records its change. */
  records<K extends Entity>(kind: K, shopId: string): Records<K>;
  /** Only for changes that no write through `records` makes. */
  readonly changes: ChangeRecorder;
  /** A new id for anything that is not a record, such as a webhook. */
  nextId(): string;
  /** The next number of a named counter of the shop, from 1. */
  nextNumber(shopId: string, name: string): number;
  /** The next code in the shop with that prefix, for example KH000001 (decisions, section 6). */
  nextCode(shopId: string, prefix: string): string;
  /** The place names for matching addresses (decisions, section 9). */
  readonly places: PlaceBook;
}
