import type { Migration } from '../../migration.ts';

/** Indexes for look-ups in large numbers of stored changes. */
export const eventLookups: Migration = {
  name: 'event-lookups',
  async up({ schema }) {
    await schema.createIndex('events_change_type').on('events').columns(['change_type', 'seq']).execute();
    // Whether any target is still waiting for a change.
    await schema.createIndex('event_handoffs_seq').on('event_handoffs').columns(['seq']).execute();
  },
};
