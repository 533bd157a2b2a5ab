import { formatMoney } from '../../domain/amounts/money.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import type { DraftAddress, OrderDraft } from '../../ledger/order-draft.ts';
import { heldBackBy, type SaidIn } from '../../sheets/rows/held-back.ts';
import type { MessageGoods } from '../message-goods.ts';
import { type PastedMessage, readMessage } from '../read-message.ts';
import { say, type shipTexts } from '../texts.ts';
import {
  answered,
  type Facts,
  type Lookup,
  type Question,
  type ShipState,
  type StepName,
  withoutStep,
  withShipping,
} from './conversation.ts';
import { withFee } from './small-steps.ts';

/** The id of the answer that holds a whole message; it is taken before any question. */
export const PASTE = 'paste';

const CARD = 'recipient.card';
const NONE = 'none';

/** What a card can correct: the questions that are asked again, with what was read as the proposal. */
const corrections = [
  ['full_name', 'name'],
  ['phone', 'phone'],
  ['place', 'place'],
  ['address1', 'street'],
  ['goods', 'goods'],
  ['cash', 'cash'],
] as const satisfies readonly (readonly [string, keyof typeof shipTexts.card])[];

/** The steps of the parts that are no part of the recipient. */
const stepOfPart: Readonly<Record<string, StepName>> = { goods: 'lines', cash: 'cod' };

/** The state with a message to read: what is known of another recipient is asked anew. */
export function takePasted(state: ShipState, text: string): ShipState {
  return { ...state, pasted: text, asked: withoutStep(state.asked, 'recipient') };
}

const placeText = ({ ward, district, province }: PastedMessage) =>
  [ward, district, province].filter(Boolean).join(', ');

/** The cash of a message, with the words that say what is paid. */
function cashText({ cod_amount, paid }: PastedMessage): string | undefined {
  const cash =
    cod_amount === undefined ? '–' : cod_amount === 0 ? say().card.nothingToCollect : formatMoney(cod_amount);
  return paid === undefined ? cash : say().card.paid({ cash, words: JSON.stringify(paid) });
}

/** What a message says against sending its parcel as it stands. */
function heldIn({ full_name = '', address1 = '', goods, rest, note = '' }: PastedMessage): readonly string[] {
  const texts: readonly (readonly [string, SaidIn])[] = [
    ...[...rest, note].map((text) => [text, 'note'] as const),
    ...goods.map(({ product_name: name }) => [name, 'goods'] as const),
    [full_name, 'name'],
    [address1, 'address'],
  ];
  return texts.flatMap(([text, where]) => (heldBackBy(text, where) === undefined ? [] : [text]));
}

const goodsText = ({ quantity, product_name, retail_price: price }: MessageGoods) =>
  `${quantity} × ${product_name}${price === undefined ? '' : ` ${say().card.each({ price })}`}`;

/** What was read, one line each; a dash for what is missing. */
export function cardLines(message: PastedMessage): string[] {
  const { full_name, phone, address1, goods, note, doubts, rest, free_delivery: free, delivery_fee: fee } = message;
  const card = say().card;
  const rows = [
    [card.name, full_name],
    [card.phone, phone],
    [card.street, address1],
    [card.place, placeText(message)],
    [card.goods, goods.map(goodsText).join(', ')],
    [card.cash, cashText(message)],
    ...(free === undefined ? [] : [[card.fees, card.noDelivery({ words: JSON.stringify(free) })]]),
    ...(fee === undefined ? [] : [[card.fees, card.delivery({ fee })]]),
    ...(note === undefined ? [] : [[card.note, note]]),
  ];
  return [
    ...rows.map(([name = '', value]) => `${name.padEnd(8)}${value || '–'}`),
    ...heldIn(message).map((text) => card.against({ text })),
    ...doubts.map((doubt) => card.notUsed({ doubt })),
    ...rest.map((text) => card.notUnderstood({ text })),
  ];
}

/** What a message says that the buyer pays for the delivery. */
const feeIn = ({ free_delivery: free, delivery_fee: fee }: PastedMessage) => (free === undefined ? fee : 0);

/** The order with what a message says. */
function withMessage(order: OrderDraft, message: PastedMessage): OrderDraft {
  const { full_name, phone, address1, ward, district, province, goods, cod_amount, note } = message;
  const read: Readonly<Record<string, string | undefined>> = { full_name, phone, address1, ward, district, province };
  const address: DraftAddress = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  // A price that a buyer adds up is what they pay.
  const bought = goods.map((one) => ({ ...one, ...(one.retail_price && { payment_price: one.retail_price }) }));
  const lines = goods.length > 0 && (order.lines ?? []).length === 0 ? bought : order.lines;
  const shipping = {
    ...(cod_amount === undefined ? {} : { cod_amount }),
    ...(note === undefined ? {} : { shipping_note: note }),
  };
  const fee = feeIn(message);
  const charged = fee === undefined ? order : withFee(order, 'shipping', fee);
  return withShipping({ ...charged, shipping_address: address, ...(lines && { lines }) }, shipping);
}

const fieldsOf = (record: object, path: string) => Object.keys(record).map((name) => `${path}.${name}`);

/** What the card accepts: all of it, all but one part, or nothing. */
function takeCard(state: ShipState, message: PastedMessage, answer: string): ShipState {
  if (answer === NONE) return answered(state, CARD, state.order, { pasted: undefined });
  const wrong = answer.slice('change '.length);
  const order = withMessage(state.order, message);
  const { full_name, phone, address1 } = message;
  const known = Object.entries({ full_name, phone, address1, place: message.ward && message.district })
    .filter(([name, value]) => value !== undefined && name !== wrong)
    .map(([name]) => `recipient.${name}`);
  // The card shows all goods: whether there are more is not asked again.
  const all = wrong !== 'goods' && message.goods.length > 0 ? ['lines.what'] : [];
  const fees = feeIn(message) === undefined ? [] : ['fees.shipping'];
  const asked = new Set([...withoutStep(state.asked, 'cod'), ...known, ...all, ...fees]);
  const step = stepOfPart[wrong];
  // What was read of the goods is proposed again, each by its own question.
  const ofGoods = step === 'lines' ? message.goods.flatMap((one, at) => fieldsOf(one, `lines[${at}]`)) : [];
  const again = wrong === '' ? [] : [step ?? `recipient.${wrong}`, ...ofGoods];
  const reopened = new Set([...state.reopened, ...again]);
  const { paid, phones, places: meant } = message;
  const taken = {
    pasted: undefined,
    customerId: undefined,
    asked,
    reopened,
    first: step,
    paid,
    phones,
    meant,
    isFree: message.free_delivery !== undefined,
  };
  return answered(state, CARD, order, taken);
}

/** The order with all that a message says, for a look at what would be sent; and the card of the message. */
export function lookAtMessage(
  order: OrderDraft,
  text: string,
  tree: LocationTree,
): { readonly order: OrderDraft; readonly card: readonly string[] } {
  const message = readMessage(tree, text);
  return { order: withMessage(order, message), card: cardLines(message) };
}

function cardQuestion(state: ShipState, tree: LocationTree, text: string): Question {
  const message = readMessage(tree, text);
  const choices = [
    { name: say().card.use, value: 'use' },
    ...corrections.map(([value, name]) => ({
      name: say().card.useBut({ part: say().card[name] }),
      value: `change ${value}`,
    })),
    { name: say().card.discard, value: NONE },
  ];
  const isHeld = heldIn(message).length > 0;
  return {
    id: CARD,
    step: 'recipient',
    kind: 'choice',
    message: isHeld ? say().card.isHeld : say().card.isRight,
    card: cardLines(message),
    choices,
    // What Enter alone takes.
    ...(isHeld && { initial: NONE }),
    check: (answer) => choices.some(({ value }) => value === answer) || say().menu.noChoice,
    take: (answer) => takeCard(state, message, answer),
  };
}

/** The card of a message that was pasted, or the look-up that it needs; undefined if there is none. */
export function nextOfPasted(state: ShipState, { places }: Facts): Question | Lookup | undefined {
  if (state.pasted === undefined) return undefined;
  return places === undefined ? { kind: 'places' } : cardQuestion(state, places, state.pasted);
}
