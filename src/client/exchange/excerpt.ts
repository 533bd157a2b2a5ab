const TITLE = /<title[^>]*>([^<]*)/i;
const LIMIT = 60;

/** A short line from a body that is not JSON, for an error message: the title of a page, else its first words. */
export function excerpt(body: string): string {
  const text = (TITLE.exec(body.slice(0, 4096))?.[1] ?? body.slice(0, 1024).replace(/<[^>]*>?/g, ' '))
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}
