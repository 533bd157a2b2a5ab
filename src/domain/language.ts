/** The languages that people can read shopctl in. */
export const languageNames = ['en', 'vi'] as const;

/** One of them. */
export type Language = (typeof languageNames)[number];

/** What is said in a language other than English. */
export interface Spoken {
  /** Its name; tests have one of their own. */
  readonly name: string;
  /** The texts of a subject by its name, from those that it has in English. */
  textsOf<Texts extends object>(subject: string, english: Texts): Texts;
}

/** What is spoken: found anew for each text, and undefined for English; and the year of days that are written without one. */
interface Speaking {
  find(): Spoken | undefined;
  year: string;
}

declare global {
  // The files of the build have each their own copy of this module, and one language.
  var shopctlSpeaking: Speaking | undefined;
  var shopctlSaid: Map<string, () => unknown> | undefined;
}

const english: Speaking = { find: () => undefined, year: '' };

const speaking = () => globalThis.shopctlSpeaking ?? english;

/** Chooses what is spoken from now on, English when absent, at a time that the clocks of the run's zone show, as if it were UTC. */
export function speak(spoken: Spoken | undefined, time: number): void {
  globalThis.shopctlSpeaking = { find: () => spoken, year: new Date(time).toISOString().slice(0, 4) };
}

/** Has the language found anew for each text, where one process answers people of several. */
export function speakAs(find: () => Spoken | undefined): void {
  globalThis.shopctlSpeaking = { ...speaking(), find };
}

/** What is spoken; undefined for English. */
export const spokenNow = (): Spoken | undefined => speaking().find();

/** Whether numbers, days and times are written as in Vietnamese. */
export const isVietnamese = (): boolean => spokenNow()?.name === 'vi';

/** Digits with thousands separators: 1,380,000; in Vietnamese 1.380.000. */
export const grouped = (number: number | bigint): string =>
  String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, isVietnamese() ? '.' : ',');

/**
 * A calendar day YYYY-MM-DD as people write it; in Vietnamese 26/11/2026, and 26/11 where `isShort` and the year is that of
 * the run.
 */
export function dayText(day: string, isShort = false): string {
  if (!isVietnamese()) return day;
  const [year, month, date] = day.split('-');
  return [date, month, ...(isShort && year === speaking().year ? [] : [year])].join('/');
}

/** Ways to write a moment, as help tells them. */
export const MOMENT_EXAMPLES =
  'a day such as 2026-02-03, 15/11/2026, today, yesterday or last-week, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m';

/** A number with decimals as people write it: 0.5, in Vietnamese 0,5. */
export const decimalText = (value: number): string =>
  isVietnamese() ? String(value).replace('.', ',') : String(value);

/**
 * The texts of a subject in the language of the run. Each is a text or a function of named facts, and the English ones are
 * the type of all others: a text or a fact that is missing in another language does not compile.
 */
export function textsIn<Texts extends object>(subject: string, english: Texts): () => Texts {
  let own: { readonly of: Spoken; readonly texts: Texts } | undefined;
  return () => {
    const spoken = spokenNow();
    if (spoken === undefined) return english;
    if (own?.of !== spoken) own = { of: spoken, texts: remembering(english, spoken.textsOf(subject, english)) };
    return own.texts;
  };
}

/** How texts that were said in another language are said in English, for every file of the build. */
function saidInEnglish(): Map<string, () => unknown> {
  globalThis.shopctlSaid ??= new Map();
  return globalThis.shopctlSaid;
}

const MOST_SAID = 200_000;

/** What is said in English in place of a fact of a text, which may be a text itself. */
function factInEnglish(fact: unknown): unknown {
  if (Array.isArray(fact)) return fact.map(factInEnglish);
  if (typeof fact === 'object' && fact !== null)
    return Object.fromEntries(Object.entries(fact).map(([name, inner]) => [name, factInEnglish(inner)]));
  return typeof fact === 'string' ? englishOf(fact) : fact;
}

/** Remembers how a text is said in English. */
function remembered(text: unknown, inEnglishToo: () => unknown): unknown {
  if (typeof text !== 'string') return text;
  const said = saidInEnglish();
  if (said.size >= MOST_SAID) said.clear();
  said.set(text, inEnglishToo);
  return text;
}

function rememberedText(english: unknown, text: unknown): unknown {
  if (typeof text === 'function' && typeof english === 'function')
    return (...facts: unknown[]) => {
      // What a fact is in English is found now: a text may be the very fact that it is given.
      const inEnglishToo = facts.map(factInEnglish);
      return remembered(Reflect.apply(text, undefined, facts), () => Reflect.apply(english, undefined, inEnglishToo));
    };
  if (typeof text === 'object' && text !== null) return remembering(Object(english), text);
  return remembered(text, () => english);
}

/** Texts of which it is remembered how each that is said is in English. */
const remembering = <Texts extends object>(english: object, texts: Texts): Texts =>
  new Proxy(texts, {
    get: (_, name) => rememberedText(Reflect.get(english, name), Reflect.get(texts, name)),
  });

/** What a text that was said in this run is in English, for what is stored; any other text as it is. */
export function englishOf(text: string): string {
  const inEnglishToo = saidInEnglish().get(text);
  return inEnglishToo === undefined ? text : inEnglish(() => String(inEnglishToo()));
}

/** Does work whose texts are in English whatever the run speaks: for what is stored, and for what a program reads. */
export function inEnglish<Value>(work: () => Value): Value {
  const before = globalThis.shopctlSpeaking;
  globalThis.shopctlSpeaking = english;
  try {
    return work();
  } finally {
    globalThis.shopctlSpeaking = before;
  }
}
