import type { Migration } from '../../migration.ts';

/** When a poll through the mirror told what was missed in a period. */
export const closedGaps: Migration = {
  name: 'closed-gaps',
  async up({ schema }) {
    await schema.alterTable('event_gaps').addColumn('closed_at', 'text').execute();
  },
};
