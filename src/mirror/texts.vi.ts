import { formatMoney } from '../domain/amounts/money.ts';
import { decimalText } from '../domain/language.ts';
import type { mirrorTexts } from './texts.ts';

const reads = { ask: 'truy vấn', compare: 'so sánh', export: 'xuất', report: 'báo cáo' } as const;

export const mirrorVietnamese: typeof mirrorTexts = {
  nothingYet: ({ advice }) => `chưa chép gì: ${advice}`,
  ofPartner: ({ advice }) => `key của đối tác chép các đơn mà nó biết, không chép cả danh sách: ${advice}`,
  goesOn: ({ advice }) => `lần chép đầu chưa xong; sẽ tiếp tục từ chỗ dừng: ${advice}`,
  nothingTo: ({ reading }) => `chưa chép gì nên không có gì để ${reads[reading]}`,
  oneOf: ({ names }) => `cần là một trong ${names.join(', ')}`,
  field: ({ field, what }) => `${field}: ${what}`,
  query: {
    missing: 'thiếu câu truy vấn',
    fileOrStatement: 'không dùng chung với câu truy vấn: chỉ ghi một trong hai',
    written: ({ count, file }) => `đã ghi ${formatMoney(count)} dòng vào ${file}`,
    has: ({ word }) => `có ${word}`,
    begins: ({ words }) => `bắt đầu bằng ${words}`,
    empty: 'không có câu truy vấn nào',
    several: 'có nhiều câu truy vấn',
    notARead: ({ why }) => `chỉ chạy câu truy vấn đọc dữ liệu: ${why}; chưa đổi gì`,
    giveOne: 'ghi một câu SELECT, WITH, VALUES hoặc EXPLAIN',
    writes: 'câu truy vấn ghi dữ liệu; chưa đổi gì',
    writesSo: ({ message }) => `câu truy vấn ghi dữ liệu: "${message}"; chưa đổi gì`,
    unreadable: ({ place }) => `không đọc được ${place}: SQLite ghi cạnh file này, mà thư mục không cho ghi`,
    late: ({ seconds }) => `câu truy vấn bị dừng sau ${decimalText(seconds)} giây; chưa đổi gì`,
  },
  forget: {
    effect: ({ origin }) => `sẽ xóa bản sao của ${origin} cùng lịch sử các bản ghi, chép lại cũng không có lại được`,
    done: ({ advice }) => `Đã xóa bản sao cùng các phiên bản trước của bản ghi. Để có lại: ${advice}`,
    none: 'Không có bản sao: chưa xóa gì',
  },
  poll: {
    found: ({ count }) =>
      `Hỏi hệ thống thấy ${formatMoney(count)} bản ghi mà webhook chưa báo trạng thái hiện tại; chưa rõ ở giữa đã có gì`,
    failed: ({ why }) => `không hỏi được hệ thống về các thay đổi bị sót: ${why}`,
  },
  sync: {
    watchOnly: 'chỉ dùng cùng --watch',
    reach: ({ read }) =>
      `Key của đối tác không có danh sách: đã đọc ${formatMoney(read)} đơn biết được từ các lần gửi ở đây và từ webhook. Không đọc được đơn khác, khách hàng, sản phẩm và tồn kho`,
    waiting: 'Một shopctl khác đang dùng bản sao này: đang chờ xong.',
  },
  verify: {
    never: ({ areas }) => `chưa chép đủ ${areas.join(', ')} lần nào nên không so sánh được`,
    atLeastOne: 'ít nhất là 1',
    takes: ({ calls }) => `So sánh tất cả cần khoảng ${formatMoney(calls)} lượt gọi.`,
    differs: ({ compared, advice }) => `đã so sánh ${formatMoney(compared)} bản ghi; ${advice}`,
    equal: ({ compared }) => `đã so sánh ${formatMoney(compared)} bản ghi, không có gì khác`,
  },
  place: {
    noService: 'chưa biết hệ thống nào: bản sao là dữ liệu của một shop ở một hệ thống',
    severalShops: 'bản sao có bản ghi của nhiều shop',
    needsOwnKey: 'cần key riêng của shop: key của đối tác không có danh sách',
    ofOther: ({ place, origin }) => `${place} có bản sao của ${origin}; chưa đổi gì`,
    otherDatabase: ({ origin }) => `dùng cơ sở dữ liệu khác cho bản sao của ${origin}`,
    busy: ({ place, process }) =>
      `một shopctl khác${process === undefined ? '' : ` (tiến trình ${process})`} đang dùng bản sao ${place}: chưa làm gì`,
    damaged: ({ place }) => `${place} không phải bản sao, hoặc đã hỏng; đơn và đợt gửi ở nơi khác, vẫn như cũ`,
  },
};
