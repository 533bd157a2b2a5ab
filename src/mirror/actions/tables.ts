import * as z from 'zod';
import { action } from '../../action/action.ts';
import { Refusal } from '../../client/refusal.ts';
import { int, list, oneOf, record, text, unitText } from '../../contract/schema/scalars.ts';
import { atMirror, mirrorPlace } from './place.ts';

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
    columns: [{ path: 'name' }, { path: 'kind' }, { path: 'rows', kind: 'number' }, { path: 'description' }],
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
  view: { columns: [{ path: 'table' }, { path: 'column' }, { path: 'type' }, { path: 'description' }], name: 'column' },
  async run({ table }) {
    const { describedTables } = await import('../index.ts');
    const described = describedTables();
    const wanted = typeof table === 'string' ? described.filter(({ name }) => name === table) : described;
    if (wanted.length === 0) {
      const message = `must be one of ${described.map(({ name }) => name).join(', ')}`;
      throw new Refusal('invalid_input', `table ${message}`, { fieldErrors: [{ path: 'table', message }] });
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
