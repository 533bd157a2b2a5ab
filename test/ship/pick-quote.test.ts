import { describe, expect, it } from 'vitest';
import { offeredServices, pickQuote, QuoteRefused } from '../../src/ship/pick-quote.ts';
import { compareQuotes, type Service } from '../../src/ship/quotes.ts';
import { fc } from '../support/fast-check.ts';

const pickedUp = Date.parse('2026-01-31T08:00:00Z');
const after = (hours: number) => new Date(pickedUp + hours * 3_600_000).toISOString();

const service = (code: string, fee: number | null, hours: number | null): Service => ({
  code,
  fee,
  estimated_pickup_at: after(0),
  estimated_delivery_at: hours === null ? null : after(hours),
});

const offers = () =>
  compareQuotes([service('FAST', 90, 12), service('SLOW', 20, 96), service('GOOD', 30, 48), service('MUTE', 25, null)]);

describe('offers side by side', () => {
  it('stand with the cheapest first, and tell what each day before it costs', () => {
    expect(
      offers().map(({ code, hours, fee_per_day_saved, marks }) => [code, hours, fee_per_day_saved, marks]),
    ).toEqual([
      ['SLOW', 96, null, ['cheapest']],
      ['MUTE', null, null, []],
      ['GOOD', 48, 5, ['best_value']],
      ['FAST', 12, 20, ['fastest']],
    ]);
  });

  it('have the cheapest as the best value where nothing is faster', () => {
    const [first] = compareQuotes([service('A', 10, 24), service('B', 20, 24)]);
    expect(first?.marks).toEqual(['cheapest', 'fastest', 'best_value']);
  });

  it('always have a cheapest, a fastest and a best value, whatever order they come in', () => {
    const services = fc.array(fc.tuple(fc.nat(30), fc.nat(5)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(services, fc.infiniteStream(fc.nat()), (drawn, chance) => {
        const made = drawn.map(([fee, days], index) => service(`S${index}`, fee, days * 24));
        const shuffled = made
          .map((each) => ({ each, at: Number(chance.next().value) }))
          .sort((one, other) => one.at - other.at)
          .map(({ each }) => each);
        const compared = compareQuotes(made);
        expect(compareQuotes(shuffled)).toEqual(compared);
        for (const pick of ['cheapest', 'fastest', 'best-value']) {
          const picked = pickQuote(compared, { pick });
          const least = (of: (each: Service) => number) => Math.min(...made.map(of));
          if (pick === 'cheapest') expect(picked.fee).toBe(least(({ fee }) => fee ?? 0));
          if (pick === 'fastest') {
            const delivery = ({ estimated_delivery_at: time }: Service) => Date.parse(time ?? '');
            expect(delivery(picked)).toBe(least(delivery));
          }
        }
      }),
    );
  });
});

describe('a wish', () => {
  const refused = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return (error as QuoteRefused).code;
    }
  };

  it('means one offer by what it is the most of, or by its code', () => {
    const codes = ['cheapest', 'fastest', 'best-value', 'MUTE', undefined].map(
      (pick) => pickQuote(offers(), { pick }).code,
    );
    expect(codes).toEqual(['SLOW', 'FAST', 'GOOD', 'MUTE', 'SLOW']);
  });

  it('is refused where the offer is too dear, has no fee, is gone, or late', () => {
    expect(refused(() => pickQuote(offers(), { pick: 'fastest', maxFee: 89 }))).toBe('fee_above_max');
    expect(refused(() => pickQuote(compareQuotes([service('X', null, 1)]), { pick: 'X', maxFee: 5 }))).toBe(
      'fee_above_max',
    );
    expect(refused(() => pickQuote(offers(), { pick: 'GONE' }))).toBe('service_not_offered');
    expect(refused(() => pickQuote([], {}))).toBe('no_offer');
    expect(refused(() => pickQuote([], { by: pickedUp }))).toBe('no_offer_in_time');
    expect(new QuoteRefused('no_offer', '').outcome).toBe('not_applied');
  });

  it('for a day leaves out what is late, and what does not say when it comes', () => {
    const services = [service('A', 1, 10), service('B', 2, 20), service('C', 3, null)];
    expect(offeredServices(services, pickedUp + 10 * 3_600_000).map(({ code }) => code)).toEqual(['A']);
    expect(offeredServices(services, undefined)).toEqual(services);
  });

  it('leaves out what has a fee that nobody can pay, and not what has none', () => {
    const fees = [-50, 0, 12.5, 30, null];
    const services = fees.map((fee, index) => service(`S${index}`, fee, 10));
    expect(offeredServices(services, undefined).map(({ fee }) => fee)).toEqual([0, 30, null]);
  });
});
