import { type ChildTable, type MirrorArea, mirrorAreas } from '../declared/areas.ts';
import type { ColumnType } from '../declared/columns.ts';

/** A column of a derived table, and why it is there. */
export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
  readonly unit?: string | undefined;
}

/** A derived table: its columns in order, and its key. */
export interface DerivedTable {
  readonly name: string;
  readonly description: string;
  readonly key: readonly string[];
  readonly columns: readonly TableColumn[];
}

const shop: TableColumn = { name: 'shop_id', type: 'text', description: 'Id of the shop' };

const bookkeeping: readonly TableColumn[] = [
  { name: 'mirrored_at', type: 'time', description: "When this version was copied, by the service's clock" },
  { name: 'deleted_at', type: 'time', description: 'When the deletion was noticed; empty while the record exists' },
];

/** Copies of the changes that a listener stored; the originals are in the workspace. */
export const changesTable: DerivedTable = {
  name: 'changes',
  description: 'Changes that webhooks brought or polls found: copies, the originals are in the workspace.',
  key: ['id', 'shop_id'],
  columns: [
    shop,
    { name: 'id', type: 'text', description: 'Id of the change' },
    { name: 'received_at', type: 'time', description: 'When it was received' },
    { name: 'entity', type: 'text', description: 'What kind of record changed' },
    { name: 'record_id', type: 'text', description: 'Id of that record' },
    { name: 'change_type', type: 'text', description: 'create, update or delete' },
    { name: 'time', type: 'time', description: "When it happened, by the service's clock" },
    { name: 'source', type: 'text', description: 'webhook, or poll for what no webhook had delivered' },
    { name: 'change', type: 'json', description: 'The change: what was changed, and the record then' },
    { name: 'mirrored_at', type: 'time', description: 'When it was copied here from the workspace' },
    { name: 'deleted_at', type: 'time', description: 'Always empty: changes are not deleted' },
  ],
};

/** The table of an area. */
export function tableOfArea({ name, description, key, columns }: MirrorArea): DerivedTable {
  return { name, description, key: [...key, 'shop_id'], columns: [shop, ...columns, ...bookkeeping] };
}

/** The table of a part of an area's records. */
export function tableOfChild({ name, description, owner, place, columns }: ChildTable): DerivedTable {
  const position: TableColumn =
    place === 'line'
      ? { name: 'line', type: 'integer', description: 'Position in the record, from 1' }
      : { name: 'kind', type: 'text', description: "Which of the record's addresses it is" };
  const ownerId: TableColumn = { name: owner, type: 'text', description: 'Id of the record it belongs to' };
  return {
    name,
    description,
    key: [owner, place, 'shop_id'],
    columns: [shop, ownerId, position, ...columns, ...bookkeeping],
  };
}

/** Every derived table: each area's, followed by those of its parts. */
export const derivedTables: readonly DerivedTable[] = mirrorAreas.flatMap((area) => [
  tableOfArea(area),
  ...area.children.map(tableOfChild),
]);
