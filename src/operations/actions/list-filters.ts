import { bothGiven, invalidInput } from '../../client/refusal.ts';
import { shippingState, statusWords } from '../../contract/enums.ts';
import type { FieldError, Operation } from '../../contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { type FieldSchemas, flag, list, text } from '../../contract/schema/scalars.ts';
import { readerOf, valueAt } from '../../domain/json/values.ts';
import { MOMENT_EXAMPLES } from '../../domain/language.ts';
import { nationalDigits } from '../../domain/likeness.ts';
import { type Asked, momentExamples, readMoment, startOfDay } from '../../domain/moment-text.ts';
import { foldedName, stemOf } from '../../domain/places/place-name.ts';
import { say } from './texts.ts';
import { pathsOf } from './views.ts';

type Row = Readonly<Record<string, unknown>>;

/** Where a list's records hold their time, their state, and the words by which a person knows them. */
interface Traits {
  readonly moment: string | undefined;
  readonly states: readonly string[];
  /** The state values that the contract knows. */
  readonly knownStates: readonly string[];
  readonly words: readonly string[];
  /** The parts of its addresses, but for that where a parcel is picked up. */
  readonly places: readonly string[];
}

const word =
  /^(?:(?:customer_address|shipping_address|lines|variants)\.)?(?:full_name|name|product_name|phone|email|code|external_id|external_code|shipping_code|url)$/;
const place = /^(?:(?:customer_address|shipping_address)\.)?(?:address1|address2|ward|district|province)$/;
const state = /^(?:states\.)?(?:status|shipping_state|state)$/;

const known = new WeakMap<Operation, Traits>();

function traitsOf(operation: Operation): Traits {
  const traits = known.get(operation) ?? findTraits(operation);
  known.set(operation, traits);
  return traits;
}

function findTraits({ response, page }: Operation): Traits {
  const item = jsonSchema(response).properties?.[page?.items ?? '']?.items ?? { type: 'object' };
  const paths = pathsOf(item);
  const states = paths.filter((path) => state.test(path));
  return {
    moment: ['created_at', 'updated_at'].find((name) => item.properties?.[name]?.format === 'date-time'),
    states,
    knownStates: states.flatMap((path) => schemaAt(item, path)?.enum ?? []),
    words: paths.filter((path) => word.test(path)),
    places: paths.filter((path) => place.test(path)),
  };
}

function schemaAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  return path.split('.').reduce<JsonSchema | undefined>((inner, name) => inner?.properties?.[name], schema);
}

/** The names of the filters applied locally; none of them is sent. */
export const filterNames = ['since', 'until', 'today', 'status', 'match'] as const;

/**
 * The filters that can be applied to a list's records. They read the whole list, where the service has no such filter.
 */
export function filterFields(operation: Operation): FieldSchemas {
  const { moment, states, words } = traitsOf(operation);
  const when = moment === 'updated_at' ? 'changed' : 'created';
  return {
    ...(moment === undefined
      ? {}
      : {
          since: text(`only what was ${when} since then: ${MOMENT_EXAMPLES}`),
          until: text(`only what was ${when} until then; a day includes the whole day`),
          today: flag(`only what was ${when} today`),
        }),
    ...(states.length === 0
      ? {}
      : {
          status: list(text('a state'), 'only records in this state, by letter or word; may be given several times'),
        }),
    ...(words.length === 0
      ? {}
      : {
          match: text(
            'only records with these whole words in a name or an address, at the start of a code, or, from six digits on, in a phone; diacritics and marks do not matter',
          ),
        }),
  };
}

/** The states that a list can be asked for, as one word each, for completion. */
export const stateNames = (operation: Operation): readonly string[] =>
  wordsOf(traitsOf(operation).knownStates).map((state) => state.replaceAll(' ', '-'));

/** Which of the received records to keep. */
export interface Filter {
  readonly fits: (row: Row) => boolean;
  /** Whether it would be kept but for its words. */
  readonly fitsButWords: (row: Row) => boolean;
  /** Whether no later record can match, in a list sorted newest first. */
  readonly isPast: (row: Row) => boolean;
}

const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function momentIn(input: Row, name: 'since' | 'until', asked: Asked, errors: FieldError[]): number | undefined {
  const written = filled(input[name]);
  const moment = written === undefined ? undefined : readMoment(written, asked, name === 'until');
  if (written !== undefined && moment === undefined)
    errors.push({ path: name, message: say().list.moment({ examples: momentExamples() }) });
  return moment;
}

const textsIn = (value: unknown): string[] =>
  [value].flat(Number.POSITIVE_INFINITY).filter((each) => typeof each === 'string');

function textsAt(row: Row, paths: readonly string[]): string[] {
  return paths.flatMap((path) => textsIn(valueAt(row, path)));
}

const words: Readonly<Record<string, string>> = statusWords;

/** Accepted spellings of a state: the service's own, or the word for its letter. */
function spellings(value: string): string[] {
  const reported = words[value];
  return [value, ...(reported === undefined ? [] : [reported])].map((spelling) =>
    spelling.toLowerCase().replaceAll('_', ' '),
  );
}

/** Whether a record is in one of the wanted states; a list has few states and many records. */
function stateMatch(wanted: ReadonlySet<string>, paths: readonly string[]): (row: Row) => boolean {
  const seen = new Map<string, boolean>();
  const isWanted = (value: string) => {
    const answer = seen.get(value) ?? spellings(value).some((each) => wanted.has(each));
    if (seen.size < MOST_STATES) seen.set(value, answer);
    return answer;
  };
  const readers = paths.map(readerOf);
  return (row) =>
    readers.some((read) => {
      const value = read(row);
      return typeof value === 'string' ? isWanted(value) : textsIn(value).some(isWanted);
    });
}

/** States that are remembered: a service may have ever new ones. */
const MOST_STATES = 100;

/** States of a parcel that is neither with its recipient nor back, and is not given up. */
const UNDELIVERED = 'undelivered';
const isOver = new Set(['delivered', 'returned', 'cancelled', 'unknown']);

/** The distinct states as words; parcels may also be asked for that were not delivered yet. */
function wordsOf(known: readonly string[]): string[] {
  const words = [...new Set(known.map((value) => spellings(value).at(-1) ?? value))];
  return known.includes('delivered') ? [...words, UNDELIVERED] : words;
}

const stateWord = (text: string) => text.trim().toLowerCase().replaceAll(/[_-]/g, ' ');

/** The states that were asked for, one by one or separated by commas. */
function wantedStates(given: unknown): readonly string[] {
  const texts = [given].flat().filter((value) => typeof value === 'string');
  return texts
    .flatMap((text) => text.split(','))
    .map(stateWord)
    .filter((word) => word !== '');
}

/** The spellings of the wanted states. */
function wantedSpellings(wanted: readonly string[], known: readonly string[]): ReadonlySet<string> {
  const open = known.filter((value) => !Object.hasOwn(words, value) && !isOver.has(value)).flatMap(spellings);
  return new Set(wanted.flatMap((word) => (word === UNDELIVERED ? open : [word])));
}

/** Refuses a state that no record of the list can have: an order is never delivered, but its parcel is. */
function stateErrors(wanted: readonly string[], known: readonly string[]): FieldError[] {
  const possible = new Set([...known.flatMap(spellings), ...wordsOf(known)]);
  const wrong = wanted.find((word) => !possible.has(word));
  if (wrong === undefined) return [];
  const isOfParcel = wrong === UNDELIVERED || shippingState.flatMap(spellings).includes(wrong);
  const facts = { state: JSON.stringify(wrong), known: wordsOf(known) };
  const message = isOfParcel ? say().list.stateOfParcel(facts) : say().list.noState(facts);
  return [{ path: 'status', message }];
}

/** A code is meant by its beginning, a phone number by many of its digits, a name and an address by whole words. */
const codePath = /(?:^|\.)(?:code|external_id|external_code|shipping_code)$/;
const phonePath = /(?:^|\.)phone$/;

const FEWEST_DIGITS = 6;

/** A single letter, of which an address has so many that it finds none by itself. */
const isLetter = (word: string): boolean => /^\D$/u.test(word);

/** Abbreviations of units and streets, such as Q for a district, which the record may spell out or leave out. */
const isAbbreviation = (word: string): boolean => /^[dfhkpqtx]$/.test(word);

/** The ways in which an address may write a folded word: "q4" is "quan 4" too. */
function inAddresses(word: string): string[] {
  const stems = (['district', 'ward'] as const).map((level) => stemOf(word, level));
  return [
    word,
    ...stems.flatMap(({ stem, unit }) => (unit !== undefined && /^\d/.test(stem) ? `${unit} ${stem}` : [])),
  ];
}

/** A folded text whose words all have a space on either side. */
const inSpaces = (text: string): string => ` ${foldedName(text)} `;

/** The folded words that a record must have. The parts of "W-00" stay together: taken apart they are found in W-039. */
function wordsToFind(match: string): string[] {
  const words = match.split(/\s+/u).map(foldedName).filter(Boolean);
  const found = words.filter((word) => !isAbbreviation(word));
  return found.length > 0 ? found : words;
}

/** The digits of a text that may be a phone number or a part of one; undefined for any other text. */
function phoneDigits(text: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(text)) return undefined;
  const digits = nationalDigits(text);
  return digits.length >= FEWEST_DIGITS ? digits : undefined;
}

/**
 * The filters in an input; undefined if there are none. Throws a Refusal for an invalid time, and for two start times.
 */
export function filterOf(operation: Operation, input: Row, asked: Asked): Filter | undefined {
  const errors: FieldError[] = [];
  const since =
    momentIn(input, 'since', asked, errors) ??
    (input.today === true ? startOfDay(asked.now, asked.timeZone) : undefined);
  const until = momentIn(input, 'until', asked, errors);
  const wanted = wantedStates(input.status);
  const traits = traitsOf(operation);
  errors.push(...stateErrors(wanted, traits.knownStates));
  const match = filled(input.match);
  const words = wordsToFind(match ?? '');
  if (match !== undefined && words.length === 0) errors.push({ path: 'match', message: say().list.noWords });
  if (errors.length > 0) throw invalidInput(errors);
  if (input.today === true && filled(input.since) !== undefined) throw bothGiven('since', 'today');
  if (since === undefined && until === undefined && wanted.length === 0 && words.length === 0) return undefined;
  const states = wantedSpellings(wanted, traits.knownStates);
  const hasState = stateMatch(states, traits.states);
  const phone = phoneDigits(filled(input.match) ?? '');
  const phonePaths = traits.words.filter((path) => phonePath.test(path));
  const codePaths = traits.words.filter((path) => codePath.test(path));
  const namePaths = traits.words.filter((path) => !phonePath.test(path) && !codePath.test(path));
  const momentOf = (row: Row) => Date.parse(String(row[traits.moment ?? ''] ?? ''));
  const fitsButWords = (row: Row) => {
    if (since !== undefined && !(momentOf(row) >= since)) return false;
    if (until !== undefined && !(momentOf(row) <= until)) return false;
    return states.size === 0 || hasState(row);
  };
  return {
    fitsButWords,
    fits(row) {
      if (!fitsButWords(row)) return false;
      if (words.length === 0) return true;
      const hasPhone = (digits: string | undefined) =>
        digits !== undefined && textsAt(row, phonePaths).some((text) => nationalDigits(text).includes(digits));
      if (hasPhone(phone)) return true;
      const names = textsAt(row, namePaths).map(inSpaces);
      const places = textsAt(row, traits.places).map(inSpaces);
      const hasPlace = (word: string) =>
        !(isLetter(word) && words.length === 1) &&
        inAddresses(word).some((one) => places.some((place) => place.includes(` ${one} `)));
      const codes = textsAt(row, codePaths).map(foldedName);
      return words.every(
        (each) =>
          names.some((name) => name.includes(` ${each} `)) ||
          hasPlace(each) ||
          codes.some((code) => code.startsWith(each)) ||
          hasPhone(phoneDigits(each)),
      );
    },
    isPast: (row) => since !== undefined && traits.moment === 'created_at' && momentOf(row) < since,
  };
}
