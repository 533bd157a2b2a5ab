import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pickListPdf, slipsPdf } from '../../src/slips/pdf.ts';
import { barsOf } from '../../src/slips/pdf-blocks.ts';
import { isUnreadable, lackingIn, picksOf, type SlipSize, slipSizes } from '../../src/slips/slip.ts';
import { fc } from '../support/fast-check.ts';
import { slip, slipOf } from './slip.ts';

/** Other people's programs, which read what we drew: Debian's poppler-utils and zbar-tools. */
const readers = ['pdftotext', 'pdftoppm', 'zbarimg'].every(
  (program) => spawnSync(program, ['--version']).error === undefined,
);

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'shopctl-paper-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function written(pdf: Uint8Array): string {
  const path = join(directory, 'paper.pdf');
  writeFileSync(path, pdf);
  return path;
}

const textOf = (pdf: Uint8Array) =>
  execFileSync('pdftotext', ['-layout', written(pdf), '-'], { encoding: 'utf8' }).normalize('NFC');

/** What a scanner reads from each page, at the resolution of a label printer. */
function codesOf(pdf: Uint8Array): string[] {
  execFileSync('pdftoppm', ['-r', '203', '-png', written(pdf), join(directory, 'page')]);
  const pages = readdirSync(directory).filter((name) => name.endsWith('.png'));
  return pages.sort().flatMap((page) =>
    spawnSync('zbarimg', ['-q', '--raw', join(directory, page)], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line !== ''),
  );
}

const pagesOf = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)?.length ?? 0;

it('has its readers where the tests of the whole project run', () => {
  expect(readers || process.env.CI === undefined).toBe(true);
});

describe.skipIf(!readers)('a packing slip, read by other programs', () => {
  it.each(slipSizes)('has a barcode that a scanner reads, on %s', async (size) => {
    const codes = codesOf(await slipsPdf([slip, slipOf(12)], size));
    expect(codes.sort()).toEqual(['1234567890123456789', 'GX12345678901VN']);
  });

  it.each(slipSizes)('cuts nothing that it says in both languages, on %s', async (size) => {
    expect(textOf(await slipsPdf([slip], size, 'both'))).not.toContain('…');
  });

  it.each(slipSizes)('contains everything that a packer needs, on %s', async (size) => {
    const text = textOf(await slipsPdf([slip], size)).replace(/\s+/g, ' ');
    for (const part of ['A-117', '9123456789012345678', 'DH000027', 'partner-express', 'Nhanh', 'GX12345678901VN'])
      expect(text).toContain(part);
    for (const part of [...slip.recipient.name.split(' '), ...slip.recipient.address.split(' ')])
      expect(text).toContain(part);
    expect(text).toContain('0901234567');
    expect(text).toContain('1.280.000 ₫');
    expect(text).toContain('Áo khoác gió (Màu: xanh, Cỡ: M)');
    expect(text).toContain('Hàng dễ bẩn');
    expect(text).toContain('26/11/2026');
    expect(text).toContain('Thu hộ (COD)');
    expect(text).toContain('không phải vận đơn');
  });

  it.each(slipSizes)('loses no line of a long order, on %s', async (size) => {
    const text = textOf(await slipsPdf([slipOf(40)], size));
    for (let number = 1; number <= 40; number += 1) expect(text).toContain(`siêu tốc số ${number},`);
    expect(text.match(/ ×|× /g)).toHaveLength(40);
  });

  it('reads the longest code that a label has room for', async () => {
    const shippingCode = 'PARTNER-EXPRESS/2026/000123456789';
    expect(codesOf(await slipsPdf([{ ...slip, shippingCode }], 'a6'))).toEqual([shippingCode]);
  });

  it('prints a box for what the typeface has no letter for, and every Vietnamese one', async () => {
    const note = 'ẠạẰằỶỷĐđ “…” 王 ☺ Ж ❤️.';
    const text = textOf(await slipsPdf([{ ...slip, note }], 'a6'));
    expect(text).toContain('ẠạẰằỶỷĐđ “…” ▢ ▢ ▢ ▢.');
  });

  it.each(slipSizes)(
    'is of one language: number and noun, and nothing to collect where there is none, on %s',
    async (size) => {
      const text = textOf(await slipsPdf([{ ...slip, codAmount: 0 }], size)).replace(/\s+/g, ' ');
      expect(text).toContain('2 sản phẩm · 3.000 g');
      expect(text).toContain('KHÔNG THU TIỀN');
      expect(text).not.toMatch(/COD|₫|\b(?:items?|orders?|TO|FROM|Note|Packing|slip)\b/);
    },
  );

  it('lists what to fetch by product and variant, added up over all orders, with the day', async () => {
    const shirts = {
      ...slip,
      lines: ['Màu: đỏ, Cỡ: M', 'Màu: đỏ, Cỡ: L'].map((variant) => ({ name: 'Áo khoác gió', variant, quantity: 9 })),
    };
    const text = textOf(await pickListPdf([slip, slip, slipOf(3), shirts], '26/11/2026'));
    expect(text).toContain('28 sản phẩm, 4 đơn · 26/11/2026');
    expect(text).not.toMatch(/\b(?:items?|orders?|Pick)\b/);
    const lines = text
      .split('\n')
      .flatMap((line) => /^ *\d+ × +(.*?) {2,}(\d+ đơn)$/.exec(line)?.slice(1).join(': ') ?? []);
    expect(lines).toEqual([
      'Áo khoác gió (Màu: đỏ, Cỡ: L): 1 đơn',
      'Áo khoác gió (Màu: đỏ, Cỡ: M): 1 đơn',
      'Áo khoác gió (Màu: xanh, Cỡ: M): 2 đơn',
      ...[1, 2, 3].map(
        (number) =>
          `Ấm đun siêu tốc số ${number}, vỏ inox ba lớp chống nóng, tự ngắt khi sôi${number === 2 ? ' (Màu: đỏ)' : ''}: 1 đơn`,
      ),
    ]);
  });
});

describe('slips', () => {
  const pages: readonly [SlipSize, number, number][] = [
    ['a6', 1, 1],
    ['a6', 12, 2],
    ['a4', 12, 1],
    ['80mm', 40, 1],
  ];
  it.each(pages)('on %s with %i lines take %i pages', async (size, lines, expected) => {
    expect(pagesOf(await slipsPdf([slipOf(lines)], size))).toBe(expected);
  });

  it('stand four on a sheet of A4', async () => {
    expect(pagesOf(await slipsPdf([slip, slip, slip, slip], 'a4'))).toBe(1);
    expect(pagesOf(await slipsPdf([slip, slip, slip, slip, slip], 'a4'))).toBe(2);
  });

  it('are the same bytes for the same orders', async () => {
    expect(Buffer.compare(await slipsPdf([slip], 'a6'), await slipsPdf([slip], 'a6'))).toBe(0);
  });

  it('take any text, in bounded room', async () => {
    // A string of fast-check would list all letters that there are first.
    const letter = fc.oneof(fc.nat({ max: 0x10_ff_ff }), fc.integer({ min: 0x20, max: 0x7e }));
    const letters = fc.array(letter, { maxLength: 3000, size: 'max' });
    const text = letters.map((points) => String.fromCodePoint(...points));
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (name, address, note, code) => {
        const recipient = { name, phone: name, address };
        const shippingCode = code.slice(0, 60);
        const pdf = await slipsPdf([{ ...slip, recipient, note, shippingCode, externalId: name }], 'a6');
        expect(pagesOf(pdf)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 8 },
    );
  });
});

describe('a barcode', () => {
  it('is the symbol that Code 128 demands: start, data, check, stop, with quiet zones', () => {
    // Start B is 2 1 1 2 1 4, the stop pattern 2 3 3 1 1 1 2; a character has 11 modules.
    const symbol = barsOf('AB');
    expect(symbol?.modules).toBe(11 * 4 + 13 + 20);
    expect(symbol?.bars.slice(0, 3)).toEqual([
      { at: 10, width: 2 },
      { at: 13, width: 1 },
      { at: 16, width: 1 },
    ]);
    expect(symbol?.bars.at(-1)).toEqual({ at: 65, width: 2 });
  });

  it('is left out where the code has letters that it does not encode', () => {
    expect(barsOf('ĐƠN-1')).toBeUndefined();
  });
});

it('picks the same goods once, whichever way their letters are composed', () => {
  const other = {
    ...slip,
    lines: [{ name: 'Áo khoác gió'.normalize('NFD'), variant: 'Màu: xanh, Cỡ: M', quantity: 5 }],
  };
  expect(picksOf([slip, other])).toEqual([
    { name: 'Áo khoác gió', variant: 'Màu: xanh, Cỡ: M', quantity: 7, orders: 2 },
  ]);
});

it('knows the characters that the typeface lacks, and whether anything of a text is left', () => {
  expect(['阮氏蘭', 'Lan 🌸 𡨸喃 🌸', 'Nguyễn Thị Lan?', 'Ởng Đệ – “số 5” ▢', ''].map(lackingIn)).toEqual([
    ['阮', '氏', '蘭'],
    ['🌸', '𡨸', '喃'],
    [],
    ['▢'],
    [],
  ]);
  expect(['阮氏蘭', '🌸 – ?', '\u200b', 'Lan 🌸', '0905', '', ' '].map(isUnreadable)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
