import { openParcels } from './open-parcels.ts';
import { paymentTables } from './payment-tables.ts';
import { rollupTables } from './rollup-tables.ts';
import { changesTable, derivedTables, type TableColumn } from './table-columns.ts';
import { mirrorViews } from './views.ts';

/** A table or view that people query. */
export interface DescribedTable {
  readonly name: string;
  readonly kind: 'table' | 'rollup' | 'view';
  readonly description: string;
  readonly columns: readonly TableColumn[];
}

/** Every table and view that people query, in the order of the documentation. */
export function describedTables(): readonly DescribedTable[] {
  return [
    ...[...derivedTables, changesTable, ...paymentTables].map(({ name, description, columns }) => ({
      name,
      kind: 'table' as const,
      description,
      columns,
    })),
    ...[...rollupTables, openParcels].map(({ name, description, dimensions, sums }) => ({
      name,
      kind: 'rollup' as const,
      description,
      columns: [...dimensions, ...sums.map((sum) => ({ ...sum, type: 'integer' as const }))],
    })),
    ...mirrorViews.map(({ name, description, columns }) => ({ name, kind: 'view' as const, description, columns })),
  ];
}
