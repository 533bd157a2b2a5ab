import type { Migration } from '../migrations.ts';

/** What is asked for of many kept changes is found, and not looked for in all of them. */
export const eventLookups: Migration = {
  name: 'event-lookups',
  async up({ schema }) {
    await schema.createIndex('events_change_type').on('events').columns(['change_type', 'seq']).execute();
    // Whether any target still waits for a change.
    await schema.createIndex('event_handoffs_seq').on('event_handoffs').columns(['seq']).execute();
  },
};
