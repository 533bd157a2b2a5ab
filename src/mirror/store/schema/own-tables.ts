import type { ColumnType } from '../declared/columns.ts';

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
