/** The languages of what shopctl writes for others: paper, sheets for carriers, sentences for buyers. */
export const paperLanguages = ['en', 'vi', 'both'] as const;

/** One of them, or both side by side. */
export type PaperLanguage = (typeof paperLanguages)[number];

/** The facts of a text, by their names. */
export type PaperFacts = Readonly<Record<string, string | number>>;
type PaperText = string | ((facts: PaperFacts) => string);
type PaperTexts = Readonly<Record<string, PaperText>>;

const said = (text: PaperText, facts: PaperFacts): string => (typeof text === 'string' ? text : text(facts));

/**
 * Texts for others in a language; in both, each is the Vietnamese one and the English one with ` / ` between them. A text
 * that is the same in both stands once.
 */
export function onPaper<Texts extends PaperTexts>(
  language: PaperLanguage,
  { vi, en }: { readonly vi: Texts; readonly en: Texts },
): (name: keyof Texts & string, facts?: PaperFacts) => string {
  return (name, facts = {}) => {
    const texts = (language === 'both' ? [vi, en] : [language === 'en' ? en : vi]).map((texts) =>
      said(texts[name] ?? '', facts),
    );
    return [...new Set(texts)].join(' / ');
  };
}
