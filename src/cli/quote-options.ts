import { lastMomentOf } from '../domain/last-moment.ts';
import { pickNames, type QuoteWish } from '../flows/ship/pick-quote.ts';
import type { Flag, Invocation } from './command.ts';
import { textFlag } from './request-input.ts';
import { UsageError } from './usage-error.ts';

/** The flags that say which offers are wanted, of `quote` and `ship`. */
export const quoteOptionFlags: readonly Flag[] = [
  {
    name: 'pick',
    type: 'string',
    placeholder: 'WHICH',
    description: `the offer to take: ${pickNames.join(', ')}, or the code of a service`,
  },
  { name: 'max-fee', type: 'integer', description: 'refuse a dearer offer (exit 12)' },
  {
    name: 'by',
    type: 'string',
    placeholder: 'DATE',
    description:
      'leave out what is delivered later: a day (2026-02-03, local time, its whole day) or a time with a zone',
  },
];

function feeFlag(invocation: Invocation): number | undefined {
  const text = textFlag(invocation, 'max-fee');
  if (text === undefined) return undefined;
  const fee = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(fee)) throw new UsageError('--max-fee must be a whole number');
  return fee;
}

/** The last moment that a `--by` means, in milliseconds since 1970. */
function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = lastMomentOf(text);
  if (moment !== undefined) return moment;
  throw new UsageError('--by must be a day such as 2026-02-03, or a time such as 2026-02-03T12:00Z');
}

/** What the flags say about the offers. */
export function quoteWish(invocation: Invocation): QuoteWish {
  return {
    pick: textFlag(invocation, 'pick'),
    maxFee: feeFlag(invocation),
    by: momentOf(textFlag(invocation, 'by')),
  };
}
