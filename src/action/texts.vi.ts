import type { actionTexts } from './texts.ts';

export const actionVietnamese: typeof actionTexts = {
  removals: {
    'shipping cancel': 'Hủy đơn hàng và các vận đơn của đơn',
    'orders cancel': 'Hủy đơn hàng và các vận đơn của đơn',
    'shipnow cancel': 'Hủy một chuyến giao ngay',
    'customers delete': 'Xóa một khách hàng',
    'addresses delete': 'Xóa một địa chỉ',
    'groups delete': 'Xóa một nhóm khách hàng',
    'groups members remove': 'Bỏ một khách hàng khỏi nhóm',
    'products delete': 'Xóa một sản phẩm',
    'variants delete': 'Xóa một phiên bản sản phẩm',
    'collections delete': 'Xóa một bộ sưu tập',
    'collections members remove': 'Bỏ một sản phẩm khỏi bộ sưu tập',
    'webhooks delete': 'Ngừng gửi thay đổi đến một webhook',
    'batch forget': 'Xóa dữ liệu đã lưu của một đợt gửi, kể cả dữ liệu cá nhân',
    'events targets remove': 'Xóa một đích, và những thay đổi đích đó chưa nhận',
    'events prune': 'Xóa những thay đổi đã nhận trước một thời điểm',
    'mirror forget': 'Xóa bản sao dữ liệu của shop',
    'cod forget': 'Xóa một file đối soát đã nhập và các khoản của file',
    'drift forget': 'Bỏ các sai khác đã ghi nhận, hoặc tất cả',
    'sandbox snapshot restore': 'Đưa dữ liệu và đồng hồ của sandbox về một bản chụp',
    'sandbox snapshot remove': 'Xóa một bản chụp',
    'sandbox reset': 'Đưa dữ liệu về như khi sandbox bắt đầu; tài khoản và key giữ nguyên',
  },
  removal: ({ does, called, given, effect }) => {
    const what = `${does}${called === undefined ? '' : `: ${called}`}${given.length === 0 ? '' : ` (${given.join(', ')})`}`;
    return `${what}${effect === undefined ? '' : `; ${effect}`}. Chắc chắn?`;
  },
  looked: ({ called, effect }) => `${called}; ${effect}`,
  duration: {
    none: ({ path }) => `${path} không phải khoảng thời gian`,
    must: 'cần là khoảng thời gian, ví dụ 30s, 15m hoặc 24h',
  },
  port: ({ most }) => `cần từ 0 đến ${most}; 0 là một cổng còn trống`,
  unit: {
    noHome: 'không tìm thấy thư mục cá nhân để ghi file unit',
    keyLeftOut: 'key trong biến môi trường không được ghi vào unit: lưu key vào profile',
    passwordLeftOut: 'mật khẩu cơ sở dữ liệu không được ghi vào unit: ghi vào ~/.pgpass',
    none: ({ unit }) => `không có unit ${unit}: không xóa gì`,
    others: ({ units }) => `còn lại, của tên khác: ${units.join(', ')}`,
  },
};
