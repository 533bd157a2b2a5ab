/** What a file is that cannot be read, and how its rows can be: a sentence after its name, and a hint. */
export interface OtherKind {
  readonly is: string;
  readonly hint: string;
}

const IN_PROGRAM = 'open it in your spreadsheet program and save it as .xlsx, or as csv';
const kind = (is: string, hint = IN_PROGRAM): OtherKind => ({ is: `is ${is}`, hint });

const oldWorkbook = { ...kind('a workbook of the old Excel format'), hint: 'save it as .xlsx or .csv' };
const binaryWorkbook = kind('a binary workbook (.xlsb)');
const openDocument = kind('a sheet of LibreOffice (.ods)');
const appleNumbers = kind('a sheet of Apple Numbers', 'in Numbers: File › Export To › Excel');
const webPage = kind('a web page, whatever its name says');
const workbookXml = kind('a workbook of Excel 2003 in XML');
const document = kind('a document of a text program', 'copy its table into a spreadsheet, and save that as .xlsx');
const pdf = kind('a PDF', 'get the table itself, as .xlsx or csv');
const picture = kind('a picture', 'get the table itself, as .xlsx or csv');
const archive = kind('a compressed archive', 'unpack it, and read the file in it');
const shortcut = kind('a shortcut to a sheet on the web', 'in Google Sheets: File › Download › .xlsx');

/** By the endings of names. */
const byEnding: Readonly<Record<string, OtherKind>> = {
  xls: oldWorkbook,
  xlsm: kind('a workbook with macros (.xlsm)'),
  xlsb: binaryWorkbook,
  ods: openDocument,
  numbers: appleNumbers,
  html: webPage,
  htm: webPage,
  mht: webPage,
  doc: document,
  docx: document,
  odt: document,
  pdf,
  jpg: picture,
  jpeg: picture,
  png: picture,
  heic: picture,
  webp: picture,
  zip: archive,
  rar: archive,
  '7z': archive,
  gz: archive,
  gsheet: shortcut,
  url: shortcut,
};

/** By the parts that only such a file has. */
const byPart: readonly (readonly [RegExp, OtherKind])[] = [
  [/^xl\/workbook\.bin$/i, binaryWorkbook],
  [/^content\.xml$/, openDocument],
  [/^Index(?:\.zip$|\/Document\.iwa$)/, appleNumbers],
  [/^word\//, document],
];

/** By their first bytes, as Latin letters. */
const byBytes: readonly (readonly [RegExp, OtherKind])[] = [
  [/^%PDF-/, pdf],
  [/^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP|....ftyphei)/s, picture],
  [/^PK\x03\x04/, kind('a workbook or an archive, whatever its name says', 'give it the ending .xlsx, if it is one')],
  [/^(?:Rar!|7z\xbc\xaf|\x1f\x8b)/, archive],
  [/^(?:\xd0\xcf\x11\xe0|\x09\x08)/, oldWorkbook],
  [/^(?:\xef\xbb\xbf)?\s*<\?xml[\s\S]*?urn:schemas-microsoft-com:office:spreadsheet/, workbookXml],
  [/^(?:\xef\xbb\xbf)?\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head|meta|body|table|style)\b/i, webPage],
  [/^(?:[^\0]\0){2}|^(?:\0[^\0]){2}/, kind('UTF-16 text without its mark', 'save it as UTF-8; in Excel: "CSV UTF-8"')],
];

/** So many bytes say what a file is. */
const TELLING = 2_048;

/** What a file is that the ending of its name tells; undefined for one that may be read, or is not known. */
export const kindByEnding = (ending: string): OtherKind | undefined =>
  Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;

/** What an archive is whose parts have these paths; undefined if they do not tell. */
export const kindByParts = (paths: readonly string[]): OtherKind | undefined =>
  byPart.find(([part]) => paths.some((path) => part.test(path)))?.[1];

/** What a file is that begins like this; undefined for one that may be text. */
export function kindByBytes(start: Uint8Array): OtherKind | undefined {
  const text = Buffer.from(start.subarray(0, TELLING)).toString('latin1');
  return byBytes.find(([bytes]) => bytes.test(text))?.[1];
}
