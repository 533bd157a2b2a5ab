import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtInLayouts } from '../../src/cod/sheet/built-in.ts';
import { layoutOf } from '../../src/cod/sheet/layout.ts';
import { readPayments } from '../../src/cod/sheet/read-payments.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';

const directory = new URL('../../examples/payments', import.meta.url).pathname;
const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
const layouts = names.map((name) => ({
  ...layoutOf(parse(readFileSync(join(directory, name), 'utf8')), name),
  name: name.replace('.yaml', ''),
}));

/** What each example says: parcel, kind, amount, day and session. */
const meant: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  ninjavan: [
    ['NVVN0001', 'cod', 350_000, '2026-11-20', undefined],
    ['NVVN0001', 'delivery', -22_000, '2026-11-20', undefined],
    ['NVVN0002', 'cod', 0, '2026-11-21', undefined],
    ['NVVN0002', 'delivery', -24_000, '2026-11-21', undefined],
    ['NVVN0002', 'return', -12_000, '2026-11-21', undefined],
  ],
  jt: [
    ['840000000001', 'cod', 1_350_000, '2026-11-20', undefined],
    ['840000000001', 'delivery', -28_500, '2026-11-20', undefined],
    ['840000000002', 'cod', 0, '2026-11-21', undefined],
    ['840000000002', 'delivery', -31_000, '2026-11-21', undefined],
  ],
  spx: [
    ['SPXVN01', 'cod', 350_000, undefined, 'SPX-2026-47'],
    ['SPXVN01', 'delivery', -22_000, undefined, 'SPX-2026-47'],
    ['SPXVN02', 'cod', 150_000, undefined, 'SPX-2026-47'],
    ['SPXVN02', 'provisional', -30_000, undefined, 'SPX-2026-47'],
    ['SPXVN03', 'compensation', 200_000, undefined, 'SPX-2026-47'],
    ['', 'debt', -45_000, undefined, 'SPX-2026-47'],
    ['', 'transfer', -603_000, undefined, 'SPX-2026-47'],
    ['SPXVN02', 'provisional_back', 30_000, undefined, 'SPX-2026-48'],
  ],
};

it.each(Object.keys(meant))(
  'the example layout of %s is recognised by its headers, and reads its file to the last line',
  async (name) => {
    const file = `${name}.csv`;
    const read = await readPayments({
      name: file,
      format: sheetFormatOf(file),
      open: () => ({
        name: file,
        bytes: (async function* () {
          yield readFileSync(join(directory, file));
        })(),
      }),
      layouts: [...builtInLayouts, ...layouts],
    });
    expect(read).toMatchObject({ layout: name, unread: 0, problems: [] });
    expect(
      read.lines.map(({ shippingCode, kind, amount, day, session }) => [shippingCode, kind, amount, day, session]),
    ).toEqual(meant[name]);
  },
);

it('every example layout has a test', () => {
  expect(names.sort()).toEqual(
    Object.keys(meant)
      .map((name) => `${name}.yaml`)
      .sort(),
  );
});

it.each([{ when: { Loại: ['COD'] } }, { join: ' ' }, { otherwise: '0' }, { unit: 'kg' }])(
  'a layout is refused with what only a mapping can have: %j would be ignored',
  (extra) => {
    const columns = { Mã: 'shipping_code', 'Thu hộ': { field: 'cod', ...extra } };
    expect(() => layoutOf({ columns }, 'ours')).toThrow('ours is not a layout: columns.Thu hộ');
  },
);
