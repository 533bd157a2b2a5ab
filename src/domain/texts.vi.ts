import type { domainTexts } from './texts.ts';

export const domainVietnamese: typeof domainTexts = {
  daysAgo: ({ count }) => `${count} ngày trước`,
  hoursAgo: ({ count }) => `${count} giờ trước`,
  minutesAgo: ({ count }) => `${count} phút trước`,
  justNow: 'vừa xong',
  atTime: ({ day, time }) => `${time} ngày ${day}`,
};
