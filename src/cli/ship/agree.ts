import { formatMoney } from '../../domain/money.ts';
import type { AcceptedService } from '../../flows/drafts.ts';
import type { ComparedService } from '../../flows/quotes.ts';
import { checkFee, pickQuote, QuoteRefused, type QuoteWish } from '../../flows/ship/pick-quote.ts';
import type { SendingDesk } from '../../flows/ship/send-draft.ts';
import type { Prompter } from '../../platform/prompter.ts';

function changed(offer: ComparedService, before: AcceptedService): QuoteRefused {
  const { code, fee } = before;
  return new QuoteRefused(
    'fee_changed',
    `service ${code} costs ${offer.fee ?? 'an unknown fee'} now; ${fee} was agreed to`,
    'nothing was sent; --yes with --max-fee says how far a changed fee is accepted',
  );
}

/**
 * Judges the offers of the moment before sending. A fee that is not the one agreed to, dearer or not, stops: a person is
 * asked; where nobody can be, it is refused, unless `--yes` and a `--max-fee` that covers it say that it is welcome.
 */
export function agreement(wish: QuoteWish, yes: boolean, prompter: Prompter | undefined): SendingDesk['agree'] {
  return async (offers, before) => {
    const offer = pickQuote(offers, { ...wish, pick: before?.code ?? wish.pick, maxFee: undefined });
    checkFee(offer, wish.maxFee);
    if (before === undefined || offer.fee === before.fee) return offer;
    if (wish.maxFee !== undefined && yes) return offer;
    if (prompter === undefined) throw changed(offer, before);
    const [was, is] = [formatMoney(before.fee), formatMoney(offer.fee ?? 0)];
    const message = `The fee of ${offer.code} has changed from ${was} to ${is}. Send it all the same?`;
    if (await prompter.confirm({ message, initial: false })) return offer;
    throw changed(offer, before);
  };
}
