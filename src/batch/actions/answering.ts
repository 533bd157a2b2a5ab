import * as z from 'zod';
import type { Choice, Person, Ports } from '../../action/ports.ts';
import { bothGiven, Refusal } from '../../client/refusal.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { DecidedQuestion } from '../../sheets/account/account.ts';
import {
  type Answers,
  answersOf,
  isSaid,
  type OpenQuestion,
  presetOf,
  type QuestionId,
  questionOf,
} from '../../sheets/account/questions.ts';
import type { QuestionsOpen } from '../../sheets/account/questions-open.ts';
import { placeText } from '../../sheets/formats/sheet.ts';
import type { Mapping } from '../../sheets/mapping/mapping.ts';
import { batchTexts, say } from '../texts.ts';
import { faultErrors, faultLines } from './fault-lines.ts';
import { type FileAnswers, MOST_NAME } from './inputs.ts';
import { savedMappings, saveMapping } from './mappings.ts';

const isOpen = (error: unknown): error is QuestionsOpen =>
  fieldsIn(error).code === 'questions_open' && !(error instanceof Refusal);

/**
 * What the given words of one kind mean; nothing if none are given. Throws a Refusal for one that does not say it, and for one with two
 * answers.
 */
function meaningsIn<Name extends 'status' | 'payment'>(
  name: Name,
  given: FileAnswers[Name],
  meanings: readonly string[],
): Pick<Answers, Name> | object {
  const said = new Map<string, string>();
  for (const one of given ?? []) {
    const at = one.lastIndexOf('=');
    const [word, meant] = [one.slice(0, Math.max(at, 0)).normalize('NFC').trim(), one.slice(at + 1)];
    if (at < 0 || !meanings.includes(meant)) {
      const ends = meanings.map((meaning) => `=${meaning}`);
      throw new Refusal('status_unreadable', say().answers.unreadable({ given: one.slice(0, MOST_NAME), ends }));
    }
    if (said.has(word) && said.get(word) !== meant) {
      const quoted = JSON.stringify(word).slice(0, MOST_NAME);
      throw new Refusal('status_unreadable', say().answers.twice({ quoted, meanings }));
    }
    said.set(word, meant);
  }
  return said.size === 0 ? {} : { [name]: Object.fromEntries(said) };
}

/** The orders that are sent again though they have ended, by kinds and names. Throws a Refusal for all that travel on. */
function resentIn({ resend_ended }: FileAnswers) {
  const resent = (resend_ended ?? []).map((name) => [name.trim(), 'send'] as const);
  if (!resent.some(([name]) => name === 'travelling')) return resent;
  const message = say().answers.travelling;
  throw new Refusal('resend_by_name', message, { fieldErrors: [{ path: 'resend_ended', message }] });
}

/** The answers about what cells mean. */
const ofCells = ({ blank_cash, pieces, unit, new_wards }: FileAnswers): Answers => ({
  blank_cash: blank_cash ?? undefined,
  pieces: pieces ?? undefined,
  unit: unit ?? undefined,
  new_wards: new_wards ?? undefined,
});

/** The answers that an input gives. Throws a Refusal for a status without what it means. */
export function answersIn(input: FileAnswers): Answers {
  const [resent, replaces] = [resentIn(input), input.replaces ?? []];
  if (input.sheet && input.all_sheets === true) throw bothGiven('sheet', 'all_sheets');
  if (replaces.length > 0 && input.adds === true) throw bothGiven('replaces', 'adds');
  return {
    sheet: input.sheet ?? undefined,
    ...(input.all_sheets === true ? { all_sheets: true } : {}),
    hidden_rows: input.hidden_rows ?? undefined,
    struck_rows: input.struck_rows ?? undefined,
    equal_rows: input.equal_rows ?? undefined,
    line_cash: input.line_cash ?? undefined,
    same_recipient: input.same_recipient ?? undefined,
    tracked: input.tracked ?? undefined,
    ...ofCells(input),
    ...meaningsIn('status', input.status, ['ship', 'skip']),
    ...meaningsIn('payment', input.payment, ['cash', 'paid']),
    ...(resent.length === 0 ? {} : { resend_ended: Object.fromEntries(resent) }),
    ...(input.ignore_columns === true ? { ignore_columns: ['*'] } : {}),
    ...(replaces.length === 0 ? {} : { replaces }),
    ...(input.adds === true ? { adds: true } : {}),
  };
}

/** A payment session as a person knows it: its files, the day of the last of them, and what they add up to. */
export interface KnownSession {
  readonly files: readonly string[];
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly lines: number;
  readonly amount: number;
  /** Whether its sums were agreed to: nothing takes their place. */
  readonly isClosed: boolean;
}

type KnownSessions = ReadonlyMap<string, KnownSession>;

type Way = readonly [flag: string, value: string];

/** What can be given to answer a question: a value for each name that it is about, or one of several. */
function waysFor({ id, flag, choices, isByName, subjects }: OpenQuestion, sessions?: KnownSessions): readonly Way[] {
  if (id === 'sheet') return [...subjects.map(({ name }): Way => [flag, name]), ['all_sheets', '']];
  if (id === 'replaces') {
    const open = subjects.filter(({ name }) => sessions?.get(name)?.isClosed !== true);
    return [...open.map(({ name }): Way => [flag, name]), ['adds', '']];
  }
  if (id === 'session')
    return [
      [flag, 'NAME'],
      ['adds', ''],
    ];
  if (id === 'ignore_columns') return [[flag, '']];
  const values = isByName ? subjects.map(({ name }) => `${name}=${choices.join('|')}`) : [choices.join('|')];
  return values.map((value): Way => [flag, value]);
}

const MOST_PLACES = 5;

/** A question about payments of sessions for a person: its places stand on lines of their own above it, the first few. */
function withoutPlaces(question: OpenQuestion): { readonly lines: readonly string[]; readonly text: string } {
  const { id, subjects, text } = question;
  const isAboutSessions = id === 'replaces' || id === 'session';
  if (!isAboutSessions || subjects.every(({ count }) => count === 1)) return { lines: [], text };
  const lines = subjects.flatMap(({ rows, count }) => {
    const shown = rows.slice(0, MOST_PLACES).map(placeText);
    const more = count - shown.length;
    return more > 0 ? [...shown, say().answers.morePlaces({ count: more })] : shown;
  });
  return {
    lines,
    text: questionOf(
      id,
      subjects.map((one) => ({ ...one, rows: [] })),
    ).text,
  };
}

/** Says every open question, and everything that can be given to answer it. */
export function refused(
  { questions, faults, message: whole }: QuestionsOpen,
  ports: Ports,
  sessions?: KnownSessions,
): Refusal {
  const isForPrograms = ['json', 'jsonl'].includes(ports.settings.output.value);
  if (!isForPrograms) for (const line of faultLines(faults)) ports.report.say(line);
  const short = questions.map(withoutPlaces);
  // A person who was asked has seen them.
  if (!isForPrograms && !ports.person.isThere)
    for (const line of short.flatMap(({ lines }) => lines)) ports.report.say(line);
  const message = isForPrograms ? whole : short.map(({ text }) => text).join('; ');
  const ways = questions.flatMap((question) => waysFor(question, sessions));
  const reported = questions.map(({ flag, text }) => ({ path: flag, message: text }));
  return new Refusal('questions_open', message, {
    facts: {
      questions: message,
      fields: ways.map(([field]) => field),
      values: ways.map(([, value]) => value),
      ...(ports.person.isThere && { asked: true }),
    },
    fieldErrors: isForPrograms ? [...reported, ...faultErrors(faults)] : [],
  });
}

/** What is chosen has the name that it has in English. */
const chosenAs = () => batchTexts.answers;

const OWN_SESSION: Answers = {};

/** What may become of the payments of sessions: as it is called in English, as a person reads it, and what it answers. */
function waysOfSessions(id: 'replaces' | 'session', names: readonly string[], sessions?: KnownSessions) {
  const { answers } = say();
  const called = (name: string) => answers.sessionCalled({ name, known: sessions?.get(name) });
  const own = { value: chosenAs().ownSession, name: answers.ownSession, answer: OWN_SESSION };
  const open = names.filter((name) => sessions?.get(name)?.isClosed !== true);
  const replacing = open.map((name) => {
    const value = chosenAs().replaceSession({ name });
    return { value, name: answers.replaceSession({ name: called(name) }), answer: { replaces: [name] } };
  });
  const name = answers.addLinesTo({ sessions: names.map(called) });
  const adding = { value: chosenAs().addLines, name, answer: { adds: true } };
  return [...(id === 'session' ? [own] : replacing), adding];
}

/** Asks one question; undefined where the person would rather stop. */
async function answerTo(
  question: OpenQuestion,
  person: Person,
  sessions?: KnownSessions,
): Promise<Answers | undefined> {
  const { id, text, choices, isByName, subjects } = question;
  const { answers } = say();
  const choose = (message: string, values: readonly (string | Choice)[], initial?: string) =>
    person.ask({
      name: id,
      message,
      schema: z.string(),
      choices: values.map((one) => (typeof one === 'string' ? { name: answers.choice(one), value: one } : one)),
      ...(initial === undefined ? {} : { initial }),
    });
  const stop = { name: answers.stop, value: chosenAs().stop };
  const names = subjects.map(({ name }) => name);
  if (id === 'sheet') {
    const sheets = names.map((name) => ({ name, value: name }));
    const chosen = await choose(text, [...sheets, { name: answers.allSheets, value: chosenAs().allSheets }]);
    return chosen === chosenAs().allSheets ? { all_sheets: true } : { sheet: chosen };
  }
  if (id === 'replaces' || id === 'session') {
    const ways = waysOfSessions(id, names, sessions);
    const short = withoutPlaces(question);
    for (const line of short.lines) await person.tell(line);
    const chosen = await choose(short.text, [stop, ...ways.map(({ name, value }) => ({ name, value }))]);
    const way: Answers | undefined = ways.find(({ value }) => value === chosen)?.answer;
    if (way !== OWN_SESSION) return way;
    const message = answers.sessionName;
    return { session: await person.ask({ name: id, message, schema: z.string().trim().min(1) }) };
  }
  if (id === 'ignore_columns') {
    const chosen = await choose(text, [{ name: answers.leaveThemOut, value: chosenAs().leaveThemOut }, stop]);
    return chosen === chosenAs().stop ? undefined : { ignore_columns: names };
  }
  if (!isByName) return { [id]: await choose(text, choices) };
  await person.tell(text);
  const said: Record<string, string> = {};
  for (const name of names) {
    const ended = answers.ordersThatWere({ kind: name });
    const [message, preset] = id === 'resend_ended' ? [ended, 'skip'] : ofWord(id, name);
    said[name] = await choose(message, choices, preset);
  }
  return { [id]: said };
}

/** How a word of status, a note or a word of payment is asked about, and what is proposed. */
function ofWord(id: QuestionId, word: string) {
  const { ordersBlank, ordersWith } = say().answers;
  const message = word === '' ? ordersBlank({ id }) : ordersWith({ quoted: JSON.stringify(word) });
  return [message, id === 'status' ? presetOf(word) : undefined] as const;
}

/** Offers to keep answers with the saved mapping by which a file is read. */
async function keep(said: Answers, name: string | undefined, ports: Ports): Promise<void> {
  // What has happened to orders says nothing of the next file.
  const { resend_ended: _, ...answers } = said;
  if (Object.keys(answers).length === 0) return;
  const found = name === undefined ? undefined : (await savedMappings(ports)).find(([one]) => one === name);
  if (found === undefined) return;
  const message = say().answers.keep({ mapping: found[0] });
  if (!(await ports.person.ask({ name: 'keep', message, schema: z.boolean(), initial: true }))) return;
  const mapping: Mapping = { ...found[1], answers: answersOf(answers, found[1].answers) };
  await saveMapping(found[0], mapping, ports);
}

/**
 * Reads a file with the answers that were given. What is still unsure is asked, one question after another, and the file
 * is read again; the answers can be kept with the saved mapping. Without a terminal all open questions are refused
 * together, with what answers them. `read` gets all answers, and those that were given at the terminal.
 */
export async function answering<Result>(
  given: {
    readonly answers: Answers;
    readonly map?: string | null | undefined;
    /** The payment sessions that a question may be about. */
    readonly sessions?: () => Promise<KnownSessions>;
  },
  ports: Ports,
  read: (answers: Answers, said: Answers) => Promise<Result>,
): Promise<Result> {
  let allSaid: Answers = {};
  for (let { answers } = given; ; ) {
    try {
      return await read(answers, allSaid);
    } catch (error) {
      if (!isOpen(error)) throw error;
      const isAboutSessions = error.questions.some(({ id }) => id === 'replaces' || id === 'session');
      const sessions = isAboutSessions ? await given.sessions?.() : undefined;
      if (!ports.person.isThere) throw refused(error, ports, sessions);
      let said: Answers = {};
      for (const question of error.questions) {
        const answer = await answerTo(question, ports.person, sessions);
        if (answer === undefined) throw refused(error, ports, sessions);
        said = answersOf(answer, said);
      }
      await keep(said, error.mapping ?? given.map ?? undefined, ports);
      answers = answersOf(said, answers);
      allSaid = answersOf(said, allSaid);
    }
  }
}

/** What was said by flags, and at the terminal. */
export interface Said {
  readonly byFlag: Answers;
  readonly atPrompt: Answers;
}

/** The questions that were decided, with what was said of each name, and by whom: what is in neither is of a mapping. */
export function questionsDecided(decided: readonly DecidedQuestion[], { byFlag, atPrompt }: Said) {
  const whoSaid = (id: QuestionId, name: string): 'prompt' | 'flag' | 'mapping' => {
    if (isSaid(atPrompt, id, name)) return 'prompt';
    return isSaid(byFlag, id, name) ? 'flag' : 'mapping';
  };
  return decided.map(({ id, text, flag, key, exit, subjects }) => {
    const answers = subjects.map(({ name, answer, count, rows }) => {
      return { name, answer, by: whoSaid(id, name), rows: count, cells: [...rows] };
    });
    return { id, text, flag, key, exit, answers };
  });
}
