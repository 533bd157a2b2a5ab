import { textsIn } from './language.ts';

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;

/** What is said of times. */
export const domainTexts = {
  daysAgo: ({ count }: { count: number }) => counted(count, 'day'),
  hoursAgo: ({ count }: { count: number }) => counted(count, 'hour'),
  minutesAgo: ({ count }: { count: number }) => counted(count, 'minute'),
  justNow: 'less than a minute ago',
  /** A day and a time in a sentence. */
  atTime: ({ day, time }: { day: string; time: string }) => `${day} ${time}`,
};

export const say = textsIn('domain', domainTexts);
