import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { Payments } from '../../src/workspace/payments/payments.ts';
import { workspaceKinds } from '../support/workspaces.ts';

/** A workspace as an earlier version left it. */
const earlier = [
  'drop index cod_lines_parcel',
  'alter table cod_lines drop column cells',
  "delete from schema_steps where name in ('payment-rows', 'payment-versions')",
  `insert into cod_files (shop_id, id, name, layout, carrier, imported_at, rows, unread, problems, version)
     values ('1', 'aa', 'a.csv', 'own', '', '2026-11-20T10:00:00.000Z', 2, 0, '[]', 1)`,
  ...['#', 'P1'].map(
    (
      parcel,
      index,
    ) => `insert into cod_lines (file, line, session, parcel, shipping_code, fulfillment_id, kind, amount, cell, day, repeats, late)
     select number, ${index + 1}, 's1', '${parcel}', '${parcel.replace('#', '')}', '', '${parcel === '#' ? 'debt' : 'cod'}', -50000, 'A${index + 2}', null, null, 0 from cod_files`,
  ),
];

describe.each(workspaceKinds())('the rows of payment files in $name', (kind) => {
  afterAll(() => kind.end());

  it.skipIf(kind.missing)(
    'of an earlier version stay as they are, and are no others than those of the same file now',
    async () => {
      const place = await kind.place();
      const before = await kind.open(place);
      await before.write(async (database) => {
        for (const statement of earlier) await sql.raw(statement).execute(database);
      });
      await before.close();
      const all = await Promise.all([1, 2].map(() => kind.open(place)));
      for (const workspace of all) onTestFinished(() => workspace.close());
      const [workspace] = all;
      if (workspace === undefined) throw new TypeError('there is no workspace');
      const payments = new Payments(workspace);
      const [file] = await payments.files('1');
      if (file === undefined) throw new TypeError('the file is gone');
      // A mirror copies it once more.
      expect(Number(file.version)).toBeGreaterThan(1);
      const lines = await payments.lines('1', { files: [file.number] });
      expect(lines.map(({ parcel, amount, cells, repeats }) => [parcel, Number(amount), cells, repeats])).toEqual([
        ['#', -50_000, '', null],
        ['P1', -50_000, '', null],
      ]);
      const { number: _, version: __, ...of } = file;
      const same = lines.map(({ file: _, line: __, late: ___, name: ____, file_id: _____, ...line }) => ({
        ...line,
        cells: 'now',
      }));
      const stored = await payments.add({
        file: { ...of, id: 'bb', name: 'b.csv' },
        lines: same.map((line) => ({ ...line, amount: Number(line.amount) })),
      });
      expect(stored).toMatchObject({
        kind: 'stored',
        repeated: new Map([
          [0, 'a.csv A2'],
          [1, 'a.csv A3'],
        ]),
      });
    },
  );
});
