import type { operationsTexts } from './texts.ts';

export const operationsVietnamese: typeof operationsTexts = {
  waiting: 'một shopctl khác đang gửi cùng bản ghi này; đang chờ kết quả',
};
