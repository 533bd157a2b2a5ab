import { OutcomeUnknownError, ServiceError } from '../client/errors.ts';
import { say } from './texts.ts';

/** An unknown outcome, with the id under which a person can settle it. */
export function withIntent(error: unknown, intent: string): unknown {
  if (error instanceof ServiceError && error.outcome === 'unknown') return error.withMeta({ intent });
  if (!(error instanceof OutcomeUnknownError)) return error;
  const { operation = '', message, cause, meta } = error;
  return new OutcomeUnknownError(operation, message, { cause, meta: { ...meta, intent } });
}

/** What a draft, or a write that the ledger knows, is refused for. */
const kindsOfDraft = {
  draft_not_found: 'missing',
  draft_ambiguous: 'usage',
  write_not_found: 'missing',
  write_ambiguous: 'usage',
  draft_busy: 'conflict',
  draft_elsewhere: 'usage',
  draft_unsettled: 'usage',
} as const;

/** Thrown if a draft cannot be used: it does not exist, belongs elsewhere, or is in use by another shopctl process. */
export class DraftError extends Error {
  readonly kind: (typeof kindsOfDraft)[keyof typeof kindsOfDraft];
  readonly code: keyof typeof kindsOfDraft;
  /** Facts for a user interface to word its advice with: `draft`, its id, and for a draft made elsewhere, where. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: DraftError['code'], message: string, facts: DraftError['facts'] = {}) {
    super(message);
    this.name = 'DraftError';
    this.kind = kindsOfDraft[code];
    this.code = code;
    this.facts = facts;
  }
}

type Facts = Readonly<Record<string, string>>;

const kinds = {
  sent_before: 'conflict',
  differs: 'conflict',
  already_over: 'conflict',
  other_family: 'policy',
  other_address: 'policy',
  held_by: 'held',
} as const;

/** Thrown if the ledger does not allow a write: nothing of it was sent. */
export class LedgerRefusal extends Error {
  readonly kind: (typeof kinds)[keyof typeof kinds];
  readonly code: keyof typeof kinds;
  readonly outcome = 'not_applied';
  readonly meta: Facts;

  constructor(code: LedgerRefusal['code'], message: string, meta: Facts = {}) {
    super(message);
    this.name = 'LedgerRefusal';
    this.kind = kinds[code];
    this.code = code;
    this.meta = meta;
  }
}

/**
 * The same order was sent within a day, and its answer was reported: to send an identical order again, the caller has to
 * say so.
 */
export function sentBefore(meta: Readonly<Record<'order_id' | 'external_id' | 'answered_at', string>>): LedgerRefusal {
  const message = say().refused.sentBefore({ at: meta.answered_at, order: meta.order_id });
  return new LedgerRefusal('sent_before', message, meta);
}

/**
 * A name was used for other content; `fields` are the paths that differ, none if the former content is forgotten.
 * `isSettled` if that was sent once more now, since nobody knew what had become of it.
 */
export function differs(name: string, fields: readonly string[], meta: Facts, { madeAt, isSettled }: Sent) {
  const about = { name, at: madeAt, fields };
  const message = isSettled ? say().refused.differsSettled(about) : say().refused.differs(about);
  return new LedgerRefusal('differs', message, meta);
}

interface Sent {
  /** ISO 8601. */
  readonly madeAt: string;
  readonly isSettled: boolean;
}

/** The record under a given name was made through this ledger and has ended since. */
export function ended(name: string, meta: Facts): LedgerRefusal {
  return new LedgerRefusal('already_over', say().refused.ended({ name }), meta);
}

/** The shop's other family of keys has made the same through this ledger. */
export function ofOtherFamily(family: string): LedgerRefusal {
  const { byPartner, byShop } = say().refused;
  return new LedgerRefusal('other_family', family === 'partner' ? byPartner : byShop);
}

/**
 * Another write has the same name or record, and its outcome is not known. `meta` names the `intent`, or the `holder`
 * that is a row of a batch.
 */
export function heldBy(message: string, meta: Facts): LedgerRefusal {
  return new LedgerRefusal('held_by', message, meta);
}
