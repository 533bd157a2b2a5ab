import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { type Tab, workbookOf } from '../../src/sheets/xlsx/write-xlsx.ts';

/** A sheet of a workbook as a person leaves it. */
export interface LivedIn extends Tab {
  readonly state?: 'hidden' | 'veryHidden';
  /** Rows that a filter hides, by number. */
  readonly hiddenRows?: readonly number[];
  /** Cells that are struck through, such as A3. */
  readonly struck?: readonly string[];
  /** Cells whose text is red. */
  readonly red?: readonly string[];
  /** The colours behind cells, as attributes of SpreadsheetML, such as `rgb="FFFFFF00"`, or as the element of another fill. */
  readonly fills?: Readonly<Record<string, string>>;
  /** Cells with a diagonal border. */
  readonly crossed?: readonly string[];
  /** Ranges with a conditional format. */
  readonly conditional?: readonly string[];
  /** Cells with a text of which this is struck through. */
  readonly struckRuns?: Readonly<Record<string, string>>;
  /** Rows of no height, by number. */
  readonly flatRows?: readonly number[];
  /** Ranges of cells that are merged, such as K2:K3. */
  readonly merged?: readonly string[];
  /** Comments on cells, by their names. */
  readonly comments?: Readonly<Record<string, string>>;
  /** The same as threads, beside which old programs are shown another text. */
  readonly threads?: Readonly<Record<string, string>>;
}

const STRUCK = 6;

/** A workbook with what people do to its sheets: hide them and their rows, and strike cells through. */
export function bookOf(tabs: readonly LivedIn[]): Uint8Array {
  const colours = [...new Set(tabs.flatMap(({ fills = {} }) => Object.values(fills)))];
  const ofColours = (textOf: (colour: string, at: number) => string) => colours.map(textOf).join('');
  const files = Object.entries(unzipSync(workbookOf(tabs))).map(([path, bytes]): [string, Uint8Array] => {
    let xml = strFromU8(bytes);
    if (path === 'xl/workbook.xml') {
      for (const { name, state } of tabs)
        if (state !== undefined) xml = xml.replace(`<sheet name="${name}"`, `<sheet state="${state}" name="${name}"`);
    }
    if (path === 'xl/styles.xml') {
      xml = xml
        .replace('<fonts count="2">', '<fonts count="4">')
        .replace('</fonts>', '<font><strike/><sz val="11"/></font><font><color rgb="FFFF0000"/></font></fonts>')
        .replace(
          '</fills>',
          `${ofColours((colour) => `<fill>${colour.startsWith('<') ? colour : `<patternFill patternType="solid"><fgColor ${colour}/></patternFill>`}</fill>`)}</fills>`,
        )
        .replace('</borders>', '<border diagonalUp="1"><diagonal style="thin"/></border></borders>')
        .replace(
          '</cellXfs>',
          `<xf xfId="0" fontId="2" applyFont="1"/>${ofColours((_, at) => `<xf xfId="0" fillId="${at + 2}"/>`)}<xf xfId="0" fontId="3"/><xf xfId="0" borderId="1"/></cellXfs>`,
        );
    }
    const [, number] = /sheet(\d+)\.xml$/.exec(path) ?? [];
    const {
      hiddenRows = [],
      struck = [],
      flatRows = [],
      struckRuns = {},
      fills = {},
      merged = [],
      red = [],
      crossed = [],
      conditional = [],
    } = tabs[Number(number ?? 0) - 1] ?? {};
    for (const row of flatRows) xml = xml.replace(`<row r="${row}">`, `<row r="${row}" ht="0" customHeight="1">`);
    for (const [cell, text] of Object.entries(struckRuns)) {
      const runs = `<r><rPr><strike/></rPr><t>${text}</t></r><r><t> còn</t></r>`;
      xml = xml.replace(
        new RegExp(`<c r="${cell}"[^>]*?(?:/>|>.*?</c>)`),
        `<c r="${cell}" t="inlineStr"><is>${runs}</is></c>`,
      );
    }
    for (const row of hiddenRows) xml = xml.replace(`<row r="${row}">`, `<row r="${row}" hidden="1">`);
    for (const cell of struck) xml = xml.replace(`<c r="${cell}"`, `<c s="${STRUCK}" r="${cell}"`);
    const ranges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    if (ranges !== '') xml = xml.replace('</sheetData>', `</sheetData><mergeCells>${ranges}</mergeCells>`);
    const looks = conditional.map((range) => `<conditionalFormatting sqref="${range}"/>`).join('');
    if (looks !== '') xml = xml.replace('</worksheet>', `${looks}</worksheet>`);
    for (const cell of crossed)
      xml = xml.replace(`<c r="${cell}"`, `<c s="${STRUCK + 2 + colours.length}" r="${cell}"`);
    for (const cell of red) xml = xml.replace(`<c r="${cell}"`, `<c s="${STRUCK + 1 + colours.length}" r="${cell}"`);
    for (const [cell, colour] of Object.entries(fills))
      xml = xml.replace(`<c r="${cell}"`, `<c s="${STRUCK + 1 + colours.indexOf(colour)}" r="${cell}"`);
    return [path, strToU8(xml)];
  });
  return zipSync(Object.fromEntries([...files, ...tabs.flatMap(commentsOf)]));
}

/** The parts of a sheet's comments. */
function commentsOf({ comments = {}, threads = {} }: LivedIn, at: number): (readonly [string, Uint8Array])[] {
  const old = Object.entries({ ...comments, ...Object.fromEntries(Object.keys(threads).map((cell) => [cell, 'hủy'])) });
  if (old.length === 0) return [];
  const legacy = old.map(([cell, text]) => `<comment ref="${cell}"><text><r><t>${text}</t></r></text></comment>`);
  const thread = Object.entries(threads).map(
    ([cell, text]) => `<threadedComment ref="${cell}"><text>${text}</text></threadedComment>`,
  );
  const relationships = [
    `<Relationship Id="rId1" Type="http://x/relationships/comments" Target="../comments${at + 1}.xml"/>`,
    thread.length === 0
      ? ''
      : `<Relationship Id="rId2" Type="http://x/relationships/threadedComment" Target="../threadedComments/t${at + 1}.xml"/>`,
  ].join('');
  return [
    [`xl/worksheets/_rels/sheet${at + 1}.xml.rels`, strToU8(`<Relationships>${relationships}</Relationships>`)],
    [`xl/comments${at + 1}.xml`, strToU8(`<comments><commentList>${legacy.join('')}</commentList></comments>`)],
    [`xl/threadedComments/t${at + 1}.xml`, strToU8(`<ThreadedComments>${thread.join('')}</ThreadedComments>`)],
  ];
}

/** A workbook in which these cells have formats. */
export function formatted(book: Uint8Array, formats: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(formats);
  const files = Object.entries(unzipSync(book)).map(([path, bytes]) => {
    let xml = strFromU8(bytes);
    if (path === 'xl/styles.xml') {
      const own = entries
        .map(([, code], at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
        .join('');
      const xfs = entries.map((_, at) => `<xf xfId="0" numFmtId="${200 + at}" applyNumberFormat="1"/>`).join('');
      xml = xml.replace(/<numFmts[^>]*>/, (tag) => tag + own).replace('</cellXfs>', `${xfs}</cellXfs>`);
    }
    if (path === 'xl/worksheets/sheet1.xml') {
      const first = (
        strFromU8(unzipSync(book)['xl/styles.xml'] ?? new Uint8Array())
          .match(/<cellXfs[\s\S]*<\/cellXfs>/)?.[0]
          .match(/<xf /g) ?? []
      ).length;
      for (const [index, [cell]] of entries.entries())
        xml = xml.replace(new RegExp(`<c r="${cell}"(?: s="\\d+")?`), `<c r="${cell}" s="${first + index}"`);
    }
    return [path, strToU8(xml)] as const;
  });
  return zipSync(Object.fromEntries(files));
}
