import { type Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { forgetTypedAhead, isEndedAlone, keysFor, type TextKeys } from './keys-ahead.ts';
import type { Asks, Search } from './node-search-question.ts';
import { PromptEnded, type Prompter } from './prompter.ts';
import { terminalFacts } from './terminal-facts.ts';
import { makeSafe } from './text-safety.ts';
import { displayWidth } from './text-width.ts';
import { say } from './texts.ts';
import { wrapWords } from './word-wrap.ts';

/** Options of a prompter; by default it uses the process's own terminal. */
export interface PrompterOptions {
  /** Aborting it ends an open question, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly input?: Readable;
  readonly output?: Writable;
  readonly colour?: boolean;
}

/** How the end of a pasted line is shown in an answer of one line. */
const LINE_END = ' ⏎ ';

/** Rows of choices that are shown even on a small terminal, and those that a question needs beside them. */
const FEWEST_ROWS = 7;
const ROWS_BESIDE = 5;
const USUAL_ROWS = 24;

/**
 * Questions with inquirer, which is loaded for the first one. Every text is made safe before it is displayed; choices
 * are passed as numbers, so that inquirer never touches their values. Without `initial`, a confirmation defaults to no.
 */
export function nodePrompter(options: PrompterOptions = {}): Prompter {
  const width = () => terminalFacts(options.output).columns ?? process.stderr.columns ?? 80;
  const rows = () => terminalFacts(options.output).rows ?? process.stderr.rows ?? USUAL_ROWS;
  /** A text as displayed after a mark of two columns: safe, and wrapped at words if the terminal is narrower. */
  const shownOf = (text: string, hang = 0) => wrapWords(makeSafe(text), width() - 2, hang).join('\n');
  const faultOf = (verdict: true | string): true | string => (verdict === true ? true : shownOf(verdict));
  return {
    async text({ message, initial, takesMessage, isMore = false, validate = () => true }) {
      if (isMore && isEndedAlone(options.input ?? process.stdin)) throw new PromptEnded({ isEndOfInput: true });
      const { shown, joint, meant } = answersTo(initial, takesMessage);
      const check = (answer: string) => faultOf(validate(meant(answer)));
      const question = { type: 'input', message: shownOf(message), default: shown, validate: check } as const;
      return meant(await ask(options, question, { tab: ' ', joint }));
    },
    async textUntil(question) {
      const { askLive } = await import('./node-live-question.ts');
      return askLive(options, question);
    },
    async secret({ message, validate = () => true }) {
      // Asked anew after a wrong answer: inquirer would append to what was typed, which is invisible.
      const theme = { style: { maskedText: `[${say().masked}]` } };
      for (;;) {
        const question = { type: 'password', message: shownOf(message), toggleMask: false, theme } as const;
        const answer: string = await ask(options, question);
        const verdict = faultOf(validate(answer));
        if (verdict === true) return answer;
        (options.output ?? process.stderr).write(`  ${verdict}\n`);
      }
    },
    confirm: ({ message, initial = false }) => confirmed(options, shownOf(message), initial),
    async choose<Value>({ message, choices, initial }: ChoiceQuestion<Value>) {
      const offer = offerOf<Value>(shownOf);
      const proposed = initial === undefined ? -1 : choices.findIndex(({ value }) => value === initial);
      const pageSize = Math.max(FEWEST_ROWS, Math.min(choices.length, rows() - ROWS_BESIDE));
      const hidden = choices.length - pageSize;
      return offer.taken(
        await ask(options, {
          type: 'select',
          message: shownOf(hidden > 0 ? `${message} (${say().moreBelow({ hidden })})` : message),
          pageSize,
          choices: offer.choices(choices),
          loop: false,
          theme: { style: { keysHelpTip } },
          ...(proposed >= 0 && { default: proposed }),
        }),
      );
    },
    async search<Value>({ message, source, takesMessage }: SearchQuestion<Value>) {
      const search = await (await import('./node-search-question.ts')).searchQuestion<Value>();
      const { joint, meant } = answersTo(undefined, takesMessage);
      const question = { message: shownOf(message), source: safely((typed) => source(meant(typed)), shownOf) };
      return askOn(options, (where) => search(question, where), { tab: ', ', joint });
    },
  };
}

/** Asks for a yes or a no, in either language; Enter alone is the initial one. */
async function confirmed(options: PrompterOptions, message: string, initial: boolean): Promise<boolean> {
  const { yes, no, yesOrNo } = say();
  const [first = '', last = ''] = [yes, no].map((word) => word.slice(0, 1).toLowerCase());
  const hint = initial ? `${first.toUpperCase()}/${last}` : `${first}/${last.toUpperCase()}`;
  const meant = (typed: string) => (typed === hint ? initial : yesMeant(typed));
  const validate = (typed: string) => meant(typed) !== undefined || yesOrNo;
  const transformer = (typed: string, { isFinal }: { isFinal: boolean }) => {
    if (!isFinal) return typed;
    return meant(typed) === true ? yes : no;
  };
  return meant(await ask(options, { type: 'input', message, default: hint, validate, transformer })) === true;
}

/** What a typed answer means, in either language and without its marks; undefined for anything else. */
function yesMeant(typed: string): boolean | undefined {
  const answer = typed.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
  if (/^(?:c|co|y|ye|yes)$/.test(answer)) return true;
  return /^(?:k|kh|khong|n|no)$/.test(answer) ? false : undefined;
}

/** The keys of a menu, as inquirer draws them. */
function keysHelpTip(): string {
  const keys = [`${styleText('bold', '↑↓')} ${styleText('dim', say().navigate)}`];
  return [...keys, `${styleText('bold', '⏎')} ${styleText('dim', say().select)}`].join(styleText('dim', ' • '));
}

/** A default is displayed safe, but taken unchanged when it is accepted; a pasted text is displayed on one line. */
function answersTo(initial: string | undefined, takesMessage = false) {
  const shown = initial === undefined ? undefined : makeSafe(initial);
  const joint = takesMessage ? LINE_END : undefined;
  const meant = (answer: string) =>
    answer === shown && initial !== undefined ? initial : answer.replaceAll(joint ?? '\n', '\n');
  return { shown, joint, meant };
}

type Choice<Value> = { readonly name: string; readonly value: Value; readonly description?: string };
type ChoiceQuestion<Value> = { message: string; choices: readonly Choice<Value>[]; initial?: Value };
type SearchQuestion<Value> = { message: string; takesMessage?: boolean; source: Search<Value>['source'] };

/** A source whose choices may be displayed. */
function safely<Value>(
  source: Search<Value>['source'],
  shownOf: (text: string, hang?: number) => string,
): Search<Value>['source'] {
  return (typed) =>
    source(typed).map(({ name, description, ...choice }) => ({
      ...choice,
      name: makeSafe(name),
      shown: shownOf(name, 2),
      ...(description !== undefined && { description: shownOf(description) }),
    }));
}

/** Replaces the offered choices with numbers. */
function offerOf<Value>(shownOf: (text: string, hang: number) => string) {
  const values: Value[] = [];
  return {
    choices: (choices: readonly Choice<Value>[]) =>
      choices.map(({ name, value, description }) => ({
        name: shownOf(name, 2),
        short: makeSafe(name),
        value: values.push(value) - 1,
        ...(description !== undefined && { description: shownOf(description, 0) }),
      })),
    taken: (number: number): Value => {
      for (const value of values.slice(number, number + 1)) return value;
      throw new RangeError('inquirer answered a choice that was not offered');
    },
  };
}

type Question = Readonly<Record<string, unknown>> & {
  readonly type: 'input' | 'password' | 'select';
  readonly message: string;
};

/** Asks one inquirer question. */
function ask<Answer>(options: PrompterOptions, question: Question, text?: TextKeys): Promise<Answer> {
  const asking = async (where: Where) => {
    const { createPromptModule } = await import('inquirer');
    const style = { ...Object(question.theme).style, ...answerStyle(question.message, where.output) };
    const named = { ...question, name: 'answer', theme: { style } };
    const answers: { answer: unknown } = await createPromptModule(where)([named]);
    return answers.answer as Answer;
  };
  return askOn(options, asking, text);
}

type Where = Parameters<Asks<unknown, unknown>>[1];

/** How an answer stands behind its question: in inquirer's colours, and broken between words where the line is too short. */
function answerStyle(message: string, output: object) {
  const asked = message.slice(message.lastIndexOf('\n') + 1);
  const room = (terminalFacts(output).columns ?? 80) - 2;
  const behind = (text: string) =>
    displayWidth(`${asked} ${text}`) <= room
      ? text
      : wrapWords(`${asked} ${text}`, room, 2).join('\n').slice(asked.length).replace(/^ /, '');
  return {
    answer: (text: string) => styleText('cyan', behind(text)),
    defaultAnswer: (text: string) => styleText('dim', behind(`(${text})`)),
  };
}

/** Makes a terminal say where a pasted text begins and ends (bracketed paste), and no longer. */
const [PASTES_MARKED, PASTES_UNMARKED] = ['\u001b[?2004h', '\u001b[?2004l'];

/**
 * Asks on the terminal, and notices when nobody is left to answer. With `text`, a text is asked for, which may have been
 * typed already (`keysFor`); a choice, a yes and a secret are only taken from somebody who sees the question.
 */
async function askOn<Answer>(
  options: PrompterOptions,
  ask: (where: Where) => Promise<Answer>,
  text?: TextKeys,
): Promise<Answer> {
  const { signal, input: source = process.stdin, output = process.stderr, colour = true } = options;
  signal?.throwIfAborted();
  if (source.readableEnded || source.destroyed) throw new PromptEnded();
  if (text === undefined && forgetTypedAhead(source)) throw new PromptEnded();
  const keys = text === undefined ? undefined : keysFor(source, text);
  const input = keys?.input ?? source;
  // What was typed ahead stands on the line of the question.
  const { isTerminal } = terminalFacts(output);
  const marksPastes = isTerminal && text?.joint !== undefined;
  if (isTerminal) output.write(`\r\u001b[K${marksPastes ? PASTES_MARKED : ''}`);
  const ended = new AbortController();
  let isEndOfInput = false;
  const stopWatching = watchEnd(input, text === undefined, () => {
    isEndOfInput = true;
    ended.abort();
  });
  const dismiss = watchSignals(input, signal !== undefined, () => ended.abort());
  try {
    const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    return await ask({ input, output: paperOn(output, colour), signal: either });
  } catch (error) {
    signal?.throwIfAborted();
    const name = error instanceof Error ? error.name : '';
    if (name === 'ExitPromptError' || name === 'AbortPromptError') throw new PromptEnded({ isEndOfInput });
    throw error;
  } finally {
    if (marksPastes) output.write(PASTES_UNMARKED);
    dismiss();
    stopWatching();
    keys?.close();
    // After a Ctrl-Z readline believes it has paused the input already, and does not.
    source.pause();
  }
}

/**
 * Calls back when nobody is left to answer: the input ended, or Ctrl-D closed the line. inquirer notices neither, and
 * its question would stay open until the process runs out of work and exits silently. Only readline knows whether a
 * Ctrl-D closes the line (it does on an empty one); it then pauses the input, within the same turn. In a menu a digit
 * is a letter like others: inquirer would go to the choice at that place, which no menu numbers.
 */
function watchEnd(input: Readable, isMenu: boolean, onEnd: () => void): () => void {
  let controlD = false;
  const onKey = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (isMenu && key !== undefined && /^\d$/.test(key.name ?? '')) key.name = 'digit';
    if (!(key?.ctrl && key.name === 'd')) return;
    controlD = true;
    setImmediate(() => {
      controlD = false;
    });
  };
  const onPause = () => controlD && onEnd();
  const listeners = { keypress: onKey, pause: onPause, end: onEnd, close: onEnd };
  for (const [event, listener] of Object.entries(listeners)) input.prependListener(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) input.removeListener(event, listener);
  };
}

/**
 * While a question is open, inquirer ends the process on a signal unless it has other listeners, and those added with
 * `once` do not count: callers that pass an AbortSignal handle signals, and these listeners make that visible. A
 * hang-up means that the person has gone. After a Ctrl-Z, readline leaves the input paused, and nothing would keep the
 * process alive.
 */
function watchSignals(input: Readable, isHandled: boolean, onHangUp: () => void): () => void {
  const ours = () => {};
  const listeners: [NodeJS.Signals, () => void][] = [
    ['SIGHUP', onHangUp],
    ['SIGCONT', () => setImmediate(() => input.resume())],
  ];
  if (isHandled) listeners.push(['SIGINT', ours], ['SIGTERM', ours]);
  for (const [name, listener] of listeners) process.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) process.removeListener(name, listener);
  };
}

/**
 * A stream for one question. inquirer ends the stream it is given, and offers no control over colours. Nothing is
 * buffered: the end of a question must be on the screen before its answer is returned.
 */
function paperOn(output: Writable, colour: boolean): NodeJS.WritableStream {
  const paper = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, callback) {
      const text = chunk.toString();
      output.write(colour ? text : text.replace(/\u001b\[[0-9;]*m/g, ''));
      callback();
    },
  });
  return Object.defineProperties(paper, {
    columns: { get: () => terminalFacts(output).columns },
    rows: { get: () => terminalFacts(output).rows },
    isTTY: { get: () => terminalFacts(output).isTerminal },
  });
}
