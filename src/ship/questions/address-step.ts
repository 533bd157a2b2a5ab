import { readOwn } from '../../domain/json/values.ts';
import { lookAtPhone, nationalDigits } from '../../domain/likeness.ts';
import { matchMerged } from '../../domain/places/merged-places.ts';
import { placesInAddress } from '../../domain/places/place-in-address.ts';
import { findPlace } from '../../domain/places/place-index.ts';
import { foldedName } from '../../domain/places/place-name.ts';
import {
  type AddressSuggestion,
  guessPlaces,
  nearNames,
  type PlaceSuggestion,
  suggestAddresses,
  suggestPlaces,
} from '../../domain/places/place-suggest.ts';
import {
  districtsOf,
  type LocationTree,
  matchDistrict,
  matchPlace,
  matchProvince,
  placeLabel,
  wardsOf,
} from '../../domain/places/places.ts';
import type { DraftAddress, OrderDraft } from '../../ledger/order-draft.ts';
import { isWholeMessage } from '../read-message.ts';
import { addressLabel, isWhole } from '../shop-lists.ts';
import { say } from '../texts.ts';
import {
  answered,
  type Choice,
  checkText,
  type Facts,
  isDue,
  type Lookup,
  plainWords,
  type Question,
  type ShipState,
  withoutStep,
  withShipping,
} from './conversation.ts';
import { nextOfCustomer, officialName, typedPlaceDoubt } from './customer-step.ts';
import { nextOfPasted, takePasted } from './pasted-message.ts';

/** One of the order's two addresses, and its field in the order. */
interface AddressPart {
  readonly step: 'pickup' | 'recipient';
  readonly path: string;
  read(order: OrderDraft): DraftAddress;
  write(order: OrderDraft, address: DraftAddress): OrderDraft;
}

const pickup: AddressPart = {
  step: 'pickup',
  path: 'shipping.pickup_address',
  read: (order) => order.shipping?.pickup_address ?? {},
  write: (order, address) => withShipping(order, { pickup_address: address }),
};

const recipient: AddressPart = {
  step: 'recipient',
  path: 'shipping_address',
  read: (order) => order.shipping_address ?? {},
  write: (order, address) => ({ ...order, shipping_address: address }),
};

const fields = ['full_name', 'phone', 'place', 'address1'] as const;
const TYPED = 'typed';
const OTHER = 'other';
const MOST_SUGGESTIONS = 7;
const MOST_NAMES = 100;

type PlaceRead = PlaceSuggestion & { readonly street?: string };

/** The places that were read: every answer is played again after each one that follows it. */
const read = new WeakMap<LocationTree, Map<string, PlaceRead>>();

/** The place in an answer, or why it is none. */
function placeOf(tree: LocationTree, text: string): PlaceRead | string {
  const known = read.get(tree) ?? new Map<string, PlaceRead>();
  read.set(tree, known);
  const place = known.get(text) ?? readPlace(tree, text);
  // Why it is none is said in the language of the run.
  if (typeof place !== 'string') known.set(text, place);
  return place;
}

/**
 * The place in an answer: `ward, district, province`, of which the first parts may be missing, words that match only
 * one place, or a whole address, whose street comes with it.
 */
function readPlace(tree: LocationTree, text: string): PlaceRead | string {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [province = '', district, ward] = parts.toReversed();
  if (parts.length === 1) {
    const match = matchProvince(tree, province);
    if (match.kind === 'found') return { province: match.place.name };
  } else if (parts.length <= 3) {
    const found = matchPlace(tree, { province, district, ward });
    if (found.kind === 'found') return found;
  }
  const near = suggestPlaces(tree, text, 3);
  if (near.length === 1 && near[0] !== undefined) return near[0];
  const written = placesInAddress(tree, text);
  if (written !== undefined) return { ...written, street: written.address1 };
  return near.length === 0 ? say().address.notListed : say().address.several({ names: near.map(placeLabel) });
}

function checkPhone(answer: string): true | string {
  const look = lookAtPhone(answer);
  return look.kind === 'impossible' ? look.message : true;
}

function phoneDoubt(answer: string): string | undefined {
  const look = lookAtPhone(answer);
  if (look.kind !== 'unusual') return undefined;
  return look.meant === undefined ? look.note : say().address.wasMeant({ doubt: look.note, meant: look.meant });
}

/** What was typed for this question where another one was asked. */
function typedBefore({ typedPhone, typedStreet }: ShipState, id: string): string | undefined {
  if (id === 'recipient.phone') return typedPhone;
  return id.endsWith('.address1') ? typedStreet : undefined;
}

/** What a person pasted for a name that holds more than one. */
function nameDoubt(answer: string): string | undefined {
  return isWholeMessage(answer) ? say().address.nameOnly : undefined;
}

/** A choice that Enter alone takes if it is the first one that is certain. */
const choiceCalled = (name: string, isSure: boolean): Choice => ({
  name,
  value: name,
  ...(isSure ? {} : { lastResort: true }),
});

/** A place with the street that was typed before it: `placeOf` reads its value. */
function addressChoice({ place, street, isOneOfSeveral }: AddressSuggestion): Choice {
  const choice = choiceCalled(placeLabel(place), !isOneOfSeveral);
  if (street === '' || place.district === undefined) return choice;
  return { ...choice, value: `${street}, ${choice.name}`, description: say().address.street({ street }) };
}

/** The places where parcels of the last days went that went to the same phone and street, the latest first. */
function formerPlaces({ shipping_address }: OrderDraft, { sentTo }: Facts): readonly DraftAddress[] {
  const { phone, address1 } = shipping_address ?? {};
  if (!phone || !address1 || sentTo?.phone !== nationalDigits(phone)) return [];
  const street = foldedName(address1);
  return sentTo.addresses.filter((one) => foldedName(one.address1 ?? '') === street);
}

/** What is offered for a place of which nothing is typed yet: where the buyer's parcels went, and what a message may mean. */
function offeredPlaces(state: ShipState, facts: Facts): Choice[] {
  const former = formerPlaces(state.order, facts).map(({ province, district, ward }) =>
    [ward, district, province].filter(Boolean).join(', '),
  );
  const { meant = [] } = state;
  const isSure = former.length > 0 || meant.length === 1;
  return [...new Set([...former, ...meant])].map((name, at) => choiceCalled(name, isSure && at === 0));
}

const OTHER_PHONES = /(?:^|; )SĐT khác: [\d, ]+$/u;

/** The order whose note names the phone numbers of its message that are not the recipient's. */
function withOtherPhones(order: OrderDraft, phones: readonly string[], phone: string): OrderDraft {
  const others = phones.filter((one) => one !== nationalDigits(phone));
  const note = (order.shipping?.shipping_note ?? '').replace(OTHER_PHONES, '');
  const named = others.length === 0 ? '' : `SĐT khác: ${others.join(', ')}`;
  return withShipping(order, { shipping_note: [note, named].filter((text) => text !== '').join('; ') });
}

/** The question for the phone of a message with several, which says where the others go. */
function withPhones(question: Question, { phones = [] }: ShipState): Question {
  if (question.id !== 'recipient.phone' || phones.length === 0) return question;
  return {
    ...question,
    message: say().address.askPhone({ question: question.message, phones }),
    take: (answer) => {
      const after = question.take(answer);
      return { ...after, order: withOtherPhones(after.order, phones, answer) };
    },
  };
}

function addressText(
  part: AddressPart,
  state: ShipState,
  field: 'full_name' | 'phone' | 'address1' | 'province' | 'district' | 'ward',
): Question {
  const address = part.read(state.order);
  const id = `${part.step}.${field}`;
  const takesMessage = id === 'recipient.full_name';
  const asked = { whose: say().address[part.step], what: say().address[field] };
  const question: Question = {
    id,
    step: part.step,
    kind: 'text',
    message: takesMessage && !address.full_name ? say().address.askOrPaste(asked) : say().address.ask(asked),
    initial: address[field] ?? typedBefore(state, id),
    path: `${part.path}.${field}`,
    check: field === 'phone' ? checkPhone : checkText,
    ...(takesMessage && { takesMessage }),
    ...(field === 'phone' && { doubt: phoneDoubt }),
    ...(field === 'full_name' && !takesMessage && { doubt: nameDoubt }),
    take: (answer) => {
      if (takesMessage && isWholeMessage(answer)) return takePasted(state, answer);
      return answered(
        state,
        id,
        part.write(state.order, { ...part.read(state.order), [field]: plainWords(answer) }),
        field === 'address1' ? { typedStreet: undefined } : {},
      );
    },
  };
  return withPhones(question, state);
}

/** Candidates for a given place that is not in the list: the whole of it, else its district with one of its wards. */
export function nearGiven(tree: LocationTree, { province, district, ward }: DraftAddress): string[] {
  const today = matchMerged(tree, { province, district, ward });
  if (today?.kind === 'found') return [placeLabel(today.place)];
  if (today?.kind === 'ambiguous') return today.candidates.map(placeLabel);
  const names = [ward, district, province].filter((name) => typeof name === 'string' && name !== '');
  for (const start of names.keys()) {
    const near = guessPlaces(tree, names.slice(start).join(' '), MOST_SUGGESTIONS);
    if (near.length === 0) continue;
    const whole = near.map((place) => {
      const found = matchPlace(tree, { ...place, ward: place.ward ?? ward });
      return placeLabel(found.kind === 'found' ? found : place);
    });
    return [...new Set(whole)];
  }
  return [];
}

/** A search that also accepts a place that is not in the list: the service may know more places than we do. */
function placeQuestion(part: AddressPart, state: ShipState, tree: LocationTree, facts: Facts): Question {
  const id = `${part.step}.place`;
  const { province, district, ward } = part.read(state.order);
  const given = [ward, district, province].filter(Boolean).join(', ');
  const isUnknown = given !== '' && matchPlace(tree, { province, district, ward }).kind !== 'found';
  const whose = say().address[part.step];
  const listed = given === '' ? say().address.place({ whose }) : say().address.placeNow({ whose, now: given });
  const typeNames: Choice = { name: say().address.typeNames, value: TYPED, lastResort: true };
  return {
    id,
    step: part.step,
    kind: 'live',
    message: isUnknown ? say().address.placeUnlisted({ whose, given }) : listed,
    search: (typed) => {
      if (typed.trim() !== '') {
        return [...suggestAddresses(tree, typed, MOST_SUGGESTIONS).map(addressChoice), typeNames];
      }
      const near = nearGiven(tree, { province, district, ward } as DraftAddress);
      const given = near.map((name) => choiceCalled(name, true));
      const offered = given.length > 0 || part.step === 'pickup' ? given : offeredPlaces(state, facts);
      return offered.length === 0 ? [] : [...offered, typeNames];
    },
    check: (answer) => {
      const place = answer === TYPED ? '' : placeOf(tree, answer);
      return answer === TYPED || typeof place !== 'string' || place;
    },
    take: (answer) => {
      const place = answer === TYPED ? '' : placeOf(tree, answer);
      const { province: _, district: __, ward: ___, ...rest } = part.read(state.order);
      const typedPlaces = new Set(state.typedPlaces);
      if (typeof place === 'string') {
        typedPlaces.add(part.step);
        return answered(state, id, part.write(state.order, rest), { typedPlaces, typedStreet: undefined });
      }
      typedPlaces.delete(part.step);
      const names = { province: place.province, district: place.district ?? null, ward: place.ward ?? null };
      const changed = { ...rest, ...names };
      if (!place.street) return answered(state, id, part.write(state.order, changed), { typedPlaces });
      // The street that came with the place is proposed, also where another one was answered before.
      const { address1: ____, ...streetless } = changed;
      const asked = withoutStep(state.asked, `${part.step}.address1`);
      const order = part.write(state.order, streetless);
      return answered(state, id, order, { typedPlaces, asked, typedStreet: place.street });
    },
  };
}

/** A search among the names of one level. */
function nameQuestion(
  part: AddressPart,
  state: ShipState,
  level: 'district' | 'ward',
  { near, former }: { near: (typed: string) => string[]; former?: string | undefined },
): Question {
  const question = addressText(part, state, level);
  return {
    ...question,
    kind: 'live',
    search: (typed) => {
      if (typed.trim() !== '') return near(typed).map((name) => choiceCalled(name, true));
      // Enter alone takes none of a whole list but the one where the buyer's parcels went.
      const names = new Set([...(former ? [former] : []), ...near(typed)]);
      return [...names].map((name) => choiceCalled(name, name === former || names.size === 1));
    },
    check: (answer) => near(answer)[0] !== undefined || say().address.none,
    take: (answer) => question.take(near(answer)[0] ?? answer),
  };
}

/** A typed place name: looked up in the list, and questioned if it is not there. */
function typedNameQuestion(
  part: AddressPart,
  state: ShipState,
  level: 'province' | 'district' | 'ward',
  tree: LocationTree,
): Question {
  const question = addressText(part, state, level);
  const above = part.read(state.order);
  return {
    ...question,
    doubt: (answer) => typedPlaceDoubt(tree, above, level, answer),
    take: (answer) => question.take(officialName(tree, above, level, answer)),
  };
}

/** The next question about the place; a lookup if the list must be loaded first. */
function nextOfPlace(part: AddressPart, state: ShipState, facts: Facts): Question | Lookup | undefined {
  const { province, district, ward } = part.read(state.order);
  const { places } = facts;
  if (state.typedPlaces.has(part.step)) {
    for (const level of ['province', 'district', 'ward'] as const) {
      if (part.read(state.order)[level]) continue;
      return places === undefined ? { kind: 'places' } : typedNameQuestion(part, state, level, places);
    }
    return undefined;
  }
  const isKnown = places === undefined || matchPlace(places, { province, district, ward }).kind === 'found';
  const id = `${part.step}.place`;
  if (isDue(state, part.step, id, !province || !(district || state.asked.has(id)) || !isKnown)) {
    return places === undefined ? { kind: 'places' } : placeQuestion(part, state, places, facts);
  }
  if (province && district && ward) return undefined;
  if (places === undefined) return { kind: 'places' };
  const found = matchProvince(places, province ?? '');
  if (found.kind !== 'found') return addressText(part, state, 'ward');
  if (!district) {
    const near = (typed: string) => nearNames(districtsOf(found.place), typed, MOST_NAMES);
    return nameQuestion(part, state, 'district', { near });
  }
  const match = matchDistrict(found.place, district);
  if (match.kind !== 'found' || match.place.wards.length === 0) return addressText(part, state, 'ward');
  const wards = wardsOf(match.place);
  const former = part.step === 'pickup' ? [] : formerPlaces(state.order, facts);
  const there = former.map((one) => one.ward ?? '').find((one) => findPlace(wards, one).kind === 'found');
  const near = (typed: string) => nearNames(wards, typed, MOST_NAMES);
  return nameQuestion(part, state, 'ward', { near, former: there });
}

function nextOfAddress(part: AddressPart, state: ShipState, facts: Facts): Question | Lookup | undefined {
  const address = part.read(state.order);
  const isReopened = (field: string) => state.reopened.has(`${part.step}.${field}`);
  for (const field of fields.toSorted((one, other) => Number(isReopened(other)) - Number(isReopened(one)))) {
    if (field === 'place') {
      const question = nextOfPlace(part, state, facts);
      if (question !== undefined) return question;
      continue;
    }
    if (isDue(state, part.step, `${part.step}.${field}`, !address[field])) {
      return addressText(part, state, field);
    }
  }
  return undefined;
}

/** The state with a remembered address as the pickup; unchanged if the text is not an address. */
export function takeRemembered(state: ShipState, text: string): ShipState {
  const id = 'pickup.which';
  if (text === OTHER) return answered(state, id, state.order);
  const address = readOwn<DraftAddress>(text);
  const asked = new Set([...state.asked, ...fields.map((field) => `pickup.${field}`)]);
  return answered(state, id, pickup.write(state.order, address), { asked });
}

function isAddressText(text: string): boolean {
  try {
    return isWhole(readOwn<DraftAddress | null>(text) ?? {});
  } catch {
    return false;
  }
}

function rememberedQuestion(state: ShipState, { pickups }: Facts): Question {
  return {
    id: 'pickup.which',
    step: 'pickup',
    kind: 'choice',
    message: say().address.fromWhere,
    choices: [
      ...pickups.map((address) => ({ name: addressLabel(address), value: JSON.stringify(address) })),
      { name: say().menu.otherAddress, value: OTHER },
    ],
    skippedAs: OTHER,
    check: (answer) => answer === OTHER || isAddressText(answer) || say().address.incomplete,
    take: (answer) => takeRemembered(state, answer),
  };
}

/** The next question about where the parcel is picked up. */
export function nextOfPickup(state: ShipState, facts: Facts): Question | Lookup | undefined {
  const wanted = isDue(state, 'pickup', 'pickup.which', !isWhole(pickup.read(state.order)));
  const untouched = !fields.some((field) => state.asked.has(`pickup.${field}`));
  if (facts.pickups.length > 0 && wanted && untouched) return rememberedQuestion(state, facts);
  return nextOfAddress(pickup, state, facts);
}

/** The next question about the recipient: first those that the shop's own lists can answer. */
export function nextOfRecipient(state: ShipState, facts: Facts): Question | Lookup | undefined {
  return nextOfPasted(state, facts) ?? nextOfCustomer(state, facts) ?? nextOfAddress(recipient, state, facts);
}
