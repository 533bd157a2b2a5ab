import { entryAt } from '../../domain/json/keys-of.ts';
import { say } from '../texts.ts';
import type { Account } from './account.ts';

/** A sheet of a workbook that may be read. */
export interface NamedSheet {
  readonly name: string;
  readonly hidden: 'hidden' | 'very hidden' | undefined;
}

/** How far a sheet is what is looked for. */
export type SheetLook = 'fits' | 'no rows below its header' | 'no header that is known' | 'it cannot be read';

/** Asks which of several sheets is read, or keeps what was said of each. */
function askSheets(
  sheets: readonly NamedSheet[],
  account: Account | undefined,
  said: (sheet: NamedSheet) => 'read' | 'skip' | undefined,
): void {
  if (sheets.length < 2) return;
  for (const sheet of sheets) account?.ask({ id: 'sheet', name: sheet.name, cell: '', answer: said(sheet) });
}

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
      account?.addSheet(
        sheet.name,
        chosen.includes(sheet) ? null : sheet.hidden === undefined ? why(sheet) : say().sheet[sheet.hidden],
      );
    return chosen;
  };
  const shown = sheets.filter(({ hidden }) => hidden === undefined);
  const likeness = new Map<Sheet, SheetLook>();
  if (asked !== undefined && (account === undefined || shown.length + Number(!shown.includes(asked)) < 2))
    return tell([asked], () => say().sheet.otherAsked);
  for (const sheet of shown) likeness.set(sheet, await look(sheet));
  const withLook = (wanted: SheetLook) => shown.filter((sheet) => likeness.get(sheet) === wanted);
  const fitting = withLook('fits');
  if (asked !== undefined) {
    askSheets([asked, ...fitting.filter((sheet) => sheet !== asked)], account, ({ name }) =>
      name === asked.name ? 'read' : 'skip',
    );
    return tell([asked], () => say().sheet.otherAsked);
  }
  const isAll = account?.answers.all_sheets === true;
  askSheets(fitting, account, () => (isAll ? 'read' : undefined));
  const [chosen = entryAt(sheets, 0)] = [...fitting, ...withLook('no rows below its header'), ...shown];
  const [, ...others] = isAll ? fitting : [];
  return tell([chosen, ...others], (sheet) => {
    const seen = likeness.get(sheet);
    return seen === undefined || seen === 'fits' ? say().sheet.otherRead : say().sheet[seen];
  });
}
