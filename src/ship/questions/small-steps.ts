import { formatMoney } from '../../domain/amounts/money.ts';
import { computedWeight, volumetricWeight } from '../../domain/amounts/weight.ts';
import type { DraftFee, OrderDraft } from '../../ledger/order-draft.ts';
import { say } from '../texts.ts';
import {
  answered,
  basketOf,
  type Choice,
  checkAmount,
  type Facts,
  isDue,
  plainWords,
  type Question,
  readAmount,
  readParcelText,
  type ShipState,
  thousandsDoubt,
  totalOf,
  withoutStep,
  withShipping,
} from './conversation.ts';

/** A question for an amount with a default, which Enter accepts. */
function amountQuestion(question: {
  readonly id: string;
  readonly step: Question['step'];
  readonly message: string;
  readonly initial: number | undefined;
  readonly path?: string;
  readonly check?: (amount: number) => true | string;
  readonly doubt?: (amount: number) => string | undefined;
  readonly take: (amount: number) => ShipState;
}): Question {
  const { check = () => true, doubt, take, initial, ...rest } = question;
  return {
    ...rest,
    kind: 'text',
    ...(initial === undefined ? {} : { initial: String(initial) }),
    check: (answer) => {
      const verdict = checkAmount(answer);
      return verdict === true ? check(readAmount(answer) ?? 0) : verdict;
    },
    doubt: (answer) => {
      const amount = readAmount(answer) ?? 0;
      return thousandsDoubt(amount) ?? doubt?.(amount);
    },
    take: (answer) => take(readAmount(answer) ?? 0),
  };
}

/** Sets the fee line of a type to the amount; 0 removes it. */
export function withFee(order: OrderDraft, type: 'shipping' | 'other', amount: number): OrderDraft {
  const fees = order.fee_lines ?? [];
  const index = fees.findIndex((fee) => fee.type === type);
  const name = type === 'shipping' ? 'Delivery' : 'Other';
  const fee: DraftFee = index < 0 ? { type, name, amount } : { ...fees[index], amount };
  const others = index < 0 ? fees : fees.toSpliced(index, 1);
  return { ...order, fee_lines: amount === 0 ? others : others.toSpliced(index < 0 ? others.length : index, 0, fee) };
}

/** What cash that was given before the prices leaves for the delivery; undefined where it is no sum of the two. */
export function restOfCash(state: ShipState): number | undefined {
  const { order, asked, paid } = state;
  const total = totalOf(asked.has('fees.shipping') ? state : { ...state, order: withFee(order, 'shipping', 0) });
  const cash = order.shipping?.cod_amount;
  return !cash || paid !== undefined || total === undefined ? undefined : cash - total;
}

/** The state in which the delivery fee is asked for, also after an order without one, where the cash leaves something. */
export function askingForRest(state: ShipState): ShipState {
  const rest = state.isFree === true || state.reopened.has('lines') ? 0 : (restOfCash(state) ?? 0);
  return rest > 0 ? { ...state, asked: withoutStep(state.asked, 'fees.shipping') } : state;
}

/** The next question about fees and the discount. */
export function nextOfFees(state: ShipState): Question | undefined {
  const { order } = state;
  const rest = state.reopened.has('fees') ? undefined : restOfCash(state);
  for (const type of ['shipping', 'other'] as const) {
    const id = `fees.${type}`;
    if (!isDue(state, 'fees', id, state.fromNothing)) continue;
    return amountQuestion({
      id,
      step: 'fees',
      message: say().fees[type],
      initial:
        type === 'shipping' && rest !== undefined && rest >= 0
          ? rest
          : (order.fee_lines?.find((fee) => fee.type === type)?.amount ?? 0),
      take: (amount) => answered(state, id, withFee(order, type, amount)),
    });
  }
  const id = 'fees.discount';
  if (!isDue(state, 'fees', id, state.fromNothing)) return undefined;
  const most = totalOf({ ...state, order: { ...order, order_discount: 0 } });
  return amountQuestion({
    id,
    step: 'fees',
    message: say().fees.discount,
    initial: order.order_discount ?? 0,
    path: 'order_discount',
    check: (amount) => most === undefined || amount <= most || say().fees.aboveTotal({ total: Math.max(0, most) }),
    take: (amount) => answered(state, id, { ...order, order_discount: amount }),
  });
}

const grams = (weight: number) => `${formatMoney(weight)} g`;

/** The weights typed so far, shown while typing; what is not complete is nothing to choose. */
function parcelChoice(typed: string): Choice {
  const parcel = readParcelText(typed);
  if (parcel === undefined) return { name: say().parcel.notComplete({ typed }), value: typed, lastResort: true };
  const { gross_weight: gross, length, width, height } = parcel;
  if (length === undefined) return { name: say().parcel.noSides({ gross: grams(gross) }), value: typed };
  const sides = `${length}x${width}x${height} cm`;
  const volumetric = grams(volumetricWeight(length, width, height));
  return {
    name: say().parcel.weights({
      sides,
      volumetric,
      gross: grams(gross),
      chargeable: grams(computedWeight(parcel)),
    }),
    value: typed,
  };
}

/** The question about the parcel's weight and sides, if it is due. */
export function nextOfParcel(state: ShipState): Question | undefined {
  const { gross_weight: gross, chargeable_weight: chargeable, length, width, height } = state.order.shipping ?? {};
  if (!isDue(state, 'parcel', 'parcel', !gross && !chargeable)) return undefined;
  const sides = length && width && height ? ` ${length}x${width}x${height}` : '';
  const now = gross ? `${gross}${sides}` : undefined;
  return {
    id: 'parcel',
    step: 'parcel',
    kind: 'live',
    message: say().parcel.ask({ now }),
    path: 'shipping',
    search: (typed) => (typed.trim() === '' ? [] : [parcelChoice(typed)]),
    check: (answer) => {
      const parcel = readParcelText(answer);
      if (parcel === undefined) return say().parcel.wrong;
      const { length = 0, width = 0, height = 0 } = parcel;
      return Number.isSafeInteger(length * width * height) || say().parcel.tooLarge;
    },
    take: (answer) => {
      const { chargeable_weight: _, length: __, width: ___, height: ____, ...shipping } = state.order.shipping ?? {};
      return answered(state, 'parcel', { ...state.order, shipping: { ...shipping, ...readParcelText(answer) } });
    },
  };
}

/** What is doubtful about the cash to collect beside the total: more than it, or next to nothing. */
function cashDoubt(cash: number, total: number | undefined): string | undefined {
  if (total === undefined) return undefined;
  if (cash > total) return say().cash.above({ more: cash - total, total });
  return cash > 0 && cash * 10 < total ? say().cash.little({ total }) : undefined;
}

/** The question about the cash that the carrier collects; the total is the default. */
export function nextOfCash(state: ShipState): Question | undefined {
  const { payment_method: method, shipping } = state.order;
  const decided = typeof shipping?.cod_amount === 'number' || (typeof method === 'string' && method !== '');
  if (!isDue(state, 'cod', 'cod', !decided)) return undefined;
  const total = totalOf(state);
  const now = shipping?.cod_amount;
  const was = typeof now === 'number' && now !== total ? now : undefined;
  const said = state.paid === undefined ? undefined : JSON.stringify(state.paid);
  return amountQuestion({
    id: 'cod',
    step: 'cod',
    message: say().cash.ask({ was, message: said }),
    // Where all or a part may be paid, the total is nothing to propose.
    initial: state.paid === undefined && total !== undefined ? Math.max(0, total) : (now ?? undefined),
    path: 'shipping.cod_amount',
    doubt: (amount) => cashDoubt(amount, total),
    take: (amount) => answered(state, 'cod', withShipping(state.order, { cod_amount: amount })),
  });
}

function choiceQuestion(
  question: Pick<Question, 'id' | 'step' | 'message' | 'initial'> & {
    readonly choices: readonly Choice[];
    readonly take: (answer: string) => ShipState;
  },
): Question {
  const { choices } = question;
  return {
    ...question,
    kind: 'choice',
    check: (answer) => choices.some(({ value }) => value === answer) || say().menu.noChoice,
  };
}

/** The question whether the parcel is insured. */
export function nextOfInsurance(state: ShipState, { last }: Facts): Question | undefined {
  if (!isDue(state, 'insurance', 'insurance', state.fromNothing)) return undefined;
  const basket = basketOf(state);
  return choiceQuestion({
    id: 'insurance',
    step: 'insurance',
    message: say().insurance.ask({ worth: basket }),
    initial: (state.order.shipping?.include_insurance ?? last?.include_insurance) === false ? 'no' : 'yes',
    choices: [
      { name: say().insurance.yes, value: 'yes' },
      { name: say().insurance.no, value: 'no' },
    ],
    take: (answer) => answered(state, 'insurance', withShipping(state.order, { include_insurance: answer === 'yes' })),
  });
}

/** The question about what the buyer may do before paying. */
export function nextOfTryOn(state: ShipState, { last }: Facts): Question | undefined {
  const { try_on: given } = state.order.shipping ?? {};
  if (!isDue(state, 'try_on', 'try_on', !given || given === 'unknown')) return undefined;
  return choiceQuestion({
    id: 'try_on',
    step: 'try_on',
    message: say().tryOn.ask,
    initial: [given, last?.try_on].find((one) => one && one !== 'unknown') ?? 'open',
    choices: [
      { name: say().tryOn.open, value: 'open' },
      { name: say().tryOn.try, value: 'try' },
      { name: say().tryOn.none, value: 'none' },
    ],
    take: (answer) => answered(state, 'try_on', withShipping(state.order, { try_on: answer })),
  });
}

/** The question for a note to the carrier; asked only on request. */
export function nextOfNote(state: ShipState): Question | undefined {
  if (!isDue(state, 'note', 'note', false)) return undefined;
  return {
    id: 'note',
    step: 'note',
    kind: 'text',
    message: say().noteForCarrier,
    initial: state.order.shipping?.shipping_note ?? undefined,
    path: 'shipping.shipping_note',
    check: () => true,
    take: (answer) => answered(state, 'note', withShipping(state.order, { shipping_note: plainWords(answer) })),
  };
}
