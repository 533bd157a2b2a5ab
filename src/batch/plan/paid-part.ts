import { AmountError } from '../../domain/amounts/weight.ts';
import { rememberingTexts } from '../../domain/canonical-text.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { inEnglish } from '../../domain/language.ts';
import { completeOrder } from '../../ledger/order-draft.ts';
import { paymentWords } from '../../sheets/mapping/export-statuses.ts';
import { heldBackBy, isUnread } from '../../sheets/rows/held-back.ts';
import { normalForm } from '../../sheets/service/layout.ts';
import type { CellFault, SourceRow } from '../../sheets/source-row.ts';
import {
  cashOtherwiseIn,
  depositIn,
  isOnDelivery,
  type MessageCash,
  paidPartsIn,
  readCash,
} from '../../ship/message-cash.ts';
import { say } from '../texts.ts';
import { UNREAD_NOTE } from './remarks.ts';

/** What an order costs, as far as its row says; undefined if it does not. */
export function totalOf(value: Fields): number | undefined {
  if (typeof value.total_amount === 'number') return value.total_amount;
  if (!Array.isArray(value.lines)) return undefined;
  try {
    return completeOrder(value).total_amount || undefined;
  } catch (error) {
    if (error instanceof AmountError) return undefined;
    throw error;
  }
}

/** What a note may say of cash, at a first look. */
const mayBeOfCash =
  /thu|cod|cash|0\s*[đk]|ck|kho[aả]n|thanh|tr[aảừ]|tru|c[oọ]c|momo|pay|paid|qr|bank|ti[eề]n|tt|gi[aả]m|b[oớ]t|free|mi[eễ]n|vcb|tcb|mb|acb|bidv/iu;

/** What is wrong with a row since a note says otherwise what is collected, and what is only unusual. */
export interface CashInNotes {
  readonly faults: readonly CellFault[];
  readonly notes: readonly CellFault[];
  /** Whether a note says why less than the total is collected, or how much is. */
  readonly isPaidInPart?: true;
}

const nothing: CashInNotes = { faults: [], notes: [] };

/** A text that may speak of cash. */
interface Said {
  readonly at: Pick<CellFault, 'cell' | 'value' | 'path'>;
  readonly text: string;
  /** Whether it is a name, a code or goods, behind which only what is paid counts. */
  readonly isBehind?: true;
}

/** A text that speaks of cash. */
interface Speaking extends Said, MessageCash {
  readonly deposit: string | undefined;
  /** An amount to collect that nobody can read for sure. */
  readonly unclear: string | undefined;
}

/** Where a name, a code or goods end, and a note on them begins: "Lan (đã ck)", "Lan đã ck". */
const BEHIND =
  /[([;,|]|\.(?=\p{L})|\s[-–:]\s|(?:^|\s)(?=(?:đã|da|cọc|coc|ck|khách|khach|kh|trả|tra|chuyển|chuyen|ứng)\s)/iu;

/** What stands behind the name, the code, the address and the goods of a row. */
const behindIn = rememberingTexts((text) => (mayBeOfCash.test(text) ? text.search(BEHIND) : -1));

function behindNames({ value, cellOf, asRead = value }: SourceRow): readonly Said[] {
  const lines = Array.isArray(value.lines) ? value.lines : [];
  const { full } = fieldsIn(asRead.shipping_address);
  const ofAddress = typeof full === 'string' && depositIn(full) !== undefined ? full : undefined;
  const texts: readonly (readonly [string, unknown])[] = [
    ['external_id', value.external_id],
    ['shipping_address.full_name', fieldsIn(value.shipping_address).full_name],
    full === undefined
      ? ['shipping_address.address1', fieldsIn(value.shipping_address).address1]
      : ['shipping_address.full', ofAddress],
    ...lines.map((line, at) => [`lines[${at}].product_name`, fieldsIn(line).product_name] as const),
  ];
  return texts.flatMap(([path, text]) => {
    const at = typeof text === 'string' && /[([;,|.\s]/.test(text) ? behindIn(text) : -1;
    if (typeof text !== 'string' || at < 0) return [];
    return [{ at: { cell: cellOf(path), value: text, path }, text: text.slice(at), isBehind: true as const }];
  });
}

/** Whether the message that a row was read from says that a part is paid. */
function saysPart({ value, asRead = value }: SourceRow): boolean {
  const { full } = fieldsIn(asRead.shipping_address);
  return typeof full === 'string' && (depositIn(full) !== undefined || paidPartsIn(full).length > 0);
}

/** The notes of a row. */
function notesOf({ value, cellOf }: SourceRow): readonly Said[] {
  const { shipping_note } = fieldsIn(value.shipping);
  if (shipping_note === undefined && value.order_note === undefined) return [];
  return Object.entries({ 'shipping.shipping_note': shipping_note, order_note: value.order_note }).flatMap(
    ([path, text]) => (typeof text === 'string' ? [{ at: { cell: cellOf(path), value: text, path }, text }] : []),
  );
}

/** The notes of which something is not understood, as warnings: they go along, and change nothing. */
const unreadNotes = (row: SourceRow): readonly CellFault[] =>
  notesOf(row)
    .filter(({ text }) => isUnread(text) && heldBackBy(text, 'note') === undefined)
    .map(({ at }) => ({
      ...at,
      message: say().cell.unreadNote,
      code: UNREAD_NOTE,
    }));

/** What a note says that the buyer may do before paying, in folded words, and what (contract, TryOn) agrees with it; the first that fits counts. */
const inspections: readonly (readonly [words: RegExp, ...tryOn: string[]])[] = [
  [/\bcho (?:khach )?xem(?: hang)? (?:khong|ko|k) (?:cho |duoc |dc )?thu\b/, 'open'],
  [/\b(?:khong|ko|kg) (?:cho |duoc |dc |khach )*(?:xem|kiem|coi|mo)(?: hang)?\b/, 'none'],
  [/\b(?:khong|ko|kg) (?:cho |duoc |dc |khach |mac )*thu\b(?! (?:ho|tien|them|coc|\d))/, 'open', 'none'],
  [/\bcho (?:khach |mac |di )*thu(?: hang)?\b(?! (?:ho|tien|them|coc|\d))/, 'try'],
  [/\bcho (?:khach )?(?:xem|kiem|coi)(?: hang)?\b|\bdong kiem\b/, 'open'],
];

/** The notes that allow the buyer something else than the row does, as warnings. */
function inspectionInNotes(row: SourceRow): readonly CellFault[] {
  const { try_on } = fieldsIn(row.value.shipping);
  if (typeof try_on !== 'string') return [];
  return notesOf(row).flatMap(({ at, text }) => {
    const folded = normalForm(text);
    const [, ...fitting] = inspections.find(([words]) => words.test(folded)) ?? [undefined, try_on];
    if (fitting.includes(try_on)) return [];
    return [{ ...at, message: say().cell.tryOn({ fitting, tryOn: try_on }), code: 'try_on_in_note' }];
  });
}

/** What a reading of cash says of an amount to collect that may be several. */
const UNCLEAR = /: the amount can(?: be read in more than one way|not be read)$/;

/** Whether a text has an amount, in full or in thousands. */
const hasAmount = (text: string, amount: number) =>
  [...text.matchAll(/\d[\d.,]*/g)].some(([number]) => {
    const written = Number(number.replaceAll(/\D/g, ''));
    return written === amount || written * 1_000 === amount;
  });

const onDelivery = new Set(paymentWords.cash.map(normalForm));
/** Whether a text says, or is, how an order is paid on delivery: "Tiền mặt". */
const saysOnDelivery = (text: string) =>
  isOnDelivery(text) || onDelivery.has(normalForm(text).replace(/(?<=^tien mat khi (?:nhan|giao))$/, ' hang'));

/** What a text says is collected, where no cash is. */
function collectedIn({ text, amount, unclear }: Speaking): readonly string[] {
  const said = say().cell;
  if (amount !== undefined) return amount > 0 ? [said.collects({ amount })] : [];
  if (unclear !== undefined) return [said.unclearNone({ unclear })];
  return saysOnDelivery(text) ? [said.onDelivery] : [];
}

/** Whether a deposit in thousands or in hundredths leaves so much of a total: "cọc 50", "cọc 50%". */
function leaves(deposit: string, total: number, cash: number): boolean {
  const [, number, percent] = /(\d+)\s*(%?)$/.exec(deposit) ?? [];
  const part = percent === '%' ? (total * Number(number)) / 100 : Number(number) * 1_000;
  return cash === total - part;
}

/** What the notes of a row say of its cash, and whatever stands beside it. */
function speakingIn(row: SourceRow): readonly Speaking[] {
  const notes = notesOf(row);
  const { beside = [] } = row;
  const others = beside.map(({ cell, text }): Said => ({ at: { cell, value: text }, text }));
  const read = [...notes, ...others, ...behindNames(row)]
    .filter(({ text }) => mayBeOfCash.test(text))
    .map((one): Speaking => {
      const cash = readCash(one.text);
      // Which doubt it is, whatever it is called in the language of the run.
      const at = inEnglish(() => readCash(one.text)).doubts.findIndex((doubt) => UNCLEAR.test(doubt));
      return { ...one, ...cash, deposit: depositIn(one.text), unclear: cash.doubts[at] };
    });
  return read.filter(({ text, amount, deposit, unclear, isBehind }) => {
    const isPaid = amount === 0 || deposit !== undefined || paidPartsIn(text).length > 0;
    if (isPaid || isBehind === true) return isPaid;
    return (amount ?? unclear) !== undefined || saysOnDelivery(text) || cashOtherwiseIn(text, 0) !== undefined;
  });
}

/**
 * What the notes of a row say of its cash. That all is paid is a doubt where any is collected; a part that is paid where the cash is
 * not what that leaves of the total; an amount to collect where there is none. Any other amount than the row's is unusual.
 */
export function cashInNotes(row: SourceRow): CashInNotes {
  const said = speakingIn(row);
  const ofCash = new Set(said.map(({ text }) => text));
  const others = unreadNotes(row).filter((note) => !ofCash.has(String(note.value)));
  const unread = [...inspectionInNotes(row), ...others];
  const isOfMessage = saysPart(row);
  if (said.length === 0 && !isOfMessage) return unread.length === 0 ? nothing : { faults: [], notes: unread };
  const { value } = row;
  const { cod_amount } = fieldsIn(value.shipping);
  const total = totalOf(value);
  const cash = typeof cod_amount === 'number' ? cod_amount : undefined;
  const collects = cash ?? (value.payment_method === 'cod' ? (total ?? 0) : 0);
  const isWhole = cash === undefined || (total !== undefined && cash >= total);
  /** Whether the cash is what a part that is paid leaves, with another amount that the text names, such as the delivery. */
  const isLeft = (part: number, { text, amount }: Speaking) => {
    if (cash === undefined) return false;
    if (total === undefined) return cash > 0;
    const above = cash - Math.max(total - part, 0);
    return above === 0 || cash === amount || (above !== part && hasAmount(text, above));
  };
  const faultsOf = (said: Speaking): readonly CellFault[] => {
    const { at, text, amount, deposit, isBehind } = said;
    const parts = paidPartsIn(text, total).filter(({ part }) => !isLeft(part, said));
    const { paidPart, cashOtherwise, depositUnsaid, nothingLeft, ownColumn } = say().cell;
    const messages = parts.map(({ whole, left }) => paidPart({ quoted: JSON.stringify(whole.trim()), left }));
    const other = total === undefined || isBehind ? undefined : cashOtherwiseIn(text, total);
    if (other !== undefined && collects > 0 && !other.agreed(collects))
      messages.push(cashOtherwise({ quoted: JSON.stringify(other.whole.trim()), collects }));
    if (deposit !== undefined && isWhole && collects > 0)
      messages.push(depositUnsaid({ quoted: JSON.stringify(deposit) }));
    if (amount === 0 && collects > 0) messages.push(nothingLeft({ collects }));
    if (collects === 0) messages.push(...collectedIn(said));
    return messages.map((message) => ({ ...at, message: ownColumn({ message }) }));
  };
  const noteOf = ({ at, text, amount, deposit, unclear }: Speaking): readonly CellFault[] => {
    const code = 'cash_in_note';
    const [part] = paidPartsIn(text);
    const paid = deposit ?? part?.whole.trim();
    const isUnsure =
      total === undefined ? paid !== undefined : deposit !== undefined && !leaves(deposit, total, collects);
    const { isThatLeft, unclearCash, speaksOf } = say().cell;
    if (isUnsure && !isWhole && collects > 0)
      return [{ ...at, message: isThatLeft({ quoted: JSON.stringify(paid), collects }), code }];
    if (amount === undefined && unclear !== undefined && collects > 0 && !hasAmount(unclear, collects))
      return [{ ...at, message: unclearCash({ unclear, collects }), code }];
    if (!amount || amount === collects || collects === 0 || cashOtherwiseIn(text, collects)) return [];
    return [{ ...at, message: speaksOf({ amount, collects }), code }];
  };
  const isOfRest = ({ text, amount, deposit }: Speaking) =>
    (amount ?? deposit) !== undefined ||
    paidPartsIn(text, total).length > 0 ||
    cashOtherwiseIn(text, total ?? 0) !== undefined;
  return {
    faults: said.flatMap(faultsOf),
    notes: [...said.flatMap(noteOf), ...unread],
    ...((isOfMessage || said.some(isOfRest)) && { isPaidInPart: true }),
  };
}
