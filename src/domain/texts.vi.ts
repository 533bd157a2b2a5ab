import { grouped } from './language.ts';
import type { domainTexts } from './texts.ts';

const EXAMPLES = 'ghi như 1350000, 1.350.000 hoặc 1,350,000';

const noPhone = (why: string) => `không phải số điện thoại: ${why}`;

const orMeant = (names: readonly string[]) => (names.length === 0 ? '' : `; có phải ${names.join(' hay ')} không?`);

export const domainVietnamese: typeof domainTexts = {
  daysAgo: ({ count }) => `${count} ngày trước`,
  hoursAgo: ({ count }) => `${count} giờ trước`,
  minutesAgo: ({ count }) => `${count} phút trước`,
  justNow: 'vừa xong',
  atTime: ({ day, time }) => `${time} ngày ${day}`,
  dayReadAs: ({ written, day }) => `${written} được hiểu là ${day}`,
  moments:
    'một ngày như 15/11/2026, 2026-02-03, today, yesterday hoặc last-week, một giờ như 2026-02-03T12:00Z, hoặc bao lâu trước: 7d, 12h, 30m',
  amount: {
    empty: `để trống: ${EXAMPLES}`,
    lostDigits: `bị mất chữ số, như bảng tính hay làm với số dài: ${EXAMPLES}`,
    percentage: `là phần trăm, không phải số tiền: ${EXAMPLES}`,
    allDigits: `phải ghi đủ các chữ số: ${EXAMPLES}`,
    none: `không phải số tiền: ${EXAMPLES}`,
    unclear: `có thể đọc theo nhiều cách: ${EXAMPLES}`,
  },
  readAsAmount: ({ amount }) => `đọc là ${grouped(amount)}\u00A0₫`,
  noSum: {
    not_an_integer: 'phải là số nguyên',
    not_safe: 'lớn hơn mức mà một số JSON giữ được chính xác',
    negative: 'không được âm',
    overflow: 'cộng lại lớn hơn mức mà một số JSON giữ được chính xác',
    not_a_list: 'phải là danh sách',
    not_an_object: 'phải là đối tượng',
  },
  smallCash: 'là tiền thu hộ dưới 1.000\u00A0₫: không ai thu ít như vậy',
  phone: {
    characters: noPhone('chỉ được có chữ số, dấu cách và + ( ) . -'),
    two: noPhone('có thể là hai số'),
    decimal: noPhone('một phần mềm đã thêm phần thập phân'),
    tooFew: ({ digits, fewest }) => noPhone(`chỉ có ${digits} số, cần ít nhất ${fewest}`),
    tooMany: ({ digits, most }) => noPhone(`có ${digits} số, nhiều nhất là ${most}`),
    foreign: 'là số nước ngoài',
    unusualBehind84: 'không giống số bắt đầu bằng +84',
    callCentre: 'là số tổng đài',
    withoutZero: 'có vẻ mất số 0 ở đầu',
    unusual: ({ digits, start }) =>
      digits < 10 ? `chỉ có ${digits} số, cần 10` : `không giống số điện thoại: có ${digits} số, bắt đầu bằng ${start}`,
  },
  birthday: {
    none: 'không phải ngày như 17/05/1990 hoặc 1990-05-17',
    monthFirst: 'ghi tháng trước; thường ghi ngày trước: 17/05/1990',
    noSuchDay: 'là ngày không có thật',
    future: 'ở trong tương lai',
    early: ({ years }) => `đã hơn ${years} năm trước`,
  },
  email: {
    none: 'không phải địa chỉ email: cần có dạng name@example.com',
    atHost: ({ host }) => `ở ${host}`,
  },
  place: {
    newer: ({ place }) => `mới hơn danh sách của shopctl, trong đó là ${place}`,
    ambiguous: ({ text, names }) => `${JSON.stringify(text)} là tên của nhiều nơi${orMeant(names)}`,
    unknown: ({ text, names }) => `${JSON.stringify(text)} không có trong danh sách địa danh${orMeant(names)}`,
    moved: ({ ward, district, written }) => `${ward} thuộc ${district}, không thuộc ${written}: gửi đến ${district}`,
    noSuchNumber: ({ ward, district, written }) =>
      `${written} không có ${ward}, ${ward} thuộc ${district}: ghi lại phường hoặc quận cho đúng`,
  },
  damage: {
    lost: 'bị hỏng chữ: mất ký tự; lấy lại file, mã UTF-8',
    misread: 'bị hỏng chữ: UTF-8 bị đọc bằng mã khác; lưu file theo UTF-8',
    legacy: ({ font }) => `viết bằng font cũ (${font}): chuyển sang Unicode`,
    masked: 'bị sàn che: ghi đầy đủ',
    noValue: 'là chữ ghi khi không có giá trị: ghi giá trị, hoặc để trống',
    unseenRemoved: 'có ký tự không nhìn thấy, đã bỏ đi',
  },
  json: {
    at: ({ fault, line, column }) => `dòng ${line}, cột ${column}: ${fault}`,
    afterValue: 'có chữ thừa sau giá trị JSON',
    separator: ({ close }) => `cần "," hoặc "${close}"`,
    key: 'cần tên trường trong dấu ngoặc kép',
    colon: 'cần ":"',
    value: 'cần một giá trị',
    escape: 'chuỗi có ký tự thoát sai',
    control: 'chuỗi có ký tự điều khiển',
    end: 'văn bản kết thúc giữa chừng',
    doubtful: ({ written, whole, broken }) =>
      `ghi là ${written}, có thể là ${grouped(whole)} hoặc ${String(broken).replace('.', ',')}: ghi giá trị muốn nói trong dấu nháy`,
    twice: ({ key }) => `trường ${key} có hai lần`,
  },
  setting: {
    profile: 'tên một profile',
    shop: 'id hoặc tên một shop',
    url: 'một url http hoặc https',
    anyUrl: 'một url',
    workspace: 'đường dẫn đầy đủ của một file, hoặc dạng postgres://user@host:5432/database',
    noPassword: 'bỏ mật khẩu khỏi địa chỉ, ghi vào PGPASSWORD hoặc ~/.pgpass',
    oneOf: ({ names }) => names.join(' hoặc '),
    format: ({ names }) => `một trong ${names.join(', ')}`,
    seconds: ({ most }) => `một số giây, lớn hơn 0 và nhiều nhất ${grouped(most)}`,
    count: 'một số nguyên',
    onOrOff: 'true hoặc false',
    orLocked: 'true, false hoặc locked',
    onOff: 'on hoặc off',
    zone: 'một múi giờ như Asia/Ho_Chi_Minh',
    days: 'số ngày, như 7d hoặc 7d,ghn=5d',
  },
  chart: {
    thousand: '\u00A0nghìn',
    million: '\u00A0tr',
    billion: '\u00A0tỷ',
    trillion: '\u00A0nghìn\u00A0tỷ',
  },
};
