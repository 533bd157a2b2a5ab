import '../../src/cli/vietnamese.ts';
import type { consoleTexts } from '../../src/console/texts.ts';
import { consoleVietnamese } from '../../src/console/texts.vi.ts';
import { labelVietnamese } from '../../src/contract/labels.vi.ts';
import type { Spoken } from '../../src/domain/language.ts';
import { bracketed, labelled, pseudo } from './pseudo-texts.ts';

/** The names of columns and states that have words of their own. */
const ofLabels = {
  state: labelled(labelVietnamese.state),
  heading: labelled(labelVietnamese.heading),
  sentence: labelled(labelVietnamese.sentence),
  inspection: pseudo(Object.fromEntries(Object.keys(labelVietnamese.inspection).map((name) => [name, name]))),
};

const { screen, label, telling } = consoleVietnamese;

/** The names of screens and fields, likewise. */
const ofConsole: Partial<typeof consoleTexts> = {
  screen: labelled(screen),
  label: (name, explanation) => (label(name, explanation) === undefined ? undefined : bracketed(name)),
  telling: labelled(telling),
};

const own: Readonly<Record<string, object>> = { label: ofLabels, console: ofConsole };

const known = new WeakMap<object, object>();

/**
 * A language of its own for tests: every text that comes from a catalogue is in brackets ⟦…⟧, and the texts that it is given
 * stand outside of them. What is in no brackets is data, is typed, or was left in no catalogue.
 */
export const pseudoLanguage: Spoken = {
  name: 'qps',
  textsOf<Texts extends object>(subject: string, english: Texts): Texts {
    const pseudoTexts = () => Object.assign(Object(pseudo(english)), own[subject]);
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
