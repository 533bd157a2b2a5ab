import { entryAt } from '../../domain/json/keys-of.ts';
import type { Account } from './account.ts';

/** A sheet of a workbook that may be read. */
export interface NamedSheet {
  readonly name: string;
  readonly hidden: 'hidden' | 'very hidden' | undefined;
}

/** How far a sheet is what is looked for. */
export type SheetLook = 'fits' | 'no rows below its header' | 'no header that is known' | 'it cannot be read';

/**
 * The sheets to read: the one that was asked for, else the only visible one with rows below a header that is known; of
 * several the first, and it is asked which one is meant. Hidden ones are read only if they are asked for. Every sheet is
 * accounted for; where none fits, the first that is shown is read.
 */
export async function chosenSheets<Sheet extends NamedSheet>(
  sheets: readonly Sheet[],
  asked: Sheet | undefined,
  look: (sheet: Sheet) => Promise<SheetLook>,
  account: Account | undefined,
): Promise<readonly [Sheet, ...Sheet[]]> {
  const tell = (chosen: readonly [Sheet, ...Sheet[]], why: (sheet: Sheet) => string) => {
    for (const sheet of sheets)
      account?.addSheet(sheet.name, chosen.includes(sheet) ? null : (sheet.hidden ?? why(sheet)));
    return chosen;
  };
  if (asked !== undefined) return tell([asked], () => 'another sheet was asked for');
  const shown = sheets.filter(({ hidden }) => hidden === undefined);
  const likeness = new Map<Sheet, SheetLook>();
  for (const sheet of shown) likeness.set(sheet, await look(sheet));
  const withLook = (wanted: SheetLook) => shown.filter((sheet) => likeness.get(sheet) === wanted);
  const fitting = withLook('fits');
  const isAll = account?.answers.all_sheets === true;
  if (fitting.length > 1 && !isAll) for (const { name } of fitting) account?.ask({ id: 'sheet', name, cell: '' });
  const [chosen = entryAt(sheets, 0)] = [...fitting, ...withLook('no rows below its header'), ...shown];
  const [, ...others] = isAll ? fitting : [];
  return tell([chosen, ...others], (sheet) => {
    const seen = likeness.get(sheet);
    return seen === undefined || seen === 'fits' ? 'another sheet is read' : seen;
  });
}
