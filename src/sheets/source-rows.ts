import { Account } from './account/account.ts';
import { type Sheet, SheetError, type TableSheet } from './formats/sheet.ts';
import { constantsOf, withConstants } from './mapping/constants.ts';
import { recordRows } from './rows/record-rows.ts';
import type { RowOptions } from './rows/row-options.ts';
import { tableRows } from './rows/table-rows.ts';
import { recognised, serviceRows } from './service/service-rows.ts';
import type { SourceRow, SourceRows } from './source-row.ts';
import { say } from './texts.ts';

export type { RowOptions } from './rows/row-options.ts';

/**
 * The rows of a sheet that the service's own web shop reads, if it is one; a mapping of its columns takes precedence.
 */
function fromServiceSheet(sheet: TableSheet, options: RowOptions): SourceRows | undefined {
  const found = Object.keys(options.mapping?.columns ?? {}).length === 0 ? recognised(sheet.columns) : undefined;
  if (found === undefined) return undefined;
  const { name, commands } = found.sheet;
  if (!commands.includes(options.command)) {
    const message = say().service.otherCommand({ sheet: say().service[name], command: options.command });
    throw new SheetError(message, { hint: say().service.otherCommandHint({ commands }) });
  }
  const constants = constantsOf(options.mapping, options.schema);
  const read = serviceRows(sheet, found, options);
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    for await (const row of read.rows) yield { ...row, value: withConstants(row.value, constants) };
  }
  return { ...read, rows: rows() };
}

/**
 * The records of a sheet, by the declaration of what the command sends: from one of the service's own sheets, one whose
 * columns a mapping explains, or one in our own layout. Throws a SheetError, immediately for a bad header.
 */
export function sourceRows(
  sheet: Sheet,
  given: Omit<RowOptions, 'account'> & Partial<Pick<RowOptions, 'account'>>,
): SourceRows {
  const options: RowOptions = { ...given, account: given.account ?? new Account() };
  if (sheet.kind === 'records') return recordRows(sheet, options);
  return fromServiceSheet(sheet, options) ?? tableRows(sheet, options);
}
