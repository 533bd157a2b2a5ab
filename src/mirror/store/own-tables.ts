import { type ChildTable, type MirrorArea, mirrorAreas } from './declared-areas.ts';
import type { ColumnType } from './declared-columns.ts';

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
function tableOfArea({ name, description, key, columns }: MirrorArea): DerivedTable {
  return { name, description, key: [...key, 'shop_id'], columns: [shop, ...columns, ...bookkeeping] };
}

/** The table of a part of an area's records. */
function tableOfChild({ name, description, owner, place, columns }: ChildTable): DerivedTable {
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

/** A table that the mirror needs for itself, as raw columns. */
interface OwnTable {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType, rest?: 'required'])[];
  readonly key: readonly string[];
  /** Whether its rows are stored in the order of the key; wide rows are not. */
  readonly isNarrow: boolean;
}

const version = [
  ['area', 'text', 'required'],
  ['id', 'text', 'required'],
  ['shop_id', 'text', 'required'],
  ['seen_at', 'time', 'required'],
  ['source', 'text', 'required'],
  ['json', 'json', 'required'],
] as const;

/** What begins the fingerprint of a record whose tables have gained columns: it is written again when it is read. */
export const STALE = '~';

/** The mirror's own tables; `tables.ts` has their types. */
export const ownTables: readonly OwnTable[] = [
  {
    name: 'mirror_areas',
    description: 'Progress of the copy of each area; `mirror status` shows it.',
    columns: [
      ['shop_id', 'text', 'required'],
      ['area', 'text', 'required'],
      ['walk', 'integer', 'required'],
      ['walking', 'text'],
      ['cursor', 'text'],
      ['began', 'integer'],
      ['pages', 'text', 'required'],
      ['unsorted', 'integer', 'required'],
      ['newest', 'integer'],
      ['complete_until', 'integer'],
      ['began_here', 'integer'],
      ['verified_through', 'integer'],
      ['needs_whole', 'integer', 'required'],
    ],
    key: ['shop_id', 'area'],
    isNarrow: false,
  },
  {
    name: 'mirror_records',
    description: 'What is known of each record besides its columns: its version, a fingerprint, when it was last met.',
    columns: [
      ['area', 'text', 'required'],
      ['id', 'text', 'required'],
      ['shop_id', 'text', 'required'],
      ['version', 'integer', 'required'],
      ['fingerprint', 'text', 'required'],
      ['walk', 'integer', 'required'],
      ['gone', 'integer', 'required'],
    ],
    key: ['area', 'id', 'shop_id'],
    isNarrow: true,
  },
  {
    name: 'mirror_news',
    description: 'Changes that a sync found and no listener has reported yet; empty without a listener.',
    columns: [
      ['area', 'text', 'required'],
      ['id', 'text', 'required'],
      ['shop_id', 'text', 'required'],
      ['change_type', 'text', 'required'],
      ['changed', 'integer', 'required'],
      ['looks', 'integer', 'required'],
    ],
    key: ['area', 'id', 'shop_id'],
    isNarrow: true,
  },
  {
    name: 'mirror_facts',
    description: 'Single values: the service, the time zone of the rollups, the version of the schema.',
    columns: [
      ['name', 'text', 'required'],
      ['value', 'text', 'required'],
    ],
    key: ['name'],
    isNarrow: true,
  },
  {
    name: 'records_json',
    description: 'The present version of each record as JSON, as the service sent it.',
    columns: version,
    key: ['area', 'id', 'shop_id'],
    isNarrow: false,
  },
  {
    name: 'past_versions',
    description: 'Earlier versions of records as JSON; read the view `history`.',
    columns: [...version, ['replaced_at', 'time', 'required']],
    key: ['area', 'id', 'shop_id', 'replaced_at', 'seen_at'],
    isNarrow: false,
  },
];
