import '../../src/cli/vietnamese.ts';
import { labelVietnamese } from '../../src/contract/labels.vi.ts';
import type { Spoken } from '../../src/domain/language.ts';

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

const bracketed = (text: string) => `⟦${text}⟧`.replaceAll('⟦⟧', '');

function pseudo(text: unknown): unknown {
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
const labelled =
  (wordOf: (name: string, kind?: string, path?: string) => string) => (name: string, kind?: string, path?: string) =>
    wordOf(name, kind, path) === name ? name : bracketed(name);

/** The names of columns and states that have words of their own. */
const ofLabels = {
  state: labelled(labelVietnamese.state),
  heading: labelled(labelVietnamese.heading),
  sentence: labelled(labelVietnamese.sentence),
};

const known = new WeakMap<object, object>();

/**
 * A language of its own for tests: every text that comes from a catalogue is in brackets ⟦…⟧, and the texts that it is given
 * stand outside of them. What is in no brackets is data, is typed, or was left in no catalogue.
 */
export const pseudoLanguage: Spoken = {
  name: 'qps',
  textsOf<Texts extends object>(subject: string, english: Texts): Texts {
    const pseudoTexts = () => Object.assign(Object(pseudo(english)), subject === 'label' ? ofLabels : {});
    const texts = (known.get(english) ?? pseudoTexts()) as Texts;
    known.set(english, texts);
    return texts;
  },
};

/** What stands in no brackets of a text that was said in that language; a text may stand within another one. */
export function leftOver(text: string): string {
  const rest = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ');
  return rest === text ? text : leftOver(rest);
}
