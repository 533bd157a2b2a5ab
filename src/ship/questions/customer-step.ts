import { type Fields, isRecord } from '../../domain/json/values.ts';
import { lookAtPhone, nationalDigits } from '../../domain/likeness.ts';
import { findPlace, type PlaceIndex } from '../../domain/places/place-index.ts';
import { nearNames } from '../../domain/places/place-suggest.ts';
import {
  districtsOf,
  type LocationTree,
  matchDistrict,
  matchProvince,
  matchWard,
  provincesOf,
  wardsOf,
} from '../../domain/places/places.ts';
import type { DraftAddress } from '../../ledger/order-draft.ts';
import { isWholeMessage } from '../read-message.ts';
import { addressLabel, type ListedCustomer, matching } from '../shop-lists.ts';
import { say } from '../texts.ts';
import {
  answered,
  type Choice,
  type Facts,
  isDue,
  type Lookup,
  plainWords,
  type Question,
  type ShipState,
} from './conversation.ts';
import { takePasted } from './pasted-message.ts';

/** A level of place names that can be typed. */
type PlaceLevel = 'province' | 'district' | 'ward';

const MOST_NAMES = 3;

/** The possible names of a level, given those above it; undefined if the list does not know those. */
function namesOf(tree: LocationTree, above: DraftAddress, level: PlaceLevel): PlaceIndex<{ name: string }> | undefined {
  if (level === 'province') return provincesOf(tree);
  const province = matchProvince(tree, above.province ?? '');
  if (province.kind !== 'found') return undefined;
  if (level === 'district') return districtsOf(province.place);
  const district = matchDistrict(province.place, above.district ?? '');
  // Small island districts have no wards.
  return district.kind === 'found' && district.place.wards.length > 0 ? wardsOf(district.place) : undefined;
}

/** The official form of a typed name; unchanged if the list does not know it. */
export function officialName(tree: LocationTree, above: DraftAddress, level: PlaceLevel, typed: string): string {
  const names = namesOf(tree, above, level);
  const found = names === undefined ? undefined : findPlace(names, typed);
  return found?.kind === 'found' ? found.place.name : typed;
}

/** The district that a ward is in, if it differs from the one given above it. */
function otherDistrict(tree: LocationTree, above: DraftAddress, ward: string): string | undefined {
  const province = matchProvince(tree, above.province ?? '');
  const district = province.kind === 'found' ? matchDistrict(province.place, above.district ?? '') : undefined;
  if (province.kind !== 'found' || district?.kind !== 'found') return undefined;
  const found = matchWard(province.place, district.place, ward);
  return found.kind === 'found' && found.place.district !== district.place ? found.place.district.name : undefined;
}

/**
 * Why a typed name is doubtful, with the closest names; undefined for a name in the list, or if there is no list to
 * check.
 */
export function typedPlaceDoubt(
  tree: LocationTree,
  above: DraftAddress,
  level: PlaceLevel,
  typed: string,
): string | undefined {
  const names = namesOf(tree, above, level);
  if (names === undefined) return undefined;
  const found = findPlace(names, typed);
  if (found.kind === 'found') return undefined;
  if (found.kind === 'ambiguous') return say().address.mayBe({ names: found.candidates.map(({ name }) => name) });
  const elsewhere = level === 'ward' ? otherDistrict(tree, above, typed) : undefined;
  if (elsewhere !== undefined) return say().address.elsewhere({ district: elsewhere });
  const near = nearNames(names, typed, MOST_NAMES);
  return say().address.unknown({ level: say().address[level], names: near });
}

const WHO = 'recipient.who';
const WHICH = 'recipient.which';
const OTHER = 'other';
/** The recipient stays; what is known of the address is proposed again. */
const KEEP = 'keep';
const MOST_SHOWN = 7;

const fieldsOf = ['full_name', 'phone', 'address1'] as const;

/** What was typed for a person who is in no list: a phone number, else a name; empty if the name is to be asked for. */
function typedPerson(answer: string): DraftAddress {
  const typed = answer.slice(OTHER.length).trim();
  if (typed === '') return {};
  return /^[+\d][\d\s().-]*$/.test(typed) ? { phone: typed } : { full_name: typed };
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isOther = (answer: string) => answer === OTHER || answer.startsWith(`${OTHER} `);

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The state with an address whose `given` fields are not asked for again. */
function withPerson(
  state: ShipState,
  id: string,
  address: DraftAddress,
  changes: Partial<ShipState>,
  given: DraftAddress = address,
): ShipState {
  const { province, district } = given;
  const known: string[] = fieldsOf.filter((field) => textIn(given[field]) !== undefined);
  if (province && district) known.push('place');
  const asked = new Set([...state.asked, ...known.map((field) => `recipient.${field}`)]);
  return answered(state, id, { ...state.order, shipping_address: address }, { ...changes, asked });
}

/** The recipient so far. */
const present = ({ order }: ShipState): DraftAddress => order.shipping_address ?? {};

/** The state with a customer of the shop as the recipient, or a person who is in no list. */
export function takeCustomer(state: ShipState, answer: string): ShipState {
  if (answer === KEEP)
    return withPerson(state, WHO, present(state), {}, { full_name: present(state).full_name ?? null });
  if (
    isOther(answer) &&
    isWholeMessage(answer.slice(OTHER.length).trim()) &&
    /\p{L}/u.test(answer.slice(OTHER.length))
  ) {
    return takePasted(state, answer.slice(OTHER.length).trim());
  }
  if (isOther(answer)) {
    const { phone, ...typed } = typedPerson(answer);
    // A doubtful number is asked for by its own question, which suggests it and says what is wrong with it.
    const isFine = phone !== undefined && lookAtPhone(phone ?? '').kind === 'fine';
    const given = { ...typed, ...(isFine ? { phone } : {}) };
    const typedPhone = isFine ? undefined : (phone ?? undefined);
    // What was answered for somebody else before is proposed, and not taken.
    return withPerson(state, WHO, { ...present(state), ...given }, { customerId: undefined, typedPhone }, given);
  }
  const { id, full_name, phone } = parsed(answer) ?? {};
  const person = { full_name: textIn(full_name) ?? null, phone: textIn(phone) ?? null };
  return withPerson(state, WHO, person, { customerId: textIn(id) });
}

/** The state with one of the chosen customer's addresses. */
export function takeCustomerAddress(state: ShipState, answer: string): ShipState {
  if (isOther(answer)) return answered(state, WHICH, state.order);
  const given: DraftAddress = parsed(answer) ?? {};
  const { full_name, phone } = state.order.shipping_address ?? {};
  return withPerson(
    state,
    WHICH,
    { ...given, full_name: given.full_name ?? full_name ?? null, phone: given.phone ?? phone ?? null },
    {},
  );
}

function customerLabel({ full_name, phone, code }: ListedCustomer): string {
  return [full_name, phone, code].filter(Boolean).join(', ');
}

function somebodyElse(typed: string): Choice {
  const text = typed.trim();
  const value = text === '' ? OTHER : `${OTHER} ${text}`;
  return {
    name: text === '' ? say().customer.somebodyElse : say().customer.somebodyCalled({ name: plainWords(text) }),
    value,
  };
}

/** The present recipient, first among the choices: Enter alone changes nothing. */
function presentChoice(state: ShipState): Choice[] {
  const { full_name, phone } = present(state);
  const called = [full_name, phone].filter(Boolean).join(', ');
  return full_name ? [{ name: say().menu.asItIs({ present: called }), value: KEEP }] : [];
}

function whoQuestion(state: ShipState, customers: readonly ListedCustomer[]): Question {
  const choiceOf = (customer: ListedCustomer) => ({ name: customerLabel(customer), value: JSON.stringify(customer) });
  return {
    id: WHO,
    step: 'recipient',
    kind: 'live',
    message: say().customer.who,
    takesMessage: true,
    search: (typed) => [
      ...(typed.trim() === '' ? presentChoice(state) : []),
      ...matching(customers, typed, customerLabel).slice(0, MOST_SHOWN).map(choiceOf),
      somebodyElse(typed),
    ],
    choiceOf: (answer) =>
      isOther(answer)
        ? somebodyElse(answer.slice(OTHER.length))
        : customers.map(choiceOf).find(({ value }) => value === answer),
    skippedAs: OTHER,
    check: (answer) =>
      answer === KEEP || isOther(answer) || textIn(parsed(answer)?.full_name) !== undefined || say().customer.none,
    take: (answer) => takeCustomer(state, answer),
  };
}

function whichQuestion(state: ShipState, addresses: readonly DraftAddress[]): Question {
  return {
    id: WHICH,
    step: 'recipient',
    kind: 'choice',
    message: say().customer.which,
    choices: [
      ...addresses.map((address) => ({ name: addressLabel(address), value: JSON.stringify(address) })),
      { name: say().menu.otherAddress, value: OTHER },
    ],
    skippedAs: OTHER,
    check: (answer) => isOther(answer) || parsed(answer) !== undefined || say().customer.noAddress,
    take: (answer) => takeCustomerAddress(state, answer),
  };
}

/** Whether nothing was asked about the recipient except these two questions. */
function isUntouched({ asked }: ShipState): boolean {
  return ![...asked].some((id) => id.startsWith('recipient.') && id !== WHO && id !== WHICH);
}

/** The customer of whom a phone number is, where that alone is known of an address, as from a message without one. */
function customerCalled(address: DraftAddress | null | undefined, customers: readonly ListedCustomer[] = []) {
  const { phone, province, address1 } = address ?? {};
  if (!phone || province || address1) return undefined;
  const wanted = nationalDigits(phone);
  return customers.find((one) => one.phone !== undefined && nationalDigits(one.phone) === wanted)?.id;
}

/** The next question that the shop's own lists can answer: which customer gets the parcel, and at which address. */
export function nextOfCustomer(state: ShipState, { lists }: Facts): Question | Lookup | undefined {
  if (lists === undefined) return undefined;
  const address = state.order.shipping_address;
  const isEmpty = !address?.full_name && !address?.phone && !address?.province && !address?.address1;
  if (isUntouched(state) && isDue(state, 'recipient', WHO, isEmpty)) {
    if (lists.customers === undefined) return { kind: 'customers' };
    if (lists.customers.length > 0) return whoQuestion(state, lists.customers);
  }
  const { asked } = state;
  const customerId = state.customerId ?? customerCalled(address, lists.customers);
  if (customerId === undefined || asked.has(WHICH) || asked.has('recipient.place')) return undefined;
  const addresses = lists.addresses?.[customerId];
  if (addresses === undefined) return { kind: 'addresses', customerId };
  return addresses.length > 0 ? whichQuestion(state, addresses) : undefined;
}
