import * as z from 'zod';
import { documentedAs } from '../../../contract/schema/full-schema.ts';
import { id, oneOf, text, time } from '../../../contract/schema/scalars.ts';

const changeContent = documentedAs(
  z.unknown().meta({ type: 'object', description: 'The change as the service sent it' }),
  { partial: false, load: async () => (await import('../../../contract/records/account/change.ts')).change },
);

/** A stored change, as lists and listeners show it. */
export const eventRecord = z.object({
  id: id('Id of the change in this workspace; a target gets it with each attempt'),
  received_at: time('When it was received, by this machine'),
  source: oneOf(
    ['webhook', 'poll'],
    'How it came: by a webhook, or found by a poll because no webhook had delivered it',
  ),
  entity: text('Kind of the record'),
  change_type: text('What happened to the record'),
  record_id: text('Id of the record'),
  shop_id: z.nullable(text('Shop of the record, where the record tells it')),
  time: time('When it happened, by the service'),
  change: changeContent,
});

/** The columns of a stored change. */
export const eventView = {
  columns: [
    { path: 'id' },
    { path: 'received_at', header: 'received', kind: 'moment' },
    { path: 'entity' },
    { path: 'change_type', header: 'change' },
    { path: 'record_id', header: 'record' },
    { path: 'shop_id', header: 'shop', optional: true },
    { path: 'time', kind: 'moment', optional: true },
  ],
  name: 'id',
  fields: ['source', 'change'],
} as const;
