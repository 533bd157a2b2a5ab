import { createHash } from 'node:crypto';

/** Markup that is inserted as it is: what `html` made, or a text of our own such as a style sheet. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text and numbers are escaped, markup stays, a list is joined, undefined is nothing. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template for markup: whatever is inserted is escaped, for elements and for quoted attributes alike. */
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

/** How a Content-Security-Policy names one inline script or style that it lets through. */
export function policyHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
