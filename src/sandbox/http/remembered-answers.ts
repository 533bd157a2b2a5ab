import type { WireResponse } from '../../platform/transport.ts';
import type { Store } from '../store/store.ts';

/** So many answers are remembered, and so many characters of them. */
const MOST_ANSWERS = 1000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** What was answered to questions, as long as the data are what they were. */
export interface RememberedAnswers {
  /** The answer to that question, unless something was written since. */
  find(question: string): WireResponse | undefined;
  /** Remembers an answer that follows from the question and the data alone. */
  keep(question: string, answer: WireResponse): void;
}

/** Answers that are forgotten, all of them, when anything is written. The store has the data alone: nobody else writes them. */
export function rememberAnswers(store: Pick<Store, 'writes'>): RememberedAnswers {
  const known = new Map<string, WireResponse>();
  let asOf = store.writes();
  let characters = 0;

  function forget(): void {
    known.clear();
    characters = 0;
  }

  return {
    find(question) {
      if (asOf !== store.writes()) {
        asOf = store.writes();
        forget();
      }
      return known.get(question);
    },
    keep(question, answer) {
      if (asOf !== store.writes()) return;
      const size = question.length + answer.body.length;
      if (known.size >= MOST_ANSWERS || characters + size > MOST_CHARACTERS) forget();
      if (size > MOST_CHARACTERS) return;
      characters += size;
      known.set(question, answer);
    },
  };
}
