import { formatMoney } from '../domain/amounts/money.ts';
import type { slipsTexts } from './texts.ts';

export const slipsVietnamese: typeof slipsTexts = {
  why: {
    unknown: 'không có đơn này',
    cancelled: 'đơn đã hủy',
    noShipment: 'không còn vận đơn nào',
    pickedUp: 'kiện hàng đã được lấy',
    unreadable: ({ part }) => `${part} không có ký tự nào in được`,
  },
  unreadable: { name: 'tên người nhận', phone: 'số điện thoại', address: 'địa chỉ' },
  part: { recipient: 'người nhận', goods: 'hàng', note: 'ghi chú', sender: 'người gửi' },
  boxes: ({ characters, part }) => `${characters} ở phần ${part}`,
  boxesOn: ({ order, boxes }) => `đơn ${order}: in ▢ thay cho ${boxes}: viết tay lên phiếu`,
  moreBoxes: ({ count }) => `… và ${formatMoney(count)} phiếu nữa`,
  away: ({ count }) =>
    `bỏ qua ${formatMoney(count)} đơn: kiện hàng đã được lấy; ghi tên từng đơn thì in lại được phiếu`,
  none: ({ order, why }) => `đơn ${order} không có phiếu: ${why}`,
  moreNone: ({ count }) => `… và ${formatMoney(count)} đơn nữa không có phiếu`,
  noBarcode: ({ order }) => `đơn ${order} chưa có vận đơn: phiếu không có mã vạch`,
  nothing: 'không có gì để in',
  latest: ({ batch, file }) => `đợt gửi gần nhất là ${batch}, từ ${file}`,
  notTaken: 'lp không nhận: các đơn này không được tính là đã in',
  noPrinter: ({ why }) => `${why}: chưa in gì, không phiếu nào được tính là đã in`,
  noPlace: 'cần chỉ rõ nơi ghi phiếu',
  notPdf: ({ path }) => `phiếu đóng gói và phiếu soạn hàng là PDF, ghi vào file có đuôi .pdf, không phải ${path}`,
  whichOrders: 'cần chỉ rõ các đơn',
  oneWay: 'chỉ chọn đơn theo một cách',
  noOrders: ({ batch, command }) => `đợt gửi ${batch} không tạo đơn hàng: ${command}`,
};
