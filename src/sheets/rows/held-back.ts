import { readAmountText } from '../../domain/amounts/money.ts';
import { rememberingTexts } from '../../domain/canonical-text.ts';
import { isOfCancellation, paymentWords } from '../mapping/export-statuses.ts';
import { dayOf } from '../mapping/mapping.ts';
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
const PART_OF_DAY = '(?:sáng|trưa|chiều|tối)';
const WEEKDAY = '(?:thứ (?:\\d|hai|ba|tư|năm|sáu|bảy)|t[2-7]|cn|chủ nhật)';
const NOT_CANCELLED = '(?<!(?<![\\p{L}\\d])(?:không|đừng|miễn|chưa|ko|k) (?:(?:được|cho) )?)';

const SAYS = '(?:báo|bảo|nói|kêu|nhắn|đã|xin)';
/** A piece of goods, and no money, time or person. */
const PIECE = '(?!(?:k|đ|đồng|ngàn|nghìn|tr|triệu|h|giờ|phút|ngày|lần|tiếng|người|tuần|tháng)(?!\\p{L}))\\p{L}+';

/** That a parcel is not to be sent, or not now, wherever it stands in a clause. */
const heldAnywhere = phrase(
  `(?<!(?:máy|mũi) )khoan(?: (?:hãy|đã|có|vội))* ${SEND}`,
  `${NOT}(?: (?:có|vội|cần|nên))* ${SEND}${FILLED}$`,
  `chưa ${SEND} được${FILLED}$`,
  `(?:khách|kh)(?: (?:báo|đã|xin|muốn|đòi|nói|nhắn))* ${NOT_CANCELLED}hủy`,
  `(?:đã|báo|xin|muốn|yêu cầu) hủy`,
  `${NOT_CANCELLED}(?:=hủy|hủy (?:đơn|hàng|mua|luôn|rồi)|đơn hủy|cancell?ed|cancel|voided|refunded)`,
  '(?:không|ko|k|kh) (?:lấy|mua|nhận|đặt)(?: (?:hàng|đơn))? nữa',
  `${NOT} lấy nx|đừng đi(?: (?:vội|đơn))*$|do not (?:ship|send)|don'?t (?:ship|send)`,
  'đặt nhầm(?: (?:hàng|đơn|rồi|nhé|ạ))*$|ngâm(?: (?:đơn|hàng|lại))*$',
  'bỏ đơn|(?:đơn|số) ảo|đơn trùng|trùng đơn|tạm (?:dừng|ngưng|hoãn|giữ)|(?:dời|lùi|hoãn) (?:ngày|lịch|đơn|giao|gửi|lại|sang|đến)',
);
/** The same in a text that is about the parcel alone. */
const heldInNote = phrase(
  '^khoan(?: (?:đã|hãy|nhé|nha))*$',
  '^(?:tuần sau|tháng sau|mai|mốt|ngày mai|hết|xóa|xoá|gộp)$|(?:=chờ|=đợi) thêm|(?:không|ko|k|hok) (?:có|còn) hàng|xin (?:lại )?(?:địa chỉ|đc|sđt)',
  '^(?:gom|gộp)(?: (?:đơn|hàng|chung))*$|cùng đơn (?:với|chị|anh|cô|bạn|c|a)(?!.* nếu)|gửi chung \\p{L}+$|^khách ảo$',
  '^hủy(?: (?:nhé|nha|đi|giúp))*$|^(?:off|exchange)$|hỏi (?:lại )?(?:khách|kh)(?! quen)',
  `hẹn(?: (?:lại|giao|gửi|ship|khách|ngày|hôm|đến|tới|qua|sang|vào|sau|nhận|hàng))* ${LATER}|hẹn lại`,
  `(?:giao|gửi|gởi|ship|đi)(?: (?:hàng|đơn|vào|từ|sau|lúc|ngày|hôm|em|giúp))* ${DAY}`,
  `(?:sau|qua|ra)(?: ngày)? (?:${DAY}|${WEEKDAY}|tết)|${NOT}(?: (?:có|vội|cần|nên))* ${SEND}(?: (?:hàng|đơn|cho|em|e))* (?:trước|sớm hơn)(?: (?:ngày|hôm))* (?:${DAY}|${WEEKDAY}|mai|tết|(?:tuần|tháng) sau|(?:cuối|đầu) tuần)`,
  '(?:rồi|xong)(?: (?:thì|mới|hãy|hẵng))+ (?:gửi|gởi|xuất|lên đơn|đi đơn)',
  `${SEND}(?: (?:lại|hàng|đơn|khách|em))* sau${FILLED}$|^${NOT} (?:nhận|lấy|mua)(?: (?:hàng|đơn))*$`,
  `^(?:${PART_OF_DAY} )*${LATER}(?: ${PART_OF_DAY})* (?:${SEND}|đi)${FILLED}$|^từ từ(?: ${SEND})?${FILLED}$`,
  `^(?:giao|gửi|gởi|ship)(?: (?:hàng|đơn|em|vào|${PART_OF_DAY}))* (?:${WEEKDAY}|mai|mốt|tuần sau)${FILLED}$`,
  `(?:^|(?:đơn|hàng|này|khách) )bỏ(?: (?:đơn|hàng|này|luôn|nha|nhé|nhe|ạ|đi|giúp|em|rồi))*$`,
  `để (?:${LATER}|ngày|đến|tới)|(?:${LATER}|hôm sau) (?:hãy|mới|hẵng|rồi) ${SEND}`,
  `(?:=chờ|=đợi)(?: (?:đến|tới|qua|sang|hết))? ${LATER}`,
  `(?:khách|kh) (?:đổi ý|${NOT} (?:lấy|mua|nhận)(?: (?:nữa|nx|đâu|hàng|đơn))*$)|suy nghĩ`,
  `(?:khách|kh)(?: ${SAYS})* thôi(?: ${NOT}.*)?|^thôi(?: ${NOT}.*)?`,
  '(?:^|(?:khách|kh|đã|bị|đơn) )(?:bom|boom|bùng)(?: (?:hàng|đơn|rồi))*',
  // Nobody is reached.
  `^(?:khách |kh )?${NOT} (?:nghe|bắt) máy(?: (?:rồi|nữa))*$|${NOT} (?:liên (?:lạc|hệ) được|trả lời|rep)|^(?:số )?thuê bao$`,
  '(?:sđt|sdt|số|đt|số đt|số điện thoại|địa chỉ|đc) (?:bị )?(?:sai|nhầm)|(?:sai|nhầm) (?:sđt|sdt|số|đt|địa chỉ|đc)',
);
/** That a parcel waits for something, in a note or above a list. */
const waiting = phrase(
  'giữ (?:lại|giùm|dùm|giúp|đơn)|giữ hàng(?! (?:cẩn|kỹ|khô|lạnh|nguyên))',
  '(?:=chờ|=đợi) (?:ck|chuyển khoản|cọc|hàng|về|xác nhận|xn|chốt|báo|tin|khách (?:xác nhận|xn|chốt|báo|ck|chuyển|cọc|nhắn))',
  'cho (?:xac nhan|xn|hang ve|ve hang)|^(?:đang |tạm )?hết hàng|^(?:hết|thiếu) (?:hàng|(?:size|sz|cỡ|màu|mẫu|vị|mùi|loại)(?: [\\p{L}\\d]+){0,2})$|chưa (?:có|về) hàng|hàng chưa (?:có|về)|^đặt trước$|hold|pending|out of stock|sold ?out|^(?:hàng )?pre(?: ?order)?$',
  `chưa (?:chốt|cọc|xác nhận|xn|trả lời|rep)${FILLED}|${SEND} bù`,
  `^(?:đang )?(?:=chờ|=đợi)${FILLED}$|^(?:đang |tạm )?treo(?: (?:lại|tạm))*${FILLED}$|^(?:đơn )?treo$`,
);
/** That another way or another parcel brings it, or that it is no sale. */
const otherwise = phrase(
  `${SEND}(?: (?:hàng|đơn|ra|qua|theo|bằng))* (?:xe (?:khách|đò|ôm|tải|máy)|nhà xe|chành(?: xe)?|bến xe)`,
  '^(?:gửi|gởi) (?:xe|chành)$|^(?:xe (?:khách|đò|tải)|nhà xe|chành xe)$|chung (?:đơn|kiện)(?!.* nếu)|^(?:khách|kh) (?:lấy|nhận)$|tự (?:qua|đến)$|pick ?up',
  '(?:hỏa|hoả) tốc|grab|ahamove|lalamove|gojek|(?:ship|giao) (?:ngoài|riêng)',
  '^(?:shop|em|mình|nhà|bên em|chủ|nv|nhân viên) (?:tự )?(?:ship|giao|gửi|đi ship|đi giao)$|tự (?:giao|ship|lấy|nhận)',
  '(?:qua|đến|tới|ghé|tự|lên|xuống)(?: (?:shop|cửa hàng|kho|tiệm|quầy|nhà))? (?:lấy|nhận)(?! giúp)|(?:lấy|nhận)(?: hàng)? (?:tại|ở) (?:shop|cửa hàng|kho|tiệm|quầy)',
  `(?:${SEND}|đi) kèm (?:với |theo )?(?:đơn|kiện)(?!.* nếu)|(?:${SEND}|gộp|ghép|đóng)(?: (?:hàng|đơn))* (?:chung|cùng|ghép|gộp)(?: (?:với|đơn|vào|kiện)(?!.* nếu)(?: .*)?)?$|(?:gộp|ghép) (?:đơn|với|vào|kiện)`,
  'chuyển(?: (?:cho|qua|sang|về|đơn|hàng))* (?:kho|chi nhánh|cửa hàng)',
  '(?:đơn|hàng) hoàn|(?:^|đã |đang |bị |chuyển )hoàn(?: (?:hàng|đơn|tiền|về|lại|rồi|kho|shop)(?: .*)?|$)',
  '^(?:đơn |hàng )?test(?: thử)?$|(?:dòng|đơn) (?:ví dụ|thí dụ)|dòng mẫu|(?:xóa|xoá) (?:dòng này|đơn này|trước khi)|(?:example|sample) (?:row|order)',
  '(?<!(?:được|cho|có thể|nếu) )(?:=trả|tra) hàng(?! (?:nếu|cho khách|tận))|(?:hàng|đơn) =trả(?! (?:góp|tiền|sau|ngay|đủ|cho))|^đổi trả(?: (?:hàng|đơn))*$',
  'thu hồi|(?:hàng|đơn) đổi|^đổi hàng|(?:lấy|thu)(?: (?:lại|về))? hàng cũ',
);
/** What a template calls the row that shows how to fill it in; goods may be a sample, and a kit a test. */
const example = phrase(
  '(?:ví|thí) dụ(?! lịch)|vidu',
  '^(?:(?:đơn|khách|người|tên|sản phẩm|sp) )*(?:mẫu|example|sample)(?: ?\\d+)?$|^(?:(?:đơn|khách|người|hàng) )*test(?: thử)?$',
);
/** The same in a text that may give an example of something else. */
const exampleInNote = phrase('^(?:(?:ví|thí) dụ|(?:đơn |dòng )?mẫu|example|sample)$');
/** That other goods are sent than those of the row. */
const otherGoods = phrase(
  `(?<!(?:tặng|kèm|quà|cho) )thêm \\d+ ${PIECE}`,
  `(?:gửi|gởi|giao|ship|đi|lấy)(?: (?:em|e|cho|khách|kh|mình|giúp))* \\d+ ${PIECE}(?: \\p{L}+)? (?:thôi|trước)(?! (?:khi|giờ|\\d))|chỉ (?:gửi|gởi|giao|ship|lấy) \\d+ ${PIECE}`,
  `(?:(?:sửa|đổi|chuyển)(?: (?:lại|sang|thành|qua))*|lấy (?:lại|thành)) \\d+ ${PIECE}`,
  '(?<!(?:được|cho|free|hỗ trợ|có thể|miễn phí) )(?:đổi|sửa|chuyển)(?: (?:lại|sang|thành|qua))* (?:size|sz|màu|mẫu)|thay (?:cho )?(?:size|sz|màu|mẫu)',
);
/** That a parcel was sent. */
const sentInNote = phrase(
  `^(?:(?:ngày |hôm )?${DAY} )?(?:(?:các |những |ds |danh sách )*(?:đơn|hàng)(?: hàng)? )?(?:(?:ngày |hôm )?${DAY} )?đã\\s*(?:gửi|gởi|giao|ship|xuất|đi|lên đơn|bàn giao)(?: (?:hàng|đơn|rồi|xong|r|hết|đủ|cả|tất cả|toàn bộ|hôm qua|hôm nay|ngày|tháng|lúc|bưu điện|(?:cho )?(?:khách|đvvc)|ạ|nhé|nha|a|em|e|chị|anh|shop|\\d{1,2}|${DAY}))*$`,
  '^(?:gửi|gởi|giao|ship|xuất|đi)(?: (?:hàng|đơn|hết|đủ))* (?:rồi|xong|r)$|^(?:khách |kh )?đã nhận(?: được)? hàng$',
  '^(?:xong|done|sent|shipped|delivered|completed)$|^lên đơn (?:rồi|xong|r)$|^(?:đã )?(?:đi|gửi|gởi|ship)(?: (?:qua|bằng|bên))? (?:ghn|ghtk|vtp|vnp|viettel(?: post)?|spx|j&t|jt|ninja ?van|bưu điện)$',
);
/** What is written behind a name, a code or goods without a mark: "Lan đã gửi". */
const besideName = phrase(
  `đã (?:gửi|gởi|giao|ship|lên đơn)(?: (?:hàng|đơn|rồi|xong|r|${DAY}))*$|^đã (?:gửi|gởi|giao|ship)(?= )`,
  '(?:=hết hàng|chưa (?:có|về) hàng|tự lấy|(?:bom|boom) hàng)$|^(?:đừng|chớ|khỏi)(?: (?:có|vội))* (?:gửi|gởi|giao|ship)',
);
/** The same behind a mark, besides what notes say: "Na (tự lấy)", "A7/hoàn". */
const otherwiseBehind = phrase(
  'tự (?:đến |qua |ghé )?(?:lấy|nhận)|^(?:khách|kh) (?:(?:qua|đến|ghé|tự) )*(?:lấy|nhận)|(?:gộp|ghép|chung) (?:đơn|với|kiện)',
  '^(?:(?:đơn|hàng|đã|đang|bị) )?hoàn(?: (?:hàng|tiền|rồi|về))*$|^thu hồi(?: .*)?$|^đổi (?:từ|trả|hàng)(?: (?:hàng|đơn|cũ))*$',
  `^(?:giao|gửi|gởi|ship|đi)(?: (?:hàng|đơn|vào|ngày|sáng|trưa|chiều|tối))* (?:${WEEKDAY}|mai|mốt|(?:tuần|tháng) sau|cuối tuần)`,
  `^(?:(?:đã|đặt|khách) )*đổi(?: sang)? (?:địa chỉ|đc)|^đổi$|^\\d+ đơn$|^${NOT} (?:nhận|lấy|mua)`,
);
/** That an order is paid by a transfer, behind the name of whom it is for; goods may be of that brand. That it is done is told with the cash. */
const paidBehind = phrase('(?<!đã )ck$');
/** A name that is marked: "Cúc BOM", "An hoàn"; Hoàn is a name, and hoàn a pill. */
const MARKED_NAME = /(?<=\p{Ll}\s+)(?:BOO?M|HOÀN|HỦY|HUỶ)(?!\p{L})|(?<=\p{L}\s+)(?:hoàn|hủy|huỷ|boo?m)$/u;
/** A code that is: "DH-01 HOÀN". */
const MARKED_CODE = /(?<=\d[\s_.-]*)(?:hoàn|HOÀN|hoan|HOAN|hủy|HỦY|huỷ|HUỶ|huy|HUY|boo?m|BOO?M)(?!\p{L})/u;
/** Marks that say no, or stop, wherever they stand alone; in a note one that says done does as well, and a cross. */
const STOP = '❌🚫⛔🛑✗✘✖❎🔴🟥';
const MARKS = new RegExp(`^[\\s\\p{M}\\u200D.,!]*(?:[${STOP}]|\\?)[\\s\\p{P}\\p{S}\\p{M}\\u200D]*$`, 'u');
const MARKS_OF_NOTE = /^[\s\p{M}]*(?:[✅☑✔✓√🟡🟠]|x{1,3}$)[\s\p{P}\p{S}\p{M}]*$/iu;
/** The same before or behind a name or a code. */
const MARKED = new RegExp(`^\\s*[${STOP}]|(?:[${STOP}]\\p{M}*|\\?{2,})\\s*$`, 'u');
const STREET = '(?:đường|phố|ngõ|hẻm|kiệt|phường|quận|huyện|xã|thôn|ấp|tỉnh|tp|q|p)';
/** That a parcel goes to another place than that of its address. */
const elsewhere = phrase(
  '(?:đổi|sửa|thay|chuyển)(?: (?:lại|sang|thành|giúp|em))* (?:địa chỉ|đ\\/?c|đc)',
  '(?:địa chỉ|đ\\/?c|đc) (?:mới|khác|nhận khác)',
  `(?:giao|ship|gửi|gởi|nhận)(?: (?:hàng|đơn|giúp|giùm|dùm|hộ|em|e|mình|chị|anh|tôi|shop|cho))* (?:về|qua|sang|tới|đến|tại|ở)(?: [\\p{L}]+){0,2} (?:\\d+[\\d/]* \\p{L}{2,}|${STREET}\\.?\\s*(?:\\d+|[\\p{L}]+ [\\p{L}]+))`,
  `${NOT} (?:giao|ship|gửi|gởi)(?: (?:về|tới|đến|qua|ở))? (?:nhà|cơ quan|công ty|cty|chỗ làm|trường)$`,
  '(?:phường|xã|quận|huyện|tỉnh|thôn|ấp) (?:mới|đúng)',
  `(?:giao|ship|gửi|gởi) \\d+[\\d/]*(?!\\d|h|\\s*(?:giờ|h|kg|cái|chiếc|bộ|hộp|lần|phút|ngày)) \\p{L}{2,} \\p{L}{2,}`,
);

const CLAUSES = /[,;!?()\n[\]|:]+|\.(?!\d)|(?<!\d)[-–]|[-–](?!\d)|\s[+/]\s/u;

/** What any of the phrases has, at a first look: most texts need no second. */
const MAY_BE_HELD =
  /ck|khoan|đừng|dung|chớ|khỏi|khoi|chưa|chua|không|khong|\bko?\b|\bkh\b|hok|hủy|huỷ|huy|cancel|bỏ|bo |trùng|trung|ảo|tạm|tam|dời|doi|lùi|lui|ho[aàã]n|h[eẹ]n|gi[uữ]|g[uử]i|g[oở]i|giao|ship|[đd]i(?!\p{L})|sau|qua|ra |để|de |mai|mốt|mot|chờ|đợi|cho |h[eế]t|b[ou]+m|bùng|bung|hold|pending|xong|done|sent|deliver|complete|xu[aấ]t|nh[aậ]n|đổi|s[uử]a|thay|địa|dia|đc|đ\/c|th[oô]i|pre|sai|nhầm|nham|thu|test|th[eê]m|chuy[eể]n|l[aấ]y|chung|suy ngh|s[oố] [aả]o|thi[eế]u|[đd][aặ]t tr|pick|t[uự] |t[oố]c|grab|move|gojek|g[oộ]p|gh[eé]p|m[oớ]i|đúng|dung|nghe|b[aắ]t|tr[aả] h|h[aà]ng tr|ng[aâ]m|treo|t[uừ] t|x[oó][aá]|[vt]h?[ií] ?d[uụ]|m[aẫ]u|example|sample|stock|sold|void|refund|ch[iỉ] |h[oỏ]i |off|exchange|l[eê]n đ|len d|g[oộ]p|gom|c[uù]ng|xin |c[oó] h|c[oò]n h|k[eè]m|ho[aặ]c|hay |\d đơn|đ[oổ]i/iu;

/** A text as the phrases have it, by clauses; a name such as Huy is no word. */
function clausesOf(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .replaceAll(/(?<!\p{L})Huy(?!\p{L})/gu, '_')
    .toLowerCase()
    .replaceAll('huỷ', 'hủy')
    .replaceAll(/(?<=\b(?:do|don'?t|not))[-_](?=(?:not|ship|send)\b)/g, ' ')
    .split(CLAUSES)
    .map((clause) => clause.replaceAll(/^[\s\p{S}\p{M}]+|[\s\p{S}\p{M}]+$/gu, '').replaceAll(/\s+/g, ' '))
    .filter((clause) => clause !== '');
}

/**
 * Where a text stands: in a note on the parcel, or in a column that nobody reads; in a code or a name, in goods, or in an address.
 */
export type SaidIn = 'note' | 'column' | 'name' | 'goods' | 'address';

const atName = [heldAnywhere, besideName, example];
const behindName = [...atName, heldInNote, waiting, sentInNote, otherwiseBehind, otherGoods];
/** Two streets in one address, of which nobody knows the right one. */
const orElse = phrase('(?:hoặc|hay) \\d+[\\d/]* \\p{L}{2,}');
const inNotes = [heldAnywhere, heldInNote, waiting, sentInNote, elsewhere, otherwise, otherGoods, exampleInNote];

/** The marks by which a text says without a word that its parcel is not to be sent. */
function markedBy(text: string, where: SaidIn): string | undefined {
  if (where === 'note' || where === 'column')
    return MARKS.test(text) || (where === 'note' && MARKS_OF_NOTE.test(text)) ? text.trim() : undefined;
  if (where === 'goods') return OTHER_SIZE.exec(text)?.[0];
  if (where !== 'name') return undefined;
  return (MARKED_NAME.exec(text) ?? MARKED_CODE.exec(text) ?? MARKED.exec(text))?.[0];
}

/** Another size than the one before: "XL -> L". */
const OTHER_SIZE = /(?<![\p{L}\d])(?:[SML]|X+L|\d{2})\s*(?:->|→|=>)\s*(?:[SML]|X+L|\d{2})(?![\p{L}\d])/u;

/** The clause by which a text says that its parcel is not to be sent as it stands; undefined if it says no such thing. */
export function heldBackBy(text: string, where: SaidIn): string | undefined {
  const may = mayHold(text);
  return may.mark || may.phrase ? clauseIn[where](text) : undefined;
}

const clauseIn: Readonly<Record<SaidIn, (text: string) => string | undefined>> = {
  note: rememberingTexts((text) => findClause(text, 'note')),
  column: rememberingTexts((text) => findClause(text, 'column')),
  name: rememberingTexts((text) => findClause(text, 'name')),
  goods: rememberingTexts((text) => findClause(text, 'goods')),
  address: rememberingTexts((text) => findClause(text, 'address')),
};

/** Whether a text may have a mark, or one of the phrases; whichever digits it has: codes and houses differ in them alone. */
const mayHold = (text: string) => mayHaveOf(text.replaceAll(/\d/g, '0'));
const mayHaveOf = rememberingTexts((text) => ({
  mark: /[^\p{L}\d\s.,()-]|^x|hoàn|huỷ|hủy|bo+m|hoan|huy/iu.test(text),
  phrase: MAY_BE_HELD.test(text),
}));

function findClause(text: string, where: SaidIn): string | undefined {
  const may = mayHold(text);
  const marks = may.mark ? markedBy(text, where) : undefined;
  if (marks !== undefined || !may.phrase) return marks;
  // Behind a name or a code stands what is a note on it: "Lan (đã gửi)".
  const isNote = where === 'note' || where === 'column';
  const own = where === 'address' ? [orElse] : [];
  const patternsAt = (at: number) => (isNote ? inNotes : [...own, ...(at === 0 ? atName : behindName)]);
  const clauses = clausesOf(isNote ? text : text.replaceAll(/\/(?=\p{L}{2})/gu, ','));
  const isPaid = (clause: string) => where === 'name' && paidBehind.test(clause);
  return clauses.find((clause, at) => isPaid(clause) || patternsAt(at).some((pattern) => pattern.test(clause)));
}

const AMOUNT =
  '(?:\\d[\\d.,]*\\s*(?:k|tr(?:iệu)?\\d{0,3}|nghìn|ngàn|vnđ|vnd|đồng|đ|₫)|\\d{1,3}(?:\\.\\d{3})+)(?![\\p{L}\\d%])';
/** An amount that is taken off or added, one that is collected or left, and one behind a name or goods. */
const SAID_AMOUNT = new RegExp(
  `(?<![\\p{L}\\d])(?:(?<change>giảm|giam|bớt|bot|trừ|tru|thu\\s+(?:thêm|them))|thu|cod|còn|con|thiếu|thieu|nợ)(?:\\s+(?:giá|gia|còn|con|hộ|ho|lại|lai|khách|khach|em|tiền|tien|ship))*[\\s:=]*(?<said>${AMOUNT})|(?<=[\\s(=:-])(?<behind>${AMOUNT})\\)?\\s*$`,
  'iu',
);
const MAY_HAVE_AMOUNT = /\d(?:\s*[ktnvđ₫]|\.\d{3})/iu;
/** What is sold by its amount, or so much. */
const OF_AMOUNT =
  /(?<!\p{L})(?:thẻ|the|card|voucher|coupon|vé|phiếu|sim|gói|nạp|mệnh giá|đồng giá|deal|tặng|gift)(?!\p{L})/iu;
/** So much behind goods is a resolution: a camera of 4k. */
const LEAST_BEHIND = 10_000;

/** What a text that is no note says of money: the words, the amount, and whether it is a change of another one. */
export interface SaidAmount {
  readonly words: string;
  readonly amount: number;
  readonly isChange: boolean;
}

/** The amount that a name, a code, goods or an address speaks of; undefined for most texts. */
export const amountSaidIn = (text: string, where: SaidIn): SaidAmount | undefined =>
  MAY_HAVE_AMOUNT.test(text) ? amountIn[where === 'address' ? 'address' : 'name'](text) : undefined;

const amountIn = {
  name: rememberingTexts((text) => findAmount(text, true)),
  // At the end of an address a number may be that of a house.
  address: rememberingTexts((text) => findAmount(text, false)),
};

function findAmount(text: string, isBehindCounted: boolean): SaidAmount | undefined {
  const { 0: words = '', groups } = SAID_AMOUNT.exec(text.normalize('NFC')) ?? {};
  const { change, said, behind } = groups ?? {};
  if ((said ?? behind) === undefined || (said === undefined && (!isBehindCounted || OF_AMOUNT.test(text))))
    return undefined;
  const read = readAmountText((said ?? behind ?? '').trim().toLowerCase());
  if (!read.ok || (said === undefined && read.amount > 0 && read.amount < LEAST_BEHIND)) return undefined;
  return { words: words.trim(), amount: read.amount, isChange: change !== undefined };
}

/** Whether the amounts of a row, some of which may be in thousands, agree with what a text says. */
export function agrees({ amount, isChange }: SaidAmount, amounts: readonly number[]): boolean {
  const all = amounts.flatMap((one) => [one, one * 1_000]);
  if (!isChange)
    return all.some((one) => one === amount || (amount > 0 && amounts.some((count) => one * count === amount)));
  return all.some((one) => one === amount || all.includes(one - amount));
}

const COLOUR = 'xanh|đỏ|vàng|cam|tím|hồng|xám|ghi|nâu|đen|trắng|green|red|yellow|orange|gr[ae]y|blue|pink|purple';
/** What a colour of rows means: "Đỏ: khách hủy", "Màu vàng là đơn đã hủy". */
const LEGEND = new RegExp(
  `(?:^|[|,;(\\n]\\s*|(?<!\\p{L})(?:màu|mau|tô)\\s+)(?:(?:(?:màu|chữ|nền|dòng|ô|bôi|tô|gạch)\\s+)(?:(?:chéo|ngang|nền|màu)\\s+)*)?(?:${COLOUR}|gạch(?:\\s+(?:chéo|ngang))?)(?:\\s+(?:lá|dương|nhạt|đậm))?\\s*(?:[:=→–-]|(?:là|la)(?!\\p{L}))`,
  'iu',
);

/** Whether a text says of a colour that orders in it are not to be sent as they stand. */
export const isLegendOfHeld = (text: string): boolean =>
  LEGEND.test(text) && heldBackBy(text.replaceAll(/[=→]|(?<!\p{L})là(?!\p{L})/giu, ':'), 'note') !== undefined;

/** Whether a title says of all orders below it that they are not to be sent; a day in it is that of the list. */
export const isTitleOfHeld = (text: string): boolean =>
  clausesOf(text).some((clause) =>
    [heldAnywhere, otherwise, sentInNote, waiting].some((pattern) => pattern.test(clause)),
  );

/** What notes on a delivery are made of, and goods that go along; a name is a word of its own. */
const everyday = new Set(
  `gọi gọi điện điện thoại alo liên hệ nhắn trước khi giao nhận giờ hành chính hc h ngày hôm nay sáng trưa chiều tối buổi trong từ đến tới nhanh sớm gấp
  ngoài thứ cn chủ nhật hàng đơn bưu kiện dễ vỡ nhẹ tay cẩn thận kỹ kĩ chắc bọc gói đóng hộp túi bao xốp chống sốc nước khô mát lạnh giữ để trên
  xem kiểm tra đồng kiểm thử cho được giúp dùm giùm với và hoặc là thì nếu em e anh a chị c cô chú bác ông bà bạn mình shop ad người nhà khách quen vip mua
  nhé nha ạ ơi cảm ơn thanks thank you please vui lòng xin tận nơi tầng lầu phòng căn hộ chung cư tòa toà nhà số cổng cửa sảnh lễ tân bảo vệ công ty cty
  văn phòng cạnh gần đối diện sau trước chùa chợ trường học bệnh viện ngõ hẻm đường phố khu kho quầy bàn tủ kệ thang máy tặng kèm quà thiệp hoa đơn hóa
  đỏ in tem giấy xanh đen trắng hồng vàng size màu sz cái chiếc bộ đôi đúng đủ loại mẫu sp sđt sdt đt phút bảo hành tháng năm đợt lô`
    .normalize('NFC')
    .split(/\s+/)
    .flatMap((word) => [word, ...(/^(?:chùa|thứ|thử|đúng|hồng)$/u.test(word) ? [] : [normalForm(word)])]),
);
const NOT_TO_ALLOW =
  /(?<!\p{L})(?:không|khong|ko|k|miễn|đừng)\s+(?:(?:cho|được|kèm|để|giao|gửi)\s+)*(?:xem|thử|kiểm|đồng kiểm|mở|bóc|hóa đơn|bill|giá|giờ hành chính|cuối tuần|chủ nhật|cn|bảo vệ|hàng xóm)/giu;

/** A day alone, which may be that of the order, or the one on which it is to be sent. */
const BARE_DAY_NOTE = new RegExp(`^\\s*${DAY}\\s*$`, 'u');

/** Whether a note says more than how to deliver: words that nobody here knows. */
export function isUnread(text: string): boolean {
  if (BARE_DAY_NOTE.test(text)) return true;
  const words =
    text
      .normalize('NFC')
      .replaceAll(NOT_TO_ALLOW, ' ')
      .match(/[\p{L}\d]+/gu) ?? [];
  return words.some((word, at) => {
    // Behind a number it may be a street.
    const isName = at > 0 && /^\p{Lu}\p{Ll}+$/u.test(word) && !/^\d{1,4}$/.test(words[at - 1] ?? '');
    return !isName && !/^\d+(?:h|p|g|kg|cm|ml|x)?\d*$/i.test(word) && !everyday.has(word.toLowerCase());
  });
}

const PHONE = /(?<![\d/.])(?:\+?84[\s.-]?|0)(?:[35789](?:[\s.-]?\d){8}|2(?:[\s.-]?\d){9})(?!\d)/g;

/** What a phone number has, at a first look: most streets need no second. */
const MAY_BE_PHONE = /\d(?:[\s.-]?\d){8}/;

/** So many of the last digits tell phone numbers apart, with and without the 0 or the country before them. */
const TELLING_DIGITS = 9;

/** A phone number in a text that none of the row's other cells has; undefined without one. */
export function otherPhoneIn(text: string, cells: readonly unknown[]): string | undefined {
  if (!MAY_BE_PHONE.test(text)) return undefined;
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
  /^(?:da |tinh trang |check )?(?:gui|goi|giao|ship|di|xuat|len don|ban giao)(?: hang| don| di)?(?: chua| xong)?$|^(?:xong|done|sent|shipped|hoan thanh|check|tick|ok)$/;
/** What such a column has where it is that of the fee. */
const FEE = /^(?:(?:phi |ship )*\d{2,}(?: ?\d+)*k?(?: |$)|free|mien|ko thu|khong thu)/;
/** Nor does a carrier's name alone. */
const CARRIER =
  /^(?:ghn|ghtk|giao hang (?:nhanh|tiet kiem)|j ?t(?: express)?|viettel(?: ?post)?|vtp|vnp(?:ost)?|vn ?post|buu dien|ems|spx(?: express)?|shopee express|ninja ?van|njv|best(?: express)?|nhat tin|ntx|kerry|dhl|snappy)$/;
const NO = /^(?:chua(?: .*)?|khong|ko|k|no|n|false|0|-+)?$/;

/** Marks that say no. */
const CROSS = /^[\s\p{M}❌✗✘✖×∅○☐-]*$/u;

/** Whether a cell says that its order was not sent: "chưa gửi" is no reason to keep it back. */
export const isUnsent = (text: string): boolean => {
  const form = normalForm(text);
  return form === '' ? CROSS.test(text.normalize('NFC')) : NO.test(form);
};

/** Whether a cell says no in words. */
export const saysNo = (text: string): boolean => normalForm(text) !== '' && NO.test(normalForm(text));

/** Whether a cell below such a header says that its order was sent. */
export type SaysSent = (text: string) => boolean;

/** Headers of days on which a parcel arrives: one that is to come is what the buyer wishes. */
const ARRIVAL = /^ngay ?giao(?: hang)?$/;
/** What people call days to come. */
const COMING = phrase(
  '^(?:(?:hẹn|sáng|trưa|chiều|tối|ngày|giao|gửi|khoảng|vào|giữa|qua|ra|sau|trước|đến) )*(?:mai|mốt|kia|hôm sau|cn|chủ nhật|thứ \\S+|t[2-7]|(?:tuần|tháng) (?:sau|tới)|(?:cuối|đầu) (?:tuần|tháng)|tết)(?: .*)?$',
);
const MONTHS_TO_COME = 6;

/** Whether a cell is a day after another one, with or without its year, or a word for days to come. */
function isToCome(text: string, today: string): boolean {
  if (isAfter(text.trim(), today)) return true;
  const [, day = '', month = ''] = /^\s*(\d{1,2})[/.-](\d{1,2})\s*$/.exec(text) ?? [];
  if (month === '') return COMING.test(text.normalize('NFC').toLowerCase());
  const [, ofMonth = '', ofDay = ''] = today.split('-');
  const ahead = (Number(month) - Number(ofMonth) + 12) % 12;
  return ahead === 0 ? Number(day) > Number(ofDay) : ahead <= MONTHS_TO_COME;
}

/** The day with its year in a cell, like 2026-01-31, whether a time stands beside it or not. */
function dayIn(text: string): string | undefined {
  const [, day = ''] = /^(?:\d{1,2}:\d\d\S*\s+)?(\d[\d./-]*)(?:[T\s]+\d{1,2}:\d\d.*)?$/.exec(text.trim()) ?? [];
  return /^\d{4}-/.test(day) ? day.slice(0, 10) : dayOf(day, /\d{4}$/.test(day) ? 'DD/MM/YYYY' : 'DD/MM/YY');
}

const isDay = (text: string): boolean => dayIn(text) !== undefined;

/** Whether a cell is a day after another one, which is like 2026-01-31. */
export const isAfter = (text: string, day: string): boolean => (dayIn(text) ?? '') > day;

/** Headers of orders that came back, or are not to be sent; of days that were agreed with the buyer; and of payments. */
const AGAINST =
  /^(?:da |tinh trang |check )?dong goi(?: hang| don)?(?: chua| xong)?$|\b(?:huy|bo+m|bung|giu(?! (?:lanh|kho|nhiet))|hoan(?! (?:thanh|thien|tat))|doi tra|tra hang|hang tra)\b/;
const NOT_AGAINST = /\b(?:phi|cuoc|gia|chinh sach|bao hanh|thoi han|gio)\b/;
const AGREED_DAY = /\bhen\b/;
// "TT" alone may be a running number.
const OF_PAYMENT = /^tt$|\b(?:(?<= )tt|httt|pttt|thanh toan|ck|chuyen khoan|da (?:coc|tra|thu)|paid|payment)\b/;
/** Whether a header speaks of how, or whether, an order is paid. */
export const isOfPayment = (header: string): boolean => OF_PAYMENT.test(normalForm(header));
/** What is said before and behind a word of payment, and what payments in advance are called in marks besides those of exports. */
const AROUND_PAYMENT = /^(?:(?:da|khach|kh) )+|(?: (?:roi|r|du|het|xong|coc|ngan hang))+$/g;
const MARKED_PAID =
  /^(?:tt|thanh toan(?: online)?|chuyen khoan|bank|zalo pay|vn pay|shopee pay|vcb|vietcombank|tcb|techcombank|mb(?: ?bank)?|acb|bidv|agribank|vietinbank|vp ?bank|tp ?bank|sacombank|atm|coc|du|roi|xong)$/;
const paidForms = new Set(paymentWords.paid.map(normalForm));
const cashForms = new Set(paymentWords.cash.map(normalForm));
/** Whether a text says that it is paid already, or by a transfer. */
export const saysPaid = (text: string): boolean => {
  const form = normalForm(text);
  const method = form.replaceAll(AROUND_PAYMENT, '');
  return [form, method].some((one) => paidForms.has(one) || MARKED_PAID.test(one));
};
const TICK = /^(?:x{1,3}|v|1|true|yes|y|co|ok|done|[✓✔☑√✅●•■])\p{M}*$/iu;

/** Headers of ways to pay, below which each word may leave open whether cash is collected. */
const OF_METHOD =
  /\b(?:hinh thuc|phuong thuc|cach)\b|\b(?:httt|pttt)\b|^(?:trang thai |tinh trang )?(?:thanh toan|tt)$|\bpayment\b/;
/** What says there that an order is not paid yet. */
const UNPAID = /^(?:chua\b.*|unpaid|pending|not paid|cho (?:thanh toan|tt|ck|xac nhan)|dang cho(?: .*)?)$/;
const LONGEST_METHOD = 40;
/** Whether a text below such a header is a word of payment that says neither that it is paid nor that it is not. */
const isUnknownMethod = (text: string): boolean => {
  const form = normalForm(text);
  if (/^\d\s*\/\s*\d$|^\d{1,2}\s*%$/.test(text.trim())) return true;
  if (!/[a-z]{2}/.test(form) || /\d{3}/.test(form) || text.length > LONGEST_METHOD) return false;
  return !UNPAID.test(form) && !/\bcod\b/.test(form) && !cashForms.has(form) && !cashForms.has(`${form} hang`);
};

/** What a column that nobody reads may say of its orders by its header: a cell of it as an answer names it, or nothing. */
export interface UnreadMeaning {
  readonly isOfPayment: boolean;
  /** Whether it is asked if its orders are sent, or if they collect cash. */
  readonly id: 'status' | 'payment';
  readonly nameOf: (text: string) => string | undefined;
}

/** What Shopify says of goods that go by no parcel, such as a gift card. */
const REQUIRES_SHIPPING = /\brequires shipping$/;
const OF_NOTE = /\b(?:ghi chu|notes?|note attributes|luu y)\b/;
/** Whether a header speaks of notes: a word of a state among them is none of all orders. */
export const isOfNotes = (header: string): boolean => OF_NOTE.test(normalForm(header));
const FULL_DAY = /\d{4}-\d\d-\d\d|\d{1,2}[/.-]\d{1,2}[/.-]20\d\d/;

/** What a cell of such a column is called; undefined where it says nothing. */
type NameOf = UnreadMeaning['nameOf'];

/** The words of payment below a header, and marks with the header: "Đã TT: x". */
function paymentNames(form: string, named: (text: string) => string): NameOf {
  const isMethod = OF_METHOD.test(form);
  const wordOf = rememberingTexts((text) => {
    // A debt is no "no".
    if (isMethod && /^nợ$/iu.test(text.normalize('NFC'))) return text;
    if (isUnsent(text)) return undefined;
    if (TICK.test(text)) return named(text);
    return saysPaid(text) || (isMethod && isUnknownMethod(text)) ? text : undefined;
  });
  // "TT" above numbers counts the rows.
  return (text) => (form === 'tt' && /^\d+$/.test(text) ? undefined : wordOf(text));
}

/** Days to come, and what fills a column against sending, below a header. */
const dayNames =
  (form: string, today: string, named: (text: string) => string): NameOf =>
  (text) => {
    if (isUnsent(text)) return undefined;
    const isAgreed = AGREED_DAY.test(form);
    if (!isAgreed && !ARRIVAL.test(form)) return named(isDay(text) || FULL_DAY.test(text) ? 'a day' : text);
    const isComing = today !== '' && isToCome(text, today);
    if (isDay(text)) return isComing ? named('a day to come') : undefined;
    return isAgreed || isComing ? named(text) : undefined;
  };

const MAY_BE_PAID = /ck|kho[aả]n|to[aá]n|paid|bank|momo|pay/iu;
const PAID_ALONE =
  /^(?:(?:(?:da|khach|kh) )*(?:ck|chuyen khoan)|(?:(?:da|khach|kh) )+thanh toan)(?: (?:roi|r|du|het|xong|truoc|ngan hang))*$|^(?:paid|prepaid|banking|bank transfer|(?:vi )?(?:momo|zalopay|vnpay|shopeepay))$/;
/** Words that speak of a payment below any header. */
const paidAlone: UnreadMeaning = {
  isOfPayment: true,
  id: 'payment',
  nameOf: rememberingTexts((text) =>
    text.length <= LONGEST_METHOD && MAY_BE_PAID.test(text) && PAID_ALONE.test(normalForm(text)) ? text : undefined,
  ),
};

/** What a column that nobody reads says of its orders, as of a day like 2026-01-31; undefined where the header speaks of something else. */
export function meaningOfUnread(header: string, today = ''): UnreadMeaning | undefined {
  const form = normalForm(header.slice(header.lastIndexOf(':') + 1));
  if (NOT_AGAINST.test(form)) return undefined;
  const named = (text: string) => `${header.trim()}: ${text}`;
  const asked = (nameOf: NameOf): UnreadMeaning => ({ isOfPayment: false, id: 'status', nameOf });
  if (OF_PAYMENT.test(form)) return { isOfPayment: true, id: 'payment', nameOf: paymentNames(form, named) };
  if (REQUIRES_SHIPPING.test(form))
    return asked((text) => (saysNo(text) || /^false$/i.test(text) ? named(text) : undefined));
  if (AGREED_DAY.test(form) || ARRIVAL.test(form) || AGAINST.test(form) || isOfCancellation(header))
    return asked(dayNames(form, today, named));
  if (!OF_NOTE.test(form) || today === '') return paidAlone;
  return asked((text) => (isAfter(FULL_DAY.exec(text)?.[0] ?? '', today) ? named('a day to come') : undefined));
}

/** Whether a text says that something else becomes of a parcel than that a carrier has it: "tự lấy", "grab". */
const isOtherwise = (text: string) =>
  clausesOf(text).some((clause) =>
    [heldAnywhere, heldInNote, waiting, otherwise].some((pattern) => pattern.test(clause)),
  );

/**
 * What a filled cell below a header says of the dispatch of its order, as of a day like 2026-01-31; undefined for a header that says
 * nothing of it.
 */
export function dispatchOf(header: string, today?: string): SaysSent | undefined {
  // What stands before a colon says who fills it: "Shop điền: đã gửi?".
  const form = normalForm(header.slice(header.lastIndexOf(':') + 1));
  const isFilled = (text: string) => !isUnsent(text);
  if (ARRIVAL.test(form) && today !== undefined) return (text) => isFilled(text) && !isToCome(text, today);
  if (DISPATCH.test(form) && !BARE_DAY.test(form)) return isFilled;
  if (!MARK.test(form)) return undefined;
  // A column "Ship" may have the fee, who carries it, or that nobody does.
  const isMark = (text: string) => text.trim().length <= 20 && !FEE.test(normalForm(text)) && !isOtherwise(text);
  return (text) => isFilled(text) && isMark(text) && !CARRIER.test(normalForm(text));
}
