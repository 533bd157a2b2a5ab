import { grouped } from '../domain/language.ts';
import type { sheetsTexts } from './texts.ts';

type Subjects = Parameters<typeof sheetsTexts.question.status>[0]['subjects'];

const MOST_NAMES = 12;

const dong = (amount: number) => `${grouped(amount)}\u00A0₫`;
const decimal = (number: number) => String(number).replace('.', ',');

/** What the names of colours and the like are, which are typed as they are. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^fill /, 'màu nền'],
  [/^text (?:[\dA-F]{6}|theme|indexed)/, 'màu chữ'],
  [/^crossed out$/, 'gạch chéo'],
  [/^\S+ of \S+ returned$/, 'đã trả lại'],
  [/: a day$/, 'một ngày'],
  [/: a day to come$/, 'ngày chưa tới'],
  [/^the parcel of another sheet, with other cells$/, 'kiện hàng ở trang tính khác, ô khác'],
];

function quoted(name: string): string {
  if (name === '') return 'ô trống';
  const meaning = meanings.find(([pattern]) => pattern.test(name))?.[1];
  return `${JSON.stringify(name)}${meaning === undefined ? '' : ` (${meaning})`}`;
}

const listOf = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');
const orMeant = (name: string | undefined) => (name === undefined ? '' : `; có phải ${name} không?`);
const andMore = (count: number, what: string) => (count > 0 ? ` và ${count} ${what} nữa` : '');

const placesOf = ({ rows, count }: Subjects[number]) => `${rows.join(', ')}${andMore(count - rows.length, 'chỗ')}`;

function namesOf(subjects: Subjects, what: string): string {
  const shown = subjects.slice(0, MOST_NAMES).map(({ name }) => quoted(name));
  return `${shown.join(', ')}${andMore(subjects.length - shown.length, what)}`;
}

const aboutRows = (subjects: Subjects, what: string) =>
  subjects.map((one) => `${one.count} dòng ${what} (${placesOf(one)})`).join('; ');

const namedRows = (subjects: Subjects) =>
  subjects.map((one) => `${quoted(one.name)} ở ${one.count} dòng (${placesOf(one)})`).join(', ');

const sessionsOf = (subjects: Subjects) =>
  subjects
    .map((one) => `phiên ${quoted(one.name)} có ${one.count}${one.rows.length === 0 ? '' : ` (${placesOf(one)})`}`)
    .join(', ');

/** The kinds of ends of orders that were sent, whose names are typed as they are. */
const ends: Readonly<Record<string, string>> = {
  undone: 'đã hoàn tác',
  cancelled: 'đã hủy',
  returned: 'đã hoàn',
  undeliverable: 'không giao được',
  delivered: 'đã giao',
  travelling: 'đã hủy nhưng kiện hàng vẫn đang đi',
};

const endOf = (name: string) => (ends[name] === undefined ? name : `${name} (${ends[name]})`);

const IN_PROGRAM = 'mở bằng phần mềm bảng tính rồi lưu thành .xlsx, hoặc csv';
const AS_UTF8 = 'lưu theo UTF-8; trong Excel: "CSV UTF-8"';

export const sheetsVietnamese: typeof sheetsTexts = {
  place: {
    line: ({ line }) => `dòng ${line}`,
    column: ({ line, column }) => `dòng ${line}, cột ${column}`,
    row: ({ row }) => `dòng ${row}`,
    entry: ({ entry }) => `mục ${entry}`,
    within: ({ place, field }) => `${place}, ${field}`,
  },
  account: {
    unused: ({ written }) => `${written} không trả lời câu hỏi nào của file này: không thay đổi gì`,
    sheets: ({ names, others }) => {
      const not = others.map(({ name, reason }) => `${JSON.stringify(name)} (${reason})`);
      return `Đọc trang tính ${listOf(names)}${not.length === 0 ? '' : `, không đọc ${not.join(', ')}`}`;
    },
    leftOut: ({ count, reason, cells }) =>
      `bỏ qua ${count} dòng: ${reason} (${cells.join(', ')}${count > cells.length ? ', …' : ''})`,
    headerInLine: ({ line }) => `tiêu đề ở dòng ${line}`,
    headerInRow: ({ row }) => `tiêu đề của bảng ở dòng ${row}`,
    sheetRead: ({ name }) => `đọc trang tính ${JSON.stringify(name)}`,
    sheetReadFrom: ({ name, row }) => `đọc trang tính ${JSON.stringify(name)}, tiêu đề ở dòng ${row}`,
  },
  sheet: {
    hidden: 'bị ẩn',
    'very hidden': 'bị ẩn hẳn',
    'no rows below its header': 'không có dòng nào dưới tiêu đề',
    'no header that is known': 'không có tiêu đề nhận ra được',
    'it cannot be read': 'không đọc được',
    otherAsked: 'đã chọn trang tính khác',
    otherRead: 'đọc trang tính khác',
  },
  column: {
    'not-settable': 'lệnh này không đặt được trường đó',
    ignored: 'theo yêu cầu',
    unnamed: 'không có tên',
    twice: 'có hai lần',
    twiceUnlike: ({ first, second }) => `có hai lần, ở ${first} và ${second}, mà các ô khác nhau: lấy cột nào?`,
    repeated: {
      alike: ({ read }) => `dòng nào cũng giống cột ${read}, đã đọc cột đó`,
      blank: ({ read }) => `không có ô nào, đã đọc cột ${read} cùng tiêu đề`,
    },
    noField: ({ nearest }) => `không phải một trường${orMeant(nearest)}`,
    mappedTo: ({ field, wrong }) => `được ghép với ${field}, mà ${field} ${wrong}`,
    wrong: ({ name, message }) => `cột ${JSON.stringify(name)} ${message}`,
    allUnknown: ({ command, names, more }) =>
      `không cột nào là trường của ${JSON.stringify(command)}: file có ${listOf(names)}${andMore(more, 'cột')}`,
    nearly: ({ sheet, missing }) => `file giống ${sheet} của hệ thống, nhưng thiếu cột ${listOf(missing)}`,
    nearlyHint: 'thêm cột đó; ô nào được để trống thì cứ để trống',
    secondTable:
      'đặt cho mỗi cột một tên riêng, hoặc bỏ một cột bằng ignore_columns trong bảng ghép cột, như "Tên (2)" hay chữ cái của cột; bảng thứ hai nằm cạnh bảng đầu thì đưa sang một trang tính riêng',
    none: 'không cột nào của file là trường của lệnh',
    noneCounts: ({ name, counted }) =>
      `thiếu cột ${JSON.stringify(name)} để biết ${JSON.stringify(counted)} có được tính không`,
    severalCount: ({ name, counted }) =>
      `có nhiều cột ${JSON.stringify(name)} để biết ${JSON.stringify(counted)} có được tính không`,
    noneLeavesOut: ({ name }) => `thiếu cột ${JSON.stringify(name)} để biết dòng nào bỏ qua`,
    severalLeaveOut: ({ name }) => `có nhiều cột ${JSON.stringify(name)} để biết dòng nào bỏ qua`,
    conditionHint: 'sửa dòng tiêu đề, hoặc đọc file bằng bảng ghép cột không cần cột đó',
    lacking: ({ name, field }) => `thiếu cột ${JSON.stringify(name)}, từ đó đọc ${field} theo bảng ghép cột`,
    inSheet: ({ sheet, message }) => `trang tính ${JSON.stringify(sheet)}: ${message}`,
  },
  reason: {
    hidden: 'bị ẩn',
    struck: 'bị gạch ngang',
    equal: 'giống dòng trên',
    blank: ({ column }) => `${column} để trống`,
    word: ({ column, word }) => `${column} ${JSON.stringify(word)}`,
    quoted: ({ column, word }) => `${column} "${word}"`,
    filled: ({ column }) => `${column} đã có nội dung`,
    returned: ({ back, sold }) => `đã trả lại ${back} trên ${sold}`,
    heldBack: ({ names }) => `bị giữ lại (${listOf(names)})`,
    note: ({ text }) => `ghi chú: ${JSON.stringify(text)}`,
    headerAgain: 'lặp lại tiêu đề',
    unticked: 'chỉ có ô chưa đánh dấu',
    explanation: 'giải thích các cột',
    sums: 'dòng tổng',
  },
  question: {
    sheet: ({ subjects }) =>
      `nhiều trang tính có dòng dưới tiêu đề (${namesOf(subjects, 'trang')}): đọc trang nào, hay tất cả?`,
    hidden_rows: ({ subjects }) => `${aboutRows(subjects, 'bị ẩn, có thể do bộ lọc')}: đọc (read) hay bỏ qua (skip)?`,
    struck_rows: ({ subjects }) =>
      `${aboutRows(subjects, 'bị gạch ngang, cả dòng hay một ô')}: đọc (read) hay bỏ qua (skip)?`,
    equal_rows: ({ subjects }) =>
      `${aboutRows(subjects, 'giống dòng trên, cùng mã')}: tính một lần (once) hay mỗi dòng một lần (each)?`,
    line_cash: ({ subjects }) =>
      `${aboutRows(subjects, 'của đơn có tiền thu hộ ghi cả ở dòng trên')}: thu một lần (once), hay thu theo mỗi dòng (each)?`,
    same_recipient: ({ subjects }) =>
      `${aboutRows(subjects, 'không có mã, cùng người nhận với dòng trên')}: chung một đơn (one), hay mỗi dòng một đơn (each)?`,
    blank_cash: ({ subjects }) =>
      `tiền thu hộ để trống, trong khi các ô khác có tiền: ${namedRows(subjects)}; thu tổng tiền của đơn (total), hay không thu (zero)?`,
    pieces: ({ subjects }) =>
      `tên hàng ghi số cái khác với số lượng: ${namedRows(subjects)}; tính theo số lượng (quantity), hay các ô này không dùng được (ask)?`,
    status: ({ subjects }) =>
      `trạng thái, ghi chú hoặc màu chưa cho biết có gửi đơn không: ${namedRows(subjects)}; gửi (ship) hay bỏ qua (skip)?`,
    tracked: ({ subjects }) =>
      `${aboutRows(subjects, 'của đơn có mã vận đơn, ngày gửi hoặc dấu đã gửi')}: gửi (ship) hay bỏ qua (skip)?`,
    payment: ({ subjects }) =>
      `chữ về thanh toán chưa cho biết có thu hộ không: ${namedRows(subjects)}; thu hộ (cash) hay đã trả (paid)?`,
    unit: ({ subjects }) => {
      const amounts = subjects.map((one) => `${quoted(one.name)} ở ${placesOf(one)}`);
      return `số tiền nhỏ: ${amounts.join('; ')}; tính bằng nghìn đồng (thousand), hay đúng như ghi (one)?`;
    },
    new_wards: ({ subjects }) => {
      const wards = subjects.slice(0, MOST_NAMES).map((one) => `${quoted(one.name)} ở ${placesOf(one)}`);
      return `phường/xã của năm 2025, không ghi quận/huyện cũ: ${wards.join(', ')}${andMore(subjects.length - wards.length, 'nơi')}; là phường/xã cũ cùng tên (same-name), hay các ô này không dùng được (ask)?`;
    },
    resend_ended: ({ subjects }) => {
      const said = subjects.map((one) => `${endOf(one.name)} ở ${one.count} dòng (${placesOf(one)})`);
      return `đơn đã gửi trước đây, sau đó đã hoàn tác, đã hủy hoặc đã hoàn: ${said.join(', ')}; bỏ qua (skip), hay gửi lại (send)?`;
    },
    ignore_columns: ({ subjects }) =>
      `có cột không được đọc mà có thể cho biết gửi gì, thu hay trả bao nhiêu (${namesOf(subjects, 'cột')}): bỏ qua các cột này?`,
    replaces: ({ subjects }) =>
      `các khoản trả cho vận đơn của file này đã được nhập trước đây: ${sessionsOf(subjects)}; file thay phiên đó, hay cộng thêm vào?`,
    session: ({ subjects }) =>
      `phiên của file này có khoản trả của đơn vị vận chuyển khác: ${sessionsOf(subjects)}; file có phiên riêng, hay cộng thêm vào phiên đó?`,
  },
  line: {
    merged: ({ cell, text }) => `để trống và gộp với ${cell}, ${JSON.stringify(text)}: ghi vào từng dòng cần có`,
    mergedOver: ({ cell }) => `gộp với ${cell} là dòng của đơn khác: ghi riêng vào từng dòng cần có`,
    parted: ({ reason }) => `${reason}, còn các dòng khác của cùng đơn thì không: một đơn phải gửi cả, hoặc không gửi`,
    noStatus: 'không có trong danh sách trạng thái của loại file này: có gửi đơn không?',
    cashBlankBy: ({ column, word }) => `để trống, mà ${column} ghi ${JSON.stringify(word)}: ghi số tiền thu hộ, hoặc 0`,
    cashBlank: ({ open }) => `để trống, mà ${dong(open)} chưa trả: ghi số tiền thu hộ, hoặc 0`,
    cashUnlike: ({ paid, isAll, left }) => {
      const rest = left === undefined ? 'không ghi còn lại bao nhiêu' : `còn lại ${dong(left)}`;
      const what = paid > 0 ? dong(paid) : isAll ? 'hết' : 'một phần';
      return `không khớp: đã trả ${what}, ${rest}; ghi số tiền thu hộ`;
    },
    sumOrLine: 'có tổng của các dòng trên và có hàng: là dòng tổng, hay một dòng của đơn ở trên?',
    loneText: 'đứng một mình trên dòng: là ghi chú, không có chỗ ở đây, hay đơn thiếu các ô khác?',
    sumInWords:
      'có vẻ nằm ở dòng tổng: không ô nào khác cho biết đơn của ai, hay có hàng gì. Chỉ ghi một chữ, như "Cộng", hoặc xóa dòng này',
    neither: 'không phải đơn, cũng không phải dòng của đơn: không có mã, người nhận, SĐT, địa chỉ hay hàng',
    sumDiffers: ({ cell, given, above }) =>
      `${cell}: dòng tổng ghi ${grouped(given)}, các dòng trên cộng lại ${grouped(above)}`,
    sumAlone: ({ cell, text }) =>
      `${cell}: ${JSON.stringify(text)} nằm ở dòng tổng, mà không dòng nào ở trên có gì ở cột đó`,
    sumAloneHint: 'ghi số tiền vào dòng của đơn, hoặc bỏ cột đó khi ghép cột',
    otherTable: ({ cell }) => `${cell} bắt đầu một bảng khác: các cột không phải của tiêu đề ở trên`,
    otherTableHint: 'đưa mỗi bảng vào một trang tính hoặc một file riêng',
    legend: ({ cell, text }) =>
      `${cell}: ${JSON.stringify(text)} cho biết màu nghĩa là gì, không cho biết dòng nào có màu đó`,
    legendHint: 'ghi điều đó vào một cột riêng ở từng dòng, rồi xóa chữ này',
    countsBy: ({ column }) =>
      `được tính theo cột ${JSON.stringify(column)}, mà ô ở cột đó là lỗi công thức: sửa trong bảng tính`,
    notReadBlank: ({ column }) => `không đọc: ${column} để trống`,
    notReadWord: ({ column, word }) => `không đọc: ${column} là ${JSON.stringify(word)}`,
    differs: ({ before, cell }) => `không khớp với ${JSON.stringify(before)} ở ${cell}, dù cả hai thuộc một đơn`,
    added: ({ all }) => `cộng với các dòng khác: tất cả ${dong(all)}`,
    thousands: ({ amount }) => `đọc là ${dong(amount)}, tính bằng nghìn đồng`,
    mixedThousands: ({ column, cells }) =>
      `cột ${JSON.stringify(column)} có số tiền có thể tính bằng ₫ hoặc bằng nghìn đồng: ${cells.join(', ')}`,
    mixedThousandsHint: 'ghi mọi số tiền của cột bằng ₫ (250 thành 250000) hoặc bằng nghìn đồng',
    smallAmounts: ({ column, cells, isMore }) =>
      `cột ${JSON.stringify(column)} có số tiền nhỏ cạnh số lớn hơn: ${cells.join(', ')}${isMore ? ', …' : ''}`,
    cashNowhere: ({ column, cell }) =>
      `${cell}: cột ${JSON.stringify(column)} không dòng nào có tiền, nên không biết có thu tổng tiền của đơn không`,
    cashNowhereHint: 'ghi số tiền thu hộ, hoặc 0, vào cột đó',
    noRecord: ({ place }) => `${place} không phải một bản ghi`,
  },
  cell: {
    lostLetter: 'có dấu "?" giữa các chữ: có bị mất chữ nào không?',
    ditto: 'nghĩa là giống dòng trên, mà lệnh không tự điền: ghi rõ giá trị vào ô',
    madeDate: 'giống một ngày do bảng tính đổi thành: có phải 12-3 hay 3/12?',
    readAs: ({ value }) => `đọc là ${value}`,
    readAsText: ({ text }) => `đọc là ${JSON.stringify(text)}`,
    wholeNumber: 'phải là số nguyên không âm',
    wholeNumberOf: ({ unit }) => `phải là số nguyên, tính bằng ${unit}`,
    wholeItems: 'phải là số lượng nguyên',
    number: 'phải là một số',
    yesOrNo: 'phải là có hoặc không',
    oneOf: ({ values }) => `phải là một trong các từ ${values.join(', ')}`,
    wholeAmount: 'phải là số tiền nguyên, không có phần lẻ',
    thousandsOrDecimals: ({ whole, broken }) => `có thể là ${grouped(whole)} hoặc ${decimal(broken)}: ghi đủ số tiền`,
    ruined: 'là số mà bảng tính đã làm hỏng: đặt định dạng cột là văn bản, rồi gõ lại',
    shownShort: ({ holds }) =>
      `là phần định dạng còn để lại của ${grouped(holds)}: ghi đủ số tiền, với định dạng không có dấu phẩy ở cuối`,
    decimalCode:
      'là mã mà chương trình ghi thành số thập phân: đặt định dạng cột là văn bản, rồi ghi lại không có ".0"',
    ruinedDay: 'bị bảng tính đổi thành ngày: đặt định dạng cột là văn bản, rồi gõ lại',
    formulaError: 'là lỗi công thức: sửa trong bảng tính',
    dayNumber: 'là số thứ tự ngày của bảng tính: ghi ngày, như 1990-01-31',
    unseen: 'có ký tự không nhìn thấy: gõ lại',
    unseenAnd: ({ removed, note }) => `${removed}; ${note}`,
    phoneSent: ({ note, phone }) => `${note}: gửi số ${phone}`,
    tooDeep: 'lồng nhau quá sâu',
    keyTwice: ({ key }) => `có ${JSON.stringify(key)} hai lần`,
    jsonFault: ({ fault }) => `là JSON, trong đó ${fault}`,
    jsonField: ({ path, message }) => `${path} ${message}`,
    jsonText: ({ path, text, message }) => `${path} ${JSON.stringify(text)} ${message}`,
    allDigits: 'phải ghi đủ các chữ số',
    jsonList: 'phải là danh sách viết bằng JSON, hoặc nằm ở các cột riêng',
    jsonObject: 'phải là đối tượng viết bằng JSON, hoặc nằm ở các cột riêng',
    doubtful: 'có thể đọc theo nhiều cách: ghi không có dấu ngăn hàng nghìn',
    twoWeights: ({ number, base, unit }) =>
      `có thể là ${decimal(number)} ${base} hoặc ${decimal(number)} ${unit}: ghi kèm đơn vị, như ${decimal(number)} ${unit}`,
    twoAmounts: ({ one, other }) =>
      `có thể là ${dong(one)} hoặc ${dong(other)}, vì cột tính bằng nghìn đồng: ghi kèm đơn vị, như 30k hoặc 12tr5`,
    notWholeOf: ({ base }) => `không phải số nguyên tính bằng ${base}, mà ở đây không làm tròn`,
    notWholeAmount: 'không phải số tiền nguyên, mà ở đây không làm tròn',
    numberOf: ({ unit }) => `phải là số tính bằng ${unit}`,
    numberOfThousands: 'phải là số tính bằng nghìn đồng',
    readAsAmount: ({ amount }) => `đọc là ${dong(amount)}`,
    dayLike: ({ layout }) => `phải là ngày dạng ${layout}`,
    blank: 'không được để trống',
  },
  service: {
    'order sheet': 'bảng đơn hàng',
    'fulfilment sheet': 'bảng vận đơn',
    'product sheet of 14 columns': 'bảng sản phẩm 14 cột',
    'product sheet of 13 columns': 'bảng sản phẩm 13 cột',
    otherCommand: ({ sheet, command }) => `file là ${sheet} của hệ thống, không dùng cho ${command}`,
    otherCommandHint: ({ commands }) => `dùng cho ${commands.join(', ')}`,
    negative: 'không thể âm',
    kilograms: 'phải là khối lượng tính bằng kg, như 1,2',
    rounded: ({ grams }) => `là ${grams} g, đã làm tròn lên`,
    share: 'phải là tỷ lệ như 35%, nhiều nhất 100%',
    yesOrNo: 'phải là Có hoặc Không',
    sentAs: ({ value }) => `gửi là ${value}`,
    tryOn: 'phải là "Không cho xem hàng", "Cho xem hàng không thử" hoặc "Cho thử hàng"',
    mark: 'phải là x, hoặc để trống nếu không bảo hiểm',
    leastGrams: ({ least }) => `phải ít nhất ${least} g`,
    leastCash: ({ least }) => `phải là 0, hoặc ít nhất ${dong(least)}`,
    leastOne: 'phải ít nhất là 1 cái',
    aboveZero: 'phải lớn hơn 0',
    aboveOne: ({ price }) => `cao hơn giá một cái, ${dong(price)}`,
    product: ({ quantity, price, amount }) => `phải là ${quantity} × ${grouped(price)} = ${grouped(amount)}`,
    must: ({ expected }) => `phải là ${grouped(expected)}`,
    each: ({ quantity, price, all }) => `cho ${quantity} cái: gửi là ${dong(price)} một cái, tất cả ${dong(all)}`,
    differs: ({ first, cell }) => `không khớp với ${JSON.stringify(first)} ở ${cell}: cả hai thuộc một đơn`,
    sumOfFees: ({ total }) => `phải là tổng các phí, ${dong(total)}`,
    sumOfRows: ({ sum }) => `phải là tổng các dòng, ${grouped(sum)}`,
    total: ({ goods, discount, fee, expected }) =>
      `phải là ${grouped(goods)} - ${grouped(discount)} + ${grouped(fee)} = ${grouped(expected)}`,
    cash: ({ cash }) => `phải là Có: có thu hộ ${dong(cash)}`,
    noCash: 'phải là Không: không thu tiền',
    lineCount: ({ given, count }) => `ghi ${given} dòng, mà đơn có ${count}`,
    attributes: 'phải là danh sách như màu: xanh, cỡ: M',
    mostAttributes: ({ count, most }) => `có ${count} thuộc tính: nhiều nhất ${most}`,
    unset: 'bỏ qua: không lệnh nào đặt được',
    sameVariant: ({ cell }) => `trùng phiên bản với ${cell}`,
    codeAgain: ({ cell }) => `là mã của dòng khác, ở ${cell}`,
    codeInAll: ({ cell }) => `phải ghi ở mọi dòng của một sản phẩm, hoặc không dòng nào: ${cell}`,
    places: 'phải kết thúc bằng phường/xã, quận/huyện và tỉnh/thành phố, cách nhau bằng dấu phẩy',
    blankPlace: 'không được để trống khi các phần khác có ghi',
    again: ({ cell }) => `trùng với ${cell}, mà giữa hai dòng có dòng khác`,
  },
  mapping: {
    none: ({ name, faults }) => `${name} không phải bảng ghép cột: ${faults.join('; ')}`,
    hint: 'cần có "columns" (mỗi cột một trường), có thể có "constants" và "command"',
    fault: ({ path, message }) => `${path}: ${message}`,
    faultOfFile: ({ message }) => `file: ${message}`,
    field: 'phải là một trường, hoặc đối tượng có "field"',
    unknownKeys: ({ keys }) => `có tên không biết: ${listOf(keys)}`,
    empty: 'không được là chữ rỗng',
    words: 'phải là một từ, hoặc danh sách từ, cho mỗi cột: {Payment: [COD]}',
    textOrNumber: 'phải là văn bản hoặc số',
    constant: ({ name, message }) => `hằng số ${name} ${message}`,
    exportOf: ({ title }) => `file xuất từ ${title}`,
    shippingFee: 'không ghi ai trả, và tiền thu hộ là giá hàng',
  },
  file: {
    quoteOpen: ({ name }) => `${name}: dấu ngoặc kép chưa đóng`,
    quoteOpenAt: ({ name, line }) => `${name}: dấu ngoặc kép chưa đóng, gần dòng ${line}`,
    behindQuote: ({ name }) => `${name}: có chữ sau dấu ngoặc kép đóng`,
    behindQuoteAt: ({ name, line }) => `${name}: có chữ sau dấu ngoặc kép đóng, gần dòng ${line}`,
    rowsInQuote: ({ name, from, to }) =>
      `${name}: dấu ngoặc kép mở ở dòng ${from} đến dòng ${to} mới đóng, các dòng ở giữa thành một ô; xóa dấu đó, hoặc đóng nó trong cùng dòng`,
    quoteInside: ({ name }) => `${name}: có dấu ngoặc kép giữa ô không bắt đầu bằng dấu đó`,
    quoteInsideAt: ({ name, line }) => `${name}: có dấu ngoặc kép giữa ô không bắt đầu bằng dấu đó, gần dòng ${line}`,
    longLine: ({ name }) => `${name}: một dòng dài hơn 1.048.576 ký tự; có dấu ngoặc kép chưa đóng?`,
    longLineAt: ({ name, line }) =>
      `${name}: một dòng dài hơn 1.048.576 ký tự, gần dòng ${line}; có dấu ngoặc kép chưa đóng?`,
    noCsv: ({ name }) => `${name}: không phải csv`,
    noCsvAt: ({ name, line }) => `${name}: không phải csv, gần dòng ${line}`,
    cellsMissing: ({ lines, more }) =>
      `dòng ${lines.join(', ')}${andMore(more, 'dòng')} có ít ô hơn tiêu đề, các cột cuối đọc là trống: có thiếu dấu ngăn không?`,
    moreCells: ({ name, line, cells, columns }) => `${name}: dòng ${line} có ${cells} ô, tiêu đề có ${columns}`,
    moreCellsHint: 'ô có dấu phẩy phải nằm trong dấu ngoặc kép',
    empty: ({ name }) => `${name} trống: dòng đầu phải ghi tên các cột`,
    blankHeader: ({ line }) => `dòng ${line} trống, không có tên cột`,
    noFormat: ({ given, names }) => `${given} không phải định dạng bảng: các định dạng là ${names.join(', ')}`,
    otherKind: ({ name, is, hint }) => `${name} ${is}: ${hint}`,
    untold: ({ name }) => `tên ${name} không cho biết định dạng`,
    noText: ({ name, is }) => `${name} ${is}, không phải văn bản`,
    noXlsx: ({ name, is }) => `${name} ${is}, không phải file .xlsx`,
    at: ({ name, place, message }) => `${name}, ${place}: ${message}`,
    whole: ({ name, message }) => `${name}: ${message}`,
    tooDeep: 'lồng nhau quá sâu',
    listOpen: 'danh sách chưa đóng',
    behindList: 'có chữ sau danh sách',
    longRecord: ({ most }) => `một bản ghi có nhiều nhất ${grouped(most)} ký tự`,
    noUnicode: ({ name }) => `${name} không phải văn bản UTF-8 hay UTF-16`,
    saveAsUtf8: AS_UTF8,
    tooLarge: ({ name }) => `${name} quá lớn với định dạng này`,
    tooLargeHint: 'lưu thành csv hoặc jsonl',
  },
  kind: {
    oldWorkbook: 'là bảng tính Excel kiểu cũ',
    binaryWorkbook: 'là bảng tính nhị phân (.xlsb)',
    macroWorkbook: 'là bảng tính có macro (.xlsm)',
    openDocument: 'là bảng tính LibreOffice (.ods)',
    appleNumbers: 'là bảng tính Apple Numbers',
    webPage: 'là trang web, dù tên file thế nào',
    workbookXml: 'là bảng tính Excel 2003 dạng XML',
    document: 'là văn bản của phần mềm soạn thảo',
    pdf: 'là PDF',
    picture: 'là hình ảnh',
    archive: 'là file nén',
    zip: 'là bảng tính hoặc file nén, dù tên file thế nào',
    utf16: 'là văn bản UTF-16 không có dấu đầu file',
    shortcut: 'là liên kết tới bảng tính trên web',
  },
  kindHint: {
    oldWorkbook: 'lưu thành .xlsx hoặc .csv',
    binaryWorkbook: IN_PROGRAM,
    macroWorkbook: IN_PROGRAM,
    openDocument: IN_PROGRAM,
    appleNumbers: 'trong Numbers: File › Export To › Excel',
    webPage: IN_PROGRAM,
    workbookXml: IN_PROGRAM,
    document: 'chép bảng trong đó sang bảng tính, rồi lưu thành .xlsx',
    pdf: 'lấy chính bảng đó, dạng .xlsx hoặc csv',
    picture: 'lấy chính bảng đó, dạng .xlsx hoặc csv',
    archive: 'giải nén, rồi đọc file bên trong',
    zip: 'đổi đuôi thành .xlsx, nếu đúng là bảng tính',
    utf16: AS_UTF8,
    shortcut: 'trong Google Sheets: File › Download › .xlsx',
  },
  workbook: {
    tooLarge: ({ name }) => `${name} lớn hơn 50 MB`,
    tooLargeHint: 'lưu thành csv, hoặc chia thành nhiều file',
    damaged: ({ name }) => `${name} không phải file .xlsx, hoặc đã hỏng`,
    damagedHint: 'lưu lại, hoặc lưu thành csv',
    password: ({ name }) => `${name} có mật khẩu, hoặc là .xls kiểu cũ`,
    passwordHint: 'mở bằng phần mềm bảng tính rồi lưu thành .xlsx không mật khẩu, hoặc csv',
    unpacked: ({ name, size }) => `${name} khi giải nén chiếm ${size} MiB: nhiều nhất 512 MiB`,
    unpackedHint: 'xóa phần không cần, hoặc lưu thành csv',
    noSheet: ({ name, sheet, names }) => `${name} không có trang tính ${sheet}: có ${names.join(', ')}`,
    conditional: ({ ranges, isMore }) =>
      `định dạng của ${ranges.join(', ')}${isMore ? ', …' : ''} tùy theo điều kiện, không được đọc: màu hay gạch ngang ở đó không được hỏi`,
    comment: ({ cell, text }) => `${cell} có nhận xét không nằm trong đơn nào: ${JSON.stringify(text)}`,
    beside: ({ cell, text }) => `${cell} nằm cạnh bảng, không được đọc: ${JSON.stringify(text)}`,
    moreBeside: 'còn các ô khác nằm cạnh bảng, không được đọc',
    spoilt: ({ name, cells, more }) => `${name}: ${cells.join(', ')}${andMore(more, 'ô')}`,
    spoiltHint: 'sửa công thức, hoặc mở file bằng phần mềm bảng tính rồi lưu lại',
    spoiltCell: ({ cell, what }) => `${cell} ${what}`,
    noResult: 'có công thức chưa có kết quả',
    lostText: 'có chữ không nằm trong file',
    failed: ({ value }) => `là ${value}`,
    failedSomehow: 'là lỗi',
    tooManyLines: ({ name, most }) => `${name} có hơn ${grouped(most)} dòng, nhiều hơn một bảng tính chứa được`,
    tooManyColumns: ({ name }) => `${name} có nhiều cột hơn một bảng tính`,
    saveAsCsv: 'lưu thành csv',
    longCell: ({ name, cell, most }) => `${name}: ô ${cell} có hơn ${grouped(most)} ký tự`,
    outOfOrder: ({ name, row, before }) => `${name}: dòng ${row} nằm dưới dòng ${before}`,
    outOfOrderHint: 'mở bằng phần mềm bảng tính rồi lưu lại',
    longText: ({ most }) => `một ô của bảng tính chứa nhiều nhất ${grouped(most)} ký tự: ghi csv hoặc jsonl`,
    longSheet: ({ most }) => `một trang tính chứa nhiều nhất ${grouped(most)} dòng: ghi csv hoặc jsonl`,
  },
};
