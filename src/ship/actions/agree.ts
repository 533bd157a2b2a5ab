import * as z from 'zod';
import type { Person } from '../../action/ports.ts';
import { formatMoney } from '../../domain/amounts/money.ts';
import type { AcceptedService } from '../../ledger/intents/intent.ts';
import { checkFee, feeText, pickQuote, QuoteRefused, type QuoteWish } from '../offers/pick-quote.ts';
import type { ComparedService } from '../offers/quotes.ts';
import type { SendingContext } from '../send-draft.ts';

function changed(offer: ComparedService, before: AcceptedService): QuoteRefused {
  const { code, fee } = before;
  const message = `service ${code} costs ${feeText(offer.fee)} now; ${feeText(fee)} was agreed to`;
  return new QuoteRefused('fee_changed', message);
}

/**
 * Checks the current offers before sending. A fee that differs from the agreed one, higher or lower, stops: a person is
 * asked; if nobody can be, it is refused, unless it was agreed to beforehand with a maximum fee that covers it.
 */
export function agreement(wish: QuoteWish, yes: boolean, person: Person): SendingContext['agree'] {
  return async (offers, before) => {
    const offer = pickQuote(offers, { ...wish, pick: before?.code ?? wish.pick, maxFee: undefined });
    checkFee(offer, wish.maxFee);
    if (before === undefined || offer.fee === before.fee) return offer;
    if (wish.maxFee !== undefined && yes) return offer;
    if (!person.isThere) throw changed(offer, before);
    const [was, is] = [formatMoney(before.fee), formatMoney(offer.fee ?? 0)];
    const message = `The fee of ${offer.code} has changed from ${was} to ${is}. Send it anyway?`;
    if (await person.ask({ name: 'changed_fee', message, schema: z.boolean(), initial: false })) return offer;
    throw changed(offer, before);
  };
}
