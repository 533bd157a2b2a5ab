import { expect, it } from 'vitest';
import { MergedAddresses, withDividedAddresses } from '../../src/batch/plan/whole-address.ts';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { placeLabel } from '../../src/domain/places/places.ts';
import type { Answers } from '../../src/sheets/account/questions.ts';
import type { SourceRow } from '../../src/sheets/source-row.ts';

const cellOf = (path: string) => `line 2, column ${path}`;

/** What a row with this address says of the parcel, in a sheet that has columns of these names as well. */
function sentTo(
  address: object,
  { others = {}, columns = [], new_wards }: { others?: object; columns?: string[] } & Pick<Answers, 'new_wards'> = {},
) {
  const value = { shipping_address: address, ...others };
  const cellNames = () => columns.map((name) => cellOf(`shipping_address.${name}`));
  const row: SourceRow = { place: 'line 2', cells: [], value, faults: [], notes: [], cleared: 0, cellOf, cellNames };
  const read = new MergedAddresses(locationTree, new_wards).read(withDividedAddresses(row, locationTree, new_wards));
  const { address1, ...place } = fieldsIn(read.value.shipping_address);
  return {
    read,
    street: address1,
    place: placeLabel(place),
    faults: read.faults.map(({ message }) => message),
    notes: read.notes.map(({ value: of, message }) => `${of} ${message}`),
    asks: (read.asks ?? []).filter(({ answer }) => answer === undefined).map(({ id, name }) => `${id}: ${name}`),
  };
}

const lan = { full_name: 'Lan', phone: '0901234567' };
const toLan = (full: string, how = {}) => sentTo({ ...lan, full }, how);

const tayThanh = 'Phường Tây Thạnh, Quận Tân Phú, Thành phố Hồ Chí Minh';

it.each([
  'khóm 4',
  'Lô C2, KCN Tân Bình',
  '12 đường số 7, KDC Trung Sơn',
  '17/5 đường 22/12, KP Hòa Lân 2',
  'Công ty TNHH ABC, tầng 5, 72 Lê Thánh Tôn',
  'cổng sau bệnh viện Bạch Mai, 78 Giải Phóng',
  'Sạp 15 chợ Bến Thành',
  'Phòng 1204 toà S2.05',
  'đội 3 thôn Yên Phú',
  'Lầu 3, 180 Pasteur',
  'Bản Mển',
  'chợ Cái Khế',
  'Tổ 5, Nguyễn Văn Linh',
  '12 Đ. Nguyễn Trãi',
  'số 5 và 7 Lê Lợi',
  'Công ty Thép Việt Nam, 12 Lê Lợi',
  'Việt Nam Quán',
  'Chị Hoa, 2 tầng x3',
])('beside a name %s is the street, before the place and behind it', (street) => {
  const before = toLan(`${street}, P. Tây Thạnh, Tân Phú, HCM, Việt Nam`);
  expect([before.street, before.place, before.faults]).toEqual([street, tayThanh, []]);
  const around = toLan(`12A, P. Tây Thạnh, Tân Phú, HCM, ${street}`);
  expect([around.street, around.faults]).toEqual([`12A, ${street}`, []]);
  expect([before.notes.length, around.notes.length]).toEqual([1, 1]);
});

it('takes no name out of an address where the column of names is blank', () => {
  const { read, faults } = sentTo(
    { phone: '0901234567', full: 'cổng sau bệnh viện, P. Tây Thạnh, Tân Phú, HCM' },
    { columns: ['full_name'] },
  );
  expect([read.value, faults]).toMatchObject([
    { shipping_address: { address1: 'cổng sau bệnh viện' } },
    [expect.stringContaining('names no person; it is read as 0901234567, cổng sau bệnh viện, ')],
  ]);
});

it('takes goods and what is written of them for the street, unless they are labelled', () => {
  const { read, street } = toLan('12 Lê Lợi, P. Tây Thạnh, Tân Phú, HCM, 2 áo thun\nSP: 3 quần jean, mẫu mới');
  expect([read.value.lines, street]).toEqual([
    [{ product_name: 'quần jean', quantity: 3 }],
    '12 Lê Lợi, 2 áo thun, mẫu mới',
  ]);
});

it('says which words of a text are in no request since a column has the same', () => {
  const others = { lines: [{ product_name: 'Áo' }], shipping: { cod_amount: 1_000, shipping_note: 'gọi trước' } };
  const text = '12 Lê Lợi, P. Tây Thạnh, Tân Phú, HCM, 0907654321, thu 350k\nSP: 2 quần\nGhi chú: giao sớm';
  const { notes, read } = toLan(text, { others });
  expect(notes).toEqual([
    `${text} is read as Lan, 0901234567, 12 Lê Lợi, ${tayThanh}`,
    '2 × quần is left out: it has a column of its own',
    'cash 350,000 is left out: it has a column of its own',
    'giao sớm is left out: it has a column of its own',
    '0907654321 is another phone number than that of the row: it goes into the note',
  ]);
  expect(read.value.shipping).toEqual({ ...others.shipping, shipping_note: 'gọi trước; SĐT 2: 0907654321' });
  expect(toLan('12 Lê Lợi, P. Tây Thạnh, Tân Phú, HCM, +84 901 234 567').notes.length).toBe(1);
});

it('refuses a text of which only the beginning would be read', () => {
  expect(toLan(`12 Lê Lợi, P. Tây Thạnh, Tân Phú, HCM, ${'x'.repeat(4_000)}`).faults).toEqual([
    expect.stringContaining('of which 4000 can be read'),
  ]);
});

const hue = 'Thành phố Huế, Tỉnh Thừa Thiên Huế';

it.each([
  ['Phường Thuận Hòa, TP Huế', [`Phường Thuận Hòa, ${hue}`]],
  ['Phường Thuận Hóa, TP Huế', [`Phường Phú Hội, ${hue}`, `Phường Vĩnh Ninh, ${hue}`]],
  ['xã Đại Thanh, Hà Nội', ['Xã Tả Thanh Oai, Huyện Thanh Trì, Thành phố Hà Nội']],
  ['Phường Thanh Hòa, Đồng Tháp', ['Phường 2, Thị xã Cai Lậy, Tỉnh Tiền Giang']],
])('the exact spelling and the unit of %s decide between look-alikes', (text, places) => {
  const [ward = '', province = ''] = text.split(', ');
  const whole = toLan(`12 Lê Lợi, ${text}`);
  const apart = sentTo({ ...lan, address1: '12 Lê Lợi', ward, province });
  for (const { faults, place, read } of [whole, apart]) {
    const said = faults.length === 0 ? place : faults.join('; ');
    if (faults.length === 0 && read.notes.length === 0) expect(said).toBe(text);
    else for (const each of places) expect(said).toContain(each);
    expect(said.includes('Thuận Hòa, ')).toBe(ward === 'Phường Thuận Hòa');
    expect(said).not.toContain('Đại Thành');
  }
});

it('a former district decides what a ward of 2025 is, and so does its spelling there', () => {
  const old = toLan('12 Lê Lợi, P. Bến Thành, Quận 1, HCM');
  expect([old.street, old.place, old.asks]).toEqual([
    '12 Lê Lợi',
    'Phường Bến Thành, Quận 1, Thành phố Hồ Chí Minh',
    [],
  ]);
  const apart = { ...lan, address1: '12 Lê Lợi', province: 'Huế', district: 'TP Huế' };
  expect(sentTo({ ...apart, ward: 'Phường Thuận Hóa' }).faults).toEqual([
    expect.stringContaining(`may be Phường Phường Đúc, ${hue} or `),
  ]);
  expect(sentTo({ ...apart, ward: 'Phuong Thuan Hoa' }).faults).toEqual([]);
});

const benThanh = ['Phường Bến Thành', 'Phường Nguyễn Thái Bình', 'Phường Phạm Ngũ Lão'];

it('without a district a ward of 2025 is the former one of its name only if that is said and one district has all of it', () => {
  const whole = (ward: string, province: string, new_wards?: Answers['new_wards']) =>
    toLan(`12 Lê Lợi, ${ward}, ${province}, gần chợ`, { new_wards });
  const apart = (ward: string, province: string, new_wards?: Answers['new_wards']) =>
    sentTo({ ...lan, address1: '12 Lê Lợi', ward, province }, { new_wards });
  for (const to of [whole, apart]) {
    const taken = to('P. Bến Thành', 'HCM', 'same-name');
    expect([taken.place, taken.faults, taken.asks]).toEqual([
      'Phường Bến Thành, Quận 1, Thành phố Hồ Chí Minh',
      [],
      [],
    ]);
    expect(taken.street).toMatch(/^12 Lê Lợi,.*P\. Bến Thành$/);
    expect(to('P. Bến Thành', 'HCM')).toMatchObject({ faults: [], asks: ['new_wards: P. Bến Thành'] });
    const [asked = '', ...more] = to('P. Bến Thành', 'HCM', 'ask').faults;
    expect([benThanh.every((name) => asked.includes(name)), more]).toEqual([true, []]);
    // All that it was made of has another name, or is in several districts.
    for (const [ward, province] of [
      ['Phường Hải Châu', 'Đà Nẵng'],
      ['Phường Tân Bình', 'HCM'],
      ['Phường Thạch Khôi', 'Hải Phòng'],
    ] as const) {
      for (const answer of ['same-name', undefined] as const) {
        const { faults, asks } = to(ward, province, answer);
        expect([faults.length, asks]).toEqual([1, []]);
      }
    }
  }
});

it('takes no ward for a street', () => {
  expect(toLan('P. Bến Thành, HCM', { new_wards: 'same-name' }).faults).toEqual([
    expect.stringContaining('names no street; it is read as '),
  ]);
});

it('gives one reason for a cell, the first that matters', () => {
  expect(toLan('22 Trần Phú, ĐN, thu 350')).toMatchObject({
    faults: [expect.stringContaining('"ĐN" may be Thành phố Đà Nẵng or Tỉnh Đắk Nông or Tỉnh Đồng Nai')],
    notes: [],
  });
});

it.each([
  ['Phường Sài Gòn', 'Phường Bến Nghé, Quận 1'],
  ['Phường Xuân Hòa', 'Phường 06, Quận 3'],
  ['P. Bình Tân', 'Phường Bình Hưng Hoà B, Quận Bình Tân'],
])('%s of 2025, of which one former ward of another name is known, is never taken for that one', (ward, former) => {
  const label = `${former}, Thành phố Hồ Chí Minh`;
  for (const new_wards of [undefined, 'ask', 'same-name'] as const) {
    const full = toLan(`12 Trần Cao Vân, ${ward}, TP HCM`, { new_wards });
    expect([full.faults, full.asks]).toEqual([[`the place may be ${label}: write the former ward`], []]);
    expect(full.place).toBe('');
    const apart = sentTo(
      { ...lan, address1: '12 Trần Cao Vân', ward, district: '', province: 'TP HCM' },
      { new_wards },
    );
    expect(apart.faults).toEqual([`may be ${label}; write the former ward`]);
  }
  expect(toLan(`12 Trần Cao Vân, ${former}, TP HCM`).place).toBe(label);
});
