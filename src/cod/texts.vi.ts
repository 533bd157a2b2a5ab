import { formatMoney } from '../domain/amounts/money.ts';
import { reportedBy } from './classes.ts';
import type { codTexts } from './texts.ts';

/** An amount in a sentence. */
const money = (amount: number) => `${formatMoney(amount)}\u00a0₫`;

export const codVietnamese: typeof codTexts = {
  // The words of the dispute sheet.
  className: Object.fromEntries([...reportedBy.values()].map(({ name, vietnamese }) => [name, vietnamese])),
  classMeans: {
    unknown: 'ĐVVC ghi một vận đơn mà shop không có',
    paid_not_delivered: 'đã trả tiền thu hộ, nhưng theo dữ liệu của shop thì chưa giao',
    returned: 'hàng đã hoàn: không phải trả tiền thu hộ',
    undeliverable: 'kiện hàng bị mất hoặc không giao được: không phải trả tiền thu hộ',
    provisional_open: 'khoản tạm thu chưa được hoàn lại',
    awaiting: 'đã giao, chưa trả, còn trong thời hạn trả của ĐVVC',
    unpaid: 'đã giao, chưa trả, đã hết thời hạn trả của ĐVVC',
    short: 'trả ít hơn số phải trả',
    over: 'trả nhiều hơn số phải trả',
    fee_differs: 'phí khác với báo giá',
    unexplained: 'số thực nhận của dòng không khớp các khoản trong dòng',
    cod_changed: 'tiền thu hộ đã đổi sau khi tạo đơn',
    paid: 'đã trả đủ, không có chênh lệch',
    doubled: 'một dòng lặp hai lần; chỉ tính một lần',
    uncompensated: 'ĐVVC thu phí kiện hàng không giao được mà chưa bồi hoàn gì',
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
    debt: 'công nợ kỳ trước',
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
  rows: ({ rows }) => `dòng ${rows}`,
  file: {
    noneKnown: ({ name }) => `${name}: không dòng nào giống dòng tiêu đề của file đối soát`,
    noneKnownHint: 'dòng tiêu đề phải có ít nhất mã vận đơn và một cột tiền, như "Mã đơn hàng" và "COD"',
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
    noParcel: ({ amounts }) => `không phải mã vận đơn, nhưng dòng có ${amounts}: của vận đơn nào?`,
    noAmounts: 'không có số tiền',
    unpaid: ({ value }) => `chưa được trả, theo ${value}`,
    paidAllTheSame: ({ value }) => `đã được trả, dù dòng ghi ${value}`,
    paidOrNot: ({ value }) => `đứng cạnh ${value}: chưa rõ đã trả hay chưa, không tính dòng này`,
    blankCash: 'để trống: không thu tiền thì ghi 0',
    blankAmount: 'để trống: dòng không có số tiền',
    noKind: 'không phải là một loại trong mẫu: thêm vào "words" của mẫu',
    belowZero: 'là số âm mà không có gì trong dòng xác nhận: không được tính',
    gap: ({ sum, gap }) =>
      `không khớp dòng: các khoản cộng lại được ${money(sum)}, ${gap < 0 ? 'nhiều hơn' : 'ít hơn'} ${money(Math.abs(gap))}; các khoản vẫn được tính, chênh lệch ghi là chưa rõ`,
    sum: ({ sum, gap }) =>
      `khác tổng các dòng ở trên: ${money(sum)}, ${gap > 0 ? 'ít hơn' : 'nhiều hơn'} ${money(Math.abs(gap))}`,
    repeats: ({ first, kind, amount }) => `lặp lại ${first}: ${kind} ${money(amount)} chỉ tính một lần`,
    repeatsStored: ({ first, kind, amount }) =>
      `lặp lại ${first} cùng phiên: ${kind} ${money(amount)} chỉ tính một lần`,
  },
  stored: {
    otherCarrier: ({ name, its, own }) => `${name} là của ${its}, còn file này của ${own}`,
    differs: ({ here, there }) => `${here}, còn ${there}`,
    here: ({ line, amount }) => `${line} ${amount}`,
    hereOf: ({ line, amount, day }) => `${line} ${amount} ngày ${day}`,
    there: ({ amount, place }) => `${amount} ở ${place}`,
    thereOf: ({ amount, place, day }) => `${amount} ngày ${day} ở ${place}`,
    parcel: ({ line, place }) => `${line} ở ${place}`,
    equal: ({ equal, all, place }) =>
      `${formatMoney(equal)}/${formatMoney(all)} khoản giống nhau, ${formatMoney(all - equal)} khoản khác: ${place}`,
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
    closed: ({ sessions }) => `chưa thay gì: phiên ${sessions} đã chốt`,
    noFile: ({ path }) => `${path} không có file đối soát nào (csv, tsv hoặc xlsx)`,
    notImported: ({ file, why }) => `chưa nhập ${file}: ${why}`,
  },
  files: {
    noSession: ({ session }) => `không có khoản nào thuộc phiên ${session}`,
    importedAs: ({ name, as }) => `${name} đã được nhập với tên ${as}`,
    noFileNorParcel: ({ name }) => `không có file đối soát tên ${name}, và không file nào có khoản của vận đơn đó`,
    lines: ({ count, amount }) => `${formatMoney(count)} khoản, tổng các khoản được tính là ${money(amount)}`,
    noFile: ({ name }) => `không có file đối soát có tên hoặc mã ${name}`,
    several: ({ name, ids }) => `nhiều file đối soát tên ${name}; mã của chúng: ${ids}`,
    notDeleted: ({ name, sessions }) => `chưa xóa ${name}: phiên ${sessions} đã chốt`,
    notClosed: ({ session }) => `phiên ${session} chưa chốt`,
    closedAlready: ({ session, by, at, amount }) =>
      `phiên ${session} đã được ${by} chốt lúc ${at}, với số tiền ${money(amount)}`,
  },
  reconcile: {
    leftOutOne: ({ parcel, session }) => `${parcel}: phiên ${session}`,
    leftOut: ({ count, due, named, more }) =>
      `bị bỏ sót: ${formatMoney(count)} vận đơn đã giao, phải trả ${money(due)}, chưa phiên nào trả (${named}${more > 0 ? ` và ${formatMoney(more)} vận đơn nữa` : ''})`,
    differ: ({ count, parcels, paid, due }) =>
      `${formatMoney(count)}/${formatMoney(parcels)} vận đơn có chênh lệch: đã trả ${money(paid)}, phải trả ${money(due)}`,
    agrees: ({ parcels }) => `${formatMoney(parcels)} vận đơn, không có chênh lệch`,
    settled: ({ settled, due, advice }) =>
      `"đã trả" là số tiền trong các file đối soát đã nhập; nền tảng đã tự thanh toán ${money(settled)} trong ${money(due)} phải trả; ${advice}`,
    notAWorkbook: ({ path }) => `bảng khiếu nại là file Excel: tên file phải có đuôi .xlsx, không phải như ${path}`,
    fresh: ({ moment, zone, age }) => `Dữ liệu vận đơn đầy đủ đến ${moment} (${zone}), sao chép ${age}`,
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
