import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { type Tab, workbookOf } from '../../src/sheets/xlsx/write-xlsx.ts';

/** A sheet of a workbook as a person leaves it. */
export interface LivedIn extends Tab {
  readonly state?: 'hidden' | 'veryHidden';
  /** Rows that a filter hides, by number. */
  readonly hiddenRows?: readonly number[];
  /** Cells that are struck through, such as A3. */
  readonly struck?: readonly string[];
}

const STRUCK = 6;

/** A workbook with what people do to its sheets: hide them and their rows, and strike cells through. */
export function bookOf(tabs: readonly LivedIn[]): Uint8Array {
  const files = Object.entries(unzipSync(workbookOf(tabs))).map(([path, bytes]): [string, Uint8Array] => {
    let xml = strFromU8(bytes);
    if (path === 'xl/workbook.xml') {
      for (const { name, state } of tabs)
        if (state !== undefined) xml = xml.replace(`<sheet name="${name}"`, `<sheet state="${state}" name="${name}"`);
    }
    if (path === 'xl/styles.xml') {
      xml = xml
        .replace('<fonts count="2">', '<fonts count="3">')
        .replace('</fonts>', '<font><strike/><sz val="11"/></font></fonts>')
        .replace('</cellXfs>', '<xf xfId="0" fontId="2" applyFont="1"/></cellXfs>');
    }
    const [, number] = /sheet(\d+)\.xml$/.exec(path) ?? [];
    const { hiddenRows = [], struck = [] } = tabs[Number(number ?? 0) - 1] ?? {};
    for (const row of hiddenRows) xml = xml.replace(`<row r="${row}">`, `<row r="${row}" hidden="1">`);
    for (const cell of struck) xml = xml.replace(`<c r="${cell}"`, `<c s="${STRUCK}" r="${cell}"`);
    return [path, strToU8(xml)];
  });
  return zipSync(Object.fromEntries(files));
}
