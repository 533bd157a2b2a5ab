import { describe, expect, it } from 'vitest';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { type Answer, answersIn } from '../../src/ledger/intents/answers.ts';
import type { OrderDraft } from '../../src/ledger/order-draft.ts';
import type { Files } from '../../src/platform/files/files.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import {
  beginning,
  type Facts,
  type Question,
  quoteKeyOf,
  readAmount,
  readParcelText,
  type ShipState,
  summaryOf,
  summedOrder,
} from '../../src/ship/questions/conversation.ts';
import { inWordsOfQuestions } from '../../src/ship/questions/field-words.ts';
import { nextOfProduct } from '../../src/ship/questions/lines-step.ts';
import { AnswerRefused, nextStep, play } from '../../src/ship/questions/next-step.ts';
import { nextOfCash, nextOfFees, nextOfInsurance, nextOfParcel } from '../../src/ship/questions/small-steps.ts';
import { compareQuotes } from '../../src/ship/quotes.ts';
import { rememberedPickups, rememberPickup } from '../../src/ship/shop-lists.ts';
import { fc } from '../support/fast-check.ts';
import { orderFields, shippingFields } from '../support/sandbox-order.ts';

const services = compareQuotes([
  { code: 'S1', fee: 20_000, carrier: 'redkite', estimated_delivery_at: '2026-02-04T08:00:00Z' },
  { code: 'S2', fee: 30_000, carrier: 'platform', estimated_delivery_at: '2026-02-02T08:00:00Z' },
]);

/** The facts as the shell gives them: the offers are those for the parcel as it is. */
function factsFor(state: ShipState): Facts {
  const order = summedOrder(state);
  const offers = order === undefined ? undefined : { quoteKey: quoteKeyOf(order), services };
  return { pickups: [], places: locationTree, offers };
}

const facts: Facts = { pickups: [], places: locationTree };

/** Answers one question after the other until the review, as `pick` says. */
function answerAll(
  state: ShipState,
  pick: (id: string, choices: readonly string[]) => string,
  seen: (question: Question) => void = () => {},
): Answer[] {
  const answers: Answer[] = [];
  let now = state;
  for (let count = 0; count < 200; count += 1) {
    const next = nextStep(now, factsFor(now));
    if (next.kind !== 'question' || next.question.id === 'review') return answers;
    const { question } = next;
    seen(question);
    const answer = pick(
      question.id,
      (question.choices ?? []).map(({ value }) => value),
    );
    const verdict = question.check(answer);
    if (verdict !== true) throw new Error(`${question.id} ${answer}: ${verdict}`);
    answers.push({ question: question.id, answer });
    now = question.take(answer);
  }
  throw new Error('the questions do not end');
}

const typed: Readonly<Record<string, string>> = {
  full_name: 'Lan',
  phone: '0901234567',
  place: 'Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội',
  address1: '12 ngõ 5',
  product_name: 'Trà',
  quantity: '2',
  retail_price: '1000',
  payment_price: '900',
};
const plainly = (id: string, choices: readonly string[]) =>
  typed[id.split('.').at(-1) ?? ''] ?? choices[0] ?? (id === 'parcel' ? '1200 30x25x20' : '500');

const nothing = beginning({}, true);
const whole = play(nothing, answerAll(nothing, plainly), facts);

describe('the questions', () => {
  it('come in their order, and end at the review', () => {
    const ids = answerAll(nothing, plainly).map(({ question }) => question);
    expect(ids).toEqual([
      ...['pickup.full_name', 'pickup.phone', 'pickup.place', 'pickup.address1'],
      ...['recipient.full_name', 'recipient.phone', 'recipient.place', 'recipient.address1'],
      ...[
        'lines[0].product_name',
        'lines[0].quantity',
        'lines[0].retail_price',
        'lines[0].payment_price',
        'lines.what',
      ],
      ...['fees.shipping', 'fees.other', 'fees.discount', 'parcel', 'cod', 'insurance', 'try_on', 'service'],
    ]);
    expect(nextStep(whole, factsFor(whole))).toMatchObject({ question: { id: 'review' } });
    expect(summaryOf(whole)).toBe('2 items 2,000 - 700 off + 1,000 fees = 2,300; 3,000 g; COD 500');
  });

  it('say of goods without a price what is known, and nothing as if it were 0', () => {
    const lines = [{ product_name: 'Áo', quantity: 2 }];
    const { cod_amount: _, ...shipping } = shippingFields;
    const unpriced = beginning({ lines, shipping } as OrderDraft, true);
    expect(summaryOf(unpriced)).toMatch(/^2 items, not all priced yet; /);
    expect(nextOfCash(unpriced)?.initial).toBeUndefined();
    expect(nextOfInsurance(unpriced, facts)?.message).toBe('Insurance of the goods?');
    expect(nextOfFees({ ...unpriced, asked: new Set(['fees.shipping', 'fees.other']) })?.check('5')).toBe(true);
    const priced = beginning(
      { lines: [{ ...lines[0], retail_price: 5_000, payment_price: 5_000 }], shipping } as OrderDraft,
      true,
    );
    expect([nextOfCash(priced)?.initial, nextOfInsurance(priced, facts)?.message]).toEqual([
      '10000',
      'Insurance of the goods, worth 10,000?',
    ]);
  });

  it('are none for an order that says everything, but for its service', () => {
    const given = beginning({ ...orderFields, shipping: shippingFields } as OrderDraft, false);
    expect(answerAll(given, plainly).map(({ question }) => question)).toEqual(['service']);
    const shipping = { ...shippingFields, shipping_service_code: 'S9', shipping_service_fee: 5 };
    const served = beginning({ ...orderFields, shipping } as OrderDraft, false);
    expect(answerAll(served, plainly)).toEqual([]);
    const next = nextStep(play(served, [{ question: 'review', answer: 'send' }], facts), facts);
    expect(next).toMatchObject({ kind: 'send', chosen: { code: 'S9', fee: 5 } });
  });

  it('come to the same order when one step is gone through again with the same answers', () => {
    const first = answerAll(nothing, plainly);
    for (const step of [
      'pickup',
      'recipient',
      'lines',
      'fees',
      'parcel',
      'cod',
      'insurance',
      'try_on',
      'note',
      'service',
    ]) {
      const reopened = play(whole, [{ question: 'review', answer: `change ${step}` }], factsFor(whole));
      const again = answerAll(reopened, (id, choices) => (id === 'note' ? '' : plainly(id, choices)));
      expect([step, again.length > 0]).toEqual([step, true]);
      const changed = play(reopened, again, factsFor(whole));
      const { shipping_note: _, ...shipping } = summedOrder(changed)?.shipping ?? {};
      expect([step, { ...summedOrder(changed), shipping }]).toEqual([step, summedOrder(whole)]);
      expect(nextStep(changed, factsFor(changed))).toMatchObject({ question: { id: 'review' } });
    }
    expect(first.length).toBeGreaterThan(20);
  });

  it('are the same again whatever was answered and taken back before', () => {
    const answers = answerAll(nothing, plainly);
    fc.assert(
      fc.property(fc.nat(answers.length), fc.nat(answers.length), (one, other) => {
        const kept = answers.slice(0, Math.min(one, other));
        const state = play(nothing, kept, facts);
        const next = nextStep(state, factsFor(state));
        expect(next).toMatchObject({ question: { id: answers[kept.length]?.question ?? 'review' } });
      }),
    );
  });

  it('end with any choices that a person may make, and the order has the lines that are left', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 30, maxLength: 30 }), (dice) => {
        let rolls = 0;
        const answers = answerAll(nothing, (id, choices) => {
          if (id !== 'lines.what' || rolls >= dice.length) return plainly(id, choices);
          const roll = dice[rolls] ?? 0;
          rolls += 1;
          return choices[roll % choices.length] ?? 'done';
        });
        const changes = answers.filter(({ question }) => question === 'lines.what').map(({ answer }) => answer);
        const added = changes.filter((change) => change === 'add').length;
        const removed = changes.filter((change) => change.startsWith('remove')).length;
        const order = summedOrder(play(nothing, answers, facts));
        expect(order?.lines).toHaveLength(1 + added - removed);
        expect(order?.total_items).toBe(2 * (1 + added - removed));
      }),
    );
  });

  it('ask for the cash again where it was the total and the total changes, and leave a deposit alone', () => {
    const withTotal = answerAll(nothing, (id, choices) => (id === 'cod' ? '2300' : plainly(id, choices)));
    for (const [answers, asked] of [
      [withTotal, true],
      [answerAll(nothing, plainly), false],
    ] as const) {
      const state = play(nothing, answers, facts);
      const changed = play(
        state,
        [
          { question: 'review', answer: 'change fees' },
          { question: 'fees.shipping', answer: '0' },
        ],
        factsFor(state),
      );
      const rest = answerAll(changed, plainly).map(({ question }) => question);
      expect(rest.includes('cod')).toBe(asked);
    }
  });

  it('refuse an answer to another question, and an invalid one', () => {
    const refusal = (answer: Answer) => {
      try {
        return play(nothing, [answer], facts);
      } catch (error) {
        return error;
      }
    };
    expect(refusal({ question: 'recipient.phone', answer: '1' })).toBeInstanceOf(AnswerRefused);
    for (const answer of ['new', '1', '[]', '']) {
      expect(refusal({ question: 'pickup.which', answer })).toBeInstanceOf(AnswerRefused);
    }
    expect(refusal({ question: 'pickup.full_name', answer: ' ' })).toMatchObject({
      message: expect.stringContaining('is required'),
    });
  });

  it('take a place by words that mean one place only, and propose near ones for any other', () => {
    const upTo = answerAll(nothing, plainly).slice(0, 2);
    const place = (answer: string) => play(nothing, [...upTo, { question: 'pickup.place', answer }], facts);
    expect(place('q2 hcm').order.shipping?.pickup_address).toMatchObject({
      province: 'Thành phố Hồ Chí Minh',
      district: 'Quận 2',
    });
    expect(() => place('Quận 22, HCM')).toThrow(/is n/);
    expect(() => place('cau giayy, ha noi')).not.toThrow();
  });
});

it('the fields of a refusal are called as the questions call them, and other words stay', () => {
  for (const [path, words] of [
    ['shipping_address.phone', "the recipient's phone"],
    ['shipping.pickup_address.address1', "the pickup's street"],
    ['lines[1].quantity', "line 2's quantity"],
    ['shipping.cod_amount', 'the cash to collect'],
    ['basket_value', 'the value of the goods'],
  ]) {
    const reported = inWordsOfQuestions(`${path} must be 5, not 4.5; ask shop.Order or a_b`);
    expect(reported).toBe(`${words} must be 5, not 4.5; ask shop.Order or a_b`);
  }
  const paths: string[] = [];
  answerAll(nothing, plainly, ({ path }) => paths.push(...(path === undefined || path === 'shipping' ? [] : [path])));
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths) expect(inWordsOfQuestions(path)).not.toMatch(/[._[]/);
});

describe('what is typed', () => {
  it('is an amount with or without marks between its thousands', () => {
    expect(['450000', '450.000', '450,000', '1 350 000', '0', '45k', '1tr2'].map(readAmount)).toEqual([
      450000, 450000, 450000, 1350000, 0, 45000, 1200000,
    ]);
    const wrong = ['', '12,5', '1.35.000', '-5', '1e3', '45k-50k', '1.000,000', '9007199254740993'];
    expect(wrong.map(readAmount)).toEqual(wrong.map(() => undefined));
    fc.assert(fc.property(fc.maxSafeNat(), (amount) => readAmount(amount.toLocaleString('en')) === amount));
  });

  it('is doubted where an amount of money may be in thousands, and where the cash is next to nothing', () => {
    const doubts: string[] = [];
    answerAll(nothing, plainly, ({ id, doubt }) => {
      if (doubt?.('430') === 'is 430 or 430,000 meant?' && doubt('0') === undefined) doubts.push(id);
    });
    const prices = ['lines[0].retail_price', 'lines[0].payment_price'];
    expect(doubts).toEqual([...prices, 'fees.shipping', 'fees.other', 'fees.discount', 'cod']);
    const lines = [{ product_name: 'Áo', quantity: 1, retail_price: 340_000, payment_price: 340_000 }];
    const cash = nextOfCash(beginning({ lines }, true));
    const [few, ...others] = ['33999', '34000', '340000', '999', '1000', '1'].map((text) => cash?.doubt?.(text));
    const tenth = 'is less than a tenth of the total of the order, 340,000';
    expect(few).toBe(tenth);
    expect(others).toEqual([undefined, undefined, 'is 999 or 999,000 meant?', tenth, 'is 1 or 1,000 meant?']);
  });

  it('is a parcel with its weight, and none or all of its sides', () => {
    expect(readParcelText('1200')).toEqual({ gross_weight: 1200 });
    const whole = { gross_weight: 1200, length: 30, width: 25, height: 20 };
    for (const text of [
      '1200 30x25x20',
      '1.2kg 30 25 20',
      '1200g, 30 x 25 x 20 cm',
      '1,2 kg 30*25*20',
      '1.200 30×25×20',
    ]) {
      expect([text, readParcelText(text)]).toEqual([text, whole]);
    }
    for (const text of ['', '0', 'heavy', '1200 30x25', '1200 0x1x1', '-5'])
      expect(readParcelText(text)).toBeUndefined();
  });

  it('is read back from a file of answers, of numbers and switches too', () => {
    const answers = [{ question: 'cod', answer: '5' }];
    expect(answersIn([{ question: 'cod', answer: 5 }])).toEqual(answers);
    expect(answersIn({ answers })).toEqual(answers);
    for (const wrong of [undefined, {}, [{ question: 'cod' }], [null], 'x']) expect(answersIn(wrong)).toBeUndefined();
  });
});

it('shows seven of the products that what is typed may mean, and something else', () => {
  const products = Array.from({ length: 9 }, (_, at) => ({ line: { product_name: `Áo ${at}`, quantity: 1 } }));
  const next = nextOfProduct(beginning({ lines: [{ quantity: 1 }] }, true), 0, { ...facts, lists: { products } });
  if (next === undefined || !('search' in next)) throw new Error('it is asked');
  expect([next.search('áo').length, next.search('áo 3').map(({ name }) => name)]).toEqual([
    8,
    ['Áo 3', 'something else: áo 3'],
  ]);
});

it('remembers the twelve last pickups, the latest first, each once, and none that is not whole', async () => {
  const kept = new Map<string, string>();
  const files: Files = {
    ...nodeFiles,
    read: async (path) => kept.get(path) ?? Promise.reject(new Error('missing')),
    write: async (path, content) => void kept.set(path, String(content)),
  };
  const pickup = (number: number) => ({ ...orderFields.shipping_address, address1: `${number} Lê Lợi` });
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 5, 14]) {
    await rememberPickup('state', files, pickup(number));
  }
  await rememberPickup('state', files, { ...pickup(15), phone: '' });
  const streets = (await rememberedPickups('state', files)).map(({ address1 }) => Number.parseInt(address1 ?? '', 10));
  expect(streets).toEqual([14, 5, 13, 12, 11, 10, 9, 8, 7, 6, 4, 3]);
});

const pickup_address = { ...orderFields.shipping_address };
const pastedTo = (text: string, card: string, known: Facts = facts) =>
  nextStep(
    play(
      beginning({ shipping: { pickup_address } }, true),
      [
        { question: 'paste', answer: text },
        { question: 'recipient.card', answer: card },
      ],
      known,
    ),
    known,
  );
const questionIn = (step: ReturnType<typeof nextStep>): Question => {
  if (step.kind !== 'question') throw new TypeError(step.kind);
  return step.question;
};
/** What Enter alone takes, and all that is offered. */
const offeredBy = ({ search, id }: Question, typed = '') => {
  const choices = search?.(typed) ?? [];
  return {
    id,
    enter: choices.find(({ lastResort }) => lastResort !== true)?.name,
    all: choices.map(({ name }) => name),
  };
};

describe('the area of a message', () => {
  it('is offered where one is named, and taken by Enter; of several none is', () => {
    const [one, several] = ['12 Nguyễn Văn Linh, Tân Hưng, Q7, Sài Thành', '12 Nguyễn Tuân, phường Thanh Xuân, Hà Nội'];
    const first = offeredBy(questionIn(pastedTo(`Lan 0912345678 ${one}`, 'use')));
    expect([first.id, first.enter]).toEqual(['recipient.place', 'Phường Tân Hưng, Quận 7, Thành phố Hồ Chí Minh']);
    const second = offeredBy(questionIn(pastedTo(`Lan 0912345678 ${several}`, 'use')));
    expect([second.enter, second.all.slice(0, 2)]).toEqual([
      undefined,
      [
        'Phường Nhân Chính, Quận Thanh Xuân, Thành phố Hà Nội',
        'Phường Thanh Xuân Trung, Quận Thanh Xuân, Thành phố Hà Nội',
      ],
    ]);
  });

  it('is where parcels of the last days went to that phone and street', () => {
    const { province, district, ward } = { ...orderFields.shipping_address };
    const place = { province, district, ward };
    const sentTo = {
      phone: '0912345678',
      addresses: [
        { ...place, address1: '5 Trần Phú' },
        { ...place, address1: '12 nguyễn tuân' },
      ],
    };
    const label = [ward, district, province].join(', ');
    const text = 'Lan 0912345678 12 Nguyễn Tuân, phường Thanh Xuân, Hà Nội';
    const same = offeredBy(questionIn(pastedTo(text, 'use', { ...facts, sentTo })));
    expect([same.enter, same.all[0], same.all.length]).toEqual([label, label, 5]);
    const other = pastedTo(text.replace('12 Ng', '14 Ng'), 'use', { ...facts, sentTo });
    expect(offeredBy(questionIn(other)).all).not.toContain(label);
    const phone = pastedTo(text, 'use', { ...facts, sentTo: { ...sentTo, phone: '0912345679' } });
    expect(offeredBy(questionIn(phone)).all).not.toContain(label);
  });

  it('is not the first of a list that none of fits', () => {
    const question = questionIn(pastedTo('Lan 0912345678', 'use'));
    expect(question.id).toBe('recipient.place');
    const enter = (typed: string) => offeredBy(question, typed).enter;
    expect(enter('12 Lý Thường Kiệt, phường Hoàn Kiếm, Hà Nội')).toBeUndefined();
    expect(enter('p thanh xuan ha noi')).toBeUndefined();
    expect(enter('thanh xuan ha noi')).toBe('Quận Thanh Xuân, Thành phố Hà Nội');
    expect(enter('p dich vong cau giay hn')).toBe('Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội');
    for (const typed of ['hai chau 1', 'hai chau 1 da nang', 'phường Hải Châu I'])
      expect(enter(typed)).toBe('Phường Hải Châu I, Quận Hải Châu, Thành phố Đà Nẵng');
    const [of] = offeredBy(question, 'p thanh xuan ha noi').all;
    expect(of).toMatch(/^Phường /);
    const ward = questionIn(pastedTo('Lan 0912345678 12 Nguyễn Tuân, Thanh Xuân, Hà Nội', 'use'));
    expect([ward.id, offeredBy(ward).enter, offeredBy(ward, 'nhan chinh').enter]).toEqual([
      'recipient.ward',
      undefined,
      'Phường Nhân Chính',
    ]);
  });
});

it('proposes what was read of the goods of a message, where they are to be changed', () => {
  const text = 'Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, 1 quần jean, thu 350k';
  const state = play(
    beginning({ shipping: { pickup_address } }, true),
    [
      { question: 'paste', answer: text },
      { question: 'recipient.card', answer: 'change goods' },
    ],
    facts,
  );
  const asked: (string | undefined)[][] = [];
  let now = state;
  for (let at = 0; at < 4; at += 1) {
    const { id, initial } = questionIn(nextStep(now, facts));
    asked.push([id, initial]);
    now = play(now, [{ question: id, answer: initial ?? '90000' }], facts);
  }
  expect(asked).toEqual([
    ['lines[0].product_name', 'áo thun'],
    ['lines[0].quantity', '2'],
    ['lines[0].retail_price', undefined],
    ['lines[0].payment_price', '90000'],
  ]);
  expect(questionIn(nextStep(now, facts))).toMatchObject({ id: 'lines[1].product_name', initial: 'quần jean' });
});

it('asks for a parcel with its example, and has nothing to choose before it is complete', () => {
  const question = nextOfParcel(beginning({}, true));
  expect(question?.message).toContain('1200 30x25x20');
  const enter = (typed: string) => question?.search?.(typed).find(({ lastResort }) => lastResort !== true)?.value;
  expect(question?.search?.('')).toEqual([]);
  expect(['1200 30', '1200', '1200 30x25x20'].map(enter)).toEqual([undefined, '1200', '1200 30x25x20']);
});
