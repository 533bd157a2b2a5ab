import type { Migration } from '../migration.ts';

/** A mark for each write transaction: a process whose answer was lost can tell whether it was committed. */
export const writeMarks: Migration = {
  name: 'write-marks',
  async up({ schema }) {
    await schema
      .createTable('write_marks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('written_at', 'text', (column) => column.notNull())
      .execute();
  },
};
