import type { Prompter } from '../../src/platform/terminal/prompter.ts';

/** A test's answer to one question: the text, the name of the choice, yes or no; or a function of the question. */
export type ScriptedAnswer =
  | string
  | boolean
  | Error
  /** For a text that is doubted: typed twice. */
  | { readonly insisted: string }
  /** For a search: what is typed, and the choice that is then selected, the first when absent. */
  | { readonly typed: string; readonly taken?: string }
  | ((question: {
      readonly kind: keyof Prompter;
      readonly message: string;
      readonly initial?: string | undefined;
    }) => Promise<string | boolean> | string | boolean);

export interface ScriptedPrompter {
  readonly prompter: Prompter;
  /** The message of every question so far, as first displayed. */
  readonly asked: readonly string[];
  /** The names of the choices that were offered, in their order. */
  readonly offered: readonly string[];
  /** The doubts about answers that were repeated. */
  readonly doubts: readonly string[];
  /** Number of unused answers. */
  readonly left: () => number;
}

/** What a question gets of pasted lines: one answer where it takes a message, and else it is none for this question. */
function pasted(text: string, message: string, { takesMessage = false } = {}): string {
  if (text.includes('\n') && !takesMessage) throw new RangeError(`${message} takes one line`);
  return text.split(/\n+/).join('\n');
}

/**
 * A person with prepared answers. One question too many fails the test, except for a live one, which waits for its
 * signal, as when a person types nothing. An answer that the question does not accept fails the test, too.
 */
export function scriptedPrompter(...answers: readonly ScriptedAnswer[]): ScriptedPrompter {
  const asked: string[] = [];
  const offered: string[] = [];
  const doubts: string[] = [];
  const open = [...answers];
  const next = async (kind: keyof Prompter, message: string, initial?: string): Promise<string | boolean> => {
    asked.push(message);
    const answer = open.shift();
    if (answer === undefined) throw new RangeError(`nobody answers: ${message}`);
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'object') throw new RangeError(`${message} is not a search`);
    return typeof answer === 'function' ? answer({ kind, message, initial }) : answer;
  };
  const text = async (
    kind: keyof Prompter,
    message: string,
    validate: ((text: string) => true | string) | undefined,
    { initial, takesMessage = false }: { initial?: string; takesMessage?: boolean } = {},
  ) => {
    const [coming] = open;
    if (typeof coming === 'object' && 'insisted' in coming) {
      asked.push(message);
      open.shift();
      const [doubt, verdict] = [validate?.(coming.insisted), validate?.(coming.insisted)];
      if (typeof doubt !== 'string' || verdict !== true) throw new RangeError(`${message}: ${doubt}, then ${verdict}`);
      doubts.push(doubt);
      return coming.insisted;
    }
    const answer = pasted(String(await next(kind, message, initial)), message, { takesMessage });
    const verdict = validate?.(answer) ?? true;
    if (verdict !== true) throw new RangeError(`${message} does not take ${answer}: ${verdict}`);
    return answer;
  };
  const chosen = <Value>(choices: readonly { name: string; value: Value }[], name: string | boolean): Value => {
    offered.push(...choices.map((each) => each.name));
    const choice = choices.find((each) => each.name === name);
    if (choice === undefined) throw new RangeError(`${name} is none of ${choices.map((each) => each.name).join(', ')}`);
    return choice.value;
  };
  return {
    asked,
    offered,
    doubts,
    left: () => open.length,
    prompter: {
      text: ({ message, validate, ...more }) => text('text', message, validate, more),
      secret: ({ message, validate }) => text('secret', message, validate),
      confirm: async ({ message, initial }) =>
        (await next('confirm', message, initial === undefined ? undefined : String(initial))) === true,
      choose: async ({ message, choices, initial }) =>
        chosen(choices, await next('choose', message, choices.find(({ value }) => value === initial)?.name)),
      search: async ({ message, source, takesMessage = false }) => {
        const [coming] = open;
        if (typeof coming === 'object' && 'typed' in coming) {
          asked.push(message);
          open.shift();
          const choices = source(pasted(coming.typed, message, { takesMessage }));
          return chosen(choices, coming.taken ?? choices[0]?.name ?? '');
        }
        const name = await next('search', message);
        return chosen(source(String(name)), name);
      },
      textUntil: ({ message, validate, signal }) =>
        new Promise((resolve, reject) => {
          const onAbort = () => reject(signal.reason);
          if (signal.aborted) return onAbort();
          signal.addEventListener('abort', onAbort, { once: true });
          if (open.length === 0) asked.push(message());
          else text('textUntil', message(), validate).then(resolve, reject);
        }),
    },
  };
}
