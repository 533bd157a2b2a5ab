import { pieces } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import { unnamed } from './row.ts';

/** A row that repeats an earlier one of its batch. */
export interface RepeatedRow {
  readonly row: number;
  /** 1 if its name was given in the file. */
  readonly named: 0 | 1;
  readonly name: string;
  /** Where it begins, and where the earlier one does; of the first of them, where the last one does. */
  readonly cell: string;
  readonly first: string;
  readonly payload: string;
}

/** Finds rows of one batch that repeat each other. Each function is one read; all throw a WorkspaceError. */
export interface RepeatedRows {
  /** How many rows without a name of their own that are already stored in a batch have each of these contents. */
  contentsIn(batch: number, contents: readonly string[]): Promise<Map<string, number>>;
  /**
   * The next rows of a batch after a given row, in order, that have the goods of an earlier one, or the name of another one: the first
   * of them only if it would be sent, since it may be a part of an order.
   */
  repeated(batch: number, by: 'name' | 'goods', after: number, limit: number): Promise<RepeatedRow[]>;
  /** Groups of rows with the same phone and lines, in order: how many there are, and the first of them. */
  possibleDoubles(batch: number, most: number): Promise<Doubles>;
  /** Groups of rows with the same phone and different lines, likewise. */
  ofOneRecipient(batch: number, most: number): Promise<Doubles>;
}

/** Groups of rows that may be one. */
export interface Doubles {
  readonly groups: number;
  /** How many rows all groups have. */
  readonly rows: number;
  /** The first groups: how many rows each has, and the first few of them. */
  readonly first: readonly { readonly rows: number; readonly cells: readonly string[] }[];
}

const CONTENTS_A_STATEMENT = 2_000;
const MOST_CELLS = 5;

/** Finds repetitions in the batches of a workspace. */
export function repeatedRowsOf({ read }: Workspace): RepeatedRows {
  return {
    contentsIn: (batch, contents) =>
      read(async (database) => {
        const counts = new Map<string, number>();
        for (const piece of pieces(contents, CONTENTS_A_STATEMENT)) {
          const rows = await database
            .selectFrom('batch_rows')
            .select((build) => ['content', build.fn.countAll().as('rows')])
            .where('content', 'in', piece)
            .where(unnamed)
            .where('batch', '=', batch)
            .groupBy('content')
            .execute();
          for (const { content, rows: count } of rows) counts.set(content, Number(count));
        }
        return counts;
      }),
    repeated: (batch, by, after, limit) =>
      read((database) => repeatedIn(database, batch, by).where('r.row', '>', after).limit(limit).execute()),
    possibleDoubles: (batch, most) => read((database) => groupsOf(database, batch, 'goods', most)),
    ofOneRecipient: (batch, most) => read((database) => groupsOf(database, batch, 'recipient', most)),
  };
}

/** The rows that have the same goods, or the same recipient and other goods. */
async function groupsOf(
  database: WorkspaceTables,
  batch: number,
  by: 'goods' | 'recipient',
  most: number,
): Promise<Doubles> {
  const several = database
    .selectFrom('batch_rows')
    .select((build) => [`${by} as same`, build.fn.countAll().as('rows')])
    .where('batch', '=', batch)
    .where(by, 'is not', null)
    .groupBy(by)
    .having((build) => build.fn.countAll(), '>', 1)
    .$if(by === 'recipient', (query) =>
      query.having((build) => build(build.fn.min('goods'), '<', build.fn.max('goods'))),
    );
  const groups = await several
    .orderBy((build) => build.fn.min('row'))
    .limit(most)
    .execute();
  const counted = await database
    .selectFrom(several.as('several'))
    .select((build) => [
      build.fn.countAll().as('groups'),
      build.fn.coalesce(build.fn.sum('several.rows'), build.lit(0)).as('rows'),
    ])
    .executeTakeFirstOrThrow();
  const first: { rows: number; cells: string[] }[] = [];
  for (const { same, rows: number } of groups) {
    const rows = await database
      .selectFrom('batch_rows')
      .select('cell')
      .where('batch', '=', batch)
      .where(by, '=', same)
      .orderBy('row')
      .limit(MOST_CELLS)
      .execute();
    first.push({ rows: Number(number), cells: rows.map(({ cell }) => cell) });
  }
  return { groups: Number(counted.groups), rows: Number(counted.rows), first };
}

/** The rows of a batch that have the name of another one, or the goods of an earlier one, in order. */
function repeatedIn(database: WorkspaceTables, batch: number, by: 'name' | 'goods') {
  const several = database
    .selectFrom('batch_rows')
    .where('batch', '=', batch)
    .where(by, 'is not', null)
    .groupBy(by)
    .having((build) => build.fn.countAll(), '>', 1)
    .select([
      `${by} as same`,
      (build) => build.fn.min('row').as('first_row'),
      (build) => build.fn.max('row').as('last_row'),
    ])
    .as('d');
  // A cross join is made in this order: SQLite would look at every two rows of the batch.
  return database
    .selectFrom('batch_rows as r')
    .crossJoin(several)
    .crossJoin('batch_rows as f')
    .crossJoin('batch_contents as c')
    .where('r.batch', '=', batch)
    .whereRef('d.same', '=', `r.${by}`)
    .where((build) =>
      build.or([
        build('r.row', '>', build.ref('d.first_row')),
        ...(by === 'name' ? [build('r.state', '=', 'planned')] : []),
      ]),
    )
    .where('f.batch', '=', batch)
    .where('f.row', '=', (build) =>
      build
        .case()
        .when('r.row', '>', build.ref('d.first_row'))
        .then(build.ref('d.first_row'))
        .else(build.ref('d.last_row'))
        .end(),
    )
    .where('c.batch', '=', batch)
    .whereRef('c.row', '=', 'r.row')
    .orderBy('r.row')
    .select(['r.row', 'r.named', 'r.name', 'r.cell', 'c.payload', 'f.cell as first']);
}
