/**
 * A header or a word as the service compares it: without accents, case or punctuation; đ becomes d. A run of anything
 * but letters and digits becomes one space.
 */
export function normalForm(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[đĐ]/g, 'd')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}
