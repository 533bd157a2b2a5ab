/** Words and phrases, looked up among the words of a text. */
export interface WordList {
  /** How many words of `words` from `at` on are an entry: the longest one, 0 for none. */
  at(words: readonly string[], at: number): number;
  has(word: string): boolean;
  /** Whether a word is an entry as it is written: "Minh" is not "mình". */
  is(word: string): boolean;
}

const MARKS = /\p{M}/gu;
const folded = (text: string) => text.normalize('NFD').replace(MARKS, '').replaceAll('đ', 'd');
const bare = (word: string) => word.toLowerCase().replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');

/**
 * A list of words, separated by commas. A word that is written without diacritics may be any of that spelling; one with
 * them is only itself: "ban" may be "bàn", "bán" is not.
 */
function wordList(text: string): WordList {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase().normalize('NFC'));
  const all = new Set(entries.flatMap((entry) => (entry.split(' ').length === 1 ? [entry, folded(entry)] : [entry])));
  const phrases = entries.filter((entry) => entry.includes(' ')).map((entry) => entry.split(' '));
  const isWord = (word: string | undefined, of: string) => {
    const own = bare(word ?? '');
    return own === of || (own === folded(of) && own === folded(own));
  };
  const has = (word: string) => all.has(bare(word));
  return {
    has,
    is: (word) => entries.includes(bare(word)),
    at: (words, at) => {
      const fits = phrases.filter((phrase) => phrase.every((of, index) => isWord(words[at + index], of)));
      const longest = Math.max(0, ...fits.map((phrase) => phrase.length));
      return longest > 0 ? longest : has(words[at] ?? '') ? 1 : 0;
    },
  };
}

/** With what a street begins. */
export const streets =
  wordList(`số, số nhà, sn, ngõ, ngách, hẻm, kiệt, đường, phố, thôn, ấp, xóm, tổ, tổ dân phố, tdp, khu, khu phố, kp,
  kdc, kđt, kcn, ktx, ký túc xá, khóm, khối, bản, đội, chợ, chung cư, cc, cty, công ty, tòa, toà, tòa nhà, toà nhà, lầu, tầng, sạp, nhà, lô,
  căn, căn hộ, phòng, block, quốc lộ, tỉnh lộ, km, bệnh viện, trường, biệt thự, cổng, cổng sau, cổng trước, lễ tân, bến xe, bưu điện, gara,
  tiệm, nhà hàng, nhà thuốc, quán, cạnh, đối diện, gần, sau lưng, buôn, làng, thpt, thcs, apt, cơ quan, vp, văn phòng, kho`);

/** Words that are goods or count them: "2 hộp", "1 áo". */
export const goodsWords =
  wordList(`cái, chiếc, bộ, set, combo, đôi, cặp, hộp, gói, túi, chai, lọ, hũ, hủ, thùng, bao, bịch, cuộn, cuốn, quyển,
  cây, con, tấm, kg, ký, kí, cân, mét, bó, chậu, bình, lon, tuýp, vỉ, viên, lít, thỏi, xấp, ly, giỏ, áo, quần, váy, đầm, giày, dép, bốt, balo,
  ba lô, ví, mũ, nón, khăn, tất, vớ, kem, son, serum, toner, sữa, bánh, kẹo, trà, chè, cà phê, nồi, chảo, quạt, đèn, máy, tai nghe, sạc, loa,
  đồng hồ, kính, vòng, nhẫn, dây, gối, chăn, ga, drap, mền, ghế, bàn, kệ, tủ, sách, vở, bút, ốp, chuột, bàn phím, gấu, thú, xe, mặt nạ, tẩy trang,
  nước, dầu, thuốc, mật ong, khô, mực, gạo, cần, mồi, yếm, thắt lưng, kẹp, vali, lều, mẫu, mã, lót, nến, thiệp, hoa, đồ, bình, tượng, phone,
  micro, mic, robot, vải, amply, loa, quả, trái, lều, bia, laptop, chì mày, chì kẻ, cọ, lược, găng, tạp dề, rèm, thảm, chậu, giá, móc, bỉm, tã`);

/** Goods that are no part of others: a number of them at the end is one more, "2 áo 1 quần". */
export const separateGoods =
  wordList(`áo, quần, váy, đầm, giày, dép, bốt, balo, ví, mũ, nón, khăn, tất, vớ, kem, son, serum, toner, sữa, kẹo, trà, cà phê, nồi, chảo, quạt,
  máy, sạc, loa, kính, nhẫn, gối, chăn, drap, mền, bàn, kệ, tủ, sách, vở, bút, ốp, chuột, gấu, yếm, vali, lều, nến, thiệp, hoa, laptop, lược, găng, rèm, thảm`);

/** Parts of goods: "áo hai dây", "vali 4 bánh". */
export const partsOfGoods = wordList(`dây, bánh, con, mẫu, mã, quả, trái, giá`);

/** Words that count goods, behind them: "quạt 2 cái". */
export const counters =
  wordList(`cái, chiếc, bộ, set, đôi, cặp, hộp, gói, túi, chai, lọ, hũ, hủ, thùng, bao, bịch, cuộn, cuốn, quyển, cây, con,
  tấm, bó, chậu, bình, lon, tuýp, vỉ, viên, thỏi, c, ch, sp`);

/** Colours and sizes: they say which of the goods, and are none. */
export const attributes =
  wordList(`đen, trắng, đỏ, xanh, vàng, be, hồng, tím, nâu, xám, kem, cam, ghi, bạc, than, rêu, navy, s, m, l, xl, xxl,
  2xl, 3xl, size, sz, cỡ, màu, nhạt, đậm, lá, freesize`);

/** What follows a number that counts no goods: "2 ngày", "3 tầng". */
export const notGoods =
  wordList(`ngày, giờ, h, g, phút, p, tuần, tháng, năm, người, lần, trăm, nghìn, ngàn, triệu, tr, k, tầng, tuổi, đứa, đơn,
  ạ, nha, nhé, bên, chỗ, địa chỉ, số, sđt, thứ, chủ nhật, sáng, trưa, chiều, tối, chị, anh, bạn, ship, lớp, hẻm, ngõ, ngách, đường, phố, phường`);

/** People say these of themselves and of the shop. */
export const people =
  wordList(`em, e, mình, mh, m, tôi, tui, tớ, t, chị, c, anh, a, cháu, con, cô, chú, bác, bạn, b, khách, kh, shop, sốp, ad,
  admin, mn, ch`);

/** What people do with goods. */
export const ordering = wordList(`lấy, mua, đặt, order, chốt, cần, xin, gửi, ship, cho, giao, chọn`);
/** What stands beside it. */
export const besideOrdering = wordList(
  `muốn, thêm, giúp, giùm, dùm, hộ, nhanh, trước, trc, được, đơn, hàng, để, bù, sỉ, vợ, mẹ, bé, ba, bạn, nhà, lại, nếu, còn, có, đã`,
);

/** In front of a name. */
export const titles = wordList(
  `chị, c, anh, a, em, e, cô, chú, bác, bà, ông, mr, ms, mrs, mẹ, bố, ba, má, bé, dì, cậu, thím, dượng, thầy`,
);

/** With what names of families begin. */
export const surnames =
  wordList(`nguyễn, trần, lê, phạm, hoàng, huỳnh, phan, vũ, võ, đặng, bùi, đỗ, hồ, ngô, dương, lý, đào, đoàn, vương, trịnh,
  trương, đinh, lâm, mai, phùng, tô, tạ, hà, lương, cao, châu, chu, thái, tăng, quách, thạch, sơn, kiều, từ, tôn, lưu, la, lại, mạc, nông, lò,
  vàng, vừ, giàng, hứa, triệu, khúc, khổng, văn, viên, ninh, nghiêm, doãn, đàm, đồng, cù, cung, diệp, giang, hàn, kim, lục, lữ, ma, mã, nhan, ông,
  phí, phó, quan, quản, sầm, tiêu, tống, trà, trường, úng, ưng, âu, bạch, bành, bế, biện, ca, cấn, cẩm, chung, danh, dư, hầu, hạ, mẫn, thân, thi, thiều, y`);

/** Words that no name holds: what people do, and what they say between. */
export const notNames =
  wordList(`ơi, oi, lấy, gửi, đặt, muốn, mua, cần, chốt, ở, là, tên, xin, ck, bank, đang, có, nhận, cho, hỏi, ship, giao, order, này, được,
  không, ko, thêm, đổi, trả, cod, sđt, sdt, chuyển, khoản, đã, chưa, tổng, đơn, hàng, gấp, giúp, nhà, với, cái, bữa, hôm, tiền, ib, rồi,
  nhé, nha, bên, như, theo, địa, chỉ, số, hoặc, lẻ, tiệm, quán, công, cty, hihi, alo, chào, thông, tin, freeship, phí, về, tới, và, vậy,
  stk, công nợ, order, đúng, còn, hẹn, gọi, trước, sau, xem, kiểm, cọc, giảm, sale, thanh toán, mặt, loại, cùng, hộ, luôn, đi, mấy, hay`);

/** Talk that says nothing of an order: a piece of only such words is left out. */
export const talk =
  wordList(`ạ, a, ah, á, nha, nhá, nhé, nhe, nghen, nghe, hen, nè, ne, nhen, shop, ad, ơi, oi, đi, luôn, rồi, r, với, dạ, da, vâng, ok, oke, alo, hi,
  hello, chào, em, e, chị, c, anh, a, bạn, b, mình, m, mn, cảm ơn, cám ơn, thanks, tks, please, giúp, giùm, dùm, hộ, cho, gửi, thông, tin, đơn, hàng, đặt,
  trân trọng, kính, muốn, vui, lòng, nhờ, lại, đây, là, địa, chỉ, số, sđt, đt, điện, thoại, này, việt, nam, hihi, của, khách, order, tt, ship, giao,
  lấy, mua, hdt, tôi, tui, tớ, nữa, để, xin, ch, sp, thế, hoặc, nhận, về, ở, nha, cô, chú, gọi, nhe`);

/** Words of money beside an amount that is read or shown. */
export const moneyTalk =
  wordList(`giá, tiền, tổng, cộng, phí, ship, cod, thu, hộ, khách, cả, còn, lại, hết, là, gồm, bao, đã, đơn, hàng, vnd, vnđ, đ, đồng, thanh, toán,
  thành, trả, khi, nhận, lúc, mặt, luôn, em, e, chị, c, anh, a, mình, m, shop, nha, nhé, ạ, nghen, giúp, free, freeship, có, áo, cái, em, đưa, sau, pttt, giảm,
  con, cash, xong, rồi, nốt, đúng, không, ko, trị, th, cước, được, ck, chuyển, khoản, tính, và, rồi, sale, đủ, r`);

/** Numbers as words; without diacritics most of them are other words, too. */
export const numberWords: Readonly<Record<string, number>> = {
  một: 1,
  mot: 1,
  hai: 2,
  ba: 3,
  bốn: 4,
  bon: 4,
  năm: 5,
  sáu: 6,
  bảy: 7,
  tám: 8,
  chín: 9,
  mười: 10,
};

/** Measures: a number of them names no goods. */
export const measures = wordList(`kg, ký, kí, ky, ki, cân, mét, lít, g, ml, cm, inch, món, size`);

/** What stands behind goods and is none: "như hình", "giao chiều". */
export const behindGoods =
  wordList(`như, theo, giống, giao, ship, gửi, về, tới, nhận, gấp giúp, nhanh, hôm nay, hnay, mai giao, đúng không, phải không,
  đúng ko, dc không, được không, dc k, đi, thôi, giá, cần gấp, giúp, giùm, nhe, nhé`);

/** What takes back what was said before. */
export const takenBack = wordList(`nhầm, lộn, giỡn, đùa, quên, hay, hoặc là`);
