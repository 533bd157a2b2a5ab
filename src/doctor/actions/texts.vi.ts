import { formatMoney } from '../../domain/amounts/money.ts';
import type { doctorTexts } from './texts.ts';

const origins: Readonly<Record<string, string>> = {
  flag: 'cờ lệnh',
  environment: 'biến môi trường',
  profile: 'profile',
  settings: 'cài đặt',
  default: 'mặc định',
};

const kinds: Readonly<Record<string, string>> = { partner: 'đối tác', shop: 'shop' };

export const doctorVietnamese: typeof doctorTexts = {
  failed: ({ check, found }) => `lỗi: ${check}: ${found}`,
  toLookAt: ({ check, found }) => `cần xem: ${check}: ${found}`,
  noneYet: 'chưa có',
  settingsUnusable: 'không dùng được cài đặt',
  workspaceAway: 'không kết nối được nơi lưu dữ liệu',
  workspaceUnusable: 'không dùng được nơi lưu dữ liệu',
  batches: {
    none: 'không có đợt gửi nào dang dở',
    open: ({ count, newest }) => `${count} đợt gửi dang dở, mới nhất là ${newest}`,
    continues: ({ command }) => `\`${command}\` để tiếp tục`,
  },
  writes: {
    known: 'lệnh ghi nào cũng rõ kết quả',
    unclear: ({ count }) => `${count} lệnh ghi chưa rõ kết quả`,
  },
  listener: {
    never: 'chưa chạy lần nào',
    elsewhere: 'có thể đang chạy ở máy khác',
    runs: ({ names }) => `${names} đang chạy`,
    none: ({ waiting }) => `không chạy${waiting === 0 ? '' : `, ${waiting} thay đổi đang chờ gửi đến đích`}`,
  },
  webhooks: {
    counted: ({ count, stopped }) =>
      count === 0
        ? 'chưa có webhook nào'
        : `${count} webhook, ${stopped === 0 ? 'không có webhook nào bị dừng' : `${stopped} bị dừng`}`,
    failing: ({ count, failing }) => `${count} webhook, ${failing} đang lỗi: hệ thống đang thử lại`,
    notAsked: 'chưa hỏi hệ thống',
  },
  disk: {
    unwritable: ({ place }) => `không ghi được vào ${place}, nơi lưu đợt gửi và bản nháp`,
    unknown: 'hệ thống file này không cho biết',
    free: ({ mebibytes }) => `còn trống ${formatMoney(mebibytes)} MiB`,
  },
  database: {
    server: 'PostgreSQL, theo cài đặt "workspace"',
    driver: ({ driver, node }) => `SQLite, bằng ${driver}, trên Node ${node}`,
    slower: ({ found, why }) => `${found}, vì ${why}; chậm hơn`,
  },
  workspace: {
    unused: ({ place }) => `${place}, chưa dùng`,
    twice: ({ count, name, one, other }) => `${count} bản ghi bị tạo hai lần: ${name} là ${one} và ${other}`,
    chooseOne: 'hủy hoặc xóa bản ghi thừa',
  },
  key: {
    notFound: 'không tìm thấy hệ thống',
    accepted: ({ key }) => `${key} được chấp nhận`,
    notKnown: 'chưa biết hệ thống có chấp nhận key không',
    refused: ({ key, problem }) => `${key} bị từ chối: ${problem}`,
    noAnswer: 'không có trả lời',
    serviceFailed: 'hệ thống gặp lỗi, không nói gì về key',
    none: 'chưa có key',
    ofShop: ({ found }) => `${found}: đây là key riêng của shop`,
    inDoubt: 'key chưa chắc dùng được',
  },
  service: {
    answers: ({ status, found }) => `trả lời ${status}: ${found}`,
    notChecked: 'chưa kiểm tra',
    answered: ({ milliseconds }) => `trả lời sau ${milliseconds} ms`,
    noAddress: 'chưa biết địa chỉ',
    nothingSent: 'chưa gửi gì',
    noProxy: 'không dùng được proxy',
  },
  clock: {
    noTime: 'hệ thống không cho biết giờ',
    within: ({ seconds }) => `lệch không quá ${seconds} giây so với hệ thống`,
    days: ({ count }) => `${count} ngày`,
    hours: ({ count }) => `${count} giờ`,
    minutes: ({ count }) => `${count} phút`,
    seconds: ({ count }) => `${count} giây`,
    ahead: ({ time }) => `nhanh hơn hệ thống ${time}`,
    behind: ({ time }) => `chậm hơn hệ thống ${time}`,
  },
  version: {
    ofShopOnly: 'chỉ API key riêng của shop hỏi được',
    is: ({ service, version }) => `${service ?? 'không tên'} ${version ?? 'chưa rõ phiên bản'}`,
  },
  permissions: {
    close: ({ warnings }) => `${warnings}. Chặn lại?`,
    unwritable: ({ path, cache }) =>
      `không ghi được ${path}: không lưu được đăng nhập và cài đặt, và một bản sao dữ liệu được đặt lại chỉ được nhận ra khi còn ${cache}`,
    onlyYou: 'chỉ bạn đọc được cài đặt',
    closed: 'người dùng khác không đọc được nữa',
  },
  variables: {
    empty: ({ names }) => `có đặt nhưng trống: ${names}`,
    cure: 'cho giá trị, hoặc bỏ biến này',
  },
  profile: {
    is: ({ name, kind, origin }) => `${name}, của ${kinds[kind] ?? kind} (từ ${origins[origin] ?? origin})`,
    missing: ({ name }) => `không có profile ${name}`,
    addressElsewhere: 'không có; địa chỉ lấy từ nơi khác',
    none: 'không có',
  },
  address: ({ url, origin }) => `${url} (từ ${origins[origin] ?? origin})`,
  proxy: {
    unread: ({ name }) => `không dùng: ${name} không được đọc`,
    cure: 'cho địa chỉ proxy trong HTTPS_PROXY',
    none: 'không dùng',
    used: ({ proxy }) => `đang dùng ${proxy}`,
    failed: ({ proxy }) => `${proxy} không kết nối được`,
  },
};
