import { formatMoney } from '../../domain/amounts/money.ts';
import type { printTexts } from './texts.ts';

export const printVietnamese: typeof printTexts = {
  warning: 'chú ý: ',
  nothing: 'không có gì để hiện',
  timesIn: ({ zone }) => `giờ theo ${zone}`,
  leftOut: ({ columns, width }) =>
    `màn hình ${width} cột không đủ chỗ cho ${columns.length} cột: ${columns.join(', ')}; chọn cột bằng --fields`,
  unprinted: ({ why }) => `đã xong, nhưng không in ra được: ${why}`,
  unsaved: 'chưa lưu gì, vì đây chỉ là chạy thử',
  progress: {
    waiting: ({ seconds }) => `đang chờ hệ thống, ${seconds} giây`,
    after: ({ reported, seconds }) => `${reported}, ${seconds} giây`,
    soFar: ({ records }) => `đã có ${formatMoney(records)} bản ghi`,
    ofList: ({ list, reported }) => `${list}: ${reported}`,
    of: ({ records, all, failed }) => `${formatMoney(records)} trong ${formatMoney(all)}, ${formatMoney(failed)} lỗi`,
    left: ({ reported, seconds }) => `${reported}, còn khoảng ${seconds} giây`,
    serviceWait: ({ seconds }) => `hệ thống yêu cầu chờ ${seconds} giây trước khi thử lại`,
  },
  fields: {
    names: '--fields nhận các tên cách nhau bằng dấu phẩy, ví dụ id,shipping.cod_amount',
    unknown: ({ names }) => `--fields có trường không biết: ${names.join(', ')}`,
    list: '--fields không kèm giá trị sẽ liệt kê các trường',
    none: 'không phải trường của kết quả này',
  },
  didYouMean: ({ names }) => `có phải ${names.join(', ')} không?`,
  query: {
    whereToRead: 'cách viết: https://jmespath.site',
    tooLong: ({ length }) => `--query: biểu thức ${formatMoney(length)} ký tự đọc quá lâu`,
    openQuote: ({ at, expression }) => `--query: dấu nháy ở ký tự ${at} của ${expression} chưa đóng`,
    wrong: ({ why, at, expression }) => `--query: ${why}, ở ký tự ${at} của ${expression}`,
    failed: ({ why }) => `--query: ${why}`,
    number: 'số đặt trong dấu `: [?fee > `5`]',
    assigned: ({ name, expression }) => `--query: một dấu = sau ${name} không so sánh gì trong ${expression}`,
    compare: ({ name }) => `so sánh bằng ==: ${name} == …`,
    noFunction: ({ name, at }) => `--query: không có hàm ${name}(), ở ký tự ${at}`,
    endsEarly: 'biểu thức kết thúc quá sớm hoặc có chỗ chưa đóng',
    ofList: ({ field }) => `không tìm thấy gì: kết quả là một danh sách, bắt đầu bằng [].${field}, hoặc [?…] để chọn`,
  },
  twoFormats: '--json và --output ghi hai định dạng khác nhau',
};
