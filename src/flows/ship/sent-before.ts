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
