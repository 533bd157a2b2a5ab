/** What Vietnamese syllables begin with. */
const INITIALS = 'b|ch|c|d|đ|gh|gi|g|h|kh|k|l|m|ngh|ng|nh|n|ph|p|qu|q|r|s|th|tr|t|v|x';

/** What they end with, without a tone, by their first vowel. */
const RHYMES = [
  'a(?:ch|c|i|m|nh|ng|n|o|p|t|u|y)?',
  'ă(?:c|m|ng|n|p|t)',
  'â(?:c|m|ng|n|p|t|u|y)',
  'e(?:ch|c|m|ng|n|o|p|t)?',
  'ê(?:ch|m|nh|n|p|t|u)?',
  'i(?:a|ch|m|nh|n|p|t|u|ê(?:c|m|ng|n|p|t|u))?',
  'o(?:a(?:ch|c|i|m|nh|ng|n|o|p|t|y)?|ă(?:c|m|ng|n|t)|e(?:n|o|t)?|c|i|m|ng|n|p|t|oc|ong)?',
  'ô(?:c|i|m|ng|n|p|t)?',
  'ơ(?:i|m|n|p|t)?',
  'u(?:a|â(?:n|ng|t|y)|ê(?:ch|n|nh|u)?|ô(?:c|i|m|n|ng|t)|ơ|c|i|m|ng|n|p|t|y(?:a|ch|ê(?:n|t)|n|nh|p|t|u)?)?',
  'ư(?:a|c|i|ng|n|t|u|ơ(?:c|i|m|ng|n|p|t|u))?',
  'y(?:ê(?:m|n|ng|t|u)|m|n|nh|t)?',
].join('|');

const syllable = new RegExp(`^(?:${INITIALS})?(?:${RHYMES})$`);

/** The marks of the five tones. */
const tones = /[\u0300\u0301\u0303\u0309\u0323]/g;

/** How many words of a text, of two letters or more, are built as Vietnamese syllables are. */
export function syllablesIn(text: string): number {
  const plain = text.normalize('NFD').replaceAll(tones, '').normalize('NFC').toLowerCase();
  return plain.split(/[^\p{L}]+/u).filter((word) => word.length > 1 && syllable.test(word)).length;
}
