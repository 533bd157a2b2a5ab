import { order, orderRequest } from '../../src/contract/records/order.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { Account } from '../../src/sheets/account/account.ts';
import type { Answers } from '../../src/sheets/account/questions.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import { exportOf } from '../../src/sheets/mapping/exports.ts';
import { mappingOf } from '../../src/sheets/mapping/mapping.ts';
import type { SourceRow } from '../../src/sheets/source-row.ts';
import { sourceRows } from '../../src/sheets/source-rows.ts';

const schema = jsonSchema(orderRequest);
const shown = [jsonSchema(order)];

async function* inOnePiece(content: string | Uint8Array) {
  yield Buffer.from(content);
}

/** What a file of orders says, and what is said of it. */
export async function readSheet(
  name: string,
  content: string | Uint8Array,
  {
    answers = {},
    mapping,
    headerRow,
    command = 'orders create',
    today,
    isExport = false,
  }: {
    readonly answers?: Answers;
    readonly mapping?: object;
    readonly headerRow?: number;
    readonly command?: string;
    readonly today?: string | undefined;
    /** Whether it is read as the export of a marketplace that its header says. */
    readonly isExport?: boolean;
  } = {},
) {
  const account = new Account(answers);
  const source = { name, bytes: inOnePiece(content) };
  const columns = new Set(Object.keys(schema.properties ?? {}));
  const score = (cells: readonly unknown[]) =>
    cells.filter((cell) => columns.has(String(cell ?? '').split('.')[0] ?? '') || mapping !== undefined).length;
  const sheet = await sheetFormatOf(name).read(source, { sheet: answers.sheet, account, score, headerRow });
  const known = isExport && sheet.kind === 'table' ? exportOf(sheet.columns, command)?.mapping : undefined;
  const read = sourceRows(sheet, {
    schema,
    shown,
    ignored: [],
    nameFields: ['external_id', 'external_code'],
    blankClears: false,
    command,
    today,
    mapping: known ?? (mapping && mappingOf(mapping, 'test')),
    account,
    places: async () => locationTree,
  });
  const rows: SourceRow[] = [];
  for await (const row of read.rows) {
    rows.push(row);
    account.ask(...(row.asks ?? []));
  }
  return {
    rows,
    orders: rows.map(({ value }) => value),
    faults: rows.flatMap(({ faults }) => faults.map(({ cell, message }) => `${cell}: ${message}`)),
    notes: rows.flatMap(({ notes }) => notes.map(({ cell, message }) => `${cell}: ${message}`)),
    reported: account.warnings.map(({ message }) => message),
    warnings: account.warnings,
    left: [...account.reasons].map(([reason, { count }]) => [reason, count] as const),
    leftOut: account.leftOut.map(({ cell, reason }) => `${cell}: ${reason}`),
    questions: account.questions,
    /** The columns that are read no value from. */
    unread: [
      ...read.leftOut.keys(),
      ...Object.entries(known?.columns ?? {}).flatMap(([column, to]) => (to === null ? [column] : [])),
    ],
  };
}

/** Lines of cells as csv. */
export const csvOf = (...lines: readonly (readonly unknown[])[]) =>
  lines.map((cells) => `${cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')}\n`).join('');
