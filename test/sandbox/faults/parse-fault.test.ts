import { describe, expect, it } from 'vitest';
import { writeAction } from '../../../src/sandbox/lab/fault-action.ts';
import { type FaultFlags, isTurn, parseFault, writeTurn } from '../../../src/sandbox/lab/fault-part.ts';

const parse = (flags: Partial<FaultFlags>) => parseFault({ operation: '*', once: true, do: 'drop-before', ...flags });

describe('a fault as the command line says it', () => {
  it.each(['shop.Order/GetOrder', 'partner.Shipping/*', '*'])('is about %s', async (operation) => {
    expect((await parse({ operation })).operation).toBe(operation);
  });

  it.each([
    ['shop.Order/GetOrdr', 'shop.Order/GetOrder?'],
    ['shop.Ordre/GetOrder', 'shop.Order/GetOrder?'],
    ['shop.Order', 'shop.Order/*?'],
    ['shop.Order/*/*', 'shop.Order/*?'],
    ['everything', 'all are *'],
    ['__proto__/*', 'all are *'],
    ['', 'all are *'],
  ])('is about no operation named "%s"', async (operation, hint) => {
    await expect(parse({ operation })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(hint),
      meta: { field: 'operation' },
    });
  });

  it.each([
    ['drop-before', 'drop-before'],
    ['drop-after-commit', 'drop-after-commit'],
    ['half-answer', 'half-answer'],
    ['late-after-commit', 'late-after-commit=60000'],
    ['late-after-commit=250', 'late-after-commit=250'],
    ['delay=1500', 'delay=1500'],
    ['html', 'html=502'],
    ['html=200', 'html=200'],
    ['status=503', 'status=503,code=unavailable'],
    ['status=429,retry-after=2', 'status=429,code=resource_exhausted,retry-after=2'],
    ['status=503, code=strange_new, retry-after=0', 'status=503,code=strange_new,retry-after=0'],
    ['status=409', 'status=409,code=already_exists'],
    ['status=504', 'status=504,code=unavailable'],
    ['status=418', 'status=418,code=unknown'],
  ])('does %s', async (text, written) => {
    const { action } = await parse({ do: text });
    expect(writeAction(action)).toBe(written);
    expect((await parse({ do: written })).action).toEqual(action);
  });

  it.each([
    ['explode', 'is not an action: drop-before'],
    ['delay', 'delay must be from 0 to 3600000 milliseconds'],
    ['delay=-1', 'delay must be'],
    ['delay=1e3', 'delay must be'],
    ['delay=99999999', 'delay must be'],
    ['drop-before=1', 'takes no value'],
    ['half-answer,code=unavailable', 'goes with status alone'],
    ['status', 'from 300 to 599'],
    ['status=200', 'from 300 to 599'],
    ['status=503,code=', 'code must be letters'],
    ['status=503,retry-after=soon', 'retry-after must be'],
    ['status=503,colour=red', 'is not a setting of status'],
  ])('cannot do "%s"', async (text, problem) => {
    await expect(parse({ do: text })).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      meta: { field: 'do' },
    });
  });

  it.each<[Partial<FaultFlags>, string, string]>([
    [{ once: undefined }, 'once', 'give exactly one of nth, every, once, share'],
    [{ once: false }, 'once', 'give exactly one of'],
    [{ nth: 2 }, 'once', 'cannot go together with nth'],
    [{ once: undefined, nth: 0 }, 'nth', 'whole number from 1 on'],
    [{ once: undefined, nth: 1.5 }, 'nth', 'whole number from 1 on'],
    [{ once: undefined, every: -2 }, 'every', 'whole number from 1 on'],
    [{ once: undefined, share: 0 }, 'share', 'over 0 and at most 1'],
    [{ once: undefined, share: 1.1, seed: 'a' }, 'share', 'over 0 and at most 1'],
    [{ once: undefined, share: Number.NaN, seed: 'a' }, 'share', 'over 0 and at most 1'],
    [{ once: undefined, share: 0.5 }, 'seed', 'needs one'],
    [{ seed: 'a' }, 'seed', 'goes with share alone'],
  ])('has no turn like %o', async (flags, field, problem) => {
    await expect(parse(flags)).rejects.toMatchObject({ message: expect.stringContaining(problem), meta: { field } });
  });
});

describe('the turn of a fault', () => {
  const turnsOf = async (flags: Partial<FaultFlags>, calls = 10) => {
    const { turn } = await parse({ once: undefined, ...flags });
    const numbers: number[] = [];
    for (let seen = 1; seen <= calls; seen += 1) if (isTurn(turn, seen, numbers.length)) numbers.push(seen);
    return numbers;
  };

  it('comes at the nth call, at every kth, or once', async () => {
    expect(await turnsOf({ nth: 3 })).toEqual([3]);
    expect(await turnsOf({ every: 3 })).toEqual([3, 6, 9]);
    expect(await turnsOf({ once: true })).toEqual([1]);
  });

  it('comes at a share of the calls, which are the same for the same seed and others for another', async () => {
    const hit = await turnsOf({ share: 0.3, seed: 'a' }, 2000);
    expect(hit.length).toBeGreaterThan(500);
    expect(hit.length).toBeLessThan(700);
    expect(await turnsOf({ share: 0.3, seed: 'a' }, 2000)).toEqual(hit);
    expect(await turnsOf({ share: 0.3, seed: 'b' }, 2000)).not.toEqual(hit);
    expect(await turnsOf({ share: 1, seed: 'a' }, 50)).toHaveLength(50);
  });

  it('is told in the words of the command line', async () => {
    expect(writeTurn((await parse({ once: undefined, share: 0.25, seed: 'x' })).turn)).toBe('share 0.25 seed x');
    expect(writeTurn((await parse({ once: undefined, every: 4 })).turn)).toBe('every 4');
    expect(writeTurn((await parse({ once: undefined, nth: 4 })).turn)).toBe('nth 4');
    expect(writeTurn((await parse({})).turn)).toBe('once');
  });
});
