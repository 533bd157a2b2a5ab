import type { WireResponse } from '../../../platform/http/transport.ts';
import type { Store } from '../store/store.ts';

/** Limits of the cache, in answers and in characters. */
const MOST_ANSWERS = 1000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A cache of answers that is valid as long as the data do not change. */
export interface RememberedAnswers {
  /** The cached answer to a question, unless something was written since. */
  find(question: string): WireResponse | undefined;
  /** Caches an answer that depends on the question and the data only. */
  keep(question: string, answer: WireResponse): void;
}

/** A cache that is cleared completely by any write. This is safe because only the store writes the data. */
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
