import { resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { record, text } from '../../contract/schema/scalars.ts';
import { placeToOpen } from '../../ledger/open.ts';
import { mirrorPlace, requireMirror, requireNoOtherShop } from './place.ts';

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
  const [path, message] = isMissing
    ? ['sql', 'is missing']
    : ['file', 'cannot be given with a statement: give one of the two'];
  throw new Refusal('invalid_input', `${path} ${message}`, { fieldErrors: [{ path, message }] });
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
      ports.report.notice(`${count} ${count === 1 ? 'row was' : 'rows were'} written to ${given.to}`);
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
