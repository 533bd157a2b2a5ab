import { formatMoney } from '../domain/amounts/money.ts';
import type { codTexts } from './texts.ts';

/** An amount in a sentence. */
const money = (amount: number) => `${formatMoney(amount)}\u00a0₫`;

type SomeLines = Parameters<typeof codTexts.stored.equal>[0]['added'];

const someLines = ({ named, rest }: SomeLines) =>
  `${named.join('; ')}${rest === 0 ? '' : ` và ${formatMoney(rest)} khoản nữa`}`;

export const codVietnamese: typeof codTexts = {
  // Short, for a terminal: the dispute sheet has longer ones.
  className: {
    unknown: 'đơn lạ',
    paid_not_delivered: 'trả khi chưa giao',
    returned: 'đã hoàn',
    undeliverable: 'không giao được',
    provisional_open: 'tạm thu chưa hoàn',
    settled: 'nền tảng trả',
    awaiting: 'chờ trả',
    unpaid: 'quá hạn trả',
    short: 'trả thiếu',
    over: 'trả thừa',
    fee_differs: 'phí khác báo giá',
    unexplained: 'dòng không khớp',
    cod_changed: 'thu hộ đã đổi',
    paid: 'đã trả đủ',
    doubled: 'dòng lặp',
    uncompensated: 'chưa bồi hoàn',
    after_close: 'sau khi chốt',
  },
  classMeans: {
    unknown: 'ĐVVC ghi một vận đơn mà shop không có',
    paid_not_delivered: 'đã trả tiền thu hộ, nhưng theo dữ liệu của shop thì chưa giao',
    returned: 'hàng đã hoàn: không phải trả tiền thu hộ',
    undeliverable: 'kiện hàng bị mất hoặc không giao được: không phải trả tiền thu hộ',
    provisional_open: 'khoản tạm thu chưa được hoàn lại',
    settled: 'đã giao, không có trong file nào, nền tảng đã tự thanh toán',
    awaiting: 'đã giao, chưa trả, còn trong thời hạn trả của ĐVVC',
    unpaid: 'đã giao, chưa trả, đã hết thời hạn trả của ĐVVC',
    short: 'trả ít hơn số phải trả',
    over: 'trả nhiều hơn số phải trả',
    fee_differs: 'phí khác với báo giá',
    unexplained: 'số thực nhận của dòng không khớp các khoản trong dòng',
    cod_changed: 'tiền thu hộ đã đổi sau khi tạo đơn',
    paid: 'đã trả đủ, không có chênh lệch',
    doubled: 'một dòng xuất hiện hai lần; chỉ tính một lần',
    uncompensated: 'ĐVVC tính phí kiện hàng không giao được mà không bồi hoàn gì',
    after_close: 'có khoản đến sau khi phiên đã chốt',
    left_out: 'giao trước ngày cuối mà phiên trả tiền, và chưa phiên nào trả',
  },
  kind: {
    cod: 'thu hộ',
    delivery: 'phí giao hàng',
    return: 'phí hoàn hàng',
    redelivery: 'phí giao lại',
    insurance: 'phí bảo hiểm',
    address_change: 'phí đổi địa chỉ',
    discount: 'giảm giá',
    compensation: 'bồi hoàn',
    provisional: 'tạm thu',
    provisional_back: 'hoàn tạm thu',
    debt: 'công nợ phiên trước',
    transfer: 'đã chuyển khoản',
    other: 'phí khác',
    unexplained: 'chưa rõ',
  },
  part: {
    cod: 'tiền thu hộ',
    delivery: 'phí giao hàng',
    return: 'phí của kiện hàng hoàn về',
    redelivery: 'phí giao lại',
    insurance: 'phí bảo hiểm',
    address_change: 'phí đổi địa chỉ',
    discount: 'giảm giá',
    compensation: 'bồi hoàn kiện hàng bị mất',
    provisional: 'bị trừ trước: tạm thu',
    provisional_back: 'hoàn lại khoản tạm thu trước',
    debt: 'chuyển sang: công nợ các phiên trước',
    transfer: 'đã chuyển khoản, theo file',
    other: 'phí khác',
    unexplained: 'thực nhận không khớp các khoản của dòng',
  },
  field: {
    shipping_code: 'Mã vận đơn của ĐVVC',
    fulfillment_id: 'Mã số vận đơn trên hệ thống của shop',
    session: 'Phiên đối soát',
    delivered_on: 'Ngày giao xong hoặc hoàn về',
    kind: 'Loại khoản tiền, ghi trong một cột riêng',
    amount: 'Số tiền mà loại được ghi trong dòng',
    net: 'Tổng thực nhận của dòng',
    ofKind: ({ kind }) => `Số tiền loại ${kind}`,
  },
  column: {
    shipping_code: 'mã vận đơn của ĐVVC',
    fulfillment_id: 'id vận đơn của shop',
    session: 'phiên đối soát',
    delivered_on: 'ngày giao xong hoặc hoàn về',
    kind: 'loại khoản tiền',
    amount: 'số tiền, loại ghi ở cột khác',
    net: 'thực nhận của dòng',
    cod: 'tiền thu hộ',
    delivery: 'phí giao hàng, tiền ship',
    return: 'phí hoàn hàng',
    redelivery: 'phí giao lại',
    insurance: 'phí bảo hiểm',
    address_change: 'phí đổi địa chỉ',
    discount: 'giảm giá, khuyến mãi',
    compensation: 'bồi hoàn, đền bù',
    provisional: 'tạm thu',
    provisional_back: 'hoàn tạm thu',
    debt: 'công nợ phiên trước, cấn trừ',
    transfer: 'đã chuyển khoản',
    other: 'phí khác, khấu trừ khác',
  },
  rows: ({ rows }) => `dòng ${rows}`,
  file: {
    noneKnown: ({ name }) => `${name}: không dòng nào giống dòng tiêu đề của file đối soát`,
    noneKnownHint: 'dòng tiêu đề phải có ít nhất mã vận đơn và một cột tiền, như "Mã đơn hàng" và "COD"',
    whichRow: 'Dòng nào là dòng tiêu đề cột?',
    nearly: ({ name, title, layout, row, columns }) =>
      `${name} giống file đối soát của ${title} (${layout}), nhưng dòng ${row} thiếu cột ${columns}; chưa đọc gì`,
    nearlyHint: 'xin ĐVVC gửi lại file đầy đủ: thiếu cột đó thì tổng tiền sẽ sai',
    unknown: ({ name, layouts }) => `${name}: không dòng nào có tiêu đề của một mẫu đã biết (${layouts}); chưa đọc gì`,
    unknownButPlaced: ({ name, layouts, title, layout }) =>
      `${name}: không dòng nào có tiêu đề của một mẫu đã biết (${layouts}), nhưng vị trí các cột giống ${title} (${layout}), mẫu chỉ đọc theo vị trí; chưa đọc gì`,
    records: ({ name }) => `${name} chứa bản ghi, còn file đối soát là một bảng: csv hoặc xlsx`,
    empty: ({ name }) => `${name} trống`,
    noRows: ({ name }) => `${name} không có dòng nào có vận đơn hoặc số tiền`,
    disagrees: ({ name, layout, count, rows, places, what, why }) =>
      `${name} đọc theo mẫu ${layout}, nhưng ở ${formatMoney(count)}/${formatMoney(rows)} dòng (${places}) ${what}: ${why}; chưa đọc gì`,
    swapped: ({ code, id }) => `${code} chứa mã số của shop, còn ${id} thì không`,
    swappedWhy: 'hai cột có thể bị đổi chỗ',
    turned: ({ cash }) => `số bị trừ nhiều hơn ${cash}`,
    turnedWhy: 'các cột có thể bị đổi chỗ; một cột thực nhận của từng dòng sẽ xác nhận được',
    gaps: ({ net }) => `${net} không khớp các khoản trong dòng`,
    gapsWhy: 'các cột có thể bị đổi chỗ, đổi tên, hoặc một cột tiền chưa được đọc',
    readOtherwise: ({ count, places }) => `${formatMoney(count)} × đọc khác với cách viết (${places})`,
    alike: ({ count, places }) =>
      `${formatMoney(count)} × số tiền mà vận đơn đó cũng có ở một dòng khác, hai dòng không giống hệt: tính cả hai (${places})`,
    like: ({ cell, first }) => `${cell} giống ${first}`,
    unreadColumns: ({ names }) => `cột tiền không đọc: ${names.map((name) => JSON.stringify(name)).join(', ')}`,
    noParcel: 'không có vận đơn, không có số tiền',
    sums: 'tổng của các dòng khác',
  },
  layout: {
    notAField: ({ name, header, field }) =>
      `${name}: cột ${header} gán cho ${field}, không phải là trường của file đối soát`,
    notAFieldHint: ({ fields }) => `các trường là ${fields}`,
    theFile: 'file',
    none: ({ name, faults }) => `${name} không phải là mẫu file đối soát: ${faults}`,
    noneHint: 'mẫu có "columns" (mỗi cột một trường), và có thể có "title", "carrier", "constants"',
    noAmount: ({ name }) => `${name} không phải là mẫu file đối soát: thiếu cột tiền ("cod", "delivery"…)`,
    noParcel: ({ name }) => `${name} không phải là mẫu file đối soát: thiếu cột "shipping_code" hoặc "fulfillment_id"`,
    noKind: ({ name }) => `${name} không phải là mẫu file đối soát: "amount" cần một cột "kind" hoặc hằng số "kind"`,
  },
  cell: {
    readAs: ({ value }) => `được đọc là ${value}`,
    masked: 'bị che bằng dấu sao: cần ghi đầy đủ',
    lacksCode: ({ mark }) => `kết thúc bằng ${mark}, thiếu mã vận đơn ở sau đó`,
    day: ({ layout }) => `phải là ngày dạng ${layout}; các khoản của dòng vẫn được tính`,
    spoilt: ({ what }) => `${what}: không tính dòng này`,
    otherDays: ({ title, layout, usual }) =>
      `${title}: ngày viết dạng ${layout}, không phải ${usual} như thường lệ; được đọc theo dạng đó`,
    blankParcel: ({ amounts }) => `để trống, nhưng dòng có ${amounts}: của vận đơn nào?`,
    noParcel: ({ amounts }) => `không cho biết vận đơn nào, nhưng dòng có ${amounts}: của vận đơn nào?`,
    noAmounts: 'không có số tiền',
    unpaid: ({ value }) => `chưa được trả, theo ${value}`,
    paidAllTheSame: ({ value }) => `đã được trả, dù dòng ghi ${value}`,
    paidOrNot: ({ value }) => `đứng cạnh ${value}: chưa rõ đã trả hay chưa, không tính dòng này`,
    blankCash: 'để trống: không thu tiền thì ghi 0',
    blankAmount: 'để trống: dòng không có số tiền',
    noKind: 'không phải là một loại trong mẫu: thêm vào "words" của mẫu',
    belowZero: 'là số âm mà không có gì trong dòng xác nhận: không được tính',
    gap: ({ sum, gap }) =>
      `không khớp dòng: các khoản cộng lại được ${money(sum)}, ${gap < 0 ? 'nhiều hơn' : 'ít hơn'} ô này ${money(Math.abs(gap))}; các khoản vẫn được tính, chênh lệch ghi là chưa rõ`,
    sum: ({ sum, gap }) =>
      `không khớp: các dòng ở trên cộng lại được ${money(sum)}, ${gap > 0 ? 'ít hơn' : 'nhiều hơn'} ô này ${money(Math.abs(gap))}`,
    repeats: ({ first, kind, amount }) => `lặp lại ${first}: ${kind} ${money(amount)} chỉ tính một lần`,
    repeatsStored: ({ first, kind, amount }) =>
      `lặp lại ${first} cùng phiên: ${kind} ${money(amount)} chỉ tính một lần`,
  },
  stored: {
    otherCarrier: ({ name, its, own }) => `${name} là của ${its}, còn file này của ${own}`,
    differs: ({ here, there }) => `${here}, còn ${there}`,
    here: ({ line, amount }) => `${line} ${money(amount)}`,
    hereOf: ({ line, amount, day }) => `${line} ${money(amount)} ngày ${day}`,
    there: ({ amount, place }) => `${money(amount)} ở ${place}`,
    thereOf: ({ amount, place, day }) => `${money(amount)} ngày ${day} ở ${place}`,
    parcel: ({ line, place }) => `${line} ở ${place}`,
    equal: ({ equal, differing, all, added, gone, place }) => {
      const fresh = all - equal - differing;
      const isAlike = differing === 0 && (fresh > 0 || gone.named.length > 0);
      return [
        `${equal} trong ${all} khoản của file giống hệt, ${differing} khác`,
        fresh === 0 ? '' : `, ${fresh} mới (${someLines(added)})`,
        gone.named.length === 0 ? '' : `; phiên còn có mà file này không có: ${someLines(gone)}`,
        isAlike ? `; khoản trùng đầu tiên: ${place}` : `: ${place}`,
      ].join('');
    },
  },
  import: {
    textRows: ({ rows }) => `không có vận đơn và không có số tiền: ${rows}`,
    sumRows: ({ rows }) => `tổng của các dòng khác, chỉ so sánh, không tính: ${rows}`,
    saysElse: ({ now, stored }) => `đọc lại bây giờ thì khác: ${now}; đang lưu là ${stored}`,
    says: ({ layout, carrier, sessions, amount }) =>
      `mẫu ${layout}, ${carrier === null ? '' : `ĐVVC ${carrier}, `}phiên ${sessions}, tổng ${money(amount)}`,
    known: ({ name }) => `đã nhập trước đây với tên ${name}: không thay đổi gì`,
    allThere: ({ count, sessions }) => `cả ${formatMoney(count)} khoản đã có ở phiên ${sessions}: không cộng thêm gì`,
    someThere: ({ count, all, sessions }) =>
      `${formatMoney(count)}/${formatMoney(all)} khoản đã có ở phiên ${sessions}, các khoản còn lại đã được cộng thêm`,
    added: ({ count, sessions }) => `đã cộng thêm ${formatMoney(count)} khoản vào phiên ${sessions}`,
    late: ({ session }) => `phiên ${session} đã chốt: các khoản mới đến được đánh dấu`,
    storesNow: ({ advice }) => `lưu nội dung mới bằng: ${advice}`,
    moreProblems: ({ count }) => `và ${formatMoney(count)} lỗi nữa: xem bằng --output json`,
    unread: ({ count, rows }) =>
      `${formatMoney(count)}/${formatMoney(rows)} dòng không đọc được, không tính gì trong các dòng đó`,
    repeated: ({ count }) => `${formatMoney(count)} khoản lặp lại khoản khác, chỉ tính một lần`,
    replaced: ({ count, sessions }) => `đã thay ${formatMoney(count)} khoản của phiên ${sessions}`,
    kind: ({ kind, amount }) => `${kind} ${formatMoney(amount)}`,
    done: ({ rows, lines, amount, kinds }) =>
      `${formatMoney(rows)} dòng, ${formatMoney(lines)} khoản, tổng ${money(amount)}${kinds === '' ? '' : ` (${kinds})`}`,
    replacesOne: 'chỉ dùng cho một file: các khoản của file thứ hai sẽ thay các khoản của file đầu',
    otherCarrier: ({ sessions }) => `chưa thay gì ở phiên ${sessions}`,
    closed: ({ sessions }) => `chưa thay gì: phiên ${sessions} đã chốt, các khoản tổng đã được đồng ý`,
    noFile: ({ path }) => `${path} không có file đối soát nào (csv, tsv hoặc xlsx)`,
    notImported: ({ file, why }) => `chưa nhập ${file}: ${why}`,
  },
  files: {
    linesHeader: 'khoản',
    noSession: ({ session }) => `không có khoản nào thuộc phiên ${session}`,
    importedAs: ({ name, as }) => `${name} đã được nhập với tên ${as}`,
    noFileNorParcel: ({ name }) => `không có file đối soát tên ${name}, và không file nào có khoản của vận đơn đó`,
    lines: ({ count, amount }) => `${formatMoney(count)} khoản, tổng các khoản được tính là ${money(amount)}`,
    noFile: ({ name }) => `không có file đối soát có tên hoặc id ${name}`,
    several: ({ name, ids }) => `nhiều file đối soát tên ${name}; id của các file: ${ids}`,
    notDeleted: ({ name, sessions }) =>
      `chưa xóa ${name}: phiên ${sessions} đã chốt, số tiền của phiên đã được thống nhất`,
    goes: ({ sessions, lines, amount, gone }) =>
      `xóa theo ${formatMoney(lines)} khoản của phiên ${sessions.join(', ') || '(không có)'}, tổng ${money(amount)}${gone.length === 0 ? '' : `; phiên ${gone.join(', ')} không còn khoản nào, và các khoản đã bị thay trước đây không tự trở lại`}`,
    state: { open: 'đang mở', partly: 'chốt một phần', allClosed: 'đã chốt' },
    isOpen: ({ session }) => `phiên ${session} đang mở`,
    isClosed: ({ session, by, at, amount }) =>
      `phiên ${session} đã được ${by} chốt lúc ${at}, với số tiền ${money(amount)}`,
    deleted: ({ name }) => `đã xóa ${name} và các khoản của file`,
    reopened: ({ session, amount }) => `đã mở lại phiên ${session}, với số tiền ${money(amount)}`,
    notClosed: ({ session }) => `phiên ${session} chưa chốt`,
    changedMeanwhile: ({ session, seen, now }) =>
      `chưa chốt phiên ${session}: vừa có thay đổi, từ ${money(seen)} thành ${money(now)}; xem lại phiên`,
    closedAlready: ({ session, by, at, amount }) =>
      `phiên ${session} đã được ${by} chốt lúc ${at}, với số tiền ${money(amount)}`,
  },
  reconcile: {
    leftOutOne: ({ parcel, session }) => `${parcel}: phiên ${session}`,
    leftOut: ({ count, due, named, more }) =>
      `bị bỏ sót: ${formatMoney(count)} vận đơn đã giao, phải trả ${money(due)}, chưa phiên nào trả (${named}${more > 0 ? ` và ${formatMoney(more)} vận đơn nữa` : ''})`,
    differ: ({ count, parcels, paid, due }) =>
      `${formatMoney(count)}/${formatMoney(parcels)} vận đơn có chênh lệch: đã trả ${money(paid)}, phải trả ${money(due)}`,
    repeated: ({ count }) => `${formatMoney(count)} vận đơn có dòng lặp: mỗi dòng chỉ tính một lần`,
    waiting: ({ count, due, advice }) =>
      `${formatMoney(count)} vận đơn chờ trả, ${money(due)}: xem danh sách bằng ${advice}`,
    agrees: ({ parcels }) => `${formatMoney(parcels)} vận đơn, không có chênh lệch`,
    settled: ({ settled, due, advice }) =>
      `"đã trả" là số tiền trong các file đối soát đã nhập; nền tảng đã tự thanh toán ${money(settled)} trong số ${money(due)} phải trả; ${advice}`,
    differing: ({ name, count, amount }) => `${name} ${formatMoney(count)}${amount === 0 ? '' : ` (${money(amount)})`}`,
    notPaid: 'bị bỏ sót',
    stillDiffers: ({ session, count, named }) =>
      `phiên ${session} còn ${formatMoney(count)} vận đơn có chênh lệch: ${named.join('; ')}`,
    closing: 'chốt phiên còn chênh lệch',
    closeSo: ({ session, amount }) => `Vẫn chốt phiên ${session}, với số tiền ${money(amount)}?`,
    notAWorkbook: ({ path }) => `bảng khiếu nại là file Excel: tên file phải có đuôi .xlsx, không phải như ${path}`,
    fresh: ({ moment, zone, age }) => `Dữ liệu vận đơn đầy đủ đến ${moment} (${zone}), cập nhật ${age}`,
    needsSession: 'thiếu: số tiền ngân hàng nhận được chỉ so với một phiên',
    part: ({ session, what, amount }) => `${session}: ${what} ${money(amount)}`,
    received: ({ session, expected, received, rest }) =>
      `${session}: phải nhận ${money(expected)}, ngân hàng nhận ${money(received)}: ${rest === 0 ? 'khớp' : `${rest < 0 ? 'thiếu' : 'thừa'} ${money(Math.abs(rest))}`}`,
    written: ({ count, path }) => `đã ghi ${formatMoney(count)} vận đơn vào ${path}`,
    settledNotWritten: ({ count }) =>
      `${formatMoney(count)} vận đơn nữa không có trong bảng: nền tảng đã tự thanh toán phần phải trả`,
    noSuchDay: 'phải là một ngày có thật, như 2026-11-21 hoặc 21/11/2026',
    beforeSince: ({ since }) => `không được trước "since", ${since}`,
    noDays: 'phải là số ngày, như 7d hoặc 7d,ghn=5d',
    noShipments: 'bản sao chưa có vận đơn nào, nên chưa có gì để đối soát',
  },
  sandbox: {
    ending: ({ path }) => `tên file đối soát phải có đuôi .xlsx, .csv hoặc .tsv, không phải như ${path}`,
    noParcel: 'không có vận đơn nào đã giao hoặc đã hoàn',
    noParcelInWeek: ({ weeks }) => `không có vận đơn nào đã giao hoặc đã hoàn: có ${weeks} tuần có vận đơn`,
  },
};
