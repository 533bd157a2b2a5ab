import { normalForm } from '../service/layout.ts';

/** A word with accents in a pattern; behind `=` it counts with them alone, since without them it is another one. */
const ACCENTED = /=?\p{L}*[^\0-\x7f\P{L}]\p{L}*/gu;

/** A pattern whose words count without their accents as well, since people leave them out; whole words alone. */
function phrase(...sources: readonly string[]): RegExp {
  const source = sources
    .join('|')
    .replaceAll(ACCENTED, (word) => (word.startsWith('=') ? word.slice(1) : `(?:${word}|${normalForm(word)})`))
    .replaceAll(' ', '\\s+');
  return new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'u');
}

/** To hand a parcel to its carrier. */
const SEND = '(?:gửi|gởi|giao|ship|xuất|lên đơn|đi đơn|đi hàng)';
/** Words behind it that change nothing. */
const FILLED = '(?: (?:hàng|đơn|này|đi|vội|nữa|nhé|nha|ạ|a|em|e|chị|anh|shop|đâu|ngay|luôn|hôm nay|bây giờ|giúp|gấp))*';
const NOT = '(?:đừng|chớ|khỏi|chưa|không|ko|k|kh|hok)';
/** A day of a month, and no house, hour or weight. */
const DAY =
  '(?:0?[1-9]|[12]\\d|3[01])[/-](?:1[0-2]|0?[1-9])(?:[/-](?:20)?\\d\\d)?(?![\\d/-]|\\s*(?:h|giờ|ngày|kg|cái|k)(?!\\p{L}))';
const LATER = `(?:${DAY}|mai|mốt|cn|chủ nhật|thứ \\S+|t[2-7]|tuần sau|tháng sau|cuối tuần|đầu tuần|tết)`;
const NOT_CANCELLED = '(?<!(?:không|đừng|miễn|chưa|ko|k) (?:(?:được|cho) )?)';

/** That a parcel is not to be sent, or not now, wherever it stands in a clause. */
const heldAnywhere = phrase(
  `(?<!(?:máy|mũi) )khoan(?: (?:hãy|đã|có|vội))* ${SEND}`,
  `${NOT}(?: (?:có|vội|cần|nên))* ${SEND}${FILLED}$`,
  `chưa ${SEND} được${FILLED}$`,
  `(?:khách|kh)(?: (?:báo|đã|xin|muốn|đòi|nói|nhắn))* ${NOT_CANCELLED}hủy`,
  `(?:đã|báo|xin|muốn|yêu cầu) hủy`,
  `${NOT_CANCELLED}(?:=hủy|hủy (?:đơn|hàng|mua|luôn|rồi)|đơn hủy|cancell?ed|cancel)`,
  '(?:không|ko|k|kh) (?:lấy|mua|nhận|đặt)(?: (?:hàng|đơn))? nữa',
  'bỏ đơn|đơn (?:ảo|trùng)|trùng đơn|tạm (?:dừng|ngưng|hoãn|giữ)|(?:dời|lùi|hoãn) (?:ngày|lịch|đơn|giao|gửi|lại|sang|đến)',
);
/** The same in a text that is about the parcel alone. */
const heldInNote = phrase(
  '^khoan(?: (?:đã|hãy|nhé|nha))*$',
  '^hủy(?: (?:nhé|nha|đi|giúp))*$',
  `hẹn(?: (?:lại|giao|gửi|ship|khách|ngày|hôm|đến|tới|qua|sang|vào|sau|nhận|hàng))* ${LATER}|hẹn lại`,
  `(?:giao|gửi|gởi|ship|đi)(?: (?:hàng|đơn|vào|từ|sau|lúc|ngày|hôm|em|giúp))* ${DAY}`,
  `(?:sau|qua|ra)(?: ngày)? (?:${DAY}|tết)`,
  `để (?:mai|mốt|tuần sau|ngày|đến|tới)|(?:mai|mốt|tuần sau|hôm sau) (?:hãy|mới|hẵng) ${SEND}`,
  'giữ (?:lại|giùm|dùm|giúp|đơn)|giữ hàng(?! (?:cẩn|kỹ|khô|lạnh|nguyên))',
  '(?:=chờ|=đợi) (?:ck|chuyển khoản|cọc|hàng|xác nhận|xn|chốt|báo|tin|khách (?:xác nhận|xn|chốt|báo|ck|chuyển|cọc|nhắn))',
  'cho (?:xac nhan|xn|hang ve)|^(?:đang |tạm )?hết hàng|chưa có hàng|^bom hàng|hold|pending',
);
/** That a parcel was sent. */
const sentInNote = phrase(
  `^đã (?:gửi|gởi|giao|ship|xuất|đi|lên đơn|bàn giao)(?: (?:hàng|đơn|rồi|xong|hôm qua|hôm nay|ngày|lúc|bưu điện|${DAY}))*$`,
  '^(?:gửi|gởi|giao|ship|xuất|đi)(?: (?:hàng|đơn))? (?:rồi|xong)$',
  '^(?:xong|done|sent|shipped|delivered|completed)$',
);
const STREET = '(?:đường|phố|ngõ|hẻm|kiệt|phường|quận|huyện|xã|thôn|ấp|tỉnh|tp|q|p)';
/** That a parcel goes to another place than that of its address. */
const elsewhere = phrase(
  '(?:đổi|sửa|thay)(?: (?:lại|sang|thành|giúp|em))* (?:địa chỉ|đ\\/?c|đc)',
  '(?:địa chỉ|đ\\/?c|đc) (?:mới|khác|nhận khác)',
  `(?:giao|ship|gửi|gởi|nhận)(?: (?:hàng|đơn|giúp|em|cho))* (?:về|qua|sang|tới|đến|tại|ở)(?: [\\p{L}]+){0,2} (?:\\d+[\\d/]* \\p{L}{2,}|${STREET}\\.?\\s*(?:\\d+|[\\p{L}]+ [\\p{L}]+))`,
  `(?:giao|ship|gửi|gởi) \\d+[\\d/]*(?!\\d|h|\\s*(?:giờ|h|kg|cái|chiếc|bộ|hộp|lần|phút|ngày)) \\p{L}{2,} \\p{L}{2,}`,
);

const CLAUSES = /[,;!?()\n[\]|:]+|\.(?!\d)|(?<!\d)[-–]|[-–](?!\d)|\s[+/]\s/u;

/** What any of the phrases has, at a first look: most texts need no second. */
const MAY_BE_HELD =
  /khoan|đừng|dung|chớ|khỏi|khoi|chưa|chua|không|khong|\bko?\b|\bkh\b|hok|hủy|huỷ|huy|cancel|bỏ|bo |trùng|trung|ảo|tạm|tam|dời|doi|lùi|lui|ho[aã]n|h[eẹ]n|gi[uữ]|g[uử]i|g[oở]i|giao|ship|đi |di |sau|qua|ra |để|de |mai|mốt|mot|chờ|đợi|cho |h[eế]t|bom|hold|pending|xong|done|sent|deliver|complete|xu[aấ]t|nh[aậ]n|đổi|s[uử]a|thay|địa|dia|đc|đ\/c/iu;

/** A text as the phrases have it, by clauses; a name such as Huy is no word. */
function clausesOf(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .replaceAll(/(?<!\p{L})Huy(?!\p{L})/gu, '_')
    .toLowerCase()
    .replaceAll('huỷ', 'hủy')
    .split(CLAUSES)
    .map((clause) => clause.trim().replaceAll(/\s+/g, ' '))
    .filter((clause) => clause !== '');
}

/** Where a text stands: in a note on the parcel, or in another cell, such as a name or a code. */
export type SaidIn = 'note' | 'cell';

/** The clause by which a text says that its parcel is not to be sent as it stands; undefined if it says no such thing. */
export function heldBackBy(text: string, where: SaidIn): string | undefined {
  if (!MAY_BE_HELD.test(text)) return undefined;
  const patterns = where === 'cell' ? [heldAnywhere] : [heldAnywhere, heldInNote, sentInNote, elsewhere];
  return clausesOf(text).find((clause) => patterns.some((pattern) => pattern.test(clause)));
}

const PHONE = /(?<![\d/.])(?:\+?84[\s.-]?|0)(?:[35789](?:[\s.-]?\d){8}|2(?:[\s.-]?\d){9})(?!\d)/g;

/** So many of the last digits tell phone numbers apart, with and without the 0 or the country before them. */
const TELLING_DIGITS = 9;

/** A phone number in a text that none of the row's other cells has; undefined without one. */
export function otherPhoneIn(text: string, cells: readonly unknown[]): string | undefined {
  const digitsOf = (cell: unknown) => String(cell ?? '').replaceAll(/\D/g, '');
  return [...text.matchAll(PHONE)]
    .map(([phone]) => phone)
    .find((phone) => {
      const digits = digitsOf(phone).slice(-TELLING_DIGITS);
      return !cells.some((cell) => cell !== text && digitsOf(cell).includes(digits));
    });
}

/** Headers of codes of carriers, and of days of dispatch. */
const DISPATCH =
  /\b(?:van don|ma vd|mvd|tracking|awb|waybill|phieu gui|buu gui|ma van chuyen|ma gui|ma (?:ghn|ghtk|spx|vtp|jt))\b|^(?:ngay|gui ngay|ship ngay|ngay gio) ?(?:gui|giao|ship|di|xuat|ban giao|chuyen)?(?: hang| don| di)?$|^(?:ship|shipped|sent|dispatch|delivery) (?:date|at|on)$/;
/** A bare day is that of the order. */
const BARE_DAY = /^(?:ngay|ngay gio)$/;
/** Headers of marks that an order was sent. */
const MARK =
  /^(?:da |tinh trang |check )?(?:gui|goi|giao|ship|di|xuat|len don|ban giao|dong goi)(?: hang| don| di)?(?: chua| xong)?$|^(?:xong|done|sent|shipped|hoan thanh|check|tick|ok)$/;
const NO = /^(?:chua(?: .*)?|khong|ko|k|no|n|false|0|-+)?$/;

/** Whether a cell below such a header says that its order was sent. */
export type SaysSent = (text: string) => boolean;

/** What a filled cell below a header says of the dispatch of its order; undefined for a header that says nothing of it. */
export function dispatchOf(header: string): SaysSent | undefined {
  const form = normalForm(header);
  const isFilled = (text: string) => !NO.test(normalForm(text)) || /^[✓✔☑√]/u.test(text.trim());
  if (DISPATCH.test(form) && !BARE_DAY.test(form)) return isFilled;
  if (!MARK.test(form)) return undefined;
  // A column "Ship" may have the fee.
  return (text) => isFilled(text) && text.trim().length <= 20 && !/\d{2}[\d.,]*k?$/i.test(text.trim());
}
