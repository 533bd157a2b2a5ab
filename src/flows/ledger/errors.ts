/** Thrown if a draft cannot be used: it does not exist, belongs elsewhere, or is in use by another shopctl process. */
export class DraftError extends Error {
  readonly kind = 'usage';
  readonly code: 'draft_not_found' | 'draft_busy' | 'draft_elsewhere' | 'draft_unsettled';
  /** Facts for a user interface to word its advice with: `draft`, its id, and for a draft made elsewhere, where. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: DraftError['code'], message: string, facts: DraftError['facts'] = {}) {
    super(message);
    this.name = 'DraftError';
    this.code = code;
    this.facts = facts;
  }
}

/**
 * Thrown if the same order was sent within a day and its answer was reported: nothing is sent. To send an identical
 * order again, the caller has to say so.
 */
export class SentBeforeError extends Error {
  readonly kind = 'conflict';
  readonly code = 'sent_before';
  readonly outcome = 'not_applied';
  readonly meta: Readonly<Record<string, string>>;

  /** `meta` holds `order_id`, `external_id` and `answered_at` of the order that was sent. */
  constructor(meta: Readonly<Record<'order_id' | 'external_id' | 'answered_at', string>>) {
    super(`the same order was sent at ${meta.answered_at}, as order ${meta.order_id}`);
    this.name = 'SentBeforeError';
    this.meta = meta;
  }
}

/** Thrown if a name was used for another content before: nothing is sent. */
export class DiffersError extends Error {
  readonly kind = 'conflict';
  readonly code = 'differs';
  readonly outcome = 'not_applied';
  readonly meta: Readonly<Record<string, string>>;

  /** `fields` are the paths at which the two differ; none if the former content is forgotten. */
  constructor(name: string, madeAt: string, fields: readonly string[], meta: Readonly<Record<string, string>>) {
    const what = fields.length === 0 ? 'other content' : `other content (${fields.join(', ')})`;
    super(`${name} was sent at ${madeAt} with ${what}; nothing was sent now`);
    this.name = 'DiffersError';
    this.meta = meta;
  }
}

/** Thrown if the record under a given name was made through this ledger and has ended since. Nothing was sent. */
export class EndedError extends Error {
  readonly kind = 'conflict';
  readonly code = 'already_over';
  readonly outcome = 'not_applied';
  readonly meta: Readonly<Record<string, string>>;

  constructor(name: string, meta: Readonly<Record<string, string>>) {
    super(`${name} was sent before, and its record has ended since: it was cancelled, returned or deleted`);
    this.name = 'EndedError';
    this.meta = meta;
  }
}

/** Thrown if the shop's other family of keys has made the same through this ledger: nothing is sent. */
export class OtherFamilyError extends Error {
  readonly kind = 'policy';
  readonly code = 'other_family';
  readonly outcome = 'not_applied';

  constructor(family: string) {
    const whose = family === 'partner' ? "the partner's key" : "the shop's own key";
    super(`the same was sent with ${whose} before; nothing was sent now`);
    this.name = 'OtherFamilyError';
  }
}

/**
 * Thrown if somebody else's write has the same name or record and nobody knows what became of it: nothing of this
 * command was sent. `holder` is the id of an intent, or of a batch.
 */
export class HeldByError extends Error {
  readonly kind = 'held';
  readonly code = 'held_by';
  readonly outcome = 'not_applied';
  readonly meta: Readonly<Record<string, string>>;

  constructor(message: string, meta: Readonly<Record<string, string>>) {
    super(message);
    this.name = 'HeldByError';
    this.meta = meta;
  }
}
