import { join, resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { int, list, oneOf, record, requiring, text, time, unitText } from '../../contract/schema/scalars.ts';
import { placeToOpen } from '../../ledger/open.ts';
import { listFileFormats } from '../../operations/actions/list-to-file.ts';
import { isPostgresAddress, withoutPassword } from '../../store/postgres-address.ts';
import { say } from '../texts.ts';
import {
  atMirror,
  mirroredAccount,
  mirrorPathAction,
  mirrorPlace,
  originInForce,
  requireMirror,
  requireNoOtherShop,
} from './place.ts';
import { install, sync, uninstall } from './sync.ts';
import { verify } from './verify.ts';

const input = record({
  sql: text('the statement'),
  file: text('read the statement from this file; - for stdin'),
  to: text('write the rows to this file instead: csv, xlsx or jsonl'),
});

/** The SQL of a run: as given, or from a file. */
async function sqlFrom(given: z.output<typeof input>, ports: Ports): Promise<string> {
  if (typeof given.sql === 'string' && typeof given.file !== 'string') return given.sql;
  if (typeof given.file === 'string' && typeof given.sql !== 'string') {
    return given.file === '-' ? ports.readStdin() : ports.files.read(resolve(ports.workingDirectory, given.file));
  }
  const isMissing = typeof given.sql !== 'string';
  const [path, message] = isMissing ? ['sql', say().query.missing] : ['file', say().query.fileOrStatement];
  throw new Refusal('invalid_input', say().field({ field: path, what: message }), { fieldErrors: [{ path, message }] });
}

/** `mirror sql`. */
export const sql = action({
  id: 'mirror.sql',
  words: ['mirror', 'sql'],
  summary: 'Query the mirror in SQL, read-only',
  description:
    'One statement that reads: SELECT, WITH, VALUES or EXPLAIN. Ctrl-C and --timeout end any query. `shopctl mirror tables` and `shopctl mirror schema` show what there is.',
  examples: [
    "shopctl mirror sql 'SELECT status, count(*) AS orders FROM orders GROUP BY status'",
    'shopctl mirror sql --file late.sql -o csv',
  ],
  effect: 'read',
  agents: 'read-personal',
  needs: [],
  input,
  positional: ['sql'],
  hints: {
    sql: { placeholder: 'SQL', from: 'path' },
    file: { placeholder: 'FILE', from: 'path' },
    to: { placeholder: 'FILE', from: 'path' },
  },
  output: z.array(z.looseObject({})).meta({ description: 'The rows' }),
  view: { columns: [] },
  async *run(given, ports) {
    await requireNoOtherShop(ports);
    const text = await sqlFrom(given, ports);
    if (typeof given.to === 'string') {
      const { rows, columns } = await rowsOfQuery(text, ports);
      ports.intend({ write: given.to });
      const count = await writeRows(resolve(ports.workingDirectory, given.to), columns, rows);
      ports.report.notice(say().query.written({ count, file: given.to }));
      return;
    }
    yield* (await rowsOfQuery(text, ports)).rows;
  },
});

/** The rows of a query by column, as they are found. */
interface QueryRows {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<Readonly<Record<string, unknown>>>;
}

/** Runs a query on the mirror of the service in force. Throws a Refusal and a QueryError. */
export async function rowsOfQuery(sql: string, ports: Ports): Promise<QueryRows> {
  const { settings, clock, signal } = ports;
  requireMirror(ports, 'ask');
  const place = await placeToOpen(mirrorPlace(ports), ports);
  const { runQuery } = await import('../store/query.ts');
  const { timeoutMs } = settings;
  const limit = timeoutMs.origin === 'flag' ? timeoutMs.value : undefined;
  const { columns, rows } = await runQuery({ place, sql, timeoutMs: limit, clock, signal });
  return {
    columns,
    rows: (async function* () {
      for await (const row of rows) {
        yield Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null]));
      }
    })(),
  };
}

/** Writes rows to a file by its name's ending, complete or not at all; returns how many. Throws a Refusal. */
export async function writeRows(path: string, columns: readonly string[], rows: QueryRows['rows']): Promise<number> {
  const { writeList } = await import('../../operations/actions/list-to-file.ts');
  let count = 0;
  async function* counted() {
    for await (const row of rows) {
      count += 1;
      yield row;
    }
  }
  const properties = Object.fromEntries(columns.map((name) => [name, { type: 'string' as const }]));
  await writeList(path, counted(), { type: 'object', properties });
  return count;
}

const tableRow = z.object({
  name: text('Name of the table or view'),
  kind: oneOf(['table', 'rollup', 'view'], 'What it is'),
  rows: z.nullable(int('How many rows it has; null for a view', 'rows')),
  description: text('What it contains'),
});

/** `mirror tables`. */
export const tables = action({
  id: 'mirror.tables',
  words: ['mirror', 'tables'],
  summary: 'List the tables and views of the mirror',
  examples: ['shopctl mirror tables'],
  effect: 'read',
  agents: 'read',
  needs: ['key'],
  page: 'allowed',
  input: record({}),
  output: list(tableRow, 'A table or view each'),
  view: {
    columns: [
      { path: 'name' },
      { path: 'kind', kind: 'state' },
      { path: 'rows', kind: 'number' },
      { path: 'description', kind: 'sentence' },
    ],
    name: 'name',
  },
  async run(_, ports) {
    const { describedTables, mirrorExists } = await import('../index.ts');
    const described = describedTables();
    if (!mirrorExists(mirrorPlace(ports))) return described.map((table) => ({ ...tableOf(table), rows: null }));
    return atMirror(ports, async ({ mirror }) => {
      const rows: z.output<typeof tableRow>[] = [];
      for (const table of described) {
        const count =
          table.kind === 'view'
            ? null
            : await mirror.read(async (session) => {
                const [found] = await session.run(`select count(*) as n from ${mirror.dialect.table(table.name)}`);
                return Number(found?.n ?? 0);
              });
        rows.push({ ...tableOf(table), rows: count });
      }
      return rows;
    });
  },
});

const tableOf = <Table extends z.output<typeof tableRow>>({ name, kind, description }: Omit<Table, 'rows'>) => ({
  name,
  kind,
  description,
});

const columnRow = z.object({
  table: text('Name of the table or view'),
  column: text('Name of the column'),
  type: text('Its type'),
  description: text('What it holds'),
});

/** `mirror schema`. */
export const mirrorSchema = action({
  id: 'mirror.schema',
  words: ['mirror', 'schema'],
  summary: 'Show the columns of the mirror’s tables and views',
  examples: ['shopctl mirror schema orders', 'shopctl mirror schema -o csv'],
  effect: 'read',
  agents: 'read',
  needs: [],
  input: record({ table: text('only this table or view') }),
  positional: ['table'],
  hints: { table: { placeholder: 'TABLE', from: 'path' } },
  output: list(columnRow, 'A column each'),
  view: {
    columns: [{ path: 'table' }, { path: 'column' }, { path: 'type' }, { path: 'description', kind: 'sentence' }],
    name: 'column',
  },
  async run({ table }) {
    const { describedTables } = await import('../index.ts');
    const described = describedTables();
    const wanted = typeof table === 'string' ? described.filter(({ name }) => name === table) : described;
    if (wanted.length === 0) {
      const message = say().oneOf({ names: described.map(({ name }) => name) });
      throw new Refusal('invalid_input', say().field({ field: 'table', what: message }), {
        fieldErrors: [{ path: 'table', message }],
      });
    }
    return wanted.flatMap(({ name, columns }) =>
      columns.map(({ name: column, type, description, unit }) => ({
        table: name,
        column,
        type,
        description: unit === undefined ? description : `${description} (${unitText(unit)})`,
      })),
    );
  },
});

const row = z.object({
  area: text('Name of the area, and of its table'),
  records: int('Records that are not deleted', 'records'),
  newest: z.nullable(time('Newest change of a record; null if its records have no time')),
  complete_until: z.nullable(time("The moment up to which it is complete, by the service's clock; null if it is not")),
  verified_through: z.nullable(time('The moment up to which it was compared with the service; null if it never was')),
  age_seconds: z.nullable(int('How long ago the last copy began; null if it was never copied', 's')),
});

/** `mirror status`. */
const status = action({
  id: 'mirror.status',
  words: ['mirror', 'status'],
  summary: 'Show how fresh the mirror is',
  examples: ['shopctl mirror status', 'shopctl mirror status -o json'],
  effect: 'read',
  agents: 'read',
  needs: ['key'],
  page: { beside: 'day' },
  input: record({}),
  output: list(row, 'An area each'),
  view: {
    columns: [
      { path: 'area' },
      { path: 'records', kind: 'number' },
      { path: 'newest', kind: 'time', optional: true },
      { path: 'complete_until', header: 'complete until', kind: 'time' },
      { path: 'verified_through', header: 'verified through', kind: 'time', optional: true },
      { path: 'age_seconds', header: 'age (s)', kind: 'number' },
    ],
    name: 'area',
  },
  async run(_, ports) {
    const { areaStatus, mirrorExists } = await import('../index.ts');
    if (!mirrorExists(mirrorPlace(ports))) {
      ports.report.notice(say().nothingYet({ advice: ports.ui.advise('sync_mirror') }));
      return [];
    }
    return atMirror(ports, async ({ mirror, shopId }) => {
      const areas = await areaStatus(mirror, shopId, ports.clock.now());
      if (areas.every(({ complete_until }) => complete_until === null)) {
        const isBegun = areas.some(({ records }) => records > 0);
        const { family } = await mirroredAccount(ports);
        const goesOn = family === 'partner' ? say().ofPartner : say().goesOn;
        const said = isBegun ? goesOn : say().nothingYet;
        ports.report.notice(said({ advice: ports.ui.advise('sync_mirror') }));
      }
      return areas;
    });
  },
});

/** `mirror export`. */
const exportMirror = action({
  id: 'mirror.export',
  words: ['mirror', 'export'],
  summary: 'Write every table of the mirror to a file of its own',
  description: 'The files are named TABLE.FORMAT; each one is complete or not there at all.',
  examples: ['shopctl mirror export --to backup --format csv'],
  effect: 'store',
  undo: { whyNot: 'it only writes into the named directory' },
  needs: ['key'],
  input: requiring(
    { to: text('the directory') },
    { format: oneOf(listFileFormats, 'the format of the files; csv when absent') },
  ),
  hints: { to: { placeholder: 'DIR', from: 'path' } },
  output: list(z.object({ file: text('The file'), rows: int('How many rows it has', 'rows') }), 'A file each'),
  async run({ to, format }, ports) {
    requireMirror(ports, 'export');
    await requireNoOtherShop(ports);
    ports.intend({ export: to, format: format ?? 'csv' });
    const { describedTables } = await import('../index.ts');
    // Creates what is missing of the schema, so that every table is there.
    await atMirror(ports, async () => {});
    const directory = resolve(ports.workingDirectory, to);
    const files: { file: string; rows: number }[] = [];
    for (const { name, kind } of describedTables()) {
      if (kind === 'view') continue;
      const file = join(directory, `${name}.${format ?? 'csv'}`);
      const { columns, rows } = await rowsOfQuery(`select * from "${name}"`, ports);
      files.push({ file, rows: await writeRows(file, columns, rows) });
    }
    return files;
  },
});

/** `mirror forget`. */
const forget = action({
  id: 'mirror.forget',
  words: ['mirror', 'forget'],
  summary: 'Delete the mirror',
  description:
    'A sync makes it again, except for `history`: the earlier versions of records are deleted for good. Payment files and batches are in the workspace and stay.',
  examples: ['shopctl mirror forget --yes'],
  effect: 'remove',
  undo: { whyNot: 'a sync copies the shop again, but not the earlier versions of its records' },
  needs: [],
  destructive: true,
  input: record({}),
  output: record({ forgotten: text('The mirror that was deleted; null if there was none') }),
  subject: async (_, ports) => ({
    effect: say().forget.effect({ origin: originInForce(ports) }),
  }),
  async run(_, ports) {
    // A damaged mirror does not tell whose records it has; deleting it is the way out.
    await requireNoOtherShop(ports).catch((error) => {
      if (error instanceof Refusal) throw error;
    });
    const place = mirrorPlace(ports);
    const shown = isPostgresAddress(place) ? withoutPassword(place) : place;
    ports.intend({ forget: shown });
    const { forgetMirror } = await import('../index.ts');
    const was = await forgetMirror(place, originInForce(ports), ports.signal);
    ports.report.notice(was ? say().forget.done({ advice: ports.ui.advise('sync_mirror') }) : say().forget.none);
    return { forgotten: was ? shown : null };
  },
});

/** A copy of the shop in a database. */
export const actions = [
  sync,
  status,
  verify,
  sql,
  tables,
  mirrorSchema,
  exportMirror,
  mirrorPathAction,
  forget,
  install,
  uninstall,
];
