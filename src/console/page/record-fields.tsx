import type { FieldData } from '../wire.ts';
import { shownAs, Table } from './table.tsx';

/** The fields of a record. */
export function Fields({ fields }: { readonly fields: readonly FieldData[] }) {
  return (
    <dl class="fields">
      {fields.map(({ name, cell, table }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {cell !== undefined && shownAs(cell)}
            {table !== undefined && <Table table={table} caption={name} />}
            {table?.of !== undefined && table.of > table.rows.length && (
              <p class="quiet">
                The first {table.rows.length} of {table.of}
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
