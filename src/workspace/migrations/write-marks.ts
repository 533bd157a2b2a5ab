import type { Migration } from '../migrations.ts';

/** A mark of each transaction that writes, by which a process finds out whether one whose answer was lost was committed. */
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
