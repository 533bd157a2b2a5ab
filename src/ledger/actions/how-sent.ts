import type { How, SentOnce } from '../once.ts';

/** What a person has to know about an order that was not simply sent by this run. */
const ways: Readonly<Record<How, string | undefined>> = {
  now: undefined,
  settled: 'its answer was lost, and it was settled by its external_id: it was created once',
  before: 'it was sent before: nothing was sent now',
  together: 'another run sent it meanwhile: it was created once',
};

/** What has to be done for another one, where an earlier run had to be told of first. */
export const ONCE_MORE = 'nobody had seen this one: run it once more with --again for another';

/** What a person has to know about a record that was created. */
export function sentNotices({
  how,
  different,
  unkept,
  beside,
  isInstead,
}: Omit<SentOnce, 'intent' | 'answer' | 'reported'>): string[] {
  const way = ways[how];
  return [
    ...(way === undefined ? [] : [way]),
    ...(isInstead === true ? [ONCE_MORE] : []),
    ...(different.length > 0 ? [`the service returned another ${different.join(', ')} than was sent`] : []),
    ...(unkept === undefined
      ? []
      : [`it was created, but the ledger could not be updated: ${unkept}; running the same command again settles it`]),
    ...(beside === undefined
      ? []
      : [
          `it was settled as not created before its answer came, and an equal one was sent meanwhile (${beside}): there may be two; check the service, and cancel one`,
        ]),
  ];
}
