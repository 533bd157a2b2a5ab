/** The languages that people can read shopctl in. */
export const languageNames = ['en', 'vi'] as const;

/** One of them. */
export type Language = (typeof languageNames)[number];

/** What is said in a language other than English. */
export interface Spoken {
  /** Its name; tests have one of their own. */
  readonly name: string;
  /** The texts of a subject, from those that it has in English. */
  textsOf<Texts extends object>(english: Texts): Texts;
}

/** The language of the run; English when absent. A process runs one command line at a time. */
let spoken: Spoken | undefined;

/** Which year days are in that are written without one. */
let year = '';

/** Chooses what is spoken from now on, English when absent, at a moment in milliseconds since 1970. */
export function speak(language: Spoken | undefined, now: number): void {
  spoken = language;
  year = new Date(now).toISOString().slice(0, 4);
}

/** Whether numbers, days and times are written as in Vietnamese. */
export const isVietnamese = (): boolean => spoken?.name === 'vi';

/**
 * A calendar day YYYY-MM-DD as people write it; in Vietnamese 26/11/2026, and 26/11 where `isShort` and the year is that of
 * the run.
 */
export function dayText(day: string, isShort = false): string {
  if (!isVietnamese()) return day;
  const [of, month, date] = day.split('-');
  return [date, month, ...(isShort && of === year ? [] : [of])].join('/');
}

/**
 * The texts of a subject in the language of the run. Each is a text or a function of named facts, and the English ones are
 * the type of all others: a text or a fact that is missing in another language does not compile.
 */
export const textsIn =
  <Texts extends object>(english: Texts): (() => Texts) =>
  () =>
    spoken === undefined ? english : spoken.textsOf(english);

/** Does work whose texts are in English whatever the run speaks: for what is stored, and for what a program reads. */
export function inEnglish<Value>(work: () => Value): Value {
  const before = spoken;
  spoken = undefined;
  try {
    return work();
  } finally {
    spoken = before;
  }
}
