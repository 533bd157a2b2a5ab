import type { terminalTexts } from './texts.ts';

export const terminalVietnamese: typeof terminalTexts = {
  yes: 'Có',
  no: 'Không',
  yesOrNo: 'trả lời c hoặc k',
  moreBelow: ({ hidden }) => `còn ${hidden} dòng bên dưới`,
  more: ({ below }) => `còn ${below}`,
  nothingFound: 'Không tìm thấy',
  nothingMatches: 'không có kết quả khớp; ↓ để xuống danh sách',
  navigate: 'di chuyển',
  select: 'chọn',
};
