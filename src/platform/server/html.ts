import { createHash } from 'node:crypto';

/** The common style of our pages: the colours of the system's theme, and plain text. Classes are each page's own. */
export const pageLook = /* css */ `:root {
  color-scheme: light dark;
  --ground: #f3f4f7;
  --card: #fff;
  --line: #d5d9e0;
  --text: #1c2430;
  --quiet: #5a6473;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14161b;
    --card: #1d2027;
    --line: #3a3f4a;
    --text: #e8eaee;
    --quiet: #a3abb8;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
`;

/** Markup that is inserted verbatim: the result of `html`, or trusted text such as a style sheet. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template accepts: text and numbers are escaped, markup is kept, a list is joined, undefined is empty. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template tag for markup: inserted values are escaped, for elements and quoted attributes alike. */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(pieces.map((piece, index) => (index === 0 ? '' : markupOf(values[index - 1])) + piece).join(''));
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return value.map(markupOf).join('');
}

/** The Content-Security-Policy source that allows one inline script or style. */
export function policyHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
