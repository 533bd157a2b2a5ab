/** Questions to a person at a terminal; on stderr, so that stdout stays the result. Throws PromptEnded on Ctrl-C or a closed input. */
export interface Prompter {
  text(question: { message: string; initial?: string; validate?: (answer: string) => true | string }): Promise<string>;
  /**
   * A text that is asked for while something else may come first: the message is drawn anew every second, and the
   * question ends with the signal, whose reason it then rejects with.
   */
  textUntil(question: {
    message: () => string;
    signal: AbortSignal;
    validate?: (answer: string) => true | string;
  }): Promise<string>;
  secret(question: { message: string; validate?: (answer: string) => true | string }): Promise<string>;
  confirm(question: { message: string; initial?: boolean }): Promise<boolean>;
  choose<Value>(question: {
    message: string;
    choices: readonly { name: string; value: Value; description?: string }[];
    initial?: Value;
  }): Promise<Value>;
  /**
   * A choice that narrows as the person types; `source` gives the choices for what was typed. One that is a last resort is
   * taken only by somebody who goes to it, never by Enter alone.
   */
  search<Value>(question: {
    message: string;
    source: (typed: string) => readonly { name: string; value: Value; description?: string; lastResort?: boolean }[];
  }): Promise<Value>;
}

/** Thrown when the person ended the questions instead of answering. */
export class PromptEnded extends Error {
  constructor() {
    super('the question was not answered');
    this.name = 'PromptEnded';
  }
}
