/**
 * Questions to a person at a terminal, on stderr so that stdout holds only the result. Throws PromptEnded on Ctrl-C or
 * a closed input.
 */
export interface Prompter {
  /**
   * With `takesMessage`, several lines that are pasted are one answer. With
   * `isMore` it ends at once, as by Ctrl-D, where an Enter of its own ended the pasted line before.
   */
  text(question: {
    message: string;
    initial?: string;
    takesMessage?: boolean;
    isMore?: boolean;
    validate?: (answer: string) => true | string;
  }): Promise<string>;
  /**
   * Asks for a text while waiting for something else: the message is redrawn every second, and when the signal is
   * aborted the question rejects with its reason.
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
   * A choice that narrows as the person types; `source` returns the choices for what was typed. A last resort must be
   * selected explicitly, and is never taken by Enter alone.
   */
  search<Value>(question: {
    message: string;
    takesMessage?: boolean;
    source: (typed: string) => readonly { name: string; value: Value; description?: string; lastResort?: boolean }[];
  }): Promise<Value>;
}

/** Thrown when the person cancelled the questions instead of answering. */
export class PromptEnded extends Error {
  /** Whether the person said that nothing more comes (Ctrl-D, or the end of the input), rather than to stop (Ctrl-C). */
  readonly isEndOfInput: boolean;

  constructor({ isEndOfInput = false }: { readonly isEndOfInput?: boolean } = {}) {
    super('the question was not answered');
    this.name = 'PromptEnded';
    this.isEndOfInput = isEndOfInput;
  }
}
