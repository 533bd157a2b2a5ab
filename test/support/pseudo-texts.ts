type Fact = unknown;

/** A fact that is a text stands outside of the brackets of the text that it is part of; all others belong to it. */
function outside(fact: Fact): Fact {
  if (Array.isArray(fact)) return fact.map(outside);
  return typeof fact === 'string' ? `⟧${fact}⟦` : fact;
}

const factsOutside = (facts: unknown): unknown =>
  typeof facts === 'object' && facts !== null && !Array.isArray(facts)
    ? Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, outside(fact)]))
    : outside(facts);

/** A text in brackets. */
export const bracketed = (text: string) => `⟦${text}⟧`.replaceAll('⟦⟧', '');

/** A catalogue each of whose texts is in brackets, with the texts that it is given outside of them. */
export function pseudo(text: unknown): unknown {
  if (typeof text === 'string') return bracketed(text);
  if (typeof text === 'function') {
    return (...facts: unknown[]) => {
      const said: unknown = text(...facts.map(factsOutside));
      return typeof said === 'string' ? bracketed(said) : said;
    };
  }
  if (typeof text !== 'object' || text === null) return text;
  return Object.fromEntries(Object.entries(text).map(([name, inner]) => [name, pseudo(inner)]));
}

/** A name of a column or a state, which is a fact itself, in brackets if another language has a word for it. */
export const labelled =
  (wordOf: (name: string, kind?: string, path?: string) => string) => (name: string, kind?: string, path?: string) =>
    wordOf(name, kind, path) === name ? name : bracketed(name);
