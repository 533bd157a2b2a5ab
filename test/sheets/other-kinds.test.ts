import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import { readSheet } from '../reading/read-sheet.ts';

const zipOf = (...paths: readonly string[]) =>
  zipSync(Object.fromEntries(paths.map((path) => [path, strToU8(`part ${path}`)])));
const workbookXml = '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>';

it.each([
  ['o.csv', '<html><table><tr><td>A</td></tr></table></html>', 'o.csv is a web page'],
  ['o.xlsx', '\n<table border="1"><tr><td>A</td></tr></table>', 'o.xlsx is a web page'],
  ['o.xlsx', workbookXml, 'o.xlsx is a workbook of Excel 2003 in XML'],
  ['o.csv', zipOf('xl/workbook.xml'), 'o.csv is a workbook or an archive'],
  ['o.xlsx', zipOf('content.xml', 'mimetype'), 'o.xlsx is a sheet of LibreOffice'],
  ['o.xlsx', zipOf('xl/workbook.bin'), 'o.xlsx is a binary workbook'],
  ['o.xlsx', zipOf('word/document.xml'), 'o.xlsx is a document of a text program'],
  ['o.xlsx', zipOf('Index/Document.iwa'), 'o.xlsx is a sheet of Apple Numbers'],
  ['o.csv', '%PDF-1.7\n', 'o.csv is a PDF'],
  ['o.csv', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), 'o.csv is a picture'],
  ['o.json', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0]), 'o.json is a workbook of the old Excel format'],
  ['o.csv', Buffer.from('external_id,phone\n', 'utf16le'), 'o.csv is UTF-16 text without its mark'],
])('%s with %j is refused as what it is', async (name, content, message) => {
  await expect(readSheet(name, content)).rejects.toThrow(message);
});

it.each([
  ['o.xls', 'is a workbook of the old Excel format: save it as .xlsx or .csv'],
  ['o.ods', 'is a sheet of LibreOffice (.ods): open it in your spreadsheet program and save it as .xlsx'],
  ['o.pdf', 'is a PDF: get the table itself'],
  ['o.gsheet', 'File › Download › .xlsx'],
])('the name %s says what it is', async (name, message) => {
  await expect(readSheet(name, '')).rejects.toThrow(message);
});

it('the separator is that of the table, also where no column is known and the title has others', async () => {
  const lines = ['Danh sách, ngày 20/11, kho Liên Chiểu', 'Mã;Tên;Giá', 'A;An, Bình;1000', 'B;Chi;2000'];
  async function* bytes() {
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
  const sheet = await sheetFormatOf('o.csv').read({ name: 'o.csv', bytes: bytes() }, { score: () => 0, headerRow: 2 });
  expect(sheet).toMatchObject({ columns: ['Mã', 'Tên', 'Giá'], style: { delimiter: ';' } });
});
