import type { printTexts } from './texts.ts';

const states: Readonly<Record<string, string>> = {
  default: 'Mới',
  created: 'Chờ lấy hàng',
  picking: 'Đang lấy hàng',
  holding: 'Đã lấy hàng',
  delivering: 'Đang giao',
  delivered: 'Đã giao',
  undeliverable: 'Không giao được',
  returning: 'Đang hoàn',
  returned: 'Đã hoàn',
  cancelled: 'Đã hủy',
};

const headings: Readonly<Record<string, string>> = {
  code: 'mã',
};

/** A heading of several names is the words of each. */
function heading(name: string): string {
  const whole = headings[name];
  if (whole !== undefined || !name.includes('.')) return whole ?? name;
  return name.split('.').map(heading).join(' · ');
}

export const printVietnamese: typeof printTexts = {
  yes: 'có',
  no: 'không',
  status: { Z: 'mới', S: 'đang xử lý', P: 'thành công', N: 'hủy', NS: 'trả hàng' },
  activity: { P: 'đang dùng', Z: 'mới', N: 'ngừng dùng' },
  state: (state) => states[state] ?? state,
  heading,
};
