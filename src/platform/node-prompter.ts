import { type Readable, Writable } from 'node:stream';
import type { Asks, Search } from './node-search-question.ts';
import { PromptEnded, type Prompter } from './prompter.ts';
import { makeSafe } from './text-safety.ts';
import { displayWidth } from './text-width.ts';
import { wrapWords } from './word-wrap.ts';

/** What a prompter may be told; without anything it talks to the process's own terminal. */
export interface PrompterOptions {
  /** Its abort ends an open question, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly input?: Readable;
  readonly output?: Writable;
  readonly colour?: boolean;
}

/**
 * Questions by inquirer, which is loaded with the first one. Every text is made safe on its way to the screen; choices go
 * in as numbers, so that inquirer never touches their values. Without `initial`, a confirmation proposes no.
 */
export function nodePrompter(options: PrompterOptions = {}): Prompter {
  const width = () =>
    (options.output as { readonly columns?: number } | undefined)?.columns ?? process.stderr.columns ?? 80;
  /** A text as it is shown behind a mark of two columns: safe, and broken between words where the terminal is narrower. */
  const shownOf = (text: string, hang = 0) => {
    const room = width() - 2;
    const safe = makeSafe(text);
    return displayWidth(safe) <= room ? safe : wrapWords(safe, room, hang).join('\n');
  };
  const faultOf = (verdict: true | string): true | string => (verdict === true ? true : shownOf(verdict));
  return {
    async text({ message, initial, validate = () => true }) {
      // What is proposed is shown safe, but taken as it was when it is accepted.
      const shown = initial === undefined ? undefined : makeSafe(initial);
      const meant = (answer: string) => (answer === shown && initial !== undefined ? initial : answer);
      const check = (answer: string) => faultOf(validate(meant(answer)));
      return meant(await ask(options, { type: 'input', message: shownOf(message), default: shown, validate: check }));
    },
    async textUntil(question) {
      const { askLive } = await import('./node-live-question.ts');
      return askLive(options, question);
    },
    async secret({ message, validate = () => true }) {
      // Asked anew after a wrong answer: inquirer would go on behind what was typed, which nobody can see.
      for (;;) {
        const answer: string = await ask(options, { type: 'password', message: shownOf(message), toggleMask: false });
        const verdict = faultOf(validate(answer));
        if (verdict === true) return answer;
        (options.output ?? process.stderr).write(`  ${verdict}\n`);
      }
    },
    async confirm({ message, initial = false }) {
      return ask(options, { type: 'confirm', message: shownOf(message), default: initial });
    },
    async choose<Value>({ message, choices, initial }: ChoiceQuestion<Value>) {
      const offer = offerOf<Value>(shownOf);
      const proposed = initial === undefined ? -1 : choices.findIndex(({ value }) => value === initial);
      return offer.taken(
        await ask(options, {
          type: 'select',
          message: shownOf(message),
          choices: offer.choices(choices),
          loop: false,
          ...(proposed >= 0 && { default: proposed }),
        }),
      );
    },
    async search<Value>({ message, source }: SearchQuestion<Value>) {
      const search = await (await import('./node-search-question.ts')).searchQuestion<Value>();
      const safe = (typed: string) =>
        source(typed).map(({ name, description, ...choice }) => ({
          ...choice,
          name: makeSafe(name),
          shown: shownOf(name, 2),
          ...(description !== undefined && { description: shownOf(description) }),
        }));
      return askOn(options, (where) => search({ message: shownOf(message), source: safe }, where));
    },
  };
}

type Choice<Value> = { readonly name: string; readonly value: Value; readonly description?: string };
type ChoiceQuestion<Value> = { message: string; choices: readonly Choice<Value>[]; initial?: Value };
type SearchQuestion<Value> = { message: string; source: Search<Value>['source'] };

/** Numbers the choices that are offered. */
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
      if (!(number in values)) throw new RangeError('inquirer answered a choice that was not offered');
      return values[number] as Value;
    },
  };
}

type Question = Readonly<Record<string, unknown>> & {
  readonly type: 'input' | 'password' | 'confirm' | 'select';
  readonly message: string;
};

/** Asks one question of inquirer's. */
function ask<Answer>(options: PrompterOptions, question: Question): Promise<Answer> {
  return askOn(options, async (where) => {
    const { createPromptModule } = await import('inquirer');
    const answers: { answer: unknown } = await createPromptModule(where)([{ ...question, name: 'answer' }]);
    return answers.answer as Answer;
  });
}

/** Asks on the terminal, and notices when nobody is there any more to answer. */
async function askOn<Answer>(
  options: PrompterOptions,
  ask: (where: Parameters<Asks<Answer, unknown>>[1]) => Promise<Answer>,
): Promise<Answer> {
  const { signal, input = process.stdin, output = process.stderr, colour = true } = options;
  signal?.throwIfAborted();
  if (input.readableEnded || input.destroyed) throw new PromptEnded();
  const ended = new AbortController();
  const stopWatching = watchEnd(input, () => ended.abort());
  const dismiss = watchSignals(input, signal !== undefined, () => ended.abort());
  try {
    const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    return await ask({ input, output: paperOn(output, colour), signal: either });
  } catch (error) {
    signal?.throwIfAborted();
    const name = error instanceof Error ? error.name : '';
    if (name === 'ExitPromptError' || name === 'AbortPromptError') throw new PromptEnded();
    throw error;
  } finally {
    dismiss();
    stopWatching();
    // readline does so only if it does not believe that it had done it already, behind a Ctrl-Z.
    input.pause();
  }
}

/**
 * Calls back when there is nobody left to answer: the input ended, or Ctrl-D closed the line. inquirer notices neither,
 * and its question would stay open until the process runs out of work and ends with no word. Only readline knows whether
 * a Ctrl-D closes the line (it does on an empty one); it pauses the input then, within the same turn.
 */
function watchEnd(input: Readable, onEnd: () => void): () => void {
  let controlD = false;
  const onKey = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
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
 * While a question is open, inquirer ends the process by a signal unless somebody else listens for it, and a listener
 * that was added by `once` is not counted: whoever gave us an AbortSignal has listeners, and these make them count. A
 * terminal that hung up is a person who went away. Behind a Ctrl-Z, readline leaves the input paused, and nothing would
 * keep the process going.
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
 * A stream for one question. inquirer ends the one that it is given, and gives no choice about colours. Nothing waits
 * here: the end of a question has to be on the screen before its answer is out.
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
  const terminal = output as Writable & { readonly columns?: number; readonly rows?: number; readonly isTTY?: boolean };
  return Object.defineProperties(paper, {
    columns: { get: () => terminal.columns },
    rows: { get: () => terminal.rows },
    isTTY: { get: () => terminal.isTTY },
  });
}
