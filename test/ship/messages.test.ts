import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { foldedName } from '../../src/domain/places/place-name.ts';
import { type PastedMessage, readMessage } from '../../src/ship/read-message.ts';

/** A message as a buyer sends it, and what it says, written down by somebody who had not seen the reader. */
interface Judged {
  readonly text: string;
  readonly right: readonly string[];
}

/** The messages of a file, which says itself how it is written. */
function messagesOf(name: string): Judged[] {
  const file = fileURLToPath(new URL(`../reading/files/${name}`, import.meta.url));
  const lines = readFileSync(file, 'utf8').split('\n');
  const judged: Judged[] = [];
  let text: string[] = [];
  for (const line of lines) {
    if (line.startsWith('> ')) {
      judged.push({
        text: text.join('\n').trim(),
        right: line
          .slice(2)
          .split('|')
          .map((part) => part.trim()),
      });
      text = [];
    } else if (!line.startsWith('#')) text.push(line);
  }
  return judged;
}

const TITLES = new Set(['chi', 'anh', 'em', 'co', 'chu', 'bac', 'ba', 'ong', 'mr', 'ms', 'c', 'a', 'e']);
const UNIT = /^(?:phuong|xa|thi tran|quan|huyen|thi xa|thanh pho|tinh) /;

const wordsOf = (text: string) =>
  foldedName(text)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^0(?=\d$)/, ''));
const flat = (text: string) => wordsOf(text).join(' ');
const untitled = (text: string) => {
  const words = wordsOf(text);
  return (TITLES.has(words[0] ?? '') && words.length > 1 ? words.slice(1) : words).join(' ');
};
/** The spellings of a text in which words in parentheses, and what stands before a "? ", may be missing. */
const spellings = (text: string): string[] => {
  const full = text.replace(/\?$/, '');
  const [, before = '', after = ''] = /^(.*)\? (.*)$/.exec(full) ?? [];
  const texts = after === '' ? [full] : [`${before} ${after}`, after];
  return texts.flatMap((one) => [flat(one), flat(one.replaceAll(/\([^)]*\)/g, ''))]);
};

/** What is wrong with a reading, and what it leaves to the person although the message says it. */
class Verdict {
  readonly wrong: string[] = [];
  readonly doubtful: string[] = [];
  readonly #read: PastedMessage;
  readonly #shown: string;
  readonly #doubts: string;

  constructor({ text, right }: Judged) {
    const read = readMessage(locationTree, text);
    const { doubts, rest, note } = read;
    this.#read = read;
    this.#shown = ` ${flat([...doubts, ...rest, note ?? ''].join(' '))} `;
    const [name = '', phone = '', street = '', place = '', goods = '', cash = '', doubt = ''] = right;
    this.#doubts = doubt;
    this.#compare('name', name, read.full_name, (one) => untitled(one));
    this.#compare('phone', phone, read.phone, flat);
    this.#compare('street', street, read.address1, flat);
    this.#comparePlace(place);
    this.#compareGoods(goods);
    this.#compareCash(cash);
    for (const field of doubt.split(',').filter((one) => one.trim() !== '' && !one.endsWith('?')))
      if (doubts.length + rest.length === 0) this.wrong.push(`${field.trim()}: no doubt is shown`);
    this.#accountFor(text);
  }

  /** Whether a field may be shown as doubtful. */
  #mayDoubt(field: string, value: string) {
    return value.endsWith('?') || this.#doubts.split(',').some((one) => one.trim().replace('?', '') === field);
  }

  #miss(field: string, value: string, isShown: boolean) {
    if (!isShown) this.wrong.push(`${field}: ${value} is lost`);
    else if (!this.#mayDoubt(field, value)) this.doubtful.push(`${field}: ${value}`);
  }

  #isShown(text: string) {
    return flat(text)
      .split(' ')
      .every((word) => this.#shown.includes(` ${word} `) || this.#shown.replaceAll(' ', '').includes(word));
  }

  #compare(field: string, value: string, found: string | undefined, same: (text: string) => string) {
    if (found === undefined || found === '') {
      if (value !== '') this.#miss(field, value, this.#isShown(spellings(value)[1] ?? ''));
    } else if (value === '' || !spellings(value).some((one) => same(one) === same(found))) {
      this.wrong.push(`${field}: ${found} instead of ${value || 'nothing'}`);
    }
  }

  #comparePlace(value: string) {
    const { ward, district, province } = this.#read;
    const bare = (one: string) => flat(one).replace(UNIT, '');
    const named = value
      .replace(/\?$/, '')
      .split(',')
      .map((one) => one.replace('?', '').trim());
    const found = [ward, district, province].flatMap((one) => (one === undefined ? [] : [one]));
    if (found.length === 0) {
      if (value !== '') this.#miss('place', value, this.#read.doubts.length > 0);
      return;
    }
    if (value === '') this.wrong.push(`place: ${found.join(', ')} instead of nothing`);
    const strange = found.filter(
      (one) =>
        !named.some((right) =>
          [one, bare(one)].some((text) => flat(right) === flat(text) || bare(right) === flat(text)),
        ),
    );
    if (value !== '' && strange.length > 0) this.wrong.push(`place: ${found.join(', ')} instead of ${value}`);
    else if (found.length < named.length) this.#miss('place', value, this.#isShown(bare(named[0] ?? '')));
  }

  #compareGoods(value: string) {
    const named = value
      .split(';')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    const left = this.#read.goods.map(({ quantity, product_name }) => flat(`${quantity} ${product_name}`));
    for (const one of named) {
      const at = left.findIndex((found) => spellings(one).includes(found));
      if (at >= 0) left.splice(at, 1);
      else this.#miss('goods', one, this.#isShown(one.replaceAll(/^\d+\??|\([^)]*\)/g, '')));
    }
    for (const one of left) this.wrong.push(`goods: ${one} instead of ${value || 'nothing'}`);
  }

  #compareCash(value: string) {
    const { cod_amount } = this.#read;
    const right = value === '' ? undefined : Number.parseInt(value, 10);
    if (cod_amount !== undefined && cod_amount !== right) this.wrong.push(`cash: ${cod_amount} instead of ${value}`);
    if (cod_amount === undefined && right !== undefined && !value.endsWith('?'))
      this.#miss('cash', value, this.#read.doubts.length + this.#read.rest.length > 0);
  }

  /** Nothing with a digit vanishes: it is read, or it is shown. */
  #accountFor(text: string) {
    const {
      full_name = '',
      phone = '',
      address1 = '',
      goods,
      ward = '',
      district = '',
      province = '',
      cod_amount,
    } = this.#read;
    const taken = flat(
      [
        full_name,
        phone,
        address1,
        ward,
        district,
        province,
        ...goods.map((one) => `${one.quantity} ${one.product_name}`),
      ].join(' '),
    );
    const all = `${taken} ${this.#shown}`.replaceAll(' ', '');
    for (const [word] of text.replaceAll(/^\s*\d+[.)]\s/gmu, '').matchAll(/[\p{L}\d]*\d[\p{L}\d]*/gu)) {
      const digits = word
        .replaceAll(/\D/g, '')
        .replace(/^0+(?=\d)/, '')
        .replace(/^84/, '');
      const isCash = cod_amount !== undefined && /^\d+(?:k|tr|đ|$)/iu.test(word);
      if (!isCash && ![digits, flat(word).replaceAll(' ', '')].some((one) => all.includes(one)))
        this.wrong.push(`${word} is lost`);
    }
  }
}

/** How many messages of a file are read whole, and those that are not. */
function count(name: string) {
  const all = messagesOf(name).map((judged) => ({ ...judged, verdict: new Verdict(judged) }));
  const wrong = all.filter(({ verdict }) => verdict.wrong.length > 0);
  const doubtful = all.filter(({ verdict }) => verdict.wrong.length === 0 && verdict.doubtful.length > 0);
  return { all: all.length, whole: all.length - wrong.length - doubtful.length, wrong, doubtful };
}

it.each([
  ['messages-a.txt', 91],
  ['messages-b.txt', 92],
])('reads most messages of %s whole, and none of them wrong', (name, least) => {
  const { all, whole, wrong } = count(name);
  expect(all).toBe(100);
  expect(wrong.map(({ text, verdict }) => [text, ...verdict.wrong])).toEqual([]);
  expect(whole).toBeGreaterThanOrEqual(least);
});

const to = 'Chị Lan\n0901234567\n12/3 Lê Lợi p.Bến Nghé q1 hcm\n';
const unclear = '250k: whether one costs that, or all do, is not clear';
it.each<[string, object]>([
  ['2 ô gấp xanh\nthu 350k', { goods: [{ product_name: 'ô gấp xanh', quantity: 2 }], doubts: [], rest: [] }],
  ['2 hoàng kim\nthu 350k', { goods: [], rest: ['2 hoàng kim'] }],
  [
    'áo thun trắng M x2 = 250k',
    { goods: [{ product_name: 'áo thun trắng M', quantity: 2 }], doubts: [unclear], rest: [] },
  ],
  [
    '2 ví da x 120k',
    { goods: [{ product_name: 'ví da', quantity: 2 }], doubts: ['120k: what it is for is not clear'] },
  ],
  [
    '10kg cà phê\nthu 350k',
    { goods: [{ quantity: 10 }], doubts: ['10kg cà phê: whether that is one piece, or several, is not clear'] },
  ],
  ['5 lít mắm\nthu 350k', { doubts: ['5 lít mắm: whether that is one piece, or several, is not clear'] }],
  ['2 lọ mật 1 lít\nthu 350k', { goods: [{ quantity: 2 }], doubts: [] }],
])('reads the goods of %j, and leaves a price that may be of one or of all to the person', (text, read) => {
  expect(readMessage(locationTree, to + text)).toMatchObject(read);
});

it.each<[string, readonly (readonly [number, string])[], number?]>([
  [
    '2 áo 1 quần',
    [
      [2, 'áo'],
      [1, 'quần'],
    ],
  ],
  [
    'lấy 2 áo và 1 quần',
    [
      [2, 'áo'],
      [1, 'quần'],
    ],
  ],
  [
    'một áo hai quần',
    [
      [1, 'áo'],
      [2, 'quần'],
    ],
  ],
  [
    '2 áo thun 3 quần đùi',
    [
      [2, 'áo thun'],
      [3, 'quần đùi'],
    ],
  ],
  [
    'một áo thun hai quần đùi',
    [
      [1, 'áo thun'],
      [2, 'quần đùi'],
    ],
  ],
  ['1 áo 2 dây', [[1, 'áo 2 dây']]],
  ['1 áo hai dây', [[1, 'áo hai dây']]],
  ['1 váy 2 dây trắng', [[1, 'váy 2 dây trắng']]],
  [
    'x2 áo, 3x vớ',
    [
      [2, 'áo'],
      [3, 'vớ'],
    ],
  ],
  ['1 combo 3 áo', [[1, 'combo 3 áo']]],
  ['1 vali 4 bánh', [[1, 'vali 4 bánh']]],
  ['2 áo 1 túi', [[2, 'áo 1 túi']], 1],
  ['1 bàn 4 ghế', [[1, 'bàn 4 ghế']], 1],
])('reads "%s" as so many goods as it names, or as a doubt', (text, goods, doubts = 0) => {
  const read = readMessage(locationTree, `${to}${text}\nthu 350k`);
  expect(read.goods.map(({ product_name: name, quantity }) => [quantity, name])).toEqual(goods);
  expect([read.doubts.length, read.cod_amount]).toEqual([doubts, 350_000]);
});

it('takes no line that may be a street for goods, where no other is the street', () => {
  const text = 'Chị Lan 0901234567\n5 dốc vàng\nthu 350k\nphường Láng Hạ, quận Đống Đa, Hà Nội';
  expect(readMessage(locationTree, text)).toMatchObject({ goods: [], rest: ['5 dốc vàng'] });
});

it.each<[string, object]>([
  [
    'Minh 0868123456 phường Sài Gòn, 22 Nguyễn Huệ, TPHCM, 1 áo',
    { full_name: 'Minh', address1: 'phường Sài Gòn, 22 Nguyễn Huệ', province: 'Thành phố Hồ Chí Minh', rest: [] },
  ],
  ['Chi 0868123456, 22 Lê Lợi, phường Bến Nghé, q1, hcm', { full_name: 'Chi', ward: 'Phường Bến Nghé' }],
  ['Mình 0868123456, 22 Lê Lợi, phường Bến Nghé, q1, hcm', { full_name: undefined }],
  ['chị Phương 0868123456, 22 Lê Lợi, phường Bến Nghé, q1, hcm', { full_name: 'chị Phương' }],
  [
    'Lan 0868123456, ấp Thanh Bình, xã Thới Thạnh, Cờ Đỏ, Cần Thơ',
    { district: 'Huyện Cờ Đỏ', doubts: ['Xã Thới Thạnh is in Huyện Thới Lai, not in Huyện Cờ Đỏ'] },
  ],
  ['22 Nguyễn Huệ, 0868123456', { province: undefined, rest: ['22 Nguyễn Huệ'] }],
  ['Lan 0868123456, 5 Bà Triệu, Phú Hội, TP Huế', { ward: 'Phường Phú Hội', address1: '5 Bà Triệu' }],
  [
    'Lan 0868123456, 22 Lê Lợi, phường Bến Nghé, q1, hcm. Người đặt 0988123123. 2 áo thun',
    { full_name: 'Lan', phone: '0868123456', doubts: [], rest: ['0988123123'] },
  ],
  [
    'Lan 0868123456, 22 Lê Lợi, phường Bến Nghé, q1, hcm\n1 bộ pijama freeship',
    { goods: [{ product_name: 'bộ pijama', quantity: 1 }], free_delivery: 'freeship', rest: [] },
  ],
])('reads %j without a word in the wrong place', (text, read) => {
  expect(readMessage(locationTree, text)).toMatchObject(read);
});

/** What one "váy" costs, the delivery, and both. */
const oneDress = [['váy', 1, 250_000], 25_000, 275_000] as const;
it.each<[string, readonly [readonly [string, number, number | undefined], number, number]]>([
  ['1 váy x 250k + ship 25k = 275k', oneDress],
  ['1 váy x 250k + ship 25k =275k', oneDress],
  ['1 váy x 250k+ship 25k=275k', oneDress],
  ['1 váy 250k + ship 25k = 275k', oneDress],
  ['1 váy 250k + 25k ship = 275k', oneDress],
  ['1 váy 250k+25k ship=275k', oneDress],
  ['1 váy: 250k + 25k phí ship = 275k', oneDress],
  ['1 váy = 250k + ship 25k = 275k', oneDress],
  ['1 váy giá 250k + phí ship 25k = 275k', oneDress],
  ['1 váy giá 250.000đ + phí ship 25.000đ = 275.000đ', oneDress],
  ['1 váy 250.000 + ship 25.000 = 275.000', oneDress],
  ['1 váy 250,000 + ship 25,000 = 275,000', oneDress],
  ['1 váy 250000 + ship 25000 = 275000', oneDress],
  ['1 váy 250k + tiền ship 25k = 275k', oneDress],
  ['1 váy 250k + ship: 25k = 275k', oneDress],
  ['1 váy 250k + phí vận chuyển 25k = 275k', oneDress],
  ['1 váy 250k + phí vc 25k = 275k', oneDress],
  ['1 váy 250k + phí giao hàng 25k = 275k', oneDress],
  ['1 váy 250k cộng ship 25k = 275k', oneDress],
  ['1 váy 250k + ship 25k tổng 275k', oneDress],
  ['1 váy 250k + ship 25k, tổng cộng 275k', oneDress],
  ['1 váy 250k, ship 25k, tổng 275k', oneDress],
  ['1 váy 250k, ship 25k. Tổng: 275k', oneDress],
  ['1 váy 250k + ship 25k => 275k', oneDress],
  ['1 váy 250k + ship 25k là 275k', oneDress],
  ['1 váy 250k + ship 25k, thu 275k', oneDress],
  ['1 váy 250k + ship 25k = 275k cod', oneDress],
  ['1 váy 250k + ship 25k, cod 275k', oneDress],
  ['1 váy 250k + ship 25k = thu hộ 275k', oneDress],
  ['1 váy 250k + ship 25k tổng thu 275k', oneDress],
  ['1 váy 250k\nship 25k\ntổng 275k', oneDress],
  ['1 váy 250k\nphí ship: 25k\nthu hộ: 275k', oneDress],
  ['1 váy, thu 275k (250k + 25k ship)', oneDress],
  ['1 váy, tổng 275k = 250k + 25k ship', oneDress],
  ['1 váy, thu 250k + ship 25k = 275k', oneDress],
  ['1 váy 250K + SHIP 25K = 275K', oneDress],
  ['1 váy 1tr2 + ship 30k = 1tr230', [['váy', 1, 1_200_000], 30_000, 1_230_000]],
  ['2 váy x 250k + ship 25k = 525k', [['váy', 2, 250_000], 25_000, 525_000]],
  ['2 váy 250k + ship 25k = 525k', [['váy', 2, 250_000], 25_000, 525_000]],
  ['2 váy 500k + ship 25k = 525k', [['váy', 2, 250_000], 25_000, 525_000]],
  ['váy x2 250k + ship 25k = 525k', [['váy', 2, 250_000], 25_000, 525_000]],
  ['váy 250k x 2 + ship 25k = 525k', [['váy', 2, 250_000], 25_000, 525_000]],
  ['3 váy 500k + ship 25k = 525k', [['váy', 3, undefined], 25_000, 525_000]],
  ['1 váy 250k + ship 25k = 275k nhé shop', oneDress],
])('reads the whole sum of "%s"', (text, [[name, quantity, price], fee, total]) => {
  const read = readMessage(locationTree, `${to}${text}`);
  expect([read.doubts, read.rest]).toEqual([[], []]);
  const line = { product_name: name, quantity, ...(price && { retail_price: price }) };
  expect([read.goods, read.delivery_fee, read.cod_amount]).toEqual([[line], fee, total]);
});

it('reads a sum of several goods, each with its price', () => {
  const read = readMessage(locationTree, `${to}1 váy 250k + 2 áo 100k + ship 25k = 475k`);
  expect(read).toMatchObject({
    goods: [
      { product_name: 'váy', quantity: 1, retail_price: 250_000 },
      { product_name: 'áo', quantity: 2, retail_price: 100_000 },
    ],
    delivery_fee: 25_000,
    cod_amount: 475_000,
    doubts: [],
    rest: [],
  });
});

it.each([
  '1 váy x 250k + ship 25k = 285k',
  '1 váy x 250k + ship 25k = 250k',
  '2 váy x 250k + ship 25k = 275k',
  '1 váy x 250k + ship 25k',
  '1 váy x 250k + 25k = 275k',
  '1 váy x 250k + ship 25k + 10k = 275k',
  '1 váy x 250k + ship 25k = 275k hay 265k',
  '1 váy x 250k + ship 25k = 275k, giảm 10%',
  '1 váy x 250k + ship 25k = 275k, bớt 25k',
  '1 váy x 250k + ship 25k = 275k, đã cọc 100k',
  '1 váy x 250k + ship 25k = 275k, thu 250k',
  '1 váy x 250k + ship 25k = 275k, ck trước 100k',
  '1 váy x 250k + ship 25k = 275k, mai em ck',
  '1 váy x 250k + ship 25k = 275k, không thu',
  '1 váy x 250k + ship 25k = 275k đúng không?',
  '1 váy x 250k + ship 25k = 275k, shop chịu ship',
  '1 váy x 250k + ship 25k = 275k\n1 áo 100k + ship 25k = 125k',
  '1 váy 250 + ship 25 = 275',
])('leaves the cash of "%s" to the person, or says nothing that is not so', (text) => {
  const { cod_amount, delivery_fee, doubts, rest, goods } = readMessage(locationTree, `${to}${text}`);
  expect(delivery_fee).toBeUndefined();
  expect(goods.filter((one) => one.retail_price !== undefined)).toEqual([]);
  const isSaid = /không thu/.test(text) ? 0 : /thu 250k/.test(text) ? 250_000 : undefined;
  expect([undefined, isSaid]).toContain(cod_amount);
  expect(doubts.length + rest.length).toBeGreaterThan(0);
});

const AT_HANG_GAI = 'Hàng Gai, phường Hàng Gai, Hoàn Kiếm, Hà Nội';

it.each([
  ['09123456\n12', '12 Hàng Gai', '09123456 '],
  ['091234567\n8', '8 Hàng Gai', '091234567 '],
  ['09123456\r\n12', '12 Hàng Gai', '09123456 '],
  ['09123456, 12', '12 Hàng Gai', '09123456 '],
  ['09123456 12', '12 Hàng Gai', '09123456 '],
  ['09123456\t12', '12 Hàng Gai', '09123456 '],
  ['0912.345.67\n8', '8 Hàng Gai', '0912.345.67 '],
  ['0912 345\n678', '678 Hàng Gai', '0912 345'],
  ['09123456789\n8', '8 Hàng Gai', '09123456789 '],
])('joins no digits of two things: Lan Anh %j Hàng Gai', (written, street, said) => {
  const message = readMessage(locationTree, `Lan Anh ${written} ${AT_HANG_GAI}`);
  expect([message.full_name, message.phone, message.address1]).toEqual(['Lan Anh', undefined, street]);
  expect([...message.doubts, ...message.rest]).toEqual([expect.stringContaining(said)]);
  const address = readMessage(locationTree, `${written} ${AT_HANG_GAI}`, { isAddress: true });
  expect(address.phone).toBeUndefined();
  expect(address.address1).toContain(street);
});

it.each(['0912 345 678', '0912.345.678', '091 2345 678', '+84 912 345 678', '84 912345678', '0912-345-678'])(
  'joins the digits of a number on one line: %s',
  (written) => {
    const { phone, address1 } = readMessage(locationTree, `Lan Anh ${written}\n12 ${AT_HANG_GAI}`);
    expect([phone, address1]).toEqual(['0912345678', '12 Hàng Gai']);
  },
);
