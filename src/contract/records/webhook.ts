import * as enums from '../enums.ts';
import { id, int, list, nested, oneOf, record, requiring, text, time } from '../schema/scalars.ts';
import { say } from '../texts.ts';

const fields = list(text('Name of a field'), 'Not supported yet: must be empty');

const entities = list(oneOf(enums.entity, 'A kind of record'), 'The kinds of records whose changes are sent');

const content = {
  url: text('Where the changes are sent; a secret in it lets the receiver know the sender'),
  metadata: text('Free text, stored with the webhook'),
};

const lastError = record({
  error: text('What went wrong'),
  resp_status: int('What the receiver answered; 0 when it did not', 'HTTP status code'),
  resp_body: text('Beginning of what the receiver answered'),
  retried: int('How often the delivery had been repeated', 'attempts'),
  sent_at: time('When the delivery was sent'),
});

const states = record({
  state: oneOf(enums.webhookState, 'ok, retry after a failure, or stop after too many'),
  last_sent_at: time('When a delivery was last sent'),
  last_error: nested(lastError, 'The last failure'),
});

/** A subscription to changes (contract, "Webhook"). */
export const webhook = record({
  id: id('Id of the webhook'),
  url: content.url,
  entities,
  fields,
  metadata: content.metadata,
  created_at: time('When it was created'),
  states: nested(states, 'The state of its deliveries'),
});

/** The fields of a new webhook; `fields` is sent as an empty list (contract, CreateWebhook; decisions, section 8). */
export const newWebhook = requiring(
  { url: content.url, entities: entities.min(1) },
  { fields: fields.max(0, { error: () => say().notSupported }).default([]), metadata: content.metadata },
);

/** The webhooks of an account. */
export const webhooks = record({ webhooks: list(webhook, 'The webhooks') });
