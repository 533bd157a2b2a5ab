import type { How, SentOnce } from '../once.ts';
import { say } from '../texts.ts';

/** What a person has to know about an order that was not simply sent by this run. */
const wayOf = (how: How): string | undefined => (how === 'now' ? undefined : say().sent[how]);

/** What has to be done for another one, where an earlier run had to be told of first. */
export const onceMore = (): string => say().sent.onceMore;

/** What a person has to know about a record that was created. */
export function sentNotices({
  how,
  different,
  unkept,
  beside,
  isInstead,
}: Omit<SentOnce, 'intent' | 'answer' | 'reported'>): string[] {
  const way = wayOf(how);
  return [
    ...(way === undefined ? [] : [way]),
    ...(isInstead === true ? [onceMore()] : []),
    ...(different.length > 0 ? [say().sent.different({ fields: different })] : []),
    ...(unkept === undefined ? [] : [say().sent.unkept({ why: unkept })]),
    ...(beside === undefined ? [] : [say().sent.beside({ other: beside })]),
  ];
}
