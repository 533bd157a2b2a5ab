import { formatMoney } from '../domain/amounts/money.ts';
import { dayText } from '../domain/language.ts';
import type { batchTexts } from './texts.ts';

type Sums = Parameters<typeof batchTexts.question.ship>[0]['sums'];
type Counts = Parameters<typeof batchTexts.plan.rows>[0];

/** Money in a sentence. */
const dong = (amount: number) => `${formatMoney(amount)}\u00A0₫`;

/** Money that is stored as its digits. */
const dongOf = (digits: string) => (/^\d+$/.test(String(digits)) ? dong(Number(digits)) : digits);

/** How records have ended, by the words that are typed. */
const ends: Readonly<Record<string, string>> = {
  undone: 'đã hoàn tác',
  cancelled: 'đã hủy',
  returned: 'đã hoàn',
  undeliverable: 'không giao được',
  travelling: 'đã hủy nhưng kiện hàng vẫn đang đi',
};

/** What can be answered, as it is typed, in words. */
const choices: Readonly<Record<string, string>> = {
  ship: 'gửi',
  send: 'gửi',
  skip: 'bỏ qua',
  read: 'đọc',
  once: 'một lần',
  each: 'từng dòng',
  one: 'một đơn',
  cash: 'thu hộ (COD)',
  paid: 'đã trả tiền',
  thousand: 'nghìn đồng',
  total: 'thu tổng tiền của đơn',
  zero: 'không thu',
  quantity: 'theo số lượng',
  ask: 'sửa từng ô',
  'same-name': 'phường/xã cũ cùng tên',
};

const constantChoices: Readonly<Record<string, string>> = {
  none: 'Không cho xem hàng',
  open: 'Cho xem hàng không thử',
  try: 'Cho thử hàng',
  yes: 'có',
  no: 'không',
};

const parcelStates: Readonly<Record<string, string>> = {
  picking: 'đang lấy hàng',
  holding: 'đã lấy hàng',
  delivering: 'đang giao',
  delivered: 'đã giao',
  undeliverable: 'không giao được',
  returning: 'đang hoàn',
  returned: 'đã hoàn',
};

const rowStates: Readonly<Record<string, string>> = {
  planned: 'chưa gửi',
  sending: 'đang gửi',
  done: 'xong',
  existed: 'đã có',
  ended: 'đã kết thúc',
  failed: 'lỗi',
  unclear: 'chưa rõ',
  skipped: 'bỏ qua',
  undone: 'đã hoàn tác',
};

/** The sums of a question, as sentences before it. */
function sumsAsked(sums: Sums): string {
  if (sums === null) return '';
  const { fees, money } = sums;
  if (money === null) return `Tổng phí ${dong(fees)}. `;
  if (money.total === 0) return `Không thu tiền, phí giao hàng ${dong(fees)}. `;
  const without = money.without === 0 ? '' : `, ${formatMoney(money.without)} đơn không thu tiền`;
  return `Thu hộ ${dong(money.total)}, phí giao hàng ${dong(fees)}${without}. `;
}

type Risks = Parameters<typeof batchTexts.question.ship>[0]['risks'];

const risks = {
  phone: 'có SĐT có vẻ sai',
  place: 'có địa chỉ không có trong danh sách',
  cash: 'có tiền thu hộ có vẻ sai',
  text: 'có chữ bị hỏng',
};

/** What should perhaps not be sent as it is, in brackets behind how much is sent; nothing if all is well. */
function doubted(repeats: number, what: 'đơn' | 'dòng', found: Risks): string {
  const parts = [
    ...(repeats === 0 ? [] : [`${formatMoney(repeats)} đơn có thể trùng`]),
    ...found.map(
      ({ kind, count, cells, rest }) =>
        `${formatMoney(count)} ${what} ${risks[kind]}: ${cells.join(', ')}${rest === 0 ? '' : ', …'}`,
    ),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

function countsOf({ left, existed, ended, failed, skipped, ends: kinds }: Counts): string {
  const each = kinds.map(({ kind, count }) => `${formatMoney(count)} ${ends[kind] ?? kind}`).join(', ');
  const parts = [
    [left, 'sẽ gửi'],
    [existed, 'đã có'],
    [ended, `đã kết thúc${each === '' ? '' : ` (${each})`}`],
    [failed, 'khác với bản đã có'],
    [skipped, 'bỏ qua'],
  ] as const;
  const there = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatMoney(count)} ${what}`);
  return there.join(', ') || 'không có gì để gửi';
}

/** Names of cells, and how many more there are. */
const andMore = (cells: readonly (string | number)[], rest: number) =>
  `${cells.join(', ')}${rest === 0 ? '' : ` và ${formatMoney(rest)} dòng nữa`}`;

const left = (rest: number, total: number) => `còn ${dong(rest)} trong ${dong(total)}`;

export const batchVietnamese: typeof batchTexts = {
  answers: {
    unreadable: ({ given, ends: ways }) => `${given}: thiếu ${ways.join(' hoặc ')} ở cuối`,
    twice: ({ quoted, meanings }) => `${quoted} được trả lời hai cách: ${meanings.join(' và ')}`,
    travelling: 'đơn có kiện hàng đang đi chỉ được gửi lại khi ghi rõ mã từng đơn',
    choice: (value) => choices[value] ?? value,
    allSheets: 'tất cả',
    morePlaces: ({ count }) => `… và ${formatMoney(count)} chỗ nữa`,
    stop: 'dừng ở đây',
    ownSession: 'một phiên riêng',
    replaceSession: ({ name }) => `thay mọi dòng của ${name}`,
    addLines: 'cộng thêm các dòng của file',
    addLinesTo: ({ sessions }) => `cộng thêm các dòng của file vào ${sessions.join('; ')}`,
    sessionCalled: ({ name, known }) =>
      known === undefined
        ? name
        : `${name} (${known.files.join(', ')}, ${dayText(known.day)}, ${known.lines} dòng, ${dong(known.amount)}${known.isClosed ? ', đã chốt' : ''})`,
    sessionName: 'Tên phiên là gì?',
    leaveThemOut: 'bỏ qua các cột này',
    ordersThatWere: ({ kind }) => `Đơn ${ends[kind] ?? kind}?`,
    ordersWith: ({ quoted }) => `Đơn có ${quoted}?`,
    ordersBlank: ({ id }) => `Đơn để trống ô ${id === 'payment' ? 'thanh toán' : 'trạng thái'}?`,
    keep: ({ mapping }) => `Lưu các câu trả lời này vào bảng ghép cột ${mapping}?`,
  },
  columns: {
    stored: ({ count, all }) => `Đã lưu câu trả lời cho ${count} trong ${all} cột: chạy lại lệnh này để làm tiếp.`,
    fromLastTime: ({ count }) => `${count} cột đã được trả lời lần trước`,
    fromMapping: ({ name }) => `bảng ghép cột ${name} đã có các cột này: chỉ hỏi những gì mới`,
    units: { g: 'gam', kg: 'kilôgam', cm: 'xentimét', m: 'mét', '₫': '₫', thousand: 'nghìn ₫' },
    blank: 'trống',
    leaveOut: 'bỏ qua cột này',
    titled: ({ name, title }) => `${title} (${name})`,
    field: ({ name, label }) => (label === name ? name : `${label} (${name})`),
    // What helps is English everywhere.
    help: () => '',
    numbers: ({ column, examples }) => `Số trong cột "${column}" (${examples}) tính theo đơn vị nào?`,
    dates: ({ column, examples }) => `Ngày trong cột "${column}" (${examples}) viết theo kiểu nào?`,
    word: ({ column, word }) => `"${word}" trong cột "${column}" nghĩa là gì?`,
    meanings: {
      'lines.piece_discount': 'giảm giá cho mỗi sản phẩm',
      'lines.line_discount': 'giảm giá cho cả dòng hàng',
      order_discount: 'giảm giá cho cả đơn',
      buyer_shipping_fee: 'phí giao hàng tính cho khách',
      deposit: 'khách đã trả trước: thu hộ phần còn lại',
    },
    whichField: ({ column, examples }) => `Cột "${column}" (${examples}) là trường nào? Gõ tên để tìm.`,
    amount: ({ column, examples }) => `Số tiền "${column}" (${examples}) là gì?`,
    traits: ({ columns }) => `${columns.join(', ')} ghi vào đâu?`,
    behindName: 'sau tên sản phẩm',
    attribute: 'phân loại của dòng hàng',
    status: ({ column, word }) => `Đơn có "${word}" ở cột "${column}" có gửi không?`,
    shipThem: 'gửi',
    leaveThemOut: 'bỏ qua',
    tracked: ({ column, examples }) => `Ô đã điền ở cột "${column}" (${examples}) cho biết gì về đơn?`,
    wasSent: 'đã gửi rồi: bỏ qua',
    saysNothing: 'không cho biết gì: gửi',
    correctLeftOut: ({ column }) => `sửa "${column}": đang bỏ qua`,
    correctReadAs: ({ column, field }) => `sửa "${column}": đang đọc là ${field}`,
    correctWord: ({ column, word, meant }) => `sửa "${word}" ở "${column}": đang là ${meant}`,
    areRight: 'Các cột đã đúng chưa?',
    allRight: 'đúng hết',
    noField: ({ column, examples }) =>
      `bỏ qua cột "${column}" (${examples.join(', ')}): không có trường nào tên như vậy`,
    mapItTo: ({ column, fields }) =>
      `bỏ qua cột "${column}": nếu đúng là ${fields.join(', ').replace(/, ([^,]*)$/, ' hoặc $1')} thì ghép vào đó`,
    readIn: ({ column, unit }) => `cột "${column}" đọc theo ${unit}: có đúng không?`,
    wordUnknown: ({ column, word }) => `cột "${column}": không hiểu từ "${word}"`,
    datesOtherwise: ({ column }) => `cột "${column}" có ngày không viết như 2026-01-31`,
  },
  constants: {
    notBlank: 'không được để trống',
    fullName: 'Nơi lấy hàng: họ tên',
    phone: 'Nơi lấy hàng: số điện thoại',
    place: 'Nơi lấy hàng: phường/xã, quận/huyện, tỉnh/thành phố, ví dụ hoa khanh nam lien chieu da nang',
    street: 'Nơi lấy hàng: số nhà và đường',
    pickup: 'Lấy hàng của file này ở đâu?',
    otherAddress: 'địa chỉ khác',
    tryOn: 'Người nhận được xem hàng hoặc thử hàng trước khi trả tiền không?',
    weight: 'Mỗi kiện hàng nặng bao nhiêu gam, nếu như nhau? Để trống: chưa biết',
    notGrams: 'phải là số gam tròn, như 500, hoặc để trống',
    insurance: 'Mua bảo hiểm theo giá trị hàng hóa không? Đơn vị vận chuyển tính thêm phí',
    choice: (value) => constantChoices[value] ?? value,
    field: ({ field, value }) => `${field} ${value}`,
    pickedUp: ({ address }) => `lấy hàng ở ${address}`,
    tryOnIs: ({ value }) => value,
    insuredIs: ({ value }) => `bảo hiểm: ${value}`,
    keep: ({ each }) => `Giống nhau ở mọi dòng: ${each.join('; ')}. Giữ nguyên?`,
    lacking: ({ field }) => `không cột nào có ${field}, dòng nào cũng cần: thêm vào bảng ghép cột, dưới "constants"`,
    noPrice: 'không cột nào có lines.retail_price: đơn giá, dòng hàng nào cũng cần',
    noInsurance:
      'Không cột nào có shipping.include_insurance: mọi kiện hàng đều mua bảo hiểm, trừ khi ghi "no" dưới "constants"',
  },
  mapping: {
    ownSheet: ({ title }) => `đây là ${title}, đọc được mà không cần bảng ghép cột. Chưa lưu gì.`,
    noNeed: ({ title }) => `đọc theo ${title}: không cần ghép cột`,
    noColumns: ({ file }) => `${file} gồm các bản ghi, không có cột`,
    notYaml: ({ path }) => `${path} không phải YAML`,
    badName: ({ name }) => `${name} không đặt làm tên bảng ghép cột được: chỉ dùng chữ, số, - và _`,
    exists: ({ name }) => `bảng ghép cột ${name} đã có. Chưa lưu gì.`,
    change: ({ name }) => `Bảng ghép cột ${name} đã có. Chỉ hỏi những gì mới rồi sửa bảng này?`,
    taken: ({ name }) => `bảng ghép cột ${name} đã có, sẽ bị thay`,
    saveAs: 'Lưu các câu trả lời này với tên (tùy ý)',
    mapNow: ({ about }) => `${about}. Ghép cột ngay bây giờ?`,
  },
  faults: {
    rowsSuch: ({ count, of, fault }) =>
      `${formatMoney(count)}${of === undefined ? '' : ` trong ${formatMoney(of)}`} dòng, ví dụ ${fault}`,
    more: ({ count }) => `… và ${formatMoney(count)} lỗi nữa; -o json liệt kê hết`,
    ofRowsSuch: ({ count, rows, fault }) => `${formatMoney(count)} trong ${formatMoney(rows)} dòng, ví dụ ${fault}`,
    cellsLikeThis: ({ count }) =>
      `… và ${formatMoney(count)} ô nữa như vậy; xem hết bằng -o json hoặc --to plan.xlsx của \`batch plan\``,
    cellsMore: ({ count }) =>
      `… và ${formatMoney(count)} ô nữa; xem hết bằng -o json hoặc --to plan.xlsx của \`batch plan\``,
    warning: ({ line }) => `chú ý: ${line}`,
  },
  run: {
    began: ({ batch }) => `đợt gửi ${batch}`,
    continues: ({ batch }) => `làm tiếp đợt gửi ${batch}`,
    dropped: ({ batch }) => `không lưu đợt gửi ${batch}. Chưa gửi gì.`,
    waiting: 'một shopctl khác đang làm đợt gửi này; đang chờ làm xong',
    away: ({ reason }) => `không kết nối được hệ thống: ${reason}; đang chờ`,
    back: ({ seconds }) => `kết nối lại được sau ${seconds} giây`,
    others: 'đang chờ các dòng mà máy khác đang gửi',
    nothingBad: ({ bad }) => `không có gì để thử lại: ${bad} dòng có ô sai; sửa trong file rồi thêm file vào lệnh`,
    nothingFailed: 'không có gì để thử lại: không dòng nào lỗi',
    stopping: 'đang dừng: không gửi thêm, chỉ làm xong các dòng đang gửi; Ctrl-C lần nữa để thoát ngay',
    unreachable: ({ message }) => `không kết nối được hệ thống: ${message}`,
    hintThen: ({ hint, way }) => `${hint}; rồi \`${way}\``,
    concurrency: ({ given, most }) => `Số dòng gửi cùng lúc phải từ 1 đến ${most}, không phải ${given}`,
    stopped: ({ message }) => `đợt gửi đã dừng: ${message}`,
    stoppedWith: ({ reason, batch, applied, unknown }) =>
      `${reason}; đợt gửi ${batch} dừng khi ${applied} dòng xong và ${unknown} dòng chưa rõ`,
    holderBatch: ({ batch }) =>
      `đợt gửi ${batch} có thể đã tạo bản ghi của các dòng không gửi lần này: làm rõ đợt đó trước`,
    holderEntry: ({ entry }) =>
      `mục ${entry} của sổ gửi có thể đã tạo bản ghi của các dòng không gửi lần này: làm rõ mục đó trước`,
    refusal: ({ message }) => `hệ thống từ chối: "${message}"`,
    reasonOne: ({ message }) => `1 dòng: ${message}`,
    reasonOneAt: ({ cell, message }) => `1 dòng (${cell}): ${message}`,
    reasonMany: ({ count, cell, message }) => `${formatMoney(count)} dòng (đầu tiên: ${cell}): ${message}`,
    otherReasons: ({ count }) => `… và ${formatMoney(count)} lý do khác`,
    fees: ({ total, carriers }) =>
      `phí giao hàng ${dong(total)}${carriers.length > 0 ? `: ${carriers.join(', ')}` : ''}`,
    next: ({ way }) => `tiếp theo: ${way}`,
    column: ({ message, column }) => `${message} (cột "${column}")`,
    leftInFlight: ({ count, left }) =>
      `trong ${formatMoney(left)} dòng còn lại, ${formatMoney(count)} dòng đang gửi dở, có thể đã xong: chạy lại như cũ, lần đó tra lại trước khi gửi`,
    doneByThis: ({ done, rows }) => `lệnh này đã làm ${formatMoney(done)} trong ${formatMoney(rows)} dòng`,
    ranBefore: ({ batch }) => `file này đã chạy ở đợt gửi ${batch}. Lần này không gửi gì.`,
    joined: 'địa chỉ của hệ thống vừa được gộp với một địa chỉ khác. Chưa gửi gì.',
  },
  question: {
    ship: ({ orders, repeats, risks: found, sums }) =>
      `${sumsAsked(sums)}Gửi ${formatMoney(orders)} đơn này${doubted(repeats, 'đơn', found)}?`,
    send: ({ rows, command, risks: found, sums }) =>
      `${sumsAsked(sums)}Gửi ${formatMoney(rows)} dòng này bằng "${command}"${doubted(0, 'dòng', found)}?`,
    continue: ({ about }) => `${about}. Bỏ qua các dòng đã gửi, làm tiếp các dòng còn lại?`,
    retry: ({ batch, rows, sums }) => `${sumsAsked(sums)}Gửi lại ${formatMoney(rows)} dòng của đợt gửi ${batch}?`,
    resume: ({ batch, command, rows, sums }) =>
      `${sumsAsked(sums)}Làm tiếp đợt gửi ${batch} (${command}), gửi ${formatMoney(rows)} dòng còn lại?`,
    undo: ({ isShip, records, named, more, batch, command }) =>
      `Hoàn tác ${formatMoney(records)} ${isShip ? 'đơn' : 'bản ghi'}${named.length === 0 ? '' : ` (${named.join('; ')}${more ? ' …' : ''})`} của đợt gửi ${batch} bằng "${command}"?`,
    whats: {
      run: 'gửi cả đợt',
      resume: 'làm tiếp một đợt gửi không ghi tên',
      retry: 'gửi lại các dòng của một đợt gửi',
      undo: 'hoàn tác đợt gửi',
    },
  },
  plan: {
    lines: ({ lines, used, leftOut }) =>
      `${formatMoney(lines)} dòng: ${formatMoney(used)} thuộc đơn, bỏ qua ${formatMoney(leftOut)}`,
    rows: (counts) => `${formatMoney(counts.rows)} ${counts.isShip ? 'đơn' : 'dòng'}: ${countsOf(counts)}`,
    cash: ({ total, without }) =>
      `thu hộ ${dong(total)}${without === 0 ? '' : `; ${formatMoney(without)} đơn không thu tiền`}`,
    insured: ({ parcels, value }) => `${formatMoney(parcels)} đơn mua bảo hiểm, giá trị hàng hóa ${dong(value)}`,
    unweighed: ({ parcels }) =>
      `${formatMoney(parcels)} đơn không có khối lượng: phí là mức thấp nhất, hãng có thể thu thêm`,
    insuranceCost: ({ total, unknown }) =>
      `trong phí giao hàng có ${dong(total)} phí bảo hiểm${unknown === 0 ? '' : `; ${formatMoney(unknown)} đơn không có báo giá khi bỏ bảo hiểm`}`,
    columnLeftOut: ({ column, why }) => `bỏ qua cột ${column}: ${why}`,
    columnLeftOutByMapping: ({ quoted }) => `bảng ghép cột bỏ qua cột ${quoted}: tiền ở đó không được tính`,
    newColumns: ({ title, columns }) => `cột mới của ${title}, bỏ qua: ${columns.join(', ')}`,
    ofMapping: ({ name }) => `bảng ghép cột ${name}`,
    readAs: ({ title }) => `đọc theo ${title}`,
    lookedUp: ({ records, requests }) => `đã tra ${records} bản ghi theo mã hoặc SĐT, với ${requests} lần hỏi`,
    standsAt: ({ place }) => `đơn này cũng có ở ${place}`,

    otherColumns: ({ name, first, besides, lacks }) => {
      const named = (what: string, columns: readonly string[]) =>
        columns.length === 0 ? [] : [`${what} ${columns.map((column) => JSON.stringify(column)).join(', ')}`];
      const differing = [...named('có thêm', besides), ...named('thiếu', lacks)].join('; ');
      return `trang tính ${JSON.stringify(name)} không cùng cột với ${JSON.stringify(first)}: ${differing}`;
    },
    sameHeader: 'các trang tính đọc chung phải cùng các cột, thứ tự nào cũng được; đọc từng trang một',
    duplicates: ({ cells, rest }) => `có thể trùng (cùng SĐT, cùng hàng): ${andMore(cells, rest)}`,
    moreDuplicates: ({ groups }) => `… và ${formatMoney(groups)} nhóm khác có thể trùng`,
    together: ({ cells, rest }) => `cùng một SĐT: ${andMore(cells, rest)}: gửi chung không?`,
    moreTogether: ({ groups }) => `… và ${formatMoney(groups)} nhóm khác cùng một SĐT`,
    couldBeTogether: ({ cells, rest }) => `cùng một SĐT, có thể gửi chung: ${andMore(cells, rest)}`,
    cleared: ({ fields }) => `${formatMoney(fields)} trường sẽ bị xóa vì ô trống`,
    filled: ({ fields }) =>
      `tự điền: ${fields.map(({ field, count }) => `${field} ở ${formatMoney(count)} dòng`).join(', ')}`,
    moreRows: ({ count }) => `… và ${formatMoney(count)} dòng nữa; xem hết bằng -o json`,
    notAgain: ({ cell, name, end }) => `${cell} (${name}): không gửi lại: ${end}`,
    sendsAgain: ({ way }) => `Muốn gửi lại: ${way}`,
    travellingAgain: ({ way }) => `đơn có kiện hàng đang đi chỉ được gửi lại khi ghi rõ mã đơn: ${way}`,
    differs: ({ cell, name, changes }) => `${cell} (${name}) khác với bản đã có: ${changes.join(', ')}`,
    unread: ({ count, why }) => `${formatMoney(count)} bản ghi chưa đọc lại được và không gửi lại: ${why}`,
    noUndo: ({ command }) => `"${command}" không hoàn tác được: lưu trước một bản của những gì sẽ đổi`,
    noUndoOf: ({ field, count }) =>
      `${field} không hoàn tác được ở ${formatMoney(count)} dòng: không biết giá trị cũ, hoặc không ghi lại được`,
    priceChanges: ({ percent, count, shown, rest }) =>
      `chú ý: giá đổi hơn ${percent}% ở ${formatMoney(count)} dòng: ${andMore(shown, rest)}`,
    moreThanShown: ({ count }) => `và ${formatMoney(count)} dòng nữa`,
    moreThanListed: ({ count }) => `và ${formatMoney(count)} dòng nữa: --save và --to có đủ`,
    savedIn: ({ file, way }) => `bảng dự kiến đã lưu ở ${file}: chạy bằng \`${way}\``,
    writtenTo: ({ file }) => `bảng dự kiến đã ghi ra ${file}`,
    ranAs: ({ batch }) => `các dòng này đã chạy ở đợt gửi ${batch}`,
    overLimit: ({ most }) => `vượt mức tối đa ${dong(most)}: khi chạy sẽ bị từ chối`,
    sentBefore: ({ count, by, similar }) =>
      `${formatMoney(count)} dòng đã gửi trước đây, qua ${by}; ${formatMoney(similar)} dòng mới cùng người nhận với một dòng trước`,
    bySingles: 'lệnh gửi từng đơn',
    byAnother: 'một đợt gửi khác',
    byBatch: ({ batch }) => `đợt gửi ${batch}`,
    blank: 'trống',
    sameGoods: ({ at, code, cash }) =>
      `đã có đơn cùng hàng lúc ${at}: ${code}, ${cash}; có phải cùng một đơn với mã khác?`,
    sameGoodsOf: ({ at, code, batch, cash }) =>
      `đã có đơn cùng hàng lúc ${at}: ${code} của đợt gửi ${batch}, ${cash}; có phải cùng một đơn với mã khác?`,
    gotParcel: ({ at, code, cash }) => `đã có kiện hàng lúc ${at}: ${code}, ${cash}; đây là đơn khác?`,
  },
  written: {
    title: ({ file, command }) => `Bảng dự kiến của ${file}: ${command}`,
    times: ({ zone }) => `giờ theo múi giờ ${zone}`,
    rest: ({ count }) => `và ${formatMoney(count)} dòng nữa; xem hết bằng --to plan.xlsx`,
    warnings: 'Chú ý',
    readings: 'Cách đọc',
    plan: 'Bảng dự kiến',
    remarks: 'Ghi chú',
    reading: 'cách đọc',
    columns: {
      row: 'Dòng',
      external_id: 'Mã đơn của shop',
      recipient: 'Người nhận',
      phone: 'SĐT',
      where: 'Địa chỉ giao hàng',
      what: 'Hàng',
      cash: 'Thu hộ (₫)',
      fee: 'Phí giao hàng (₫)',
      carrier: 'ĐVVC',
      delivery: 'Giao dự kiến',
      kind: 'Loại',
      cell: 'Ô',
      value: 'Nội dung',
      message: 'Ghi chú',
    },
    formatUnknown: ({ path }) => `bảng dự kiến ghi được ra .xlsx, .md hoặc .html, không phải ${path}`,
  },
  result: {
    noColumns: ({ batch }) => `đợt gửi ${batch} đọc từ file không có cột: ghi ra jsonl`,
    workbook: {
      severalSheets: ({ path }) => `${path} được đọc từ nhiều trang tính`,
      gone: ({ path }) => `${path} không còn nữa`,
      otherColumns: ({ path }) => `${path} nay có cột khác`,
      unreadable: ({ path, message }) => `${path} không đọc được nữa (${message})`,
      otherLines: ({ path }) => `${path} nay có dòng khác`,
    },
    doesNotFit: ({ what, batch }) => `${what}, nên không ghi được kết quả của đợt gửi ${batch} vào đó`,
    inNewWorkbook: ({ what }) => `${what}: kết quả nằm trong file mới, chỉ có các dòng của đợt gửi`,
    toStdout: 'kết quả ghi ra file, không ra stdout: đặt tên file có đuôi .csv, .tsv, .xlsx hoặc .jsonl',
    noFormat: ({ to }) => `${to} thiếu đuôi file: dùng .csv, .tsv, .xlsx hoặc .jsonl`,
    formatUnknown: ({ format }) => `kết quả ghi được ra csv, tsv, xlsx hoặc jsonl, không phải ${format}`,
  },
  undo: {
    newest: ({ batches }) =>
      `các đợt mới nhất hoàn tác được: ${batches.map(({ batch, command, count }) => `${batch} (${command}, ${formatMoney(count)} dòng)`).join(', ')}`,
    toBeUndone: ({ record }) => `sẽ hoàn tác: ${record}`,
    left: ({ cell, name, message }) => `${cell} (${name}): để nguyên: ${message}`,
    moreLeft: ({ count }) => `… và ${count} bản ghi nữa để nguyên`,
    changed: ({ cell, name, fields }) => `${cell} (${name}) đã bị sửa sau khi gửi: ${fields.join(', ')}`,
    moreChanged: ({ count }) => `… và ${count} bản ghi nữa đã bị sửa sau khi gửi`,
    stays: ({ cell, name, fields }) => `${cell} (${name}): không khôi phục được ${fields.join(', ')}, để nguyên`,
    moreStay: ({ count }) => `… và ${count} bản ghi nữa như vậy`,
    unclear: ({ count }) => `${count} bản ghi có thể đã được tạo hoặc sửa, nay để nguyên: làm rõ trước`,
    resend: ({ way }) => `cùng file này sẽ bỏ qua những gì đã hoàn tác; muốn gửi lại: ${way}`,
    beside: ({ count, batch, way }) =>
      `${count} bản ghi của đợt gửi ${batch} không nằm trong lần hoàn tác vừa làm tiếp; muốn hoàn tác: ${way}`,
    nothingMade: ({ batch }) => `đợt gửi ${batch} không còn gì để hoàn tác`,
    noRow: ({ word, batch }) => `${word} không phải dòng đã xong và chưa hoàn tác của đợt gửi ${batch}`,
    notFinished: ({ undo, batch }) =>
      `lần hoàn tác ${undo} của đợt gửi ${batch} chưa xong: làm tiếp lần đó trước khi hoàn tác từng dòng`,
    beingSent: ({ batch }) => `đợt gửi ${batch} đang được gửi`,
    inFlight: ({ batch }) => `đợt gửi ${batch} có dòng có thể đang gửi: làm tiếp đợt đó trước`,
    helped: ({ batch }) => `đợt gửi ${batch} đang được gửi: một máy khác đang làm`,
    beingUndone: ({ batch, undo }) => `đợt gửi ${batch} đang được hoàn tác trong đợt ${undo}`,
    insteadRun: ({ quoted }) => `${quoted} không hoàn tác được: chạy lại file`,
    onlyThese: ({ quoted }) => `${quoted} không hoàn tác được: chỉ hoàn tác được lệnh tạo và sửa`,
    fromFile: 'hoàn tác lấy dòng từ một đợt gửi, không từ file',
  },
  look: {
    nothingFound: ({ batches, record }) =>
      `không dòng nào của ${batches} đợt gửi đã lưu có ${record} làm mã đơn của shop, ID, mã đơn hàng hoặc mã vận đơn`,
    workedAt: ({ batch }) => `một máy khác đang làm đợt gửi ${batch}`,
    unknownRows: ({ batch }) => `đợt gửi ${batch} có dòng chưa rõ kết quả`,
    noneYet: 'chưa có đợt gửi nào',
    noneOpen: 'không có đợt gửi nào dở dang',
    beingPlanned: ({ name }) => `đợt gửi ${name} đang được dự kiến: chưa có dòng nào để gửi`,
    none: ({ name }) => `không có đợt gửi ${name}`,
    several: ({ name }) => `nhiều đợt gửi bắt đầu hoặc kết thúc bằng ${name}`,
    elsewhere: ({ batch, shop, origin }) => `đợt gửi ${batch} thuộc tài khoản khác: shop ${shop} ở ${origin}`,
    row: ({ row, cell, name }) => `dòng ${row} (${cell}, ${name})`,
    severalRows: ({ word, rows, own }) =>
      `${word} là tên của nhiều dòng: ${rows.join(', ')}; ghi tên riêng của một dòng, ví dụ ${own}`,
    notUnclear: ({ word, batch }) => `${word} không phải dòng chưa rõ của đợt gửi ${batch}`,
    settledMeanwhile: ({ word }) => `${word} vừa được một tiến trình khác kiểm tra hoặc gửi lại, nên chưa ghi gì`,
    settleHow: 'chọn một: dòng này đã xong, hay chưa',
  },
  refused: {
    badMoment: ({ given }) => `${given} không phải ngày như 2026-02-03 hay giờ như 2026-02-03T12:00Z`,
    badDuration: ({ given }) => `${given} không phải khoảng thời gian như 30s, 10m hay 1h`,
    noFile: 'thiếu file hoặc bảng dự kiến',
    planChanged: ({ path }) => `${path} đã bị sửa sau khi lưu bảng dự kiến. Chưa gửi gì.`,
    planOlder: ({ path }) => `${path} do bản shopctl cũ lưu: lưu lại bảng dự kiến`,
    noPlan: ({ path }) => `${path} không phải bảng dự kiến`,
    theAccount: 'tài khoản',
    theRows: ({ name }) => `các dòng của ${name}`,
    planStale: ({ changed }) => `bảng dự kiến đã cũ: từ lúc lưu đến nay có thay đổi: ${changed.join('; ')}`,
    planOtherwise: ({ row, cell }) => `bảng dự kiến đã cũ: dòng ${row} (${cell}) nay gửi khác với bảng dự kiến`,
    notGiven: 'không ghi',
    optionDiffers: ({ name, was, is }) => `${name} trước là ${was}, nay là ${is}`,
    keepsOptions: ({ batch, different }) =>
      `đợt gửi ${batch} giữ các tùy chọn của lần chạy đầu: ${different.join('; ')}`,
    shared: ({ shared, rows, most, by, fresh, similar }) =>
      `${shared} trong ${formatMoney(rows)} dòng đã gửi trước đây, ${most} dòng qua ${by}; ${fresh} dòng mới, trong đó ${similar} dòng cùng người nhận với một dòng trước`,
    overTotal: ({ sum, most }) => `tổng phí ${dong(sum)}, mức tối đa là ${dong(most)}. Chưa gửi gì.`,
    noOffer: ({ count }) => `${formatMoney(count)} dòng không gửi được như yêu cầu. Chưa gửi gì.`,
    cells: ({ count }) => `${formatMoney(count)} ô không dùng được. Chưa gửi gì.`,
    spentAlready: ({ batch, spent, most }) => `đợt gửi ${batch} đã dùng ${dong(spent)}, nhiều hơn ${dong(most)}`,
    otherCount: ({ count, batch, total }) =>
      `file có ${count} dòng, đợt gửi ${batch} có ${total}: dòng đã sửa được tìm theo vị trí, nên không được thêm hay xóa dòng`,
    standsAtAnother: ({ cell }) => `${cell} đã sửa, và nằm ở chỗ của một dòng khác`,
    standsAtState: ({ cell, state }) => `${cell} đã sửa, và nằm ở chỗ của một dòng ${rowStates[state] ?? state}`,
    needsShopKey: ({ command }) => `${command} cần API key của shop: dùng profile loại "shop"`,
    noCommandMeant: ({ quoted, meant }) => `${quoted} không phải lệnh ghi dữ liệu: có phải ${meant} không?`,
    noCommand: ({ quoted, names }) => `${quoted} không phải lệnh ghi dữ liệu: có ${names.join(', ')}`,
    recordsGone: ({ name, batch }) =>
      `${name} của đợt gửi ${batch} không còn trên hệ thống, mà hệ thống không ghi nhận việc xóa: dữ liệu đã bị đặt lại?`,
    resendUnknown: ({ quoted, kinds }) =>
      `${quoted} không phải đơn đã gửi trước đây của file này, cũng không phải ${kinds.join(', ')}`,
  },
  cell: {
    column: ({ column, message }) => `${column} ${message}`,
    noColumn: ({ required }) =>
      `${required}, mà không cột nào có: thêm cột, hoặc ghi dưới "constants" của bảng ghép cột`,
    noCode: 'không phải mã đơn (2 đến 100 ký tự): nếu cột là số thứ tự thì bỏ qua cột này',
    copied: 'là mã của nội dung khác, chép từ đơn khác: bỏ trống external_id',
    formerWard: ({ places }) => `có thể là ${places.join(' hoặc ')}; ghi thêm phường/xã cũ`,
    addDistrict: ({ places }) => `có thể là ${places.join(' hoặc ')}; ghi thêm quận/huyện`,
    addWard: ({ places }) => `có thể là ${places.join(' hoặc ')}; ghi thêm phường/xã`,
    newer: ({ place }) => `mới hơn danh sách của hệ thống, gửi là ${place}`,
    aboutSame: ({ first }) => `cùng bản ghi với ${first}`,
    sameAs: ({ first }) => `trùng với ${first}, mà ở giữa có dòng khác`,
    is: ({ name }) => `là ${name}`,
    negative: 'không được là số âm',
    overLine: ({ price }) => `lớn hơn giá của dòng hàng, ${dong(price)}`,
    priceAfter: ({ price }) => `không khớp với giá sau giảm, ${dong(price)}: bỏ một trong hai cột`,
    besideFee: 'đứng cạnh một dòng phí giao hàng: bỏ một trong hai',
    depositNoTotal: 'là tiền cọc, mà không biết đơn bao nhiêu tiền: ghi số tiền thu hộ',
    depositNoParcel: 'là tiền cọc, mà đơn không có kiện hàng: ghi số tiền thu hộ',
    overTotal: ({ total }) => `lớn hơn tổng tiền của đơn, ${dong(total)}`,
    depositPaidBy: ({ method }) => `là tiền cọc của đơn trả bằng ${method}: ghi số tiền thu hộ`,
    depositWhole: ({ rest, total }) => `là tiền cọc, mà lại thu hộ cả đơn: ${left(rest, total)}`,
    depositOther: ({ rest, total, cash }) => `là tiền cọc, ${left(rest, total)}, mà thu hộ ${dong(cash)}`,
    depositCollected: ({ rest, total }) => `là tiền cọc: ${left(rest, total)}, sẽ thu hộ phần còn lại`,
    cutBracket: ({ read }) => `không đọc được, chỉ còn lại ${read}: ghi không dùng ngoặc`,
    wholeCollected: ({ total }) => `là chưa cọc: thu hộ toàn bộ ${dong(total)}`,
    blankCollected: ({ total }) => `để trống: thu hộ toàn bộ ${dong(total)}`,
    noDeposit: ({ total, cash }) => `là tiền cọc, nên còn ${dong(total)}, mà thu hộ ${dong(cash)}`,
    noGoods: ({ field }) => `là phí hoặc giảm giá, không phải hàng: ghi ở cột riêng, ${field} hoặc order_discount`,
    unreadNote: 'không hiểu: ghi kèm theo đơn, và đơn vẫn được gửi',
    tryOn: ({ fitting, tryOn }) =>
      `ghi khách được làm gì trước khi trả tiền (${fitting.join(' hoặc ')}), mà đơn gửi với try_on ${tryOn}`,
    collects: ({ amount }) => `ghi thu ${dong(amount)}, mà đơn không thu tiền`,
    unclearNone: ({ unclear }) => `ghi ${unclear}, mà đơn không thu tiền`,
    onDelivery: 'ghi trả tiền khi nhận hàng, mà đơn không thu tiền',
    paidPart: ({ quoted, left: rest }) => `ghi ${quoted}: ${rest}`,
    cashOtherwise: ({ quoted, collects }) => `ghi ${quoted}, mà thu hộ ${dong(collects)}`,
    depositUnsaid: ({ quoted }) => `ghi ${quoted}: chưa rõ còn phải thu bao nhiêu`,
    nothingLeft: ({ collects }) => `ghi không còn phải trả, mà thu hộ ${dong(collects)}`,
    ownColumn: ({ message }) => `${message}; ghi tiền thu hộ ở cột riêng`,
    isThatLeft: ({ quoted, collects }) => `ghi ${quoted}: ${dong(collects)} có phải phần còn lại không?`,
    unclearCash: ({ unclear, collects }) => `ghi ${unclear}, mà thu hộ ${dong(collects)}`,
    speaksOf: ({ amount, collects }) => `ghi thu ${dong(amount)}, mà thu hộ ${dong(collects)}`,
    parts: {
      full_name: 'tên người nhận',
      phone: 'số điện thoại',
      address1: 'số nhà, đường',
      ward: 'phường/xã',
      district: 'quận/huyện',
      province: 'tỉnh/thành phố',
    },
    namesNo: ({ parts }) => `thiếu ${parts.join(', ')}`,
    namesNoReadAs: ({ parts, known }) => `thiếu ${parts.join(', ')}; đọc là ${known}`,
    readAs: ({ known }) => `đọc là ${known}`,
    notUnderstood: 'không hiểu, bỏ qua',
    phoneToNote: 'là số điện thoại khác với số của dòng: ghi vào ghi chú',
    saidTwice: 'bỏ qua: đã có cột riêng',
    cash: ({ amount }) => `thu hộ ${dong(amount)}`,
    noWard: ({ quoted }) => `${quoted} không có trong danh sách phường/xã ở đó`,
    idRequired: ({ names }) => `thiếu id, hoặc một trong ${names.join(', ')}`,
    noKey: 'không tra được khi thiếu API key của shop',
    isNotUsed: ({ fault }) => `${fault}; không dùng`,
    records: { product: 'sản phẩm', variant: 'phiên bản', customer: 'khách hàng' },
    names: { code: 'mã', external_id: 'external_id', phone: 'số điện thoại' },
    noRecord: ({ of }) => `không phải ${of} của shop`,
    nameOfNone: ({ by, of }) => `không phải ${by} của ${of} nào của shop`,
    nameOfSeveral: ({ by, of, count, named, more }) =>
      `là ${by} của ${count} ${of} (${named.join(', ')}${more ? ', …' : ''}): dùng mã hoặc id`,
    nameOfAnother: ({ by, of, id, other }) => `là ${by} của ${of} khác với dòng này: ${id}, không phải ${other}`,
    codeTaken: ({ of }) => `là mã của ${of} khác của shop`,
  },
  row: {
    planLeavesOut: 'bảng dự kiến bỏ qua dòng này',
    over: 'đã tạo trước đây, sau đó đã hủy, hoàn hoặc xóa',
    changed: ({ fields }) => `bản ghi khác ở ${fields}`,
    differs: ({ name, fields }) => `${name} đã có, và khác ở ${fields}`,
    lostAndDiffers: ({ name, fields }) =>
      `không nhận được trả lời của hệ thống, và ${name} đã có nhưng khác ở ${fields}`,
    halfDone: ({ name }) => `${name} đã tạo, nhưng chưa xác nhận và chưa gửi`,
    notShipped: ({ name }) => `${name} đã tạo trước đây, nhưng chưa xác nhận và chưa gửi: xem orders confirm`,
    sentBefore: ({ name, changes }) => `${name} đã gửi trước đây, và khác ở ${changes}`,
    itsContent: 'nội dung',
    equalOrder: ({ order }) => `đơn giống hệt đã gửi trong vòng một ngày: ${order}`,
    noId: 'chưa rõ ID',
    heldByRow: ({ row, batch }) =>
      `dòng ${row} của đợt gửi số ${batch} có thể đã tạo bản ghi, chưa rõ kết quả. Chưa gửi gì.`,
    heldBy: ({ holder }) => `${holder} có thể đã tạo bản ghi, chưa rõ kết quả. Chưa gửi gì.`,
    nothingChanged: 'hệ thống không thay đổi gì',
    halfAnswered: 'hệ thống trả lời là chưa xác nhận và chưa gửi',
    unprovedId: 'câu trả lời có ID nhưng không có nội dung đã gửi, đọc lại bản ghi vẫn chưa rõ',
    sentBeforeToo: ({ message }) => `${message}; dòng này đã gửi trước đây`,
    lost: 'không nhận được trả lời của hệ thống, chưa rõ đã thực hiện hay chưa',
    nameTaken: 'mã đã được dùng, nhưng không tìm thấy bản ghi nào có mã đó',
    priceChanged: ({ service, fee, message }) =>
      `dịch vụ giao hàng ${service} có phí ${dongOf(fee)} lúc dự kiến; ${message}`,
    hasEnded: 'đã tạo, sau đó đã hủy hoặc hoàn',
    noLookUp: 'không nhận được trả lời của hệ thống, và không tra lại được',
    lookUpUnclear: 'không nhận được trả lời của hệ thống, tra lại vẫn chưa rõ',
    byHand: 'đã ghi tay là chưa xong',
    noRoom: ({ fee }) => `phí ${dongOf(fee)} vượt phần còn lại của mức tối đa cho cả đợt`,
    madeTwice: 'một lệnh khác vừa dùng mã này',
    held: ({ as, count }) => `có ${as} thêm sau đó (${count}) sẽ mất theo: để nguyên`,
    gone: 'không còn nữa',
    changedSince: ({ fields }) => `đã bị sửa sau đó (${fields}): không ghi đè`,
    lostAnd: ({ why }) => `không nhận được trả lời của hệ thống, và ${why}`,
    notStored: 'không lưu lại những gì đã đổi',
    notRestored: ({ fields }) => `không khôi phục được ${fields}`,
    pickedUpUnsaid: 'hệ thống không cho biết kiện hàng đã được lấy chưa: để nguyên',
    otherName: ({ name }) => `bản ghi có external_id khác ${name}: để nguyên`,
    pickedUp: ({ state }) => `kiện hàng ${parcelStates[state] ?? state}: đã được lấy và vẫn đang đi`,
    nameDiffers: ({ fields }) => `bản ghi cùng mã khác ở ${fields}: để nguyên`,
    notRead: ({ why }) => `chưa đọc lại được: ${why}`,
    newestOnly: ({ count }) => `chỉ đọc lại ${count} bản ghi mới nhất`,
    recordRenamed: 'bản ghi nay có mã khác',
    notFound: 'hệ thống không tìm thấy',
    deleted: 'đã xóa',
    undone: 'đã hoàn tác',
    cancelled: 'đã hủy',
    returned: 'đã hoàn',
    undeliverable: 'thất lạc, hoặc không giao được',
    travelling: 'đã hủy, nhưng kiện hàng vẫn đang đi hoặc đã đến',
    endedOn: ({ end, at }) => `${end} lúc ${at}`,
    undoneBatch: ({ batch }) => `hoàn tác đợt gửi ${batch}`,
    noFee: ({ service }) => `dịch vụ giao hàng ${service} không có phí`,
    endedSince: ({ end, why }) => `${end}: ${why}`,
  },
};
