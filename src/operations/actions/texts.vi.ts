import { formatMoney } from '../../domain/amounts/money.ts';
import type { operationsTexts } from './texts.ts';

export const operationsVietnamese: typeof operationsTexts = {
  waiting: 'một tiến trình khác đang gửi cùng bản ghi này; đang chờ kết quả',
  exampleName: 'external_id này chỉ là ví dụ: khi gửi sẽ có mã của sổ gửi, hiện chưa có sổ đó',
  notReadBeside: ({ names, why }) => `không đọc được ${names.join(', ')}: ${why}`,
  done: ({ command, name }) => `xong: ${command}${name === undefined ? '' : ` ${name}`}`,
  parcelFailed: ({ code, message }) =>
    `một vận đơn của đơn hàng bị lỗi: ${message === undefined ? code : `"${message}" (${code})`}`,
  illustration: 'đây là minh họa, không phải dữ liệu của shop: hệ thống chưa có chức năng này',
  notSeen: 'câu trả lời không cho biết là đơn hàng nào, hay vận đơn đã được lấy chưa: chưa gửi gì',
  named: {
    id: 'id',
    code: 'mã',
    external_id: 'external_id',
    external_code: 'external_code',
    shipping_code: 'mã vận đơn',
    workspace: 'tên đã gửi từ máy này',
    withoutRecord: 'câu trả lời không cho biết bản ghi nào có tên này',
    none: ({ text, latest }) =>
      `không có gì tên là ${text}: không phải id, mã, external_id hay mã vận đơn${latest === undefined ? '' : `, cũng không phải external_code của ${formatMoney(latest)} đơn mới nhất`}`,
    several: ({ text, count, records }) => `${text} là tên của ${count} bản ghi: ${records.join('; ')}`,
    record: ({ called, id, by }) => `${called}, ${id}, theo ${by.join(' và ')}`,
  },
  list: {
    format: ({ path }) => `danh sách chỉ ghi được vào file .csv, .xlsx hoặc .jsonl, không ghi được vào ${path}`,
    negative: 'không được âm',
    atLeastOne: 'ít nhất là 1',
    lookedAt: ({ read, found }) => `đã xem ${formatMoney(read)} bản ghi, hiện ${formatMoney(found)}`,
    leftOut: ({ path, message, id }) =>
      `bỏ qua một bản ghi không đọc được: ${path}: ${message}${id === undefined ? '' : ` (id ${id})`}`,
    moreLeftOut: 'còn các bản ghi khác không đọc được, cũng bỏ qua',
    noState: ({ state, known }) => `${state} không phải trạng thái nào trong ${known.join(', ')}`,
    stateOfParcel: ({ state, known }) =>
      `${state} không phải trạng thái nào trong ${known.join(', ')}; đó là trạng thái của vận đơn: xem danh sách fulfillments`,
    noWords: 'cần có chữ hoặc số',
    moment: ({ examples }) => `cần là ${examples}`,
  },
  api: {
    path: ({ path }) => `${path} không phải đường dẫn của một thao tác`,
    noRecord: 'không phải một bản ghi',
    again: 'chỉ dùng khi tạo bản ghi có external_id',
    unguarded: 'không có gì bảo vệ lệnh ghi này: chạy lại có thể tạo thêm một bản ghi nữa',
    noTable: 'câu trả lời của một thao tác bất kỳ không có bảng',
    unknown: ({ id }) => `không có thao tác ${id}`,
    didYouMean: ({ id, near }) => `không có thao tác ${id}; có phải ${near} không?`,
  },
  noCommand: ({ words }) => `không có lệnh nào tên là ${words}`,
};
