import type { Cell, TableSheet } from '../../../src/sheets/formats/sheet.ts';
import { columnLetters } from '../../../src/sheets/formats/sheet.ts';

/** The header of the order sheet, with the line breaks and additions of the service's template. */
export const orderHeader = [
  'Mã đơn hàng',
  'Tên khách hàng',
  'Số điện thoại',
  'Mã phiên bản sản phẩm',
  'Tên phiên bản sản phẩm',
  'Số lượng',
  'Đơn giá',
  'Thành tiền\n(trước giảm giá)',
  'Giảm giá\n(%)',
  'Giảm giá\n(₫)',
  'Thành tiền\n(sau giảm giá)',
  'Tổng số lượng sản phẩm',
  'Tổng khối lượng (kg)',
  'Địa chỉ giao hàng',
  'Địa chỉ giao hàng (tỉnh)',
  'Địa chỉ giao hàng (quận/huyện)',
  'Địa chỉ giao hàng (phường/xã)',
  'Ghi chú giao hàng',
  'Ghi chú xem hàng',
  'Tổng tiền hàng (trước giảm giá)',
  'Tổng tiền hàng (sau giảm giá)',
  'Giảm giá đơn hàng (₫)',
  'Phí giao hàng tính cho khách',
  'Thuế',
  'Phí khác',
  'Tổng phí',
  'Tổng tiền thanh toán (khách trả)',
  'Tiền thu hộ (COD) shop nhập',
  'Thu hộ',
  'VUI LÒNG KHÔNG SỬA cột này!',
  'Số dòng sản phẩm',
];

/** One order of one row, as the template fills it: 2 × 175,000 less 35 %. */
export const orderCells: Readonly<Record<string, Cell>> = {
  'Mã đơn hàng': 'A-1',
  'Tên khách hàng': 'Nguyễn Thị Lan',
  'Số điện thoại': 901234567,
  'Tên phiên bản sản phẩm': 'Áo khoác gió',
  'Số lượng': 2,
  'Đơn giá': 175_000,
  'Thành tiền\n(trước giảm giá)': 350_000,
  'Giảm giá\n(%)': 0.35,
  'Thành tiền\n(sau giảm giá)': 227_500,
  'Tổng khối lượng (kg)': 0.119,
  'Địa chỉ giao hàng': '12 ngõ 5',
  'Địa chỉ giao hàng (tỉnh)': 'Hà Nội',
  'Địa chỉ giao hàng (quận/huyện)': 'Cầu Giấy',
  'Địa chỉ giao hàng (phường/xã)': 'Dịch Vọng',
  'Ghi chú xem hàng': 'Cho xem hàng không thử',
  'Tổng tiền hàng (sau giảm giá)': 227_500,
  'Phí giao hàng tính cho khách': 30_000,
  'Tổng phí': 30_000,
  'Tổng tiền thanh toán (khách trả)': 257_500,
  'Tiền thu hộ (COD) shop nhập': 257_500,
  'Thu hộ': 'Có',
  'VUI LÒNG KHÔNG SỬA cột này!': 1,
  'Số dòng sản phẩm': 1,
};

/** A table with that header and these lines, each by the names of its columns; the first line is the second of the sheet. */
export function tableOf(header: readonly string[], lines: readonly Readonly<Record<string, Cell>>[]): TableSheet {
  return {
    kind: 'table',
    columns: header,
    lines: (async function* () {
      for (const [index, line] of lines.entries()) {
        yield { line: index + 2, cells: header.map((column) => line[column] ?? '') };
      }
    })(),
    cellName: (line, column) => `Orders!${columnLetters(column)}${line}`,
    style: {},
  };
}
