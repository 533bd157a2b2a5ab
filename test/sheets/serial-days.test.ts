import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { readXlsx } from '../../src/sheets/xlsx/read-xlsx.ts';
import { dayText, serialOf } from '../../src/sheets/xlsx/serial-days.ts';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';

const zone = 'Asia/Ho_Chi_Minh';

it.each([
  [24_107, '1970-01-01'],
  [0, '1904-01-01'],
  [59, '1904-02-29'],
  [44_885, '2026-11-21'],
  [44_885.5, '2026-11-21T12:00:00'],
])('the number %d of a workbook that counts from 1904 is %s, and 1,462 more in any other', (serial, day) => {
  expect([dayText(serial, true), dayText(serial + 1462, false)]).toEqual([day, day]);
});

it('a workbook says itself that it counts from 1904', async () => {
  const parts = unzipSync(xlsxOf(['day'], [['2026-11-21']], 'Orders', { kinds: ['day'] }));
  const name = 'xl/workbook.xml';
  const read = async (attribute: string) => {
    const xml = strFromU8(parts[name] ?? new Uint8Array()).replace('<sheets>', `<workbookPr ${attribute}/><sheets>`);
    const bytes = zipSync({ ...parts, [name]: strToU8(xml) });
    const { lines } = await readXlsx({
      name: 'orders.xlsx',
      bytes: (async function* () {
        yield bytes;
      })(),
    });
    for await (const { cells } of lines) return cells;
    return [];
  };
  expect(await read('')).toEqual(['2026-11-21']);
  expect(await read('date1904="0"')).toEqual(['2026-11-21']);
  for (const set of ['date1904="1"', 'date1904="true"']) expect(await read(set)).toEqual(['2030-11-22']);
});

it.each([
  [[14, 22, 27, 36, 45, 47, 50, 58], '2026-11-21'],
  [[0, 13, 23, 26, 37, 44, 49, 59], 46_347],
])('a number with one of the built-in formats %j is %s', async (formats, expected) => {
  const parts = unzipSync(xlsxOf(['day'], [['2026-11-21']], 'Orders', { kinds: ['day'] }));
  const name = 'xl/styles.xml';
  const read = async (format: number) => {
    const xml = strFromU8(parts[name] ?? new Uint8Array()).replace(/<cellXfs[\s\S]*<\/cellXfs>/, (styles) =>
      styles.replaceAll(/numFmtId="\d+"/g, `numFmtId="${format}"`),
    );
    const bytes = zipSync({ ...parts, [name]: strToU8(xml) });
    const { lines } = await readXlsx({
      name: 'orders.xlsx',
      bytes: (async function* () {
        yield bytes;
      })(),
    });
    for await (const { cells } of lines) return cells[0];
    return undefined;
  };
  for (const format of formats) expect([format, await read(format)]).toEqual([format, expected]);
});

it('a day is written as a number from 1 March 1900, before which spreadsheets have a day too many, to the year 9999', () => {
  expect(['1900-02-28', '1900-03-01', '9999-12-31'].map((day) => serialOf(day, zone))).toEqual([
    undefined,
    61,
    2_958_465,
  ]);
  expect(serialOf('9999-12-31T16:59:59Z', zone)).toBeCloseTo(2_958_465.999_988, 5);
  expect(serialOf('9999-12-31T17:00:00Z', zone)).toBeUndefined();
  expect(['2026-11-31', 'soon', ''].map((text) => serialOf(text, zone))).toEqual([undefined, undefined, undefined]);
  // Written and read again, it is the same day.
  for (const day of ['1900-03-01', '2000-02-29', '2026-11-21'])
    expect(dayText(serialOf(day, zone) ?? 0, false)).toBe(day);
});

it('a number after the year 9999 is no day, as no spreadsheet shows it as one: a phone number in a column of days', () => {
  expect(dayText(2_958_465.5, false)).toBe('9999-12-31T12:00:00');
  expect([2_958_466, 912_345_678, -800_000].map((serial) => dayText(serial, false))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(dayText(2_958_466 - 1462, true)).toBeUndefined();
});
